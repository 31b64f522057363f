//! The locked schema (spec 000), word for word but for rulings 1 and 4.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rusqlite::Connection;

use crate::event::tool;
use crate::store::digest::{created, statements};
use crate::store::made_by;

const EXECUTIONS: &str = include_str!("executions.sql");
const EXECUTIONS_INDEXES: &str = include_str!("executions_indexes.sql");
const VALIDATE_TOOL_NAME: &str = include_str!("validate_tool_name.sql");
const VALIDATE_TIMESTAMP: &str = include_str!("validate_timestamp.sql");
const ARTIFACTS: &str = include_str!("artifacts.sql");
const ARTIFACTS_INDEXES: &str = include_str!("artifacts_indexes.sql");
const ARTIFACTS_TRIGGERS: &str = include_str!("artifacts_triggers.sql");

/// The line that ends the contract's list, and what stands there when the list has grown.
const LIST_END: &str = "'lsp_check'\n";

/// Of the contract's own text, whatever tools are in force.
pub(super) static NUMBER: LazyLock<i32> = LazyLock::new(|| {
    let triggers = [clock_trigger(), VALIDATE_TOOL_NAME].into_iter().chain(artifact_triggers());
    made_by::number(tables().into_iter().chain(indexes()).chain(triggers))
});

pub(super) fn tables() -> Vec<&'static str> {
    [EXECUTIONS, ARTIFACTS].into_iter().flat_map(statements).collect()
}

/// What a bulk load makes after its rows: indexes, then triggers.
pub(super) fn indexes() -> Vec<&'static str> {
    [EXECUTIONS_INDEXES, ARTIFACTS_INDEXES].into_iter().flat_map(statements).collect()
}

pub(super) fn clock_trigger() -> &'static str {
    statements(VALIDATE_TIMESTAMP).first().copied().unwrap_or_default()
}

pub(super) fn artifact_triggers() -> Vec<&'static str> {
    statements(ARTIFACTS_TRIGGERS)
}

/// The trigger that holds the tool list in force (ruling 4). Without declared names it is the
/// contract's own text.
pub(super) fn tool_trigger(tools: &[String]) -> String {
    let contract = statements(VALIDATE_TOOL_NAME).first().copied().unwrap_or_default();
    let declared = tools.get(tool::CONTRACT.len()..).unwrap_or_default();
    if declared.is_empty() {
        return contract.to_owned();
    }
    let mut list = String::from("'lsp_check'");
    for tool in declared {
        list.push_str(",\n            '");
        list.push_str(&tool.replace('\'', "''"));
        list.push('\'');
    }
    list.push('\n');
    contract.replace(LIST_END, &list)
}

/// The tool list in force, read from the trigger that [`tool_trigger`] wrote.
pub(super) fn tools_in(trigger: &str) -> Option<Vec<String>> {
    let (_, rest) = trigger.split_once("NOT IN (")?;
    let mut tools = Vec::new();
    let mut chars = rest.chars().peekable();
    loop {
        match chars.next()? {
            ')' => return Some(tools),
            '\'' => {
                let mut tool = String::new();
                loop {
                    match chars.next()? {
                        '\'' if chars.peek() == Some(&'\'') => {
                            chars.next();
                            tool.push('\'');
                        }
                        '\'' => break,
                        other => tool.push(other),
                    }
                }
                tools.push(tool);
            }
            _ => {}
        }
    }
}

/// What SQLite counts a file's changes of schema by.
pub(super) fn version(conn: &Connection) -> rusqlite::Result<i64> {
    conn.query_row("PRAGMA schema_version", [], |row| row.get(0))
}

/// Compares a file's schema with the locked one; answers the tool list in force, or the first
/// object that differs.
pub(super) fn check(conn: &Connection) -> rusqlite::Result<Result<Vec<String>, String>> {
    let mut objects = conn.prepare(
        "SELECT name, sql FROM sqlite_master \
         WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )?;
    let found = objects.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let found: Vec<(String, String)> = found.collect::<rusqlite::Result<_>>()?;
    let trigger = found.iter().find(|(name, _)| name == "validate_tool_name");
    let Some(tools) = trigger.and_then(|(_, sql)| tools_in(sql)) else {
        return Ok(Err("validate_tool_name".to_owned()));
    };
    let tool_trigger = tool_trigger(&tools);
    let mut expected = tables();
    expected.extend(indexes());
    expected.extend(artifact_triggers());
    expected.extend([clock_trigger(), tool_trigger.as_str()]);
    let expected: BTreeSet<(&str, &str)> =
        expected.into_iter().map(|sql| (created(sql), sql)).collect();
    let found: BTreeSet<(&str, &str)> =
        found.iter().map(|(name, sql)| (name.as_str(), sql.as_str())).collect();
    Ok(match expected.symmetric_difference(&found).next() {
        Some((name, _)) => Err((*name).to_owned()),
        None => Ok(tools),
    })
}
