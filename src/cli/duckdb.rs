//! `annals sql --parquet`: a folder of exported tables, asked by a DuckDB that is installed.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use std::{io, thread};

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use super::sql::Printer;
use super::{CliError, Result};
use crate::fault::{Class, Fault, Sorted};
use crate::store::sql::{TakeRows, Value};
use crate::stores::exported::EXPORTED;

/// Its program, as it is found on the path.
const PROGRAM: &str = "duckdb";
const EXTENSIONS_OFF: &str =
    "SET autoinstall_known_extensions = false; SET autoload_known_extensions = false;\n";
/// What is told of an error.
const ERROR_BYTES_MAX: u64 = 4_000;

#[derive(Debug, thiserror::Error)]
pub enum DuckDbError {
    #[error(
        "the program {PROGRAM} could not be run: {0}; it is installed by pip install duckdb-cli, say"
    )]
    Start(#[source] io::Error),
    #[error("one statement at a time, and no `;` in it")]
    Several,
    #[error("a bucket is asked by DuckDB itself (its httpfs); here name a folder")]
    Bucket,
    #[error("{folder} holds no exported table: annals export parquet writes them")]
    NoTables { folder: String },
    #[error("stopped after {seconds} s: `--timeout` gives more time")]
    TimeIsUp { seconds: u64 },
    #[error("{PROGRAM} does not answer: {told}")]
    Failed { told: String },
}

impl Fault for DuckDbError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Start(_) => Class::Io.alone(),
            Self::TimeIsUp { .. } => Class::Findings.alone(),
            Self::Several | Self::Bucket | Self::NoTables { .. } | Self::Failed { .. } => {
                Class::Refused.alone()
            }
        }
    }
}

/// Asks, and gives each row to the printer.
pub fn ask(text: &str, folder: &Path, timeout_s: u64, printer: &mut Printer<'_>) -> Result<()> {
    let script = script(text, folder)?;
    let mut command = Command::new(PROGRAM);
    command.args(["-jsonlines", "-bail", "-init", "/dev/null"]);
    // A group of its own, so that what it starts in its turn ends with it.
    command.process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(DuckDbError::Start)?;
    let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let pid = rustix::process::Pid::from_child(&child);
    let kill = || {
        // It is not waited for yet, so the number is its own; one that has ended needs no killing.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    };
    let (ended, watch) = mpsc::channel::<()>();
    let (printed, is_late, told) = thread::scope(|scope| {
        let told = scope.spawn(|| {
            let mut told = Vec::new();
            if let Some(errors) = errors {
                // What could not be read of it is not told.
                drop(errors.take(ERROR_BYTES_MAX).read_to_end(&mut told));
            }
            String::from_utf8_lossy(&told).trim().to_owned()
        });
        let watcher = scope.spawn(move || {
            let time = if timeout_s > 0 { Duration::from_secs(timeout_s) } else { Duration::MAX };
            let is_late = watch.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout);
            if is_late {
                kill();
            }
            is_late
        });
        if let Some(mut input) = input {
            // It says itself why it does not read.
            drop(input.write_all(script.as_bytes()));
        }
        let printed = output.map_or(Ok(true), |output| print(BufReader::new(output), printer));
        if !matches!(printed, Ok(true)) {
            // Nobody reads on.
            kill();
        }
        drop(ended);
        (printed, watcher.join().unwrap_or(false), told.join().unwrap_or_default())
    });
    let status = child.wait().map_err(CliError::Input)?;
    let is_whole = printed?;
    match status.success() || !is_whole {
        true => Ok(()),
        false if is_late => Err(DuckDbError::TimeIsUp { seconds: timeout_s }.into()),
        false => Err(DuckDbError::Failed { told }.into()),
    }
}

/// Views over the tables, and the question within another one: what is no question is none there either.
fn script(text: &str, folder: &Path) -> Result<String, DuckDbError> {
    let text = text.trim_end().trim_end_matches(';');
    if text.contains(';') {
        return Err(DuckDbError::Several);
    }
    // Nothing is fetched from a network to answer.
    let mut script = EXTENSIONS_OFF.to_owned();
    if folder.to_string_lossy().contains("://") {
        return Err(DuckDbError::Bucket);
    }
    let place = folder.to_string_lossy().replace('\'', "''");
    for table in EXPORTED.iter().filter(|it| folder.join(it.name).is_dir()) {
        let name = table.name;
        script.push_str(&format!(
            "CREATE VIEW {name} AS SELECT * FROM read_parquet('{place}/{name}/**/*.parquet', hive_partitioning = true, \
             hive_types_autocast = false);\n"
        ));
    }
    if script.len() == EXTENSIONS_OFF.len() {
        return Err(DuckDbError::NoTables { folder: folder.display().to_string() });
    }
    script.push_str(&format!("SELECT * FROM (\n{text}\n);\n"));
    Ok(script)
}

/// Whether all of it was wanted.
fn print(lines: impl BufRead, printer: &mut Printer<'_>) -> Result<bool> {
    let mut is_begun = false;
    for line in lines.lines() {
        let line = line.map_err(CliError::Input)?;
        // No row is an empty line.
        if line.is_empty() {
            continue;
        }
        let told = |error: serde_json::Error| DuckDbError::Failed { told: error.to_string() };
        let Row(cells) = serde_json::from_str(&line).map_err(told)?;
        if !std::mem::replace(&mut is_begun, true) {
            let names: Vec<String> = cells.iter().map(|(name, _)| name.clone()).collect();
            printer.begin(&names)?;
        }
        let texts: Vec<String> = cells.iter().map(|(_, value)| plain(value)).collect();
        let cells = cells.iter().zip(&texts).map(|((_, cell), text)| value(cell, text));
        let values: Vec<Value<'_>> = cells.collect();
        if !printer.row(&values)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn value<'t>(cell: &serde_json::Value, text: &'t str) -> Value<'t> {
    match cell {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(flag) => Value::Integer(i64::from(*flag)),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => Value::Real(number.as_f64().unwrap_or(0.0)),
        },
        _ => Value::Text(text.as_bytes()),
    }
}

fn plain(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// An object's members in their order.
struct Row(Vec<(String, serde_json::Value)>);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Row;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Row(members))
            }
        }
        from.deserialize_map(Members)
    }
}
