//! What is remembered survives a write that was cut short, and never goes back by itself.

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::journal::{InitOptions, Project};

fn at(sequence: u64) -> Bookmark {
    let mark = Mark { sequence: Sequence(sequence), chain: [sequence as u8; 32] };
    Bookmark {
        journal: crate::journal::id::entropy()[..16].try_into().unwrap(),
        segment: 0,
        end: 8,
        mark,
    }
}

fn path_of(journal: &[u8; 16]) -> PathBuf {
    let folder = crate::config::environment::state_folder().unwrap();
    let mut names = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let name = format!("seen-{}", super::super::hex(journal));
    names.find(|it| it.to_string_lossy().contains(&name)).unwrap()
}

#[test]
fn the_later_of_two_slots_counts_and_a_torn_one_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let first = at(1);
    let file = SeenFile::of(folder.path(), &first.journal).unwrap();
    assert_eq!(file.last(), None);
    let later = |sequence| Bookmark { mark: at(sequence).mark, ..first.clone() };
    for sequence in 1..6 {
        file.note(&later(sequence)).unwrap();
        assert_eq!(file.last().unwrap().at, later(sequence));
    }
    // What another process noted meanwhile is not undone.
    file.note(&later(3)).unwrap();
    assert_eq!(file.last().unwrap().at, later(5));
    let [one] = &all(&first.journal)[..] else { panic!("one folder") };
    assert_eq!(one.folder, folder.path().canonicalize().unwrap().to_string_lossy());
    // A byte of the later slot is another: the one before counts.
    let path = path_of(&first.journal);
    let bytes = fs::read(&path).unwrap();
    let slot = 1 + bytes.windows(3).position(|it| it == b" 5 ").unwrap();
    let mut torn = bytes.clone();
    torn[slot] = b'9';
    fs::write(&path, &torn).unwrap();
    assert_eq!(file.last().unwrap().at, later(4));
    // That it is contradicted is on record until it is found to hold again, or accepted.
    file.tell(&file.last().unwrap()).unwrap();
    assert!(file.last().is_some_and(|it| it.is_told && it.at == later(4)));
    file.note(&later(2)).unwrap();
    assert!(file.last().is_some_and(|it| !it.is_told && it.at == later(4)));
    file.accept(&later(2)).unwrap();
    assert!(file.last().is_some_and(|it| !it.is_told && it.at == later(2)));
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_row_is_read_back_and_nothing_else_is_one() {
    let seen = LastSeen::elsewhere(at(7), "/a".into());
    let line = serde_json::to_string(&SeenRow::from(&seen)).unwrap();
    assert_eq!(SeenRow::parse(&line), Some(seen));
    for line in ["", "{}", "[]", &line.replace("\"chain\":\"07", "\"chain\":\"zz"), &line[1..]] {
        assert_eq!(SeenRow::parse(line), None, "{line}");
    }
}

#[test]
fn what_was_never_flushed_is_not_remembered() {
    let dir = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(dir.path(), &InitOptions::default()).unwrap();
    fs::write(project.config_path(), "[journal]\ndurability = 'buffered'\n").unwrap();
    let project = Project::open(dir.path()).unwrap();
    let journal = project.journal().unwrap();
    let file = SeenFile::of(&project.journal_dir(), &journal.id()).unwrap();
    let before = file.last().unwrap().at.mark;
    let event = crate::event::Event {
        envelope: crate::event::Envelope::new(None, crate::event::Source::Live, 1),
        body: crate::event::Body::ToolsDeclared(crate::event::ToolsDeclared {
            tools: vec!["one".into()],
            by: "test".into(),
        }),
    };
    journal.append(std::slice::from_ref(&event), 1).unwrap();
    assert_eq!(file.last().unwrap().at.mark, before);
    // It is not looked at, since nothing more is proven.
    fs::remove_file(path_of(&journal.id())).unwrap();
    let appended = journal.append(&[event], 1).unwrap();
    assert_eq!(file.last(), None);
    // Nor by who verifies the folder as evidence, while it is written to.
    note_copy(&project.journal_dir());
    assert_eq!(file.last().map(|it| it.at.mark), Some(before));
    journal.sync().unwrap();
    assert_eq!(file.last().unwrap().at.mark, appended.mark);
}
