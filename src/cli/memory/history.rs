//! `annals memory log`, `why`: who wrote what, and the events that made a value what it is.

use serde::Serialize;
use serde_json::Value;

use super::look::{self, Look};
use super::print;
use crate::cli::rows::{self, short};
use crate::cli::{Context, Exit, Result, with_causes};
use crate::event::{Ordered, Sequence};
use crate::execution::replay::{Walk, Window};
use crate::memory::MemoryError;
use crate::memory::query::{self, MemoryChange, MemoryLog, MemoryOp, WhyValue};
use crate::output::table::Table;
use crate::output::wire::OfJournal;
use crate::output::{escape, time};

/// Who wrote what to a branch, when, in which call, newest last
#[derive(clap::Args, Debug)]
pub struct Log {
    /// The branch, or the node it stands for [default: all]
    branch: Option<String>,
    /// How many, the newest
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    number: u64,
    /// Include writes to its ancestors
    #[arg(long, requires = "branch")]
    inherited: bool,
    /// Reads as well
    #[arg(long)]
    reads: bool,
    /// Only before this event
    #[arg(long, value_name = "SEQUENCE")]
    before: Option<u64>,
}

impl Log {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let limit = look::size(self.number);
        let (before, writes_only) = (self.before.map(Sequence), !self.reads);
        let asked = MemoryLog { branches: Vec::new(), writes_only, before, limit };
        let found = match &self.branch {
            Some(name) => look::branch(name, context, |one, branch| {
                log(one, Some(branch), self.inherited, &asked)
            })?,
            None => look::each(context, |one| log(one, None, false, &asked))?,
        };
        let mut found: Vec<OfJournal<MemoryOp>> = found.into_iter().flatten().collect();
        found.order_by_key(|op| (op.row.at_ms, op.row.sequence));
        found.drain(..found.len().saturating_sub(limit));
        let titles =
            [">event", "time", "branch", "what", "by", "node", "phase", "session", "execution"];
        let cells = |op: MemoryOp, context: &Context| {
            let session = op.session.iter().flat_map(|id| id.chars()).take(8).collect();
            let cells = [
                op.sequence.to_string(),
                time::local(op.at_ms, &context.zone),
                op.branch.clone(),
                what(&op),
                op.door,
                op.node.unwrap_or_default(),
                op.phase.unwrap_or_default(),
                session,
                op.execution.unwrap_or_default(),
            ];
            (None, cells)
        };
        let none = "Nothing was written there. Next: annals memory branches";
        rows::listed(found, &titles, none, cells, context)
    }
}

/// The log of a branch, with its ancestors' where that is wanted, or of all; the newest first.
pub fn log(
    one: &Look<'_>,
    branch: Option<&str>,
    inherited: bool,
    asked: &MemoryLog,
) -> Result<Vec<OfJournal<MemoryOp>>> {
    let branches = match branch {
        None => Vec::new(),
        Some(branch) if inherited => {
            query::chain(&one.view, branch)?.into_iter().map(|link| link.branch).collect()
        }
        Some(branch) => vec![branch.to_owned()],
    };
    let found = one.stores.memory_log(&MemoryLog { branches, ..asked.clone() })?;
    Ok(found.into_iter().map(|op| OfJournal::of(one.journal, op)).collect())
}

/// `CoreSet compiler`, `ArchivalWritten 12`.
fn what(op: &MemoryOp) -> String {
    match (&op.key, op.record) {
        (Some(key), _) => format!("{} {key}", op.kind),
        (None, Some(record)) => format!("{} {record}", op.kind),
        (None, None) => op.kind.clone(),
    }
}

/// Events that led to a key's value or a record, newest last
///
/// Of a branch its ancestors' writes count as well, as far as they show through. Without one, every
/// branch that has the key is shown.
#[derive(clap::Args, Debug)]
pub struct Why {
    /// The key
    #[arg(value_name = "KEY", required_unless_present = "record")]
    key: Option<String>,
    /// As this branch, or the branch of this node, sees it
    #[arg(long, value_name = "BRANCH", conflicts_with = "record")]
    branch: Option<String>,
    /// A record of the archive, instead of a key
    #[arg(long, value_name = "RECORD", conflicts_with = "key")]
    record: Option<u64>,
    /// At most so many events of a branch, the newest
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    number: usize,
}

#[derive(Serialize)]
pub struct Causes {
    branch: String,
    key: Option<String>,
    record: Option<u64>,
    /// What is seen now, and the branch that wrote it; `None` where nothing is.
    value: Option<String>,
    from: Option<String>,
    /// The newest first.
    causes: Vec<Cause>,
}

#[derive(Serialize)]
struct Cause {
    #[serde(flatten)]
    op: OfJournal<MemoryOp>,
    /// The fields of its kind, as `export` has them; `null` where it cannot be read.
    event: Value,
    problem: Option<String>,
}

impl Why {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let number = self.number;
        let found = match (&self.key, &self.branch, self.record) {
            (_, _, Some(id)) => {
                look::each(context, |one| Ok(Vec::from_iter(of_record(one, id, number)?)))?
            }
            (Some(key), Some(name), _) => look::branch(name, context, |one, branch| {
                Ok(vec![of_key(one, branch, key, number)?])
            })?,
            (Some(key), None, _) => look::each(context, |one| {
                let mut all = Vec::new();
                for row in query::branches(&one.view)? {
                    let own = MemoryChange::Key(key);
                    if !one.stores.memory_history(&row.branch, own, number)?.is_empty() {
                        all.push(of_key(one, &row.branch, key, number)?);
                    }
                }
                Ok(all)
            })?,
            (None, _, None) => Vec::new(),
        };
        let found: Vec<OfJournal<Causes>> = found.into_iter().flatten().collect();
        if let (Some(id), true) = (self.record, found.is_empty()) {
            return Err(MemoryError::NoRecord { id: id.to_string() }.into());
        }
        if context.output.as_json_list(&found)? {
            return Ok(Exit::Fine);
        }
        if found.is_empty() {
            context.output.line("No branch ever had it. Next: annals memory branches")?;
        }
        for one in &found {
            one.row.print(one.journal.as_deref(), context)?;
        }
        Ok(Exit::Fine)
    }
}

pub fn of_key(one: &Look<'_>, branch: &str, key: &str, limit: usize) -> Result<OfJournal<Causes>> {
    let found = one.stores.memory_why(&one.view, (branch, key), one.now_ms, limit)?;
    // What the nearest branch hides made nothing of it; the forks it came through did.
    let made = found.steps.into_iter().rev().filter(|step| step.decides).map(|step| step.op);
    let (value, from) = match found.value {
        WhyValue::Seen(seen) => (Some(seen.value), Some(seen.branch)),
        _ => (None, None),
    };
    let causes = causes(one, made.collect())?;
    let (branch, key) = (branch.to_owned(), Some(key.to_owned()));
    Ok(OfJournal::of(one.journal, Causes { branch, key, record: None, value, from, causes }))
}

/// Why a record says what it says; `None` where there is none.
pub fn of_record(one: &Look<'_>, id: u64, limit: usize) -> Result<Option<OfJournal<Causes>>> {
    let Some(found) = one.view.record(id)? else { return Ok(None) };
    let ops = one.stores.memory_history(&found.branch, MemoryChange::Record(id), limit)?;
    let (branch, value, from) = (found.branch.clone(), Some(found.text), Some(found.branch));
    let causes = causes(one, ops)?;
    let why = Causes { branch, key: None, record: Some(id), value, from, causes };
    Ok(Some(OfJournal::of(one.journal, why)))
}

fn causes(one: &Look<'_>, ops: Vec<MemoryOp>) -> Result<Vec<Cause>> {
    if ops.is_empty() {
        return Ok(Vec::new());
    }
    let walk = Walk::events(one.path, one.reading, Window::default())?;
    let cause = |op: MemoryOp| {
        let fields = match walk.get(op.sequence) {
            Ok(Some(recorded)) => {
                let fields = walk.contents().with(&recorded.event.body);
                serde_json::to_value(fields).map_err(|error| error.to_string())
            }
            Ok(None) => Err("it is not in the journal".to_owned()),
            Err(error) => Err(with_causes(&error)),
        };
        let problem = fields.as_ref().err().cloned();
        let op = OfJournal::of(one.journal, op);
        Cause { op, event: fields.unwrap_or(Value::Null), problem }
    };
    Ok(ops.into_iter().map(cause).collect())
}

impl Causes {
    fn print(&self, journal: Option<&str>, context: &mut Context) -> Result<()> {
        let from = journal.map(|name| format!(" ({name})")).unwrap_or_default();
        let what = match (&self.key, self.record) {
            (Some(key), _) => key.clone(),
            (None, Some(record)) => format!("record {record}"),
            (None, None) => String::new(),
        };
        let value = self.value.as_deref().map_or_else(|| "(nothing)".to_owned(), short);
        let of = self.from.as_ref().filter(|from| **from != self.branch);
        let of = of.map(|from| format!(", written by {from}")).unwrap_or_default();
        let title = format!("{}{from} sees {what}: {value}{of}", self.branch);
        print::heading(&escape::line(&title), context)?;
        let titles = [">event", "time", "branch", "what", "by", "execution", "value"];
        let mut table = Table::new(&titles);
        for cause in self.causes.iter().rev() {
            let op = &cause.op.row;
            let cells = [
                op.sequence.to_string(),
                time::local(op.at_ms, &context.zone),
                op.branch.clone(),
                self::what(op),
                op.door.clone(),
                op.execution.clone().unwrap_or_default(),
                short(&cause.said()),
            ];
            table.row(None, &cells);
        }
        if !table.is_empty() {
            table.print(&mut context.output)?;
        }
        Ok(())
    }
}

impl Cause {
    /// What the event says of the value.
    fn said(&self) -> String {
        let named = ["value", "text", "reason", "cause"];
        let said = named.into_iter().find_map(|name| self.event[name].as_str());
        said.map(str::to_owned).or_else(|| self.problem.clone()).unwrap_or_default()
    }
}
