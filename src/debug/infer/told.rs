//! What the journal has of debug memory.

use std::collections::{BTreeMap, BTreeSet};

use super::chain::Chain;
use crate::debug::error::Result;
use crate::event::{Body, DebugAuthor, DebugSessionId, DebugStatus, ExecutionId};
use crate::execution::replay::{Walk, What, Window};
use crate::journal::{Project, Reading};

#[derive(Debug, Default)]
pub struct Told {
    /// The attempt that a run of tests is in a debug session.
    pub attempts: BTreeMap<(ExecutionId, DebugSessionId), u32>,
    pub fixes: BTreeMap<(DebugSessionId, u32), u64>,
    pub status: BTreeMap<DebugSessionId, DebugStatus>,
    pub files: BTreeMap<DebugSessionId, String>,
    /// Those that take nothing more.
    pub over: BTreeSet<DebugSessionId>,
    /// What was said to be flaky: the session, the sentence and the test.
    pub flaky: BTreeSet<(DebugSessionId, String, String)>,
    /// Those that were worked out as we do.
    inferred: BTreeSet<DebugSessionId>,
}

impl Told {
    pub fn of(project: &Project) -> Result<Self> {
        let mut told = Self::default();
        for step in Walk::events(&project.journal_dir(), Reading::Live, Window::default())? {
            let What::Event(recorded) = step?.what else { continue };
            let at_ms = recorded.event.envelope.at_ms;
            told.take(recorded.event.body, at_ms);
        }
        Ok(told)
    }

    fn take(&mut self, body: Body, at_ms: u64) {
        match body {
            Body::DebugSessionOpened(it) => {
                self.status.insert(it.session, DebugStatus::InProgress);
                self.files.insert(it.session, it.file_path);
            }
            Body::AttemptRecorded(it) => {
                let Some(execution) = it.execution else { return };
                self.attempts.insert((execution, it.session), it.attempt);
                if Chain::id(execution) == it.session {
                    self.inferred.insert(it.session);
                }
            }
            Body::FixApplied(it) => {
                self.fixes.insert((it.session, it.attempt), at_ms);
            }
            Body::LearningExtracted(it) => {
                for one in it.learnings.code_quality_issues.into_iter().flatten() {
                    if let (Some(issue), Some(test)) = (one.issue, one.location) {
                        self.flaky.insert((it.session, issue, test));
                    }
                }
            }
            Body::DebugSessionClosed(it) => {
                self.status.insert(it.session, it.status);
                let by_count = it.status == DebugStatus::Failed && it.by == DebugAuthor::Annals;
                if !by_count && matches!(it.status, DebugStatus::Passed | DebugStatus::Failed) {
                    self.over.insert(it.session);
                }
            }
            Body::DebugSessionExpired(it) => {
                self.over.insert(it.session);
            }
            Body::DebugSessionImported(it) => {
                self.over.insert(it.session);
            }
            _ => {}
        }
    }

    pub fn sessions(&self, execution: ExecutionId) -> impl Iterator<Item = DebugSessionId> {
        let all = (execution, DebugSessionId([0; 16]))..=(execution, DebugSessionId([u8::MAX; 16]));
        self.attempts.range(all).map(|((_, session), _)| *session)
    }

    pub fn is_anothers(&self, execution: ExecutionId) -> bool {
        self.sessions(execution).any(|session| !self.inferred.contains(&session))
    }
}
