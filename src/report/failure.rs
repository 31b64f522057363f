//! How failures ended.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::limits::{CHANGES_MAX, FAILURES_MAX, FOLLOWED_MAX, LINE_CHARS_MAX};
use super::text::line;
use super::{Bounded, text};
use crate::event::target::Target;
use crate::event::{ExecutionId, Ordered, SessionId, wire};

/// Failures of one target in a row, and what ended them.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    pub session: Option<SessionId>,
    /// It was of a check.
    pub is_check: bool,
    pub first: CallRef,
    pub last: CallRef,
    pub times: u64,
    /// The one line that says most of why, of the first.
    pub why: Option<String>,
    /// `null`: it is pending.
    pub mended: Option<Mended>,
}

/// The later success that a failure waited for, and what was changed before it.
#[derive(Clone, Debug, Serialize)]
pub struct Mended {
    pub by: CallRef,
    /// Calls of the session that changed files since the last failure, the newest last.
    pub changes: Vec<ChangeRef>,
    /// So many more before them.
    pub changes_left_out: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallRef {
    /// As `annals show` takes it.
    pub call: String,
    pub sequence: u64,
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub at_ms: u64,
    pub tool: String,
    pub target: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangeRef {
    pub call: String,
    pub sequence: u64,
    pub files: Vec<String>,
}

#[derive(Debug)]
struct Followed {
    session: Option<SessionId>,
    call: CallRef,
    mended: Option<Mended>,
    /// As the stores know it.
    why: Option<String>,
    is_check: bool,
}

/// Follows failures while the journal is walked.
#[derive(Debug, Default)]
pub struct Failures {
    followed: BTreeMap<ExecutionId, Followed>,
    changes: BTreeMap<Option<SessionId>, Vec<ChangeRef>>,
    not_followed: u64,
}

impl Failures {
    pub fn failed(&mut self, id: ExecutionId, session: Option<SessionId>, call: CallRef) {
        if self.followed.len() >= FOLLOWED_MAX {
            self.not_followed += 1;
            return;
        }
        let followed = Followed { session, call, mended: None, why: None, is_check: false };
        self.followed.insert(id, followed);
    }

    pub fn changed(&mut self, session: Option<SessionId>, change: ChangeRef) {
        self.changes.entry(session).or_default().push(change);
    }

    pub fn mended(&mut self, resolved: &[ExecutionId], by: &CallRef) {
        for id in resolved {
            let Some(failure) = self.followed.get_mut(id) else { continue };
            let of = self.changes.get(&failure.session).map(Vec::as_slice).unwrap_or_default();
            let from = of.partition_point(|it| it.sequence <= failure.call.sequence);
            let to = of.partition_point(|it| it.sequence < by.sequence);
            let between = of.get(from..to).unwrap_or_default();
            let left_out = between.len().saturating_sub(CHANGES_MAX);
            failure.mended = Some(Mended {
                by: by.clone(),
                changes: between[left_out..].to_vec(),
                changes_left_out: left_out as u64,
            });
        }
    }

    /// Tells what the stores know of one.
    pub fn told(&mut self, id: ExecutionId, why: Option<&str>, is_check: bool) {
        if let Some(failure) = self.followed.get_mut(&id) {
            failure.why = why.map(|it| line(it, LINE_CHARS_MAX));
            failure.is_check = is_check;
        }
    }

    /// The calls whose failure nothing has ended.
    pub fn pending(&self) -> BTreeSet<u64> {
        let pending = self.followed.values().filter(|it| it.mended.is_none());
        pending.map(|it| it.call.sequence).collect()
    }

    pub fn end(self) -> Ended {
        let mut followed: Vec<_> = self.followed.into_values().collect();
        followed.order_by_key(|it| it.call.sequence);
        let mut all: Vec<Failure> = Vec::new();
        let mut known: BTreeMap<_, usize> = BTreeMap::new();
        let (mut mended, mut pending) = (0, 0);
        for Followed { session, call, mended: ended, why, is_check } in followed {
            let by = ended.as_ref().map(|it| it.by.sequence);
            let key = (session, call.tool.clone(), normal(&call), by);
            match known.get(&key).and_then(|at| all.get_mut(*at)) {
                Some(failure) => {
                    failure.times += 1;
                    failure.last = call;
                    failure.mended = ended;
                }
                None => {
                    known.insert(key, all.len());
                    *if by.is_some() { &mut mended } else { &mut pending } += 1;
                    let (first, last) = (call.clone(), call);
                    let failure =
                        Failure { session, is_check, first, last, times: 1, why, mended: ended };
                    all.push(failure);
                }
            }
        }
        let mut failures = text::Bounded::first(all, FAILURES_MAX);
        failures.left_out += self.not_followed;
        Ended { failures, mended, pending }
    }
}

/// What a call is known by where it is tried again.
pub fn normal(call: &CallRef) -> String {
    let target = call.target.clone().unwrap_or_default();
    Target::of_command(target).normal
}

pub struct Ended {
    pub failures: Bounded<Failure>,
    pub mended: u64,
    pub pending: u64,
}
