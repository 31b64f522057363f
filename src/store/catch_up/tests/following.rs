//! An index that is built of what is still being written.

use std::time::Duration;

use super::digests;
use crate::event::{Body, Content, Envelope, Event, PromptSubmitted, Source};
use crate::journal::{InitOptions, Project, clock};
use crate::store::catch_up::{Followed, catch_up, catch_up_briefly, following};
use crate::store::rebuild::{RebuildMode, rebuild};
use crate::store::{JournalFeed, StorePlaces};

fn project() -> (tempfile::TempDir, Project, StorePlaces) {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    let places = crate::stores::places(folder.path());
    catch_up(&places, &JournalFeed::of(&project).unwrap());
    (folder, project, places)
}

fn prompt(number: usize) -> Event {
    let text = Content::Inline(format!("do {number}").into_bytes());
    let (native_id, actor, attachments) = (Some(number.to_string()), None, Vec::new());
    let body = Body::PromptSubmitted(PromptSubmitted { text, native_id, actor, attachments });
    Event { envelope: Envelope::new(None, Source::Import, 1_766_534_400_000), body }
}

/// Writes so many commits of a hundred events, none of them durable yet.
fn followed(project: &Project, places: &StorePlaces, commits: usize) -> Followed {
    let write = || {
        for commit in 0..commits {
            let events: Vec<Event> = (0..100).map(|it| prompt(commit * 100 + it)).collect();
            let last = project.reader().unwrap().mark().sequence;
            project.journal().unwrap().write_after(last, &events, clock::now_ms()).unwrap();
        }
    };
    following(places, &project.journal_dir(), write).1
}

#[test]
fn it_is_adopted_as_if_it_had_been_rebuilt() {
    let (_folder, project, places) = project();
    let index = followed(&project, &places, 60);
    assert!(index.is_built());
    let feed = JournalFeed::of(&project).unwrap();
    index.adopt(&places, &feed).unwrap();
    let report = catch_up(&places, &feed);
    assert!(report.is_current() && report.stores[0].outcome.as_ref().unwrap().events == 0);
    let before = digests(&places);
    let report = rebuild(&places, &feed, &[], RebuildMode::Replace).unwrap();
    assert!(!report.differs(), "{report:?}");
    assert_eq!(digests(&places), before);
}

#[test]
fn of_little_none_is_built_and_one_that_was_overtaken_is_thrown_away() {
    let (_folder, project, places) = project();
    assert!(!followed(&project, &places, 3).is_built());
    let index = followed(&project, &places, 60);
    let feed = JournalFeed::of(&project).unwrap();
    // Row by row: who would build it too waits for this one.
    assert!(catch_up_briefly(&places, &feed, Duration::from_secs(600)).is_current());
    let before = digests(&places);
    index.adopt(&places, &feed).unwrap();
    assert_eq!(digests(&places), before);
    assert!(!places.building.join("index.db").exists());
}
