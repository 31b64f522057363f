//! Publishing against generated histories: at every prefix what was caught up is what is made anew.

mod edited;

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::{Publish, RepoFiles};
use crate::event::{Body, Envelope, Event, Source};
use crate::execution::index::IndexReader;
use crate::repo::query::{RepoMemory, RepoView, Summary};
use crate::store::StorePlaces;
use crate::store::catch_up::catch_up;
use crate::store::catch_up::tests::of_repo::any_of_repo;
use crate::store::feed::memory::MemoryFeed;

fn event(at_ms: u64, body: Body) -> Event {
    Event { envelope: Envelope::new(None, Source::Live, at_ms), body }
}

/// A project's places in a folder, and files below `home` in it.
fn project(folder: &Path) -> (StorePlaces, RepoFiles) {
    fs::create_dir_all(folder.join(".annals")).unwrap();
    let places = crate::stores::places(folder);
    let files = RepoFiles::at(places.index(), &folder.join("home"));
    (places, files)
}

fn catch_up_through(places: &StorePlaces, feed: &MemoryFeed) {
    let report = catch_up(places, feed);
    assert!(report.is_current(), "{report:?}");
}

/// Every published file of a home, by its path, hidden ones left out.
fn published(home: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![home.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(home).unwrap().to_string_lossy().into_owned();
            let is_hidden = name.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
            match path.is_dir() {
                true => folders.push(path),
                false if is_hidden => {}
                false => found.push((name, fs::read(&path).unwrap())),
            }
        }
    }
    found.sort();
    found
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(6),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn at_every_prefix_what_was_published_is_what_is_published_from_nothing(
        commits in prop::collection::vec(
            prop::collection::vec((0..9_u64, any_of_repo()), 1..5),
            1..8,
        ),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (places, files) = project(folder.path());
        let mut feed = MemoryFeed::new(1);
        for (number, commit) in commits.into_iter().enumerate() {
            feed.commit(commit.into_iter().map(|(at_ms, body)| event(at_ms, body)).collect());
            catch_up_through(&places, &feed);
            let report = files.publish(Publish::Newest).unwrap();
            prop_assert!(report.is_current(), "{report:?}");
            let again = files.publish(Publish::All).unwrap();
            prop_assert_eq!(again.folders.iter().map(|it| it.written()).sum::<usize>(), 0);

            let home = folder.path().join(format!("anew {number}"));
            let anew = RepoFiles::at(places.index(), &home);
            prop_assert!(anew.publish(Publish::All).unwrap().is_current());
            prop_assert_eq!(published(&folder.path().join("home")), published(&home));
            prop_assert!(files.status().unwrap().iter().all(|it| it.problem.is_none()));
            reads_back(&places, &files);
        }
    }
}

/// What the files say is what the rows say.
fn reads_back(places: &StorePlaces, files: &RepoFiles) {
    let index = IndexReader::open(places.index()).unwrap();
    let view = RepoView::of(&index);
    for repo in view.repos().unwrap() {
        let folder = files.folder(repo.repo);
        let read = RepoMemory::parse(&fs::read(folder.join("memory.json")).unwrap()).unwrap();
        let told = RepoMemory::parse(view.memory(repo.repo).unwrap().unwrap().to_json().as_bytes());
        assert_eq!(read, told.unwrap());
        let lines = fs::read(folder.join("summaries.jsonl")).unwrap_or_default();
        let lines: Vec<Summary> = lines
            .split_inclusive(|byte| *byte == b'\n')
            .map(|line| Summary::parse(line).unwrap())
            .collect();
        let count = lines.len();
        let newest = view.summaries(repo.repo, 2).unwrap();
        assert_eq!(newest.len(), count.min(2));
        let texts = |summaries: &[Summary]| {
            summaries.iter().map(|it| it.summary.clone()).collect::<Vec<_>>()
        };
        assert_eq!(texts(&lines[count - newest.len()..]), texts(&newest));
    }
}
