//! Executions as they begin.

use super::IndexProjector;
use crate::event::target::{Target, arguments_digest, call_target};
use crate::event::{CallKey, ExecutionStarted, Recorded, Source};
use crate::execution::closed::signed;
use crate::execution::index::{At, ExecutionRow, KnownRow};
use crate::execution::json_check;
use crate::parse::diagnostic::cut;
use crate::store::{AnomalyKind, StoreError};

impl IndexProjector {
    pub(super) fn start(
        &mut self,
        recorded: &Recorded,
        started: &ExecutionStarted,
        session: Option<u64>,
    ) -> Result<(), StoreError> {
        let id = started.execution.to_string();
        if let Some(known) = self.store.execution(&id)? {
            self.store.add_void_start(&id, recorded.sequence.0, known.seq)?;
            return self.known_id(recorded, started, &known);
        }
        let call_key = started.call.as_ref().map(CallKey::to_text);
        if let Some(key) = &call_key
            && let Some(known) = self.store.execution_by_call(key)?
        {
            self.store.add_void_start(&id, recorded.sequence.0, known.seq)?;
            return self.compare(recorded, started, &known);
        }
        if !json_check::is_object(&started.arguments.0) {
            let message = "the arguments are not a JSON object; the row has {}".to_owned();
            self.anomaly(recorded, AnomalyKind::InvalidJson, Some(started.execution), message)?;
        }
        let envelope = &recorded.event.envelope;
        let parent = started.parent.map(|id| id.to_string());
        let target = Target::of(&started.arguments.0, &started.paths, &started.symbols);
        let arguments_digest = arguments_digest(&started.arguments.0);
        let target_key = call_target(target.as_ref(), arguments_digest);
        let row = ExecutionRow {
            seq: recorded.sequence.0,
            id: &id,
            call_key: call_key.as_deref(),
            session,
            source: source(envelope.source),
            tool: &started.tool,
            native_tool: started.native_tool.as_deref(),
            actor: started.actor.as_deref(),
            parent: parent.as_deref(),
            cwd: started.cwd.as_deref(),
            branch: started.branch.as_deref(),
            target: target.as_ref().map(|target| cut(&target.shown, TARGET_BYTES_MAX)),
            target_key: Some(target_key.0),
            arguments_digest: Some(arguments_digest.0),
            started_seq: Some(recorded.sequence.0),
            started_ms: Some(signed(envelope.at_ms)),
            at_ms: signed(envelope.at_ms),
        };
        self.store.begin_execution(&row)?;
        self.name_tool(row.native_tool, row.tool)?;
        let at = At { execution: row.seq, at_ms: row.at_ms, at_seq: row.seq };
        for path in &started.paths {
            self.store.add_path(at, path, NAMED)?;
        }
        started.symbols.iter().try_for_each(|symbol| self.store.add_symbol(at, symbol))
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

/// Of what a call is about, the index shows this much.
const TARGET_BYTES_MAX: usize = 400;

/// Roles of a path, the stronger the higher.
pub(super) const NAMED: u8 = 0;
pub(super) const CHANGED: u8 = 1;
pub(super) const CREATED: u8 = 2;

/// The door's word in the index.
pub(super) fn source(source: Source) -> &'static str {
    match source {
        Source::Live => "live",
        Source::Hook => "hook",
        Source::Import => "import",
        Source::Annals => "annals",
    }
}
