//! Spec 000's locked schema, with ruling 1 applied, as a peer would write it by hand.

use rusqlite::{Connection, params};

use crate::workload::Execution;

pub const TABLES: &str = "
CREATE TABLE executions (id TEXT PRIMARY KEY NOT NULL, tool_name TEXT NOT NULL,
    arguments_json TEXT NOT NULL, timestamp INTEGER NOT NULL, success BOOLEAN NOT NULL,
    exit_code INTEGER, duration_ms INTEGER, error_message TEXT);
CREATE TABLE execution_artifacts (id INTEGER PRIMARY KEY AUTOINCREMENT,
    execution_id TEXT NOT NULL, artifact_type TEXT NOT NULL, content_json TEXT NOT NULL,
    FOREIGN KEY (execution_id) REFERENCES executions(id) ON DELETE RESTRICT);
";

pub const INDEXES: &str = "
CREATE INDEX idx_executions_tool ON executions(tool_name);
CREATE INDEX idx_executions_timestamp ON executions(timestamp);
CREATE INDEX idx_executions_success ON executions(success);
CREATE INDEX idx_executions_tool_timestamp ON executions(tool_name, timestamp);
CREATE INDEX idx_artifacts_execution ON execution_artifacts(execution_id);
CREATE INDEX idx_artifacts_type ON execution_artifacts(artifact_type);
CREATE INDEX idx_artifacts_execution_type ON execution_artifacts(execution_id, artifact_type);
";

pub const TRIGGERS: &str = "
CREATE TRIGGER validate_tool_name BEFORE INSERT ON executions BEGIN
    SELECT CASE WHEN NEW.tool_name NOT IN ('file_read', 'file_write', 'file_create',
        'file_search', 'file_glob', 'splice_patch', 'splice_plan', 'symbols_in_file',
        'references_to_symbol_name', 'references_from_file_to_symbol_name', 'lsp_check')
    THEN RAISE(ABORT, 'Invalid tool_name') END;
END;
CREATE TRIGGER validate_timestamp BEFORE INSERT ON executions BEGIN
    SELECT CASE
        WHEN NEW.timestamp < 1577836800000 THEN RAISE(ABORT, 'Timestamp too old')
        WHEN NEW.timestamp > strftime('%s', 'now') * 1000 + 86400000
            THEN RAISE(ABORT, 'Timestamp in future')
    END;
END;
CREATE TRIGGER validate_artifact_type BEFORE INSERT ON execution_artifacts BEGIN
    SELECT CASE WHEN NEW.artifact_type NOT IN ('stdout', 'stderr', 'diagnostics') THEN
        RAISE(ABORT, 'Invalid artifact_type') END;
END;
CREATE TRIGGER validate_json BEFORE INSERT ON execution_artifacts BEGIN
    SELECT CASE WHEN json_valid(NEW.content_json) <> 1
        THEN RAISE(ABORT, 'Invalid JSON in content_json') END;
END;
";

/// One execution's rows.
pub fn insert(connection: &Connection, execution: &Execution) -> rusqlite::Result<()> {
    let id = execution.id.to_string();
    connection
        .prepare_cached(
            "INSERT INTO executions (id, tool_name, arguments_json, timestamp, success, exit_code,
             duration_ms, error_message) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            id,
            execution.tool,
            execution.arguments,
            execution.at_ms as i64,
            execution.succeeded,
            i32::from(!execution.succeeded),
            execution.duration_ms as i64,
            execution.error,
        ])?;
    let mut artifact = connection.prepare_cached(
        "INSERT INTO execution_artifacts (execution_id, artifact_type, content_json)
         VALUES (?1, ?2, ?3)",
    )?;
    if let Some(stdout) = &execution.stdout {
        artifact.execute(params![
            id,
            "stdout",
            serde_json::json!({ "text": stdout }).to_string()
        ])?;
    }
    if let Some(diagnostics) = &execution.diagnostics {
        artifact.execute(params![id, "diagnostics", diagnostics])?;
    }
    Ok(())
}
