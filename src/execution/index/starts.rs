//! Executions as they begin.

use super::Index;
use super::begun::Begun;
use super::links::{At, PathRole};
use super::open::KnownRow;
use crate::event::target::{Target, arguments_digest, call_target};
use crate::event::{CallKey, ExecutionStarted, Recorded};
use crate::execution::closed::{Closed, signed};
use crate::parse::check;
use crate::parse::check::coverage::Site;
use crate::parse::check::diagnostic::cut;
use crate::store::columns::insert;
use crate::store::{AnomalyKind, StoreError};

/// Of what a call is about, the index shows this much.
const TARGET_BYTES_MAX: usize = 400;

impl Index {
    pub(super) fn start(
        &mut self,
        recorded: &Recorded,
        started: &ExecutionStarted,
        session: Option<u64>,
    ) -> Result<(), StoreError> {
        let id = started.execution.to_string();
        if let Some(known) = self.execution(&id)? {
            self.add_void_start(&id, recorded, &known)?;
            return self.known_id(recorded, started, &known);
        }
        let call_key = started.call.as_ref().map(CallKey::to_text);
        if let Some(key) = &call_key
            && let Some(known) = self.execution_by_call(key)?
        {
            self.add_void_start(&id, recorded, &known)?;
            return self.compare(recorded, started, &known);
        }
        let called = self.called(recorded.sequence, &started.arguments.0);
        if !called.has_object {
            let message = "the arguments are not a JSON object; the row has {}".to_owned();
            self.anomaly(recorded, AnomalyKind::InvalidJson, Some(started.execution), message)?;
        }
        let (seq, at_ms) = (recorded.sequence.0, signed(recorded.event.envelope.at_ms));
        let target = Target::of(&started.arguments.0, &started.paths, &started.symbols);
        let arguments_digest = arguments_digest(&started.arguments.0);
        let (command, asks) = (called.command, called.asks);
        let key = call_target(target.as_ref(), arguments_digest);
        let site = Site { root: &self.root, cwd: started.cwd.as_deref() };
        let target_key = Some(check::call_key(key, command.as_deref(), site).0);
        let begun = Begun {
            call_key,
            source: recorded.event.envelope.source.as_str(),
            actor: started.actor.clone(),
            parent: started.parent.map(|id| id.to_string()),
            cwd: started.cwd.clone(),
            branch: started.branch.clone(),
            target: target.as_ref().map(|target| cut(&target.shown, TARGET_BYTES_MAX).into()),
            arguments_digest: Some(arguments_digest.0),
            started_ms: Some(at_ms),
            untimed: recorded.event.envelope.is_untimed().then_some(1),
        };
        let known = KnownRow {
            seq,
            id,
            tool: started.tool.clone(),
            started_seq: Some(seq),
            native_tool: started.native_tool.clone(),
            session,
            cwd: started.cwd.clone().filter(|_| command.is_some()),
            command,
            target_key,
            asks,
            at_ms,
            at_seq: seq,
            ..KnownRow::default()
        };
        self.keep_open(known, begun)?;
        self.name_tool(started.native_tool.as_deref(), &started.tool)?;
        let at = At { execution: seq, at_ms, at_seq: seq };
        for path in &started.paths {
            self.add_path(at, path, PathRole::Named)?;
        }
        started.symbols.iter().try_for_each(|symbol| self.add_symbol(at, symbol))
    }

    /// Makes the row of an execution that has none where it ends: a correction's, or one whose start
    /// was lost.
    pub(super) fn make_row(
        &mut self,
        recorded: &Recorded,
        closed: Closed<'_>,
        session: Option<u64>,
    ) -> Result<(), StoreError> {
        let (seq, id) = (recorded.sequence.0, closed.execution.to_string());
        let at_ms = signed(recorded.event.envelope.at_ms);
        if let Some(corrects) = closed.corrects {
            if let Some(corrected) = self.execution(&corrects.to_string())? {
                self.write(
                    "inserting a correction",
                    "INSERT INTO executions (seq, id, session, source, tool, native_tool, actor, \
                     parent, cwd, branch, target, command, target_key, asks, arguments_digest, \
                     started_seq, started_ms, untimed, at_seq, at_ms) SELECT ?1, ?2, session, source, tool, native_tool, \
                     actor, parent, cwd, branch, target, command, target_key, asks, arguments_digest, \
                     started_seq, started_ms, untimed, ?1, ?3 FROM executions WHERE seq = ?4",
                    (seq, id, at_ms, corrected.seq),
                )?;
                self.note_met(&closed.execution.to_string());
                self.copy_links(seq, at_ms, corrected.seq)?;
                self.rows.executions = self.rows.executions.max(seq);
                return self.name_tool(corrected.native_tool.as_deref(), closed.tool);
            }
            let message = format!("it corrects {corrects}, which nobody knows; its row has {{}}");
            self.anomaly(recorded, AnomalyKind::UnknownCorrected, Some(closed.execution), message)?;
        } else {
            let message = "its start is not in the journal; its row has {}".to_owned();
            self.anomaly(recorded, AnomalyKind::LostStart, Some(closed.execution), message)?;
        }
        let source = recorded.event.envelope.source.as_str();
        let tool = closed.tool;
        let tool = tool.to_owned();
        let known = KnownRow { seq, id, tool, session, at_ms, at_seq: seq, ..KnownRow::default() };
        self.keep_open(known, Begun { source, ..Begun::default() })
    }

    /// Remembers that a start does not count, and which execution its end would be the end of.
    fn add_void_start(
        &mut self,
        id: &str,
        recorded: &Recorded,
        known: &KnownRow,
    ) -> Result<(), StoreError> {
        insert!(self, void_starts { id, seq: recorded.sequence.0, execution: known.seq })?;
        self.void_starts = true;
        Ok(())
    }

    /// A start under an id that has a row. One whose end came first stays without its start, so
    /// that a row never depends on what came after it.
    fn known_id(
        &mut self,
        recorded: &Recorded,
        started: &ExecutionStarted,
        known: &KnownRow,
    ) -> Result<(), StoreError> {
        if known.started_seq.is_some() {
            return self.compare(recorded, started, known);
        }
        let message = format!("the start came after the end of {}; it was ignored", known.id);
        self.anomaly(recorded, AnomalyKind::Contradiction, Some(started.execution), message)
    }

    /// A repeated start is nothing unusual, unless it tells another story.
    fn compare(
        &mut self,
        recorded: &Recorded,
        started: &ExecutionStarted,
        known: &KnownRow,
    ) -> Result<(), StoreError> {
        if known.outcome.is_some() || known.tool == started.tool {
            return Ok(());
        }
        let message = format!(
            "a second start says the tool is {}, the first said {}; the first counts",
            started.tool, known.tool
        );
        self.anomaly(recorded, AnomalyKind::Contradiction, Some(started.execution), message)
    }
}
