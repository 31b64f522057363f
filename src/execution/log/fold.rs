//! The fold into `execution_log.db`: a row and its artifacts for every event that closes. Catching up is one
//! BEGIN IMMEDIATE from reading the cursor to writing it (R11).

use super::foresight::Foreseen;
use super::{
    ArtifactRow, ArtifactType, CURSOR_TABLE, ExecutionLog, ExecutionRow, Mode, UNREAD, Written,
    schema,
};
use crate::event::{
    Body, Closing, Content, ExecutionId, ExecutionStarted, Outcome, Recorded, tool,
};
use crate::execution::closed::{Closed, signed, started_of};
use crate::execution::json;
use crate::parse::content::artifact_json;
use crate::store;
use crate::store::{
    Anomaly, AnomalyKind, Cursor, Digest, Position, Projector, Rows, StoreError, connection, digest,
};

/// The contract's bound, with an hour left for a clock that steps back during a transaction.
const CLOCK_BOUND: &str = "SELECT strftime('%s', 'now') * 1000 + 86400000 - 3600000";

impl Projector for ExecutionLog {
    fn begin(&mut self) -> Result<(), StoreError> {
        self.conn.begin("beginning to catch up")?;
        self.rows = self.found_rows()?;
        if matches!(self.mode, Mode::Live { .. }) {
            let bound = self.conn.query_row(CLOCK_BOUND, [], |row| row.get(0));
            let bound = bound.map_err(|source| self.conn.failed("reading the clock", source))?;
            self.read_tools()?;
            if let Mode::Live { clock, .. } = &mut self.mode {
                clock.accepted_ms_max = bound;
            }
        }
        Ok(())
    }

    /// To be trusted only after [`Self::begin`]: a cursor read before the transaction let events be
    /// applied three times in a trial.
    fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        self.conn.cursor(CURSOR_TABLE, "reading the cursor")
    }

    fn found_rows(&self) -> Result<Rows, StoreError> {
        self.conn.last_rows("reading the last rows", super::LAST_ROWS)
    }

    fn apply(&mut self, recorded: &Recorded, started: Option<&Recorded>) -> Result<(), StoreError> {
        if let Body::ToolsDeclared(declared) = &recorded.event.body {
            let names = declared.tools.iter().filter(|name| tool::is_valid(name));
            return self.declare(&names.cloned().collect::<Vec<_>>());
        }
        match Closed::of(recorded) {
            // Of a tool that is not in force the index tells.
            Some(closed) if self.tools.iter().any(|tool| tool == closed.tool) => {
                self.close(recorded, closed, started)
            }
            _ => Ok(()),
        }
    }

    fn foresee(&mut self, foreseen: store::Foreseen) {
        if foreseen.is::<Foreseen>() {
            self.foreseen = Some(foreseen);
        }
    }

    fn wants_starts(&self) -> bool {
        true
    }

    fn wants_content(&self) -> bool {
        true
    }

    fn take_anomalies(&mut self) -> Vec<Anomaly> {
        std::mem::take(&mut self.anomalies)
    }

    fn commit(&mut self, position: Position) -> Result<(), StoreError> {
        self.restore_clock_trigger()?;
        self.conn.commit(Cursor { position, rows: self.rows }, CURSOR_TABLE)
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        self.anomalies.clear();
        if let Mode::Live { clock, .. } = &mut self.mode {
            clock.dropped = false;
        }
        self.conn.rollback("giving up a transaction")?;
        // The tool list may have grown inside it.
        self.schema = UNREAD;
        match self.mode {
            Mode::Live { .. } => self.read_tools(),
            Mode::Load => Ok(()),
        }
    }

    fn expect_digest(&mut self) {
        self.written = Some(Written::default());
    }

    /// Triggers come last because time is judged once, at recording (ruling 3), and indexes
    /// because a load in key order with them is a third as fast (measured).
    fn finish(self: Box<Self>) -> Result<Option<Digest>, StoreError> {
        for sql in schema::indexes() {
            self.conn.run(sql, "making the indexes")?;
        }
        let (tools, clock) = (schema::tool_trigger(&self.tools), schema::clock_trigger());
        for sql in [tools.as_str(), clock].into_iter().chain(schema::artifact_triggers()) {
            self.conn.run(sql, "making the triggers")?;
        }
        let path = self.path.clone();
        let Self { conn, written, .. } = *self;
        let digest = written.map(|Written { executions, artifacts }| {
            let rows = vec![("executions", executions), ("execution_artifacts", artifacts)];
            digest::content_with(&conn, rows)
        });
        let digest = digest.transpose();
        let digest = digest.map_err(|source| conn.failed("reading the new store", source))?;
        drop(conn);
        connection::finish_bulk(&path).map(|()| digest)
    }
}

impl ExecutionLog {
    fn close(
        &mut self,
        recorded: &Recorded,
        closed: Closed<'_>,
        started: Option<&Recorded>,
    ) -> Result<(), StoreError> {
        let start = started_of(started);
        let id = closed.row_id(start).to_string();
        let error_message = closed.error_message();
        let foreseen = self.foreseen.take();
        let foreseen = Foreseen::of(foreseen.as_ref(), recorded.sequence);
        let artifacts = match (closed.closing, foreseen) {
            (Some(_), Some(foreseen)) => foreseen.artifacts(closed),
            (Some(closing), None) => {
                artifacts(recorded, closed.execution, closing, &mut self.anomalies)
            }
            (None, _) => Vec::new(),
        };
        let arguments_json = match foreseen {
            Some(foreseen) => foreseen.arguments(start.map(|it| it.arguments.0.as_str())),
            None => arguments(start),
        };
        let row = ExecutionRow {
            id: &id,
            tool_name: closed.tool,
            arguments_json,
            timestamp: signed(recorded.event.envelope.at_ms),
            success: closed.outcome == Outcome::Ok,
            exit_code: closed.closing.and_then(|closing| closing.exit_code),
            duration_ms: closed.closing.and_then(|closing| closing.duration_ms).map(signed),
            error_message: error_message.as_deref(),
        };
        // A second closing event of an execution: the first counts, and the index says so.
        self.insert(&row, &artifacts).map(drop)
    }
}

pub(super) const NO_ARGUMENTS: &str = "{}";

/// What the contract's column takes of a call's arguments.
pub(super) fn arguments(start: Option<&ExecutionStarted>) -> &str {
    let arguments = start.map(|start| start.arguments.0.as_str());
    arguments.filter(|json| json::is_object(json)).unwrap_or(NO_ARGUMENTS)
}

/// Each type at most once (ruling 7).
pub(super) fn artifacts<'c>(
    recorded: &Recorded,
    execution: ExecutionId,
    closing: &'c Closing,
    anomalies: &mut Vec<Anomaly>,
) -> Vec<ArtifactRow<'c>> {
    let mut artifacts = Vec::with_capacity(3);
    for (artifact_type, content) in printed(closing) {
        match artifact_json(content) {
            Some(json) => {
                artifacts.push(ArtifactRow { artifact_type, content_json: json.into() });
            }
            None => anomalies.push(lost_content(recorded, execution, content)),
        }
    }
    if let Some(json) = &closing.diagnostics
        && json::is_array(&json.0)
    {
        let artifact_type = ArtifactType::Diagnostics;
        artifacts.push(ArtifactRow { artifact_type, content_json: json.0.as_str().into() });
    }
    artifacts
}

/// What it printed, by the contract's words.
pub(super) fn printed(closing: &Closing) -> impl Iterator<Item = (ArtifactType, &Content)> {
    let both = [(ArtifactType::Stdout, &closing.stdout), (ArtifactType::Stderr, &closing.stderr)];
    both.into_iter().filter_map(|(kind, content)| Some((kind, content.as_ref()?)))
}

fn lost_content(recorded: &Recorded, execution: ExecutionId, content: &Content) -> Anomaly {
    let message = match content {
        Content::Blob { hash, len } => {
            let name = blake3::Hash::from_bytes(*hash).to_hex();
            format!(
                "the blob {name} of {len} bytes cannot be read; the execution has its row without it"
            )
        }
        Content::Repeated { sequence, len, .. } => format!(
            "its {len} bytes repeat those of event @{sequence}, which are lost; the execution has \
             its row without them"
        ),
        _ => "the content cannot be read; the execution has its row without it".to_owned(),
    };
    let kind = AnomalyKind::LostContent;
    Anomaly { sequence: recorded.sequence, kind, execution: Some(execution), message }
}
