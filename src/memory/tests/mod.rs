//! Operations on branch memory, on real projects: what they decide, record and hold.

mod applied;
mod archival;
mod care;
mod core;
mod found;
mod frameworks;
mod nodes;
mod properties;
mod recall;
mod together;
mod wounds;

use super::{Asker, Memory, MemoryError, Operation};
use crate::event::{Event, Sequence};
use crate::journal::{InitOptions, Project, ReplayItem};
use crate::memory::query as memory;
use crate::memory::query::RecallEvent;
use crate::memory::store::MemoryReader;
use crate::store::rebuild::{RebuildMode, rebuild};
use crate::store::{Digest, JournalFeed, StoreName};

/// A project in a folder of its own.
pub(super) struct Scene {
    folder: tempfile::TempDir,
    pub project: Project,
}

/// Sizes that are reached soon.
const SMALL: &str =
    "[memory]\ncore_max_chars = 60\nrecall_max_events = 4\narchival_max_chars = 300\n";

fn scene() -> Scene {
    scene_of("")
}

/// A project with these settings.
pub(super) fn scene_of(settings: &str) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    std::fs::write(project.config_path(), settings).unwrap();
    crate::journal::trust::Settings::of(project.root()).allow(None).unwrap();
    let project = Project::open(folder.path()).unwrap();
    Scene { folder, project }
}

/// Whatever a test did: caught up is rebuilt.
impl Drop for Scene {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.check();
        }
    }
}

impl Scene {
    fn memory(&self) -> Memory<'_> {
        Memory::open(&self.project).unwrap()
    }

    /// One operation that is done.
    fn done<T>(&self, operation: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError>) -> T {
        self.memory().operate(&Asker::default(), operation).unwrap()
    }

    /// One operation that is refused: nothing of it stays.
    fn refused<T>(
        &self,
        operation: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError>,
    ) -> String {
        let (before, events) = (self.digest(), self.events().len());
        let error = self.memory().operate(&Asker::default(), operation).err().unwrap();
        assert!(error.is_refusal(), "{error:?}");
        assert_eq!((self.digest(), self.events().len()), (before, events));
        error.to_string()
    }

    /// Branches, each with its parent.
    fn branches(&self, branches: &[(&str, Option<&str>)]) {
        for (branch, parent) in branches {
            self.done(|op| op.mem_node_fork(*parent, branch, &[], None));
        }
    }

    fn reader(&self) -> MemoryReader {
        MemoryReader::open(&self.project.annals_dir().join("memory.db")).unwrap()
    }

    fn digest(&self) -> Option<Digest> {
        let path = self.project.annals_dir().join("memory.db");
        path.exists().then(|| MemoryReader::open(&path).unwrap().digest().unwrap().1)
    }

    /// Caught up is rebuilt.
    fn check(&self) {
        let places = crate::stores::places(self.project.root());
        let feed = JournalFeed::of(&self.project).unwrap();
        // What frameworks keep has a store where a test did anything with it.
        let mut made = vec![StoreName::MEMORY, StoreName::STATE];
        made.truncate(if places.state().exists() { 2 } else { 1 });
        let report = rebuild(&places, &feed, &made, RebuildMode::Check).unwrap();
        for store in &report.stores {
            assert_eq!(store.same, Some(true), "{report:?}");
            assert_eq!(store.anomalies, 0, "{report:?}");
        }
    }

    /// What the journal holds after what `init` put there.
    fn events(&self) -> Vec<Event> {
        let reader = self.project.reader().unwrap();
        let events = reader.replay(Sequence(3), None).map(Result::unwrap);
        let event = |item| match item {
            ReplayItem::Event(recorded) => Some(recorded.event),
            _ => None,
        };
        events.filter_map(event).collect()
    }

    /// What a branch sees under its keys, as `key=value`.
    fn core(&self, branch: &str) -> Vec<String> {
        let reader = self.reader();
        let seen = memory::core(&reader.view(), branch, crate::journal::clock::now_ms()).unwrap();
        seen.into_values().map(|it| format!("{}={}", it.key, it.value)).collect()
    }

    /// The events that a branch sees, the newest first.
    fn recall(&self, branch: &str) -> Vec<RecallEvent> {
        memory::recall(&self.reader().view(), branch, usize::MAX).unwrap().events
    }

    fn recall_texts(&self, branch: &str) -> Vec<String> {
        self.recall(branch).into_iter().map(|event| event.text).collect()
    }

    fn summaries(&self, branch: &str) -> Vec<String> {
        let seen = memory::recall(&self.reader().view(), branch, usize::MAX).unwrap().summaries;
        seen.into_iter().map(|it| it.text).collect()
    }

    /// Every text of the records that a branch sees, the newest first.
    fn archive(&self, branch: &str) -> Vec<memory::ArchivalRecord> {
        let all = memory::ArchivalSearch {
            branch,
            query: "",
            matching: memory::Matching::All,
            k: 10_000,
            tags: &[],
            include_ancestors: true,
            use_fts: true,
        };
        memory::search(&self.reader().view(), &all).unwrap()
    }
}

/// Tags, as a caller gives them.
fn tags(tags: &[&str]) -> Vec<String> {
    tags.iter().map(|&tag| tag.to_owned()).collect()
}
