//! Catching up: one BEGIN IMMEDIATE from reading the cursor to writing it (R11).

use rusqlite::params;

use super::{ArtifactRow, CURSOR_TABLE, ExecutionLog, ExecutionRow, Mode, UNREAD, schema};
use crate::store::{Cursor, Position, Rows, StoreError};

/// The contract's bounds, with an hour left for a clock that steps back during a transaction.
const TIMESTAMP_MS_MIN: i64 = 1_577_836_800_000;
const CLOCK_BOUND: &str = "SELECT strftime('%s', 'now') * 1000 + 86400000 - 3600000";

impl ExecutionLog {
    /// The cursor, and the row ids found in the file. To be trusted only after [`Self::begin`]:
    /// a cursor read before the transaction let events be applied three times in a trial.
    pub fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        Cursor::read(&self.conn, CURSOR_TABLE)
            .map_err(|source| self.failed("reading the cursor", source))
    }

    /// The highest row ids that the tables really have.
    pub fn found_rows(&self) -> Result<Rows, StoreError> {
        super::found_rows(&self.conn).map_err(|source| self.failed("reading the last rows", source))
    }

    /// Begins a transaction that nobody else can write beside.
    pub fn begin(&mut self) -> Result<(), StoreError> {
        self.conn.begin("beginning to catch up")?;
        self.rows = self.found_rows()?;
        if matches!(self.mode, Mode::Live { .. }) {
            let bound = self.conn.query_row(CLOCK_BOUND, [], |row| row.get(0));
            let bound = bound.map_err(|source| self.failed("reading the clock", source))?;
            self.read_tools()?;
            if let Mode::Live { clock, .. } = &mut self.mode {
                clock.accepted_ms_max = bound;
            }
        }
        Ok(())
    }

    /// The tools in force are part of the schema, which another process may have changed since.
    fn read_tools(&mut self) -> Result<(), StoreError> {
        let version = schema::version(&self.conn)
            .map_err(|source| self.failed("reading the schema", source))?;
        if version != self.schema {
            let checked = schema::check(&self.conn)
                .map_err(|source| self.failed("reading the schema", source))?;
            self.tools = checked
                .map_err(|object| StoreError::SchemaDiffers { path: self.path.clone(), object })?;
            self.schema = version;
        }
        Ok(())
    }

    /// Ends the transaction with the cursor that vouches for its rows.
    pub fn commit(&mut self, position: Position) -> Result<(), StoreError> {
        let cursor = Cursor { position, rows: self.rows };
        cursor
            .write(&self.conn, CURSOR_TABLE)
            .map_err(|source| self.failed("writing the cursor", source))?;
        self.restore_clock_trigger()?;
        self.conn.commit("committing")
    }

    /// Ends the transaction as if it had never been.
    pub fn rollback(&mut self) -> Result<(), StoreError> {
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

    /// Appends a row and its artifacts; answers its ordinal, or `None` where its id has one.
    pub fn insert(
        &mut self,
        row: &ExecutionRow<'_>,
        artifacts: &[ArtifactRow<'_>],
    ) -> Result<Option<u64>, StoreError> {
        self.admit(row.timestamp)?;
        let ordinal = self.rows.executions + 1;
        let inserted = self
            .conn
            .prepare_cached(
                "INSERT INTO executions (rowid, id, tool_name, arguments_json, timestamp, \
                 success, exit_code, duration_ms, error_message) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (id) DO NOTHING",
            )
            .and_then(|mut insert| {
                insert.execute(params![
                    ordinal,
                    row.id,
                    row.tool_name,
                    row.arguments_json,
                    row.timestamp,
                    row.success,
                    row.exit_code,
                    row.duration_ms,
                    row.error_message
                ])
            })
            .map_err(|source| self.failed("inserting an execution", source))?;
        if inserted == 0 {
            return Ok(None);
        }
        self.rows.executions = ordinal;
        for artifact in artifacts {
            let id = self.rows.others + 1;
            self.conn
                .prepare_cached(
                    "INSERT INTO execution_artifacts (id, execution_id, artifact_type, \
                     content_json) VALUES (?1, ?2, ?3, ?4)",
                )
                .and_then(|mut insert| {
                    let kind = artifact.artifact_type.as_str();
                    insert.execute(params![id, row.id, kind, artifact.content_json])
                })
                .map_err(|source| self.failed("inserting an artifact", source))?;
            self.rows.others = id;
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
        self.run("DROP TRIGGER validate_tool_name", "renewing the tool list")?;
        self.run(&schema::tool_trigger(&self.tools), "renewing the tool list")
    }

    /// Drops the clock trigger where it would refuse a row: time was judged at recording.
    fn admit(&mut self, timestamp: i64) -> Result<(), StoreError> {
        let Mode::Live { clock, .. } = &mut self.mode else { return Ok(()) };
        if clock.dropped || (TIMESTAMP_MS_MIN..=clock.accepted_ms_max).contains(&timestamp) {
            return Ok(());
        }
        clock.dropped = true;
        self.run("DROP TRIGGER validate_timestamp", "setting the clock trigger aside")
    }

    fn restore_clock_trigger(&mut self) -> Result<(), StoreError> {
        match &mut self.mode {
            Mode::Live { clock, .. } if clock.dropped => clock.dropped = false,
            _ => return Ok(()),
        }
        self.run(schema::clock_trigger(), "restoring the clock trigger")
    }
}
