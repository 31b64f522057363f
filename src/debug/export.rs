//! A debug session with everything that it rests on, in one piece.

use serde_json::{Value, json};

use super::{DebugError, DebugExport, DebugWriter};
use crate::debug::query::DebugRecord;
use crate::event::{DebugSessionId, debug_time};
use crate::execution::AskedStores;
use crate::execution::query::{ExecutionDetail, QueryError, Reference};
use crate::journal::clock;
use crate::store::JournalFeed;
use crate::store::catch_up::catch_up_executions;
use crate::store::doubt::settle_project;
use crate::store::evidence::Cache;
use crate::stores::StorePlaces;

/// What an export calls itself.
pub(super) const FORMAT: &str = "annals/debug-export/v1";
/// Of one thing that an execution printed, bytes of JSON that are told.
const ARTIFACT_BYTES_MAX: usize = 1 << 20;
/// Of all of them together, the last attempts' first.
const PRINTED_BYTES_MAX: usize = 32 << 20;

impl DebugWriter<'_, '_> {
    /// A session with everything that it rests on.
    pub fn export(&self, session: DebugSessionId) -> Result<DebugExport, DebugError> {
        self.export_of(&self.record(session)?)
    }

    pub(super) fn export_of(&self, record: &DebugRecord) -> Result<DebugExport, DebugError> {
        let places = StorePlaces::of(self.project.root());
        settle_project(self.project, &Cache::of_user());
        let report = catch_up_executions(&places, &JournalFeed::of(self.project)?);
        let stores = AskedStores::after(self.project, &report, &Cache::of_user())?;
        let (mut executions, mut left) = (Vec::new(), PRINTED_BYTES_MAX);
        for (attempt, id) in record.beside.executions.iter().rev() {
            executions.push(match stores.show(&Reference::Id(id.clone())) {
                Ok(detail) => told(*attempt, &detail, &mut left),
                // It was named, and is not recorded.
                Err(QueryError::NotFound { .. }) => json!({"attempt": attempt, "id": id}),
                Err(error) => return Err(error.into()),
            });
        }
        executions.reverse();
        let events = stores.debug().events(record.session.id)?;
        let reader = self.project.reader()?;
        let mark = reader.mark();
        Ok(DebugExport {
            format: FORMAT,
            exported_at: debug_time(clock::now_ms()),
            document: record.document.clone(),
            effectiveness: json!(record.beside.tallies),
            executions,
            journal: json!({
                "id": uuid::Uuid::from_bytes(reader.id()).to_string(),
                "sequence": mark.sequence.0,
                "chain": mark.chain.map(|byte| format!("{byte:02x}")).concat(),
                "first": events.map(|(first, _)| first.0),
                "last": events.map(|(_, last)| last.0),
            }),
        })
    }
}

fn told(attempt: u32, detail: &ExecutionDetail, left: &mut usize) -> Value {
    let it = &detail.summary;
    let mut parsed = |json: &String| parsed(json, left);
    let arguments = detail.arguments_json.as_ref().map(&mut parsed);
    let mut value = json!({
        "attempt": attempt,
        "id": it.id.to_string(),
        "ordinal": it.ordinal,
        "sequence": it.sequence,
        "at": debug_time(it.at_ms),
        "tool": it.tool,
        "target": it.target,
        "cwd": it.cwd,
        "branch": it.branch,
        "outcome": it.outcome.map(|outcome| outcome.as_str()),
        "exit_code": it.exit_code,
        "duration_ms": it.duration_ms,
        "arguments": arguments,
        "error": detail.error_message,
    });
    for (kind, content) in &detail.artifacts {
        value[kind.as_str()] = parsed(content);
    }
    value
}

/// JSON as it is stored; of what is too long its beginning, and how much there is.
fn parsed(json: &str, left: &mut usize) -> Value {
    let most = ARTIFACT_BYTES_MAX.min(*left);
    *left -= json.len().min(most);
    if json.len() <= most {
        return serde_json::from_str(json).unwrap_or_else(|_| json.into());
    }
    let begin = &json[..json.floor_char_boundary(most)];
    json!({"begins": begin, "bytes": json.len()})
}
