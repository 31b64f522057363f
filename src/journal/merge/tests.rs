//! Records of several journals in one: each once, with the leaf that it has at home, whatever had to be changed of it.

use std::collections::BTreeMap;

use annals_journal_format::tree::{LeafStep, leaves};

use super::*;
use crate::event::{
    Body, Content, Envelope, Event, PromptSubmitted, ReadBy, Source as Door, TimelineQueried,
};
use crate::journal::verify;

fn project(dir: &Path, as_of_ms: u64) -> Project {
    std::fs::create_dir(dir).unwrap();
    let options = InitOptions { as_of_ms: Some(as_of_ms), ..InitOptions::default() };
    Project::init(dir, &options).unwrap().0
}

fn append(project: &Project, at_ms: u64, bodies: Vec<Body>) -> u64 {
    let event = |body| Event { envelope: Envelope::new(None, Door::Live, at_ms), body };
    let events: Vec<_> = bodies.into_iter().map(event).collect();
    project.journal().unwrap().append(&events, at_ms).unwrap().last.0
}

fn prompt(text: Content) -> Body {
    let (native_id, actor, attachments) = (None, None, Vec::new());
    Body::PromptSubmitted(PromptSubmitted { text, native_id, actor, attachments })
}

fn said(text: &str) -> Body {
    prompt(Content::Inline(text.as_bytes().to_vec()))
}

fn read(through_sequence: u64) -> Body {
    let query = format!("read {through_sequence}");
    let by = ReadBy::Asked;
    Body::TimelineQueried(TimelineQueried { query, by, through_sequence, returned: 1 })
}

fn input(project: &Project) -> Input {
    at(&project.journal_dir())
}

fn merged(inputs: &[&Project], into: &Path) -> MergeReport {
    let inputs: Vec<_> = inputs.iter().map(|it| input(it)).collect();
    let open = |root: &Path, options: InitOptions| {
        std::fs::create_dir_all(root).unwrap();
        Ok(Project::init(root, &options)?.0)
    };
    merge(&inputs, into, open).unwrap()
}

/// Every record of a journal that goes into others, with its leaf.
fn records(project: &Project) -> BTreeMap<u64, Hash> {
    let mut found = BTreeMap::new();
    let storage = Reading::Live.storage(&project.journal_dir()).unwrap();
    let mut take = |step: LeafStep<'_>| {
        if let LeafStep::Leaf { sequence, leaf, frame } = step
            && !is_own(annals_journal_format::frame::Carried::of(frame).kind)
        {
            found.insert(sequence.0, leaf);
        }
        true
    };
    leaves(&storage, &project.journal_dir(), None, true, &mut take).unwrap();
    found
}

type Hash = [u8; 32];

/// The same by what a merged journal tells.
fn told(into: &Path, of: [u8; 16]) -> BTreeMap<u64, Hash> {
    let project = Project::open(into).unwrap();
    let reader = project.reader().unwrap();
    let all = (1..=reader.mark().sequence.0).filter_map(|at| reader.origin(Sequence(at)).unwrap());
    let of = all.filter(|it| it.journal == of).map(|it| (it.sequence.0, it.leaf));
    let mut told = BTreeMap::new();
    for (sequence, leaf) in of {
        assert!(told.insert(sequence, leaf).is_none(), "@{sequence} is there twice");
    }
    told
}

#[test]
fn every_record_is_there_once_with_its_leaf_however_late_it_comes() {
    let dir = tempfile::tempdir().unwrap();
    let [one, other] = ["one", "other"].map(|it| dir.path().join(it));
    let (one, other) = (project(&one, 5_000_000), project(&other, 1_000_000));
    let large = "the same again ".repeat(600);
    let first = append(&one, 5_000_100, vec![said(&large), said("two in one commit")]) - 1;
    let hash = *blake3::hash(large.as_bytes()).as_bytes();
    let repeated = Content::Repeated { sequence: first, hash, len: large.len() as u64 };
    append(&one, 5_000_200, vec![prompt(repeated), read(first)]);
    append(&other, 1_000_100, vec![said("early"), read(3)]);
    append(&other, 9_000_000, vec![said("late")]);
    let into = dir.path().join("into");
    assert_eq!(merged(&[&one], &into).sources[0].same, 0);
    // Older than the journal's end by more than an hour.
    merged(&[&one, &other], &into);
    append(&one, 9_500_000, vec![said("last")]);
    let report = merged(&[&other, &one], &into);
    assert_eq!(report.sources.iter().map(|it| it.taken).sum::<u64>(), 1);
    for source in [&one, &other] {
        let (id, records) = (source.journal().unwrap().id(), records(source));
        let mut told = told(&into, id);
        // What both say of their tools when they are made is taken once.
        told.entry(2).or_insert(records[&2]);
        assert_eq!(told, records);
    }
    let merged = Project::open(&into).unwrap();
    let report = verify(&merged.journal_dir(), Reading::Live).unwrap();
    assert!(report.is_clean(), "{:?}", report.findings);
    // What refers to another record finds it.
    let reader = merged.reader().unwrap();
    let mut texts = Vec::new();
    for at in 1..=reader.mark().sequence.0 {
        let recorded = reader.get(Sequence(at)).unwrap().unwrap();
        match &recorded.event.body {
            Body::PromptSubmitted(it) => {
                let bytes = reader.bytes(&it.text).unwrap();
                texts.push(String::from_utf8(bytes).unwrap());
            }
            Body::TimelineQueried(it) => {
                let of = reader.origin(Sequence(it.through_sequence)).unwrap().unwrap();
                assert_eq!(it.query, format!("read {}", of.sequence.0));
            }
            _ => {}
        }
    }
    assert_eq!(texts.iter().filter(|it| **it == large).count(), 2);
    assert_eq!(texts.len(), 6);
}
