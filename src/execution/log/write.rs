//! Rows of `execution_log.db`, and what of its schema follows from them: the tool list in force, the clock's
//! trigger.

use rusqlite::params;
use rusqlite::types::ValueRef;

use super::{ArtifactRow, ExecutionLog, ExecutionRow, Mode, Written, schema};
use crate::store::{StoreError, made_by};

/// The contract's bound.
const TIMESTAMP_MS_MIN: i64 = 1_577_836_800_000;

impl ExecutionLog {
    /// The tools in force are part of the schema, which another process may have changed since.
    pub(super) fn read_tools(&mut self) -> Result<(), StoreError> {
        let version = schema::version(&self.conn)
            .map_err(|source| self.conn.failed("reading the schema", source))?;
        if version != self.schema {
            let checked = schema::check(&self.conn)
                .map_err(|source| self.conn.failed("reading the schema", source))?;
            self.tools = checked.map_err(|object| {
                made_by::differs(&self.conn, &self.path, *schema::NUMBER, object)
            })?;
            self.schema = version;
        }
        Ok(())
    }

    /// Appends a row and its artifacts; answers its ordinal, or `None` where its id has one.
    pub fn insert(
        &mut self,
        row: &ExecutionRow<'_>,
        artifacts: &[ArtifactRow<'_>],
    ) -> Result<Option<u64>, StoreError> {
        self.admit(row.timestamp)?;
        let ordinal = self.rows.executions + 1;
        let inserted = self.conn.write(
            "inserting an execution",
            "INSERT INTO executions (rowid, id, tool_name, arguments_json, timestamp, success, \
             exit_code, duration_ms, error_message) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (id) DO NOTHING",
            params![
                ordinal,
                row.id,
                row.tool_name,
                row.arguments_json,
                row.timestamp,
                row.success,
                row.exit_code,
                row.duration_ms,
                row.error_message
            ],
        )?;
        if inserted == 0 {
            return Ok(None);
        }
        self.rows.executions = ordinal;
        if let Some(written) = &mut self.written {
            written.note(ordinal, row);
        }
        for artifact in artifacts {
            let id = self.rows.others + 1;
            let sql = "INSERT INTO execution_artifacts (id, execution_id, artifact_type, \
                       content_json) VALUES (?1, ?2, ?3, ?4)";
            let kind = artifact.artifact_type.as_str();
            let values = params![id, row.id, kind, artifact.content_json];
            self.conn.write("inserting an artifact", sql, values)?;
            self.rows.others = id;
            if let Some(written) = &mut self.written {
                written.note_artifact(id, row.id, artifact);
            }
        }
        Ok(Some(ordinal))
    }

    /// Extends the tool list in force; the trigger is made anew in the same transaction.
    pub fn declare(&mut self, tools: &[String]) -> Result<(), StoreError> {
        let before = self.tools.len();
        for tool in tools {
            if !self.tools.contains(tool) {
                self.tools.push(tool.clone());
            }
        }
        if self.tools.len() == before || matches!(self.mode, Mode::Load) {
            return Ok(());
        }
        self.conn.run("DROP TRIGGER validate_tool_name", "renewing the tool list")?;
        self.conn.run(&schema::tool_trigger(&self.tools), "renewing the tool list")
    }

    /// Drops the clock trigger where it would refuse a row: time was judged at recording.
    fn admit(&mut self, timestamp: i64) -> Result<(), StoreError> {
        let Mode::Live { clock, .. } = &mut self.mode else { return Ok(()) };
        if clock.dropped || (TIMESTAMP_MS_MIN..=clock.accepted_ms_max).contains(&timestamp) {
            return Ok(());
        }
        clock.dropped = true;
        self.conn.run("DROP TRIGGER validate_timestamp", "setting the clock trigger aside")
    }

    pub(super) fn restore_clock_trigger(&mut self) -> Result<(), StoreError> {
        match &mut self.mode {
            Mode::Live { clock, .. } if clock.dropped => clock.dropped = false,
            _ => return Ok(()),
        }
        self.conn.run(schema::clock_trigger(), "restoring the clock trigger")
    }
}

impl Written {
    /// As the table's columns have it.
    fn note(&mut self, ordinal: u64, row: &ExecutionRow<'_>) {
        let number = |it: Option<i64>| it.map_or(ValueRef::Null, ValueRef::Integer);
        self.executions.begin();
        for value in [
            ValueRef::Integer(ordinal.cast_signed()),
            row.id.into(),
            row.tool_name.into(),
            row.arguments_json.into(),
            ValueRef::Integer(row.timestamp),
            ValueRef::Integer(row.success.into()),
            number(row.exit_code.map(i64::from)),
            number(row.duration_ms),
            row.error_message.into(),
        ] {
            self.executions.add(value);
        }
    }

    fn note_artifact(&mut self, id: u64, execution: &str, artifact: &ArtifactRow<'_>) {
        // Its key stands before the columns, of which it is one.
        let id = ValueRef::Integer(id.cast_signed());
        let (kind, content) = (artifact.artifact_type.as_str(), artifact.content_json.as_ref());
        self.artifacts.begin();
        for value in [id, id, execution.into(), kind.into(), content.into()] {
            self.artifacts.add(value);
        }
    }
}
