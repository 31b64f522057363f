//! What debug memory tells of calls: an attempt names the call in which its tests ran, and quotes it.

use std::collections::BTreeSet;

use crate::event::{Body, DebugSessionId, ExecutionId, Sequence};
use crate::journal::withheld::execution;

/// The attempts, told in order.
#[derive(Default)]
pub(super) struct Debugged {
    calls: BTreeSet<ExecutionId>,
    told: Vec<Told>,
}

struct Told {
    at: Sequence,
    session: DebugSessionId,
    /// None: of the session as a whole.
    attempt: Option<u32>,
    /// It tells of the run itself, and of the call in which that was.
    is_run: bool,
    ran: Option<ExecutionId>,
    /// It says what came of all attempts, and quotes them.
    is_learnt: bool,
}

impl Debugged {
    pub fn take(&mut self, at: Sequence, body: &Body, goes: bool) {
        if goes {
            self.calls.extend(execution(body));
        }
        let (session, attempt, ran) = match body {
            Body::AttemptRecorded(b) => (b.session, Some(b.attempt), b.execution),
            Body::AnalysisRecorded(b) => (b.session, Some(b.attempt), None),
            Body::FixApplied(b) => (b.session, Some(b.attempt), None),
            Body::FixVerified(b) => (b.session, Some(b.attempt), None),
            Body::TemplateTried(b) => (b.session, Some(b.attempt), None),
            Body::DebugSessionOpened(b) => (b.session, None, None),
            Body::LearningExtracted(b) => (b.session, None, None),
            Body::DebugSessionClosed(b) => (b.session, None, None),
            Body::DebugSessionExpired(b) => (b.session, None, None),
            _ => return,
        };
        let is_learnt = matches!(body, Body::LearningExtracted(_));
        let is_run = matches!(body, Body::AttemptRecorded(_));
        self.told.push(Told { at, session, attempt, is_run, ran, is_learnt });
    }

    /// What goes with those calls: the attempts that ran in them, with what was thought, changed and learnt there; where
    /// no attempt is left, the whole session.
    pub fn going(self) -> BTreeSet<Sequence> {
        let (mut gone, mut left) = (BTreeSet::new(), BTreeSet::new());
        for it in self.told.iter().filter(|it| it.is_run) {
            match it.ran.is_some_and(|ran| self.calls.contains(&ran)) {
                true => drop(gone.insert((it.session, it.attempt))),
                false => drop(left.insert(it.session)),
            }
        }
        let touched: BTreeSet<_> = gone.iter().map(|(session, _)| *session).collect();
        let goes = |it: &&Told| match it.attempt {
            Some(_) => gone.contains(&(it.session, it.attempt)),
            None => touched.contains(&it.session) && (it.is_learnt || !left.contains(&it.session)),
        };
        self.told.iter().filter(goes).map(|it| it.at).collect()
    }
}
