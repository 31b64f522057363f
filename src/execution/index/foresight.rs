//! What of the index depends on events alone: which calls are checks, what they came to, and what they failed for.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Index;
use crate::event::{Body, CheckList, Content, ExecutionId, ExecutionStarted, Recorded, Sequence};
use crate::execution::closed::Closed;
use crate::execution::json;
use crate::execution::judged::Judged;
use crate::parse::check::cause::Cause;
use crate::parse::check::coverage::Site;
use crate::parse::check::{self, CheckRules};
use crate::store;

/// Bytes of open checks that are kept; what others end with is read by the fold.
const CHECK_BYTES_MAX: usize = 8 << 20;

#[derive(Debug)]
pub(super) struct Foreseen {
    at: Sequence,
    what: What,
}

#[derive(Debug)]
enum What {
    Called(Called),
    Ended(Box<Ended>),
}

/// What a call came to, as one with this command line, run there.
#[derive(Debug)]
struct Ended {
    check: Option<Check>,
    judged: Judged,
    causes: Vec<Cause>,
}

/// A check that was begun.
#[derive(Debug)]
struct Check {
    command: String,
    cwd: Option<String>,
}

impl Check {
    fn bytes(&self) -> usize {
        self.command.len() + self.cwd.as_ref().map_or(0, String::len)
    }
}

/// What a call's arguments say.
#[derive(Clone, Debug)]
pub(super) struct Called {
    pub has_object: bool,
    /// Its command line, where that is a check's.
    pub command: Option<String>,
    pub asks: bool,
}

impl Called {
    fn of(arguments: &str, own: &CheckRules) -> Self {
        let (command, asks) = check::called(arguments, own);
        Self { has_object: json::is_object(arguments), command, asks }
    }
}

pub(super) struct Foresight {
    /// The project's own checks, as they are in force.
    own: CheckRules,
    /// The folder that the journal was begun in.
    root: String,
    checks: BTreeMap<ExecutionId, Check>,
    check_bytes: usize,
}

impl Default for Foresight {
    fn default() -> Self {
        let own = CheckList::default().into();
        Self { own, root: String::new(), checks: BTreeMap::new(), check_bytes: 0 }
    }
}

impl store::Foresight for Foresight {
    fn of(&mut self, recorded: &Recorded, _: Option<&Recorded>) -> Option<store::Foreseen> {
        let what = match &recorded.event.body {
            Body::ChecksDeclared(declared) => {
                self.own = declared.list.clone().into();
                return None;
            }
            Body::JournalCreated(created) => {
                self.root.clone_from(&created.root);
                return None;
            }
            Body::ExecutionStarted(started) => {
                let called = Called::of(&started.arguments.0, &self.own);
                self.keep(started, called.command.as_ref());
                What::Called(called)
            }
            body => {
                let closed = Closed::of(recorded)?;
                let check = self.take(closed.execution);
                // What lies elsewhere is brought for the fold.
                let is_elsewhere =
                    |it: &Content| matches!(it, Content::Blob { .. } | Content::Repeated { .. });
                if body.contents().any(is_elsewhere) {
                    return None;
                }
                What::Ended(Box::new(self.ended(closed, check)))
            }
        };
        Some(Arc::new(Foreseen { at: recorded.sequence, what }))
    }
}

impl Foresight {
    fn keep(&mut self, started: &ExecutionStarted, command: Option<&String>) {
        let Some(command) = command.cloned() else { return };
        let check = Check { command, cwd: started.cwd.clone() };
        let bytes = self.check_bytes + check.bytes();
        if bytes <= CHECK_BYTES_MAX && !self.checks.contains_key(&started.execution) {
            self.check_bytes = bytes;
            self.checks.insert(started.execution, check);
        }
    }

    fn take(&mut self, execution: ExecutionId) -> Option<Check> {
        let check = self.checks.remove(&execution)?;
        self.check_bytes -= check.bytes();
        Some(check)
    }

    fn ended(&self, closed: Closed<'_>, check: Option<Check>) -> Ended {
        let cwd = check.as_ref().and_then(|it| it.cwd.as_deref());
        let command = check.as_ref().map(|it| it.command.as_str());
        let judged = closed.judged(command, Site { root: &self.root, cwd }, &self.own);
        let causes = judged.causes();
        Ended { check, judged, causes }
    }
}

impl Index {
    pub(super) fn called(&self, at: Sequence, arguments: &str) -> Called {
        match self.foreseen(at) {
            Some(What::Called(called)) => called.clone(),
            _ => Called::of(arguments, &self.own_checks),
        }
    }

    /// What a closed execution came to, and what it failed for.
    pub(super) fn judged(
        &self,
        at: Sequence,
        closed: Closed<'_>,
        command: Option<&str>,
        cwd: Option<&str>,
    ) -> (Judged, Vec<Cause>) {
        if let Some(What::Ended(ended)) = self.foreseen(at)
            && let Ended { check, judged, causes } = ended.as_ref()
            && check.as_ref().map(|it| it.command.as_str()) == command
            && check.as_ref().and_then(|it| it.cwd.as_deref()) == cwd
        {
            return (judged.clone(), causes.clone());
        }
        let judged = closed.judged(command, Site { root: &self.root, cwd }, &self.own_checks);
        let causes = judged.causes();
        (judged, causes)
    }

    fn foreseen(&self, at: Sequence) -> Option<&What> {
        let foreseen = self.foreseen.as_ref()?.downcast_ref::<Foreseen>()?;
        (foreseen.at == at).then_some(&foreseen.what)
    }
}
