//! Random histories: what was drawn is made to fit what there is.

use proptest::prelude::*;

use super::kept::{append, archive, delete, fork, origin, set_as};
use super::model::Model;
use crate::event::{
    ArchivalUpdated, Body, CoreEvicted, EvictionCause, Importance, ImportanceEvaluated,
    InheritedConsolidated, InheritedGroup, RecallConsolidated, RecallEvicted, RecallGroup,
};

/// What is drawn: a kind of event, three choices, and how far the time moves (or, of a copied row, how
/// far it lies back).
pub type Drawn = (u8, [u8; 3], u8);

pub fn drawn() -> impl Strategy<Value = Vec<Drawn>> {
    prop::collection::vec((0_u8..24, any::<[u8; 3]>(), 0_u8..4), 1..60)
}

pub const KEYS: [&str; 3] = ["plan", "metric", "k\nCore Memory:"];
const KINDS: [&str; 2] = ["note", "step"];
pub const TEXTS: [&str; 10] = [
    "the compiler failed",
    "The Compiler passed; all is well",
    "compilers, plural",
    "größe of the compiler",
    "日本語のテキスト and compiler",
    "naïve e\u{301}tude",
    "a-b_c/d.e",
    "nul \0 inside compiler",
    "12 is a number",
    "\u{212a}elvin, ΟΔΟΣ, İstanbul",
];
pub const TAGS: [&[&str]; 6] =
    [&[], &["ERROR"], &["ERROR", "node:7"], &["größe"], &["quote\"d\\tag"], &["line\ncompiler"]];

/// Makes events of what was drawn, each with its time.
pub struct History {
    pub model: Model,
    pub now_ms: u64,
    next_id: u64,
    written: Vec<(u64, String)>,
}

impl History {
    pub fn new() -> Self {
        Self { model: Model::default(), now_ms: 1_000, next_id: 1, written: Vec::new() }
    }

    /// The next event; `None` where what was drawn means nothing yet.
    pub fn next(&mut self, (kind, [a, b, c], step): Drawn) -> Option<(Body, u64)> {
        self.now_ms += 1 + 700 * u64::from(step);
        let branches: Vec<String> = self.model.parents.keys().cloned().collect();
        let mut at_ms = self.now_ms;
        let body = if branches.is_empty() || kind < 3 && branches.len() < 9 {
            let parent = branches.get(usize::from(a) % (branches.len() + 1));
            fork(&format!("b{}", branches.len()), parent.map(String::as_str))
        } else {
            let branch = branches[usize::from(a) % branches.len()].clone();
            if matches!(kind, 7..=10 | 15..=18) && c % 5 == 0 {
                // As a copy has it.
                at_ms = self.now_ms.saturating_sub(1_000 * u64::from(c));
            }
            self.body(kind, &branch, b, c)?
        };
        self.model.apply(&body, at_ms);
        Some((body, at_ms))
    }

    fn body(&mut self, kind: u8, branch: &str, b: u8, c: u8) -> Option<Body> {
        let key = KEYS[usize::from(b) % KEYS.len()];
        let text = TEXTS[usize::from(b) % TEXTS.len()];
        let tags = TAGS[usize::from(c) % TAGS.len()];
        let id = self.next_id;
        Some(match kind {
            0..=4 => {
                let ttl = [None, Some("1"), Some("3"), Some("soon")][usize::from(c) % 4];
                set_as(branch, key, &format!("{key} {c}"), c % 5 + 1, ttl)
            }
            5 => delete(branch, key),
            6 => match b % 2 {
                0 => evicted(branch, key),
                _ => self.evaluated(branch, key, c % 5 + 1)?,
            },
            7..=10 => {
                self.next_id += 1;
                append(id, branch, KINDS[usize::from(c) % 2], &format!("{text} {id}"), tags)
            }
            11 => self.gone(branch, b)?,
            12..=14 => self.summed_up(branch, b)?,
            15..=20 => {
                self.next_id += 1;
                self.written.push((id, branch.to_owned()));
                archive(id, branch, text, tags)
            }
            _ => {
                let (id, branch) = self.written.get(usize::from(b) % self.written.len().max(1))?;
                Body::ArchivalUpdated(ArchivalUpdated {
                    id: *id,
                    branch: branch.clone(),
                    text: (!c.is_multiple_of(3))
                        .then(|| TEXTS[usize::from(c) % TEXTS.len()].to_owned()),
                    tags: (c % 3 != 1).then(|| super::kept::owned(tags)),
                    whole: None,
                    origin: origin(),
                })
            }
        })
    }

    /// One or more of the branch's own events go.
    fn gone(&self, branch: &str, b: u8) -> Option<Body> {
        let own = self.model.recall(branch).into_iter().filter(|event| event.2 == branch);
        let ids: Vec<u64> = own.map(|event| event.1).skip(usize::from(b % 2)).collect();
        if ids.is_empty() {
            return None;
        }
        let (branch, origin) = (branch.to_owned(), origin());
        if b.is_multiple_of(3) {
            let records = ids.clone();
            return Some(Body::RecallEvicted(RecallEvicted { branch, ids, records, origin }));
        }
        let (total, kept) = (ids.len() as u64 + 1, 1);
        let groups = vec![RecallGroup { kind: "note".to_owned(), ids, record: 1 }];
        let event = RecallConsolidated { branch, total, kept, groups, origin };
        Some(Body::RecallConsolidated(event))
    }

    /// All but the newest inherited events become a summary.
    fn summed_up(&mut self, branch: &str, b: u8) -> Option<Body> {
        let inherited = self.model.recall(branch).into_iter().filter(|event| event.2 != branch);
        let ids: Vec<u64> = inherited.map(|event| event.1).skip(usize::from(b % 3)).collect();
        if ids.is_empty() {
            return None;
        }
        self.next_id += 1;
        let group = InheritedGroup {
            kind: "note".to_owned(),
            summary: format!("{} events", ids.len()),
            ids,
            summary_id: self.next_id,
        };
        Some(Body::InheritedConsolidated(InheritedConsolidated {
            branch: branch.to_owned(),
            total: 1,
            kept: 0,
            ancestors: 1,
            groups: vec![group],
            origin: origin(),
        }))
    }

    fn evaluated(&self, branch: &str, key: &str, score: u8) -> Option<Body> {
        self.model.core.get(&(branch.to_owned(), key.to_owned()))?.as_ref()?;
        let (key, reason) = (key.to_owned(), String::new());
        Some(Body::ImportanceEvaluated(ImportanceEvaluated {
            branch: branch.to_owned(),
            task_hint: None,
            items: vec![Importance { key, score, reason }],
            origin: origin(),
        }))
    }
}

fn evicted(branch: &str, key: &str) -> Body {
    Body::CoreEvicted(CoreEvicted {
        branch: branch.to_owned(),
        key: key.to_owned(),
        record: 1,
        importance: 3,
        cause: EvictionCause::Budget,
        origin: origin(),
    })
}
