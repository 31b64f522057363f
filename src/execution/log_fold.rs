//! The fold into `execution_log.db`: a row and its artifacts for every event that closes.

use std::borrow::Cow;

use crate::event::{Body, Closing, Content, ExecutionId, Outcome, Recorded, tool};
use crate::execution::closed::{Closed, signed};
use crate::execution::json;
use crate::execution::log::{ArtifactRow, ArtifactType, ExecutionLog, ExecutionRow};
use crate::parse::content::artifact_json;
use crate::store::{Anomaly, AnomalyKind, Cursor, Position, Projector, Rows, StoreError};

/// The fold into `execution_log.db`.
#[derive(Debug)]
pub struct ExecutionLogProjector {
    store: ExecutionLog,
    anomalies: Vec<Anomaly>,
}

impl ExecutionLogProjector {
    /// A fold into this store.
    pub fn new(store: ExecutionLog) -> Self {
        Self { store, anomalies: Vec::new() }
    }

    fn close(
        &mut self,
        recorded: &Recorded,
        closed: Closed<'_>,
        started: Option<&Recorded>,
    ) -> Result<(), StoreError> {
        if !self.store.tools().iter().any(|tool| tool == closed.tool) {
            // The index lists it.
            return Ok(());
        }
        let start = started.and_then(|started| match &started.event.body {
            Body::ExecutionStarted(start) => Some(start),
            _ => None,
        });
        // A start that repeats a call under another id leads to the first one's row.
        let id = match (start, closed.corrects) {
            (Some(start), None) => start.execution,
            _ => closed.execution,
        };
        let id = id.to_string();
        let arguments = start.map(|start| start.arguments.0.as_str());
        let error_message = closed.error_message();
        let artifacts = match closed.closing {
            Some(closing) => artifacts(recorded, closed.execution, closing, &mut self.anomalies),
            None => Vec::new(),
        };
        let row = ExecutionRow {
            id: &id,
            tool_name: closed.tool,
            arguments_json: arguments.filter(|json| json::is_object(json)).unwrap_or("{}"),
            timestamp: signed(recorded.event.envelope.at_ms),
            success: closed.outcome == Outcome::Ok,
            exit_code: closed.closing.and_then(|closing| closing.exit_code),
            duration_ms: closed.closing.and_then(|closing| closing.duration_ms).map(signed),
            error_message: error_message.as_deref(),
        };
        let artifacts: Vec<ArtifactRow<'_>> = artifacts
            .iter()
            .map(|(artifact_type, json)| ArtifactRow {
                artifact_type: *artifact_type,
                content_json: json,
            })
            .collect();
        // A second closing event of an execution: the first counts, and the index says so.
        self.store.insert(&row, &artifacts).map(drop)
    }
}

/// Each type at most once (ruling 7).
fn artifacts<'c>(
    recorded: &Recorded,
    execution: ExecutionId,
    closing: &'c Closing,
    anomalies: &mut Vec<Anomaly>,
) -> Vec<(ArtifactType, Cow<'c, str>)> {
    let printed =
        [(ArtifactType::Stdout, &closing.stdout), (ArtifactType::Stderr, &closing.stderr)];
    let mut artifacts = Vec::with_capacity(3);
    for (artifact_type, content) in printed {
        let Some(content) = content else { continue };
        match artifact_json(content) {
            Some(json) => artifacts.push((artifact_type, Cow::Owned(json))),
            None => anomalies.push(lost_content(recorded, execution, content)),
        }
    }
    if let Some(json) = &closing.diagnostics
        && json::is_array(&json.0)
    {
        artifacts.push((ArtifactType::Diagnostics, Cow::Borrowed(json.0.as_str())));
    }
    artifacts
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

impl Projector for ExecutionLogProjector {
    fn begin(&mut self) -> Result<(), StoreError> {
        self.store.begin()
    }

    fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        self.store.cursor()
    }

    fn found_rows(&self) -> Result<Rows, StoreError> {
        self.store.found_rows()
    }

    fn apply(&mut self, recorded: &Recorded, started: Option<&Recorded>) -> Result<(), StoreError> {
        if let Body::ToolsDeclared(declared) = &recorded.event.body {
            let names = declared.tools.iter().filter(|name| tool::is_valid(name));
            return self.store.declare(&names.cloned().collect::<Vec<_>>());
        }
        match Closed::of(recorded) {
            Some(closed) => self.close(recorded, closed, started),
            None => Ok(()),
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
        self.store.commit(position)
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        self.anomalies.clear();
        self.store.rollback()
    }

    fn finish(self: Box<Self>) -> Result<(), StoreError> {
        self.store.finish().map(drop)
    }
}
