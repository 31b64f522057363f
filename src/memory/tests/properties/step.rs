//! One thing that is done on a branch, and how.

use proptest::prelude::*;

use super::BRANCHES;
use crate::event::PressureLevel;
use crate::memory::{MemoryError, Operation};
use crate::parse::reply::{RecallEvict, Updates};

/// One thing that is done on a branch.
#[derive(Clone, Debug)]
pub enum Step {
    Fork {
        parent: usize,
        child: usize,
    },
    Set {
        branch: usize,
        key: u8,
        len: usize,
        importance: u8,
    },
    Delete {
        branch: usize,
        key: u8,
    },
    Append {
        branch: usize,
        kind: u8,
        len: usize,
    },
    Archive {
        branch: usize,
        len: usize,
    },
    Evict {
        branch: usize,
        oldest: u64,
    },
    Consolidate {
        branch: usize,
        level: u8,
    },
    Inherited {
        branch: usize,
    },
    /// Writes, then is refused.
    Refused {
        branch: usize,
    },
    /// A model's update, the last part of which may be refused.
    Update {
        branch: usize,
        len: usize,
        is_fine: bool,
    },
}

pub fn step() -> impl Strategy<Value = Step> {
    let branch = 0..BRANCHES.len();
    prop_oneof![
        2 => (branch.clone(), branch.clone()).prop_map(|(parent, child)| Step::Fork { parent, child }),
        3 => (branch.clone(), 0..4_u8, 0..120_usize, 1..=5_u8).prop_map(
            |(branch, key, len, importance)| Step::Set { branch, key, len, importance }
        ),
        1 => (branch.clone(), 0..4_u8).prop_map(|(branch, key)| Step::Delete { branch, key }),
        6 => (branch.clone(), 0..3_u8, 0..500_usize)
            .prop_map(|(branch, kind, len)| Step::Append { branch, kind, len }),
        2 => (branch.clone(), 1..400_usize).prop_map(|(branch, len)| Step::Archive { branch, len }),
        1 => (branch.clone(), 0..4_u64).prop_map(|(branch, oldest)| Step::Evict { branch, oldest }),
        1 => (branch.clone(), 0..4_u8).prop_map(|(branch, level)| Step::Consolidate { branch, level }),
        1 => branch.clone().prop_map(|branch| Step::Inherited { branch }),
        1 => branch.clone().prop_map(|branch| Step::Refused { branch }),
        2 => (branch, 1..200_usize, any::<bool>())
            .prop_map(|(branch, len, is_fine)| Step::Update { branch, len, is_fine }),
    ]
}

/// A text of its own, so that each can be found again.
fn text(number: usize, len: usize) -> String {
    let mut text = format!("<{number}>");
    for i in 0..len {
        text.push(if i % 7 == 3 { 'é' } else { char::from(b'a' + (i % 26) as u8) });
    }
    text.push_str(&format!("</{number}>"));
    text
}

/// What was written for good: values overwritten or deleted on purpose are not.
#[derive(Default)]
pub struct Written {
    pub events: Vec<(String, String)>,
    pub records: Vec<(String, String)>,
}

/// Carries a step out; whether it was done.
pub fn carry_out(
    op: &mut Operation<'_>,
    number: usize,
    step: &Step,
    written: &mut Written,
) -> Result<(), MemoryError> {
    let of = |branch: usize| BRANCHES[branch];
    match step {
        Step::Fork { parent, child } => {
            op.mem_node_fork(Some(of(*parent)), of(*child), &[], None).map(drop)
        }
        Step::Set { branch, key, len, importance } => {
            let (key, value) = (format!("k{key}"), text(number, *len));
            op.set_core(of(*branch), &key, &value, None, Some(i64::from(*importance))).map(drop)
        }
        Step::Delete { branch, key } => op.mem_core_del(of(*branch), &format!("k{key}")).map(drop),
        Step::Append { branch, kind, len } => {
            let (kind, text) = (format!("kind{kind}"), text(number, *len));
            op.write_event(of(*branch), &kind, &text, &[])?;
            written.events.push((of(*branch).to_owned(), text));
            Ok(())
        }
        Step::Archive { branch, len } => {
            let text = text(number, *len);
            op.insert_archival(of(*branch), &text, &[])?;
            written.records.push((of(*branch).to_owned(), text));
            Ok(())
        }
        Step::Evict { branch, oldest } => {
            let which = RecallEvict { oldest: *oldest, ..RecallEvict::default() };
            op.evict(of(*branch), &which).map(drop)
        }
        Step::Consolidate { branch, level } => {
            let levels = [
                PressureLevel::Low,
                PressureLevel::Medium,
                PressureLevel::High,
                PressureLevel::Critical,
            ];
            op.auto_consolidate_memory(of(*branch), levels[usize::from(*level)], None).map(drop)
        }
        Step::Inherited { branch } => op.consolidate_inherited_memory(of(*branch)).map(drop),
        Step::Refused { branch } => {
            op.write_event(of(*branch), "note", &text(number, 9), &[])?;
            op.set_core(of(*branch), "k0", "gone", None, None)?;
            op.set_core(of(*branch), "\u{1}", "refused", None, None).map(drop)
        }
        Step::Update { branch, len, is_fine } => {
            let (text, kind) = (text(number, *len), if *is_fine { "fine" } else { "not\tfine" });
            let updates = serde_json::json!({
                "core": { "k0": text, "m": "1" },
                "archival": [{ "text": text }],
                "recall": { "summary": text, "kind": kind },
                "archival_search": { "query": "a" },
                "consolidate": number.is_multiple_of(3),
            });
            let updates = Updates::of(&updates).unwrap();
            op.apply_llm_memory_updates(of(*branch), &updates, None, None, None)?;
            written.events.push((of(*branch).to_owned(), text.clone()));
            written.records.push((of(*branch).to_owned(), text));
            Ok(())
        }
    }
}

/// The branch it is done on.
pub fn touched(step: &Step) -> usize {
    match step {
        Step::Fork { child, .. } => *child,
        Step::Set { branch, .. }
        | Step::Delete { branch, .. }
        | Step::Append { branch, .. }
        | Step::Archive { branch, .. }
        | Step::Evict { branch, .. }
        | Step::Consolidate { branch, .. }
        | Step::Inherited { branch }
        | Step::Refused { branch }
        | Step::Update { branch, .. } => *branch,
    }
}
