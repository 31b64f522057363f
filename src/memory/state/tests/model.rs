//! Whatever is put, deleted, appended, taken back, cleared and forked: a branch sees what a map and a list that were
//! copied at each fork would hold.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::event::{
    Body, BranchForked, CopiedFrom, Envelope, Event, Json, KvDeleted, KvPut, MemoryDoor,
    MemoryOrigin, MessageAppended, MessagePopped, Recorded, Sequence, Source, ThreadCleared,
};
use crate::memory::state::{KvKey, State};
use crate::store::Projector;

#[derive(Clone, Debug)]
enum Step {
    Put {
        on: usize,
        key: usize,
        ttl_ms: Option<u64>,
    },
    Delete {
        on: usize,
        key: usize,
    },
    Append {
        on: usize,
        thread: usize,
    },
    Pop {
        on: usize,
        thread: usize,
    },
    Clear {
        on: usize,
        thread: usize,
    },
    Fork {
        from: usize,
    },
    /// From what was seen so many events ago.
    ForkAt {
        from: usize,
        ago: u64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let (on, name) = (0..4_usize, 0..3_usize);
    prop_oneof![
        5 => (on.clone(), name.clone(), proptest::option::of(1..20_u64))
            .prop_map(|(on, key, ttl_ms)| Step::Put { on, key, ttl_ms }),
        2 => (on.clone(), name.clone()).prop_map(|(on, key)| Step::Delete { on, key }),
        5 => (on.clone(), name.clone()).prop_map(|(on, thread)| Step::Append { on, thread }),
        2 => (on.clone(), name.clone()).prop_map(|(on, thread)| Step::Pop { on, thread }),
        1 => (on.clone(), name).prop_map(|(on, thread)| Step::Clear { on, thread }),
        1 => on.clone().prop_map(|from| Step::Fork { from }),
        1 => (on, 0..8_u64).prop_map(|(from, ago)| Step::ForkAt { from, ago }),
    ]
}

/// A version: its number, its value, none where it was deleted, and when it is over.
type Version = (u64, Option<u64>, Option<u64>);

/// What a branch holds.
#[derive(Clone, Debug, Default)]
struct Held {
    keys: BTreeMap<usize, Vec<Version>>,
    threads: BTreeMap<usize, Thread>,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    last: u64,
    /// Number and content.
    messages: Vec<(u64, u64)>,
}

const LABELS: [&[&str]; 3] = [&[], &["a"], &["a", "b"]];

struct Both {
    _dir: tempfile::TempDir,
    state: State,
    sequence: u64,
    branches: Vec<Held>,
    /// What every branch held after each event.
    past: Vec<Vec<Held>>,
}

impl Both {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state.db");
        Box::new(State::create(&path).unwrap()).finish().unwrap();
        let mut state = State::open(&path).unwrap();
        state.begin().unwrap();
        let mut both = Self { _dir: dir, state, sequence: 0, branches: vec![], past: vec![vec![]] };
        both.branches.push(Held::default());
        both.apply(Body::BranchForked(fork(0, None, None)));
        both
    }

    fn apply(&mut self, body: Body) {
        self.sequence += 1;
        let event = Event { envelope: Envelope::new(None, Source::Annals, self.sequence), body };
        let sequence = Sequence(self.sequence);
        let recorded = Recorded { sequence, recorded_ms: self.sequence, event };
        self.state.apply(&recorded, None).unwrap();
        self.past.push(self.branches.clone());
    }

    fn carry_out(&mut self, step: &Step) {
        let count = self.branches.len();
        let (now, origin) = (self.sequence + 1, MemoryOrigin::by(MemoryDoor::Api));
        match *step {
            Step::Put { on, key, ttl_ms } => {
                let versions = self.branches[on % count].keys.entry(key).or_default();
                let version = versions.last().map_or(0, |it| it.0) + 1;
                versions.push((version, Some(now), ttl_ms.map(|ttl| now + ttl)));
                let (branch, namespace, key) = named(on % count, key);
                let value = Json(now.to_string());
                self.apply(Body::KvPut(KvPut {
                    branch,
                    namespace,
                    key,
                    version,
                    value,
                    ttl_ms,
                    origin,
                }));
            }
            Step::Delete { on, key } => {
                let versions = self.branches[on % count].keys.entry(key).or_default();
                let version = versions.last().map_or(0, |it| it.0);
                versions.push((version, None, None));
                let (branch, namespace, key) = named(on % count, key);
                self.apply(Body::KvDeleted(KvDeleted { branch, namespace, key, version, origin }));
            }
            Step::Append { on, thread } => {
                let held = self.branches[on % count].threads.entry(thread).or_default();
                held.last += 1;
                held.messages.push((held.last, now));
                let (number, content) = (held.last, Json(now.to_string()));
                let (branch, thread) = (branch(on % count), thread.to_string());
                let role = "user".to_owned();
                self.apply(Body::MessageAppended(MessageAppended {
                    branch,
                    thread,
                    number,
                    role,
                    content,
                    origin,
                }));
            }
            Step::Pop { on, thread } => {
                let held = self.branches[on % count].threads.entry(thread).or_default();
                let Some((number, _)) = held.messages.pop() else { return };
                let (branch, thread) = (branch(on % count), thread.to_string());
                self.apply(Body::MessagePopped(MessagePopped { branch, thread, number, origin }));
            }
            Step::Clear { on, thread } => {
                let held = self.branches[on % count].threads.entry(thread).or_default();
                let messages = held.messages.len() as u64;
                held.messages.clear();
                let (branch, thread) = (branch(on % count), thread.to_string());
                self.apply(Body::ThreadCleared(ThreadCleared { branch, thread, messages, origin }));
            }
            Step::Fork { from } => {
                self.branches.push(self.branches[from % count].clone());
                self.apply(Body::BranchForked(fork(count, Some(branch(from % count)), None)));
            }
            Step::ForkAt { from, ago } => {
                let through_sequence = self.sequence.saturating_sub(ago);
                let Some(then) = self.past[through_sequence as usize].get(from % count) else {
                    return;
                };
                self.branches.push(then.clone());
                let copied = CopiedFrom { branch: branch(from % count), through_sequence };
                self.apply(Body::BranchForked(fork(count, None, Some(copied))));
            }
        }
    }

    /// What the store shows of a branch is what the model holds.
    fn check(&self, at: usize) {
        let (view, now, held) = (self.state.view(), self.sequence, &self.branches[at]);
        let mut seen_below_a = 0;
        for key in 0..3 {
            let (branch, namespace, name) = named(at, key);
            let of = KvKey { branch: &branch, namespace: &namespace, key: &name };
            let versions = held.keys.get(&key).cloned().unwrap_or_default();
            let history = view.history(&of, usize::MAX).unwrap();
            let told: Vec<Version> = history
                .iter()
                .rev()
                .map(|it| {
                    (it.version, it.value.as_ref().map(|it| it.0.parse().unwrap()), it.over_ms)
                })
                .collect();
            assert_eq!(told, versions, "{branch} {name}");
            let live = versions
                .last()
                .copied()
                .filter(|(_, value, over)| value.is_some() && over.is_none_or(|over| now < over));
            let got = view.get(&of, now).unwrap();
            assert_eq!(got.as_ref().map(|it| it.version), live.map(|it| it.0), "{branch} {name}");
            if let Some(got) = got {
                // The first version since the last deletion.
                let since = versions.iter().rposition(|it| it.1.is_none()).map_or(0, |at| at + 1);
                assert_eq!(Some(got.created_ms), versions[since].1);
                seen_below_a += usize::from(key > 0);
            }
            let messages = view.messages(&branch, &key.to_string(), usize::MAX).unwrap();
            let told: Vec<(u64, u64)> =
                messages.iter().map(|it| (it.number, it.content.0.parse().unwrap())).collect();
            let thread = held.threads.get(&key).cloned().unwrap_or_default();
            assert_eq!(told, thread.messages, "{branch} {key}");
            assert_eq!(view.last_number(&branch, &key.to_string()).unwrap(), thread.last);
            let last = view.messages(&branch, &key.to_string(), 1).unwrap();
            assert_eq!(last.last(), messages.last());
        }
        let below = view.entries(&branch(at), &["a".to_owned()], now).unwrap();
        assert_eq!(below.len(), seen_below_a);
        let threads = view.threads(&branch(at)).unwrap();
        let told: Vec<(String, u64)> =
            threads.into_iter().map(|it| (it.thread, it.messages)).collect();
        let full = held.threads.iter().filter(|(_, it)| !it.messages.is_empty());
        let held: Vec<(String, u64)> =
            full.map(|(name, it)| (name.to_string(), it.messages.len() as u64)).collect();
        assert_eq!(told, held);
    }
}

fn branch(at: usize) -> String {
    format!("b{at}")
}

fn named(at: usize, key: usize) -> (String, Vec<String>, String) {
    let labels = LABELS[key].iter().map(|it| (*it).to_owned()).collect();
    (branch(at), labels, "key".to_owned())
}

fn fork(at: usize, parent: Option<String>, copied_from: Option<CopiedFrom>) -> BranchForked {
    let (branch, node, origin) = (branch(at), None, MemoryOrigin::by(MemoryDoor::Api));
    BranchForked { branch, parent, node, auto_created: false, copied_from, origin }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_branch_sees_what_it_had_at_its_fork_and_then_its_own(
        steps in proptest::collection::vec(step(), 1..40)
    ) {
        let mut both = Both::new();
        for step in &steps {
            both.carry_out(step);
        }
        for at in 0..both.branches.len() {
            both.check(at);
        }
    }
}
