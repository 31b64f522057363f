//! A real store that events are projected into, one by one.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::event::{
    ArchivalWritten, Body, BranchForked, CoreDeleted, CoreSet, Envelope, Event, MemoryDoor,
    MemoryOrigin, RecallAppended, Recorded, Sequence, Source,
};
use crate::execution::index::{Index, IndexReader};
use crate::execution::query::QueryError;
use crate::memory::query::{RecallEvent, recall};
use crate::memory::store::{Memory, MemoryView};
use crate::store::Projector;

/// A store in a folder of its own, inside a transaction that never ends.
pub struct Kept {
    projector: Memory,
    sequence: u64,
    index: OnceCell<IndexReader>,
    folder: tempfile::TempDir,
}

impl Kept {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        Box::new(Memory::create(&path).unwrap()).finish().unwrap();
        let mut projector = Memory::open(&path).unwrap();
        projector.begin().unwrap();
        Self { projector, sequence: 0, index: OnceCell::new(), folder }
    }

    pub fn with(bodies: impl IntoIterator<Item = Body>) -> Self {
        let mut kept = Self::new();
        for (at, body) in bodies.into_iter().enumerate() {
            kept.apply(body, 1_000 * (at as u64 + 1));
        }
        kept
    }

    pub fn apply(&mut self, body: Body, at_ms: u64) {
        self.sequence += 1;
        let event = Event { envelope: Envelope::new(None, Source::Live, at_ms), body };
        let recorded = Recorded { sequence: Sequence(self.sequence), recorded_ms: at_ms, event };
        self.projector.apply(&recorded, None).unwrap();
        let anomalies = self.projector.take_anomalies();
        assert!(anomalies.is_empty(), "{anomalies:?}");
    }

    pub fn view(&self) -> MemoryView<'_> {
        self.projector.view()
    }

    /// An index that knows none of the records, and the records: their words are as it would keep them.
    pub fn words(&self) -> (&IndexReader, BTreeSet<u64>) {
        let index = self.index.get_or_init(|| {
            let path = self.folder.path().join("index.db");
            Box::new(Index::create(&path, Vec::new()).unwrap()).finish().unwrap();
            IndexReader::open(&path).unwrap()
        });
        (index, self.view().record_ids().unwrap().into_iter().collect())
    }
}

pub fn origin() -> MemoryOrigin {
    MemoryOrigin::by(MemoryDoor::Api)
}

pub fn fork(branch: &str, parent: Option<&str>) -> Body {
    Body::BranchForked(BranchForked {
        branch: branch.to_owned(),
        parent: parent.map(str::to_owned),
        node: Some(format!("node-{branch}")),
        auto_created: false,
        copied_from: None,
        origin: origin(),
    })
}

pub fn set(branch: &str, key: &str, value: &str) -> Body {
    set_as(branch, key, value, 3, None)
}

pub fn set_as(branch: &str, key: &str, value: &str, importance: u8, ttl: Option<&str>) -> Body {
    Body::CoreSet(CoreSet {
        branch: branch.to_owned(),
        key: key.to_owned(),
        value: value.to_owned(),
        importance,
        ttl: ttl.map(str::to_owned),
        origin: origin(),
    })
}

pub fn delete(branch: &str, key: &str) -> Body {
    let (branch, key, reason) = (branch.to_owned(), key.to_owned(), String::new());
    Body::CoreDeleted(CoreDeleted { branch, key, reason, origin: origin() })
}

pub fn append(id: u64, branch: &str, kind: &str, text: &str, tags: &[&str]) -> Body {
    Body::RecallAppended(RecallAppended {
        id,
        branch: branch.to_owned(),
        kind: kind.to_owned(),
        text: text.to_owned(),
        tags: owned(tags),
        task_hint: None,
        memory_size: None,
        origin: origin(),
    })
}

pub fn archive(id: u64, branch: &str, text: &str, tags: &[&str]) -> Body {
    Body::ArchivalWritten(ArchivalWritten {
        id,
        branch: branch.to_owned(),
        text: text.to_owned(),
        tags: owned(tags),
        whole: None,
        origin: origin(),
    })
}

pub fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// The newest events of its ancestors that a branch sees, at most `limit`.
pub fn inherited_events(
    view: &MemoryView<'_>,
    branch: &str,
    limit: usize,
) -> Result<Vec<RecallEvent>, QueryError> {
    let mut events = recall(view, branch, usize::MAX)?.events;
    events.retain(|event| event.branch != branch);
    events.truncate(limit);
    Ok(events)
}
