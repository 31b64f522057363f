//! What of the index depends on events alone: which calls are checks, and what those printed says of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Index;
use crate::event::{Body, CheckList, Content, ExecutionId, Recorded, Sequence};
use crate::execution::closed::Closed;
use crate::execution::json;
use crate::parse::check::{self, CheckReport, CheckRules};
use crate::store;

/// Bytes of the command lines of open checks that are kept; what others end with is read by the fold.
const COMMAND_BYTES_MAX: usize = 8 << 20;

#[derive(Debug)]
pub(super) struct Foreseen {
    at: Sequence,
    what: What,
}

#[derive(Debug)]
enum What {
    Begun(Begun),
    Ended { command: Option<String>, report: Option<CheckReport> },
}

/// What a call's arguments say.
#[derive(Clone, Debug)]
pub(super) struct Begun {
    pub has_object: bool,
    /// Its command line, where that is a check's.
    pub command: Option<String>,
    pub asks: bool,
}

impl Begun {
    fn of(arguments: &str, own: &CheckRules) -> Self {
        let command = check::command_of(arguments, own);
        let asks = check::asks(arguments, command.as_deref());
        Self { has_object: json::is_object(arguments), command, asks }
    }
}

pub(super) struct Foresight {
    /// The project's own checks, as they are in force.
    own: CheckRules,
    commands: BTreeMap<ExecutionId, String>,
    command_bytes: usize,
}

impl Default for Foresight {
    fn default() -> Self {
        let own = CheckList::default().into();
        Self { own, commands: BTreeMap::new(), command_bytes: 0 }
    }
}

impl store::Foresight for Foresight {
    fn of(&mut self, recorded: &Recorded, _: Option<&Recorded>) -> Option<store::Foreseen> {
        let what = match &recorded.event.body {
            Body::ChecksDeclared(declared) => {
                self.own = declared.list.clone().into();
                return None;
            }
            Body::ExecutionStarted(started) => {
                let begun = Begun::of(&started.arguments.0, &self.own);
                self.keep(started.execution, begun.command.as_deref());
                What::Begun(begun)
            }
            _ => self.ended(Closed::of(recorded)?)?,
        };
        Some(Arc::new(Foreseen { at: recorded.sequence, what }))
    }
}

impl Foresight {
    fn keep(&mut self, execution: ExecutionId, command: Option<&str>) {
        let Some(command) = command else { return };
        let is_room = self.command_bytes + command.len() <= COMMAND_BYTES_MAX;
        if is_room && !self.commands.contains_key(&execution) {
            self.command_bytes += command.len();
            self.commands.insert(execution, command.to_owned());
        }
    }

    fn ended(&mut self, closed: Closed<'_>) -> Option<What> {
        let command = self.commands.remove(&closed.execution);
        self.command_bytes -= command.as_ref().map_or(0, String::len);
        let closing = closed.closing?;
        let lies_elsewhere =
            |it: &Content| matches!(it, Content::Blob { .. } | Content::Repeated { .. });
        if [&closing.stdout, &closing.stderr].into_iter().flatten().any(lies_elsewhere) {
            return None;
        }
        let report = closed.report(command.as_deref(), &self.own);
        Some(What::Ended { command, report })
    }
}

impl Index {
    pub(super) fn begun(&self, at: Sequence, arguments: &str) -> Begun {
        match self.foreseen(at) {
            Some(What::Begun(begun)) => begun.clone(),
            _ => Begun::of(arguments, &self.own_checks),
        }
    }

    /// What the check of a closed execution said, of this command line.
    pub(super) fn report(
        &self,
        at: Sequence,
        closed: Closed<'_>,
        command: Option<&str>,
    ) -> Option<CheckReport> {
        match self.foreseen(at) {
            Some(What::Ended { command: of, report }) if of.as_deref() == command => report.clone(),
            _ => closed.report(command, &self.own_checks),
        }
    }

    fn foreseen(&self, at: Sequence) -> Option<&What> {
        let foreseen = self.foreseen.as_ref()?.downcast_ref::<Foreseen>()?;
        (foreseen.at == at).then_some(&foreseen.what)
    }
}
