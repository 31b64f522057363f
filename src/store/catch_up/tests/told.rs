//! An index that is made of what a look at the whole journal tells.

use std::fs;
use std::path::Path;

use super::super::{CatchUpError, Feeding, told};
use crate::event::{Body, Content, Envelope, Event, PromptSubmitted, Source as From};
use crate::journal::{Journal, JournalOptions, Reading, Source, id};
use crate::store::evidence::{Cache, Wants, wanted_stores};
use crate::store::look::{Depth, look_telling};
use crate::store::{Digest, Feed, JournalFeed, StoreName, StorePlaces};
use crate::stores::STORES;

fn recorded(folder: &Path) -> Source {
    let dir = folder.join("journal");
    let journal = Journal::create(&dir, &id::entropy(), JournalOptions::default()).unwrap();
    for commit in 0..200 {
        let events: Vec<Event> = (0..5).map(|it| prompt(commit * 5 + it)).collect();
        journal.append(&events, 1_000).unwrap();
    }
    drop(journal);
    Source::of(&dir).unwrap()
}

fn prompt(number: usize) -> Event {
    let text = Content::Inline(format!("do {number}").repeat(number).into_bytes());
    let (native_id, actor, attachments) = (None, None, Vec::new());
    let body = Body::PromptSubmitted(PromptSubmitted { text, native_id, actor, attachments });
    Event { envelope: Envelope::new(None, From::Live, 1_000), body }
}

/// What becomes of an index that is made of nothing but what a look tells.
fn made(source: &Source, cache: &Cache) -> Result<Digest, CatchUpError> {
    let folder = tempfile::tempdir().unwrap();
    let places = StorePlaces::new(folder.path(), &STORES);
    fs::create_dir(folder.path().join(".annals")).unwrap();
    let feed = JournalFeed::pinned(&source.journal, Reading::Evidence).unwrap();
    let (told, tap) = told(StoreName::INDEX);
    std::thread::scope(|scope| {
        let index = || {
            let from = Feeding { tap: Some(&tap), ..Feeding::of(&places, &feed) };
            from.build(StoreName::INDEX, feed.through()).map(|it| it.digest().unwrap())
        };
        let index = scope.spawn(index);
        look_telling(source, Reading::Evidence, Depth::Whole, cache, Some(told));
        index.join().unwrap()
    })
}

fn wanted(source: &Source, cache: &Cache, is_told: bool) -> Digest {
    let (told, tap) = told(StoreName::INDEX);
    let of = (source.journal.as_path(), Reading::Evidence);
    let tap = is_told.then_some(tap);
    let built = std::thread::scope(|scope| {
        let built = scope.spawn(|| wanted_stores(&STORES, of, None, Wants::Index, cache, tap));
        look_telling(source, Reading::Evidence, Depth::Whole, cache, Some(told));
        built.join().unwrap().unwrap()
    });
    StoreName::INDEX.open(built.places.index()).unwrap().digest().unwrap().1
}

#[test]
fn it_is_the_index_of_a_replay_where_nothing_is_wrong_and_else_none() {
    let folder = tempfile::tempdir().unwrap();
    let source = recorded(folder.path());
    let caches = ["one", "two", "three"].map(|name| {
        Cache::new(Some(folder.path().join(name)), folder.path().to_owned(), "this".to_owned())
    });
    let [one, two, three] = &caches;
    let replayed = wanted(&source, one, false);
    assert_eq!(made(&source, two).unwrap(), replayed);
    assert_eq!(wanted(&source, three, true), replayed);

    let segment = fs::read_dir(&source.journal).unwrap().map(|it| it.unwrap().path());
    let segment = segment.into_iter().find(|it| it.extension().is_some_and(|it| it == "seg"));
    let segment = segment.unwrap();
    let mut bytes = fs::read(&segment).unwrap();
    bytes[9_000] ^= 4;
    fs::write(&segment, bytes).unwrap();
    assert!(made(&source, two).is_err());
    let damaged = wanted(&source, one, false);
    assert_ne!(damaged, replayed);
    assert_eq!(wanted(&source, three, true), damaged);
}
