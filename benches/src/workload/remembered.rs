//! Branch memory: chains of branches, and what is written on them.

use annals::internal::event::{
    ArchivalWritten, Body, BranchForked, CoreSet, Envelope, Event, MemoryDoor, MemoryOrigin,
    RecallAppended, Source,
};

/// Branches of a chain, the root included.
pub const CHAIN: u64 = 100;
/// Events and keys of each branch.
const EVENTS: u64 = 10;
const KEYS: u64 = 5;
/// When everything began.
const START_MS: u64 = 1_700_000_000_000;

/// A memory of this size.
#[derive(Clone, Copy, Debug)]
pub struct Remembered {
    pub branches: u64,
    pub records: u64,
}

/// The name of a branch.
pub fn branch(number: u64) -> String {
    format!("node-{number:05}")
}

impl Remembered {
    /// The branch that the longest chain ends with.
    pub fn deepest(self) -> String {
        branch(self.branches.min(CHAIN) - 1)
    }

    /// When the last of it happened.
    pub fn ends_ms(self) -> u64 {
        START_MS + self.branches * (1 + EVENTS + KEYS) + self.records
    }

    /// All of its events in order: branches with their keys and events, then the records, each on
    /// another branch than the one before, so that a branch's lie apart.
    pub fn events(self) -> impl Iterator<Item = Event> {
        let written = (0..self.branches).flat_map(|number| {
            let forked = std::iter::once(forked(number));
            let keys = (0..KEYS).map(move |key| set(number, key));
            forked.chain(keys).chain((0..EVENTS).map(move |event| appended(number, event)))
        });
        let branches = self.branches;
        let records = (0..self.records).map(move |record| archived(record, branches));
        let at = |(at, body): (usize, Body)| {
            let envelope = Envelope::new(None, Source::Live, START_MS + at as u64);
            Event { envelope, body }
        };
        written.chain(records).enumerate().map(at)
    }
}

fn origin() -> MemoryOrigin {
    MemoryOrigin::by(MemoryDoor::Api)
}

fn forked(number: u64) -> Body {
    Body::BranchForked(BranchForked {
        branch: branch(number),
        parent: (!number.is_multiple_of(CHAIN)).then(|| branch(number - 1)),
        node: Some(branch(number)),
        auto_created: false,
        copied_from: None,
        origin: origin(),
    })
}

fn set(number: u64, key: u64) -> Body {
    Body::CoreSet(CoreSet {
        branch: branch(number),
        key: format!("key-{}", (number + key) % 40),
        value: format!("value {number} that takes about as much room as one line does"),
        importance: 3,
        ttl: None,
        origin: origin(),
    })
}

fn appended(number: u64, event: u64) -> Body {
    Body::RecallAppended(RecallAppended {
        id: number * EVENTS + event + 1,
        branch: branch(number),
        kind: if event.is_multiple_of(2) { "compile_complete" } else { "run_complete" }.to_owned(),
        text: format!("Phase {event} complete for node {number}"),
        tags: vec!["RECALL_EVENT".to_owned(), format!("node_id:{number}")],
        task_hint: None,
        memory_size: None,
        origin: origin(),
    })
}

/// Words with how often they come: `common` in every record, `tenth` in one of ten, and so on;
/// `elsewhere` in half of them, but in none of the first chain. One record in ten has a dash that is
/// not ASCII.
fn archived(record: u64, branches: u64) -> Body {
    // A prime: neighbours in the table are never of one branch.
    let number = (record * 7_919) % branches;
    let mut text = format!("Record {record}: common findings of node {number}");
    for (word, every) in
        [("tenth", 10), ("hundredth", 100), ("thousandth", 1_000), ("rare", 100_000)]
    {
        if record % every == every / 2 {
            text.push(' ');
            text.push_str(word);
        }
    }
    if number >= CHAIN && record.is_multiple_of(2) {
        text.push_str(" elsewhere");
    }
    let dash = if record % 10 == 3 { '—' } else { '-' };
    text.push_str(&format!(
        " {dash} the compiler flags were kept, blocking by {} was tried, and what it gained was \
         measured against the baseline of the stage before; nothing else was changed meanwhile.",
        record % 64
    ));
    Body::ArchivalWritten(ArchivalWritten {
        id: record + 1,
        branch: branch(number),
        text,
        tags: vec!["LLM_INSIGHT".to_owned(), format!("node_id:{number}")],
        whole: None,
        origin: origin(),
    })
}
