//! `annals memory why`: the events that made a value what it is.

use super::look::{self, Look};
use super::{log, print};
use crate::cli::rows::short;
use crate::cli::{CliError, Context, Exit, with_causes};
use crate::event::{Body, Sequence};
use crate::execution::replay::{Walk, Window};
use crate::memory::query::{MemoryChange, MemoryOp};
use crate::memory::{MemoryError, query as memory};
use crate::output::table::Table;
use crate::output::wire::memory::{Cause, Op, Why};
use crate::output::{escape, time};

/// The events that made a key's value, or a record, what it is; the newest at the bottom
///
/// Of a branch its ancestors' writes count as well, as far as they show through. Without one, every
/// branch that has the key is told.
#[derive(clap::Args, Debug)]
pub struct Args {
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

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let number = args.number;
    let found = match (&args.key, &args.branch, args.record) {
        (_, _, Some(id)) => look::each(context, |one| of_record(one, id, number))?,
        (Some(key), Some(name), _) => look::branch(name, context, |one, branch| {
            of_key(one, branch, key, number).map(|why| vec![why])
        })?,
        (Some(key), None, _) => look::each(context, |one| {
            let branches = memory::branches(&one.view)?;
            let own = branches.iter().map(|row| of_own_key(one, &row.branch, key, number));
            let all = own.collect::<Result<Vec<_>, _>>()?;
            Ok(all.into_iter().filter(|why| !why.causes.is_empty()).collect())
        })?,
        (None, _, None) => Vec::new(),
    };
    let found: Vec<Why> = found.into_iter().flatten().collect();
    if let (Some(id), true) = (args.record, found.is_empty()) {
        return Err(MemoryError::NoRecord { id: id.to_string() }.into());
    }
    if context.output.is_json() {
        context.output.json_list(&found)?;
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line("No branch ever had it. Next: annals memory branches")?;
    }
    for why in &found {
        print(why, context)?;
    }
    Ok(Exit::Fine)
}

/// Why a branch sees under a key what it sees.
pub fn of_key(one: &Look<'_>, branch: &str, key: &str, limit: usize) -> Result<Why, CliError> {
    let seen = memory::core(&one.view, branch, one.now_ms)?.remove(key);
    let found = one.stores.memory_why(&one.view, (branch, key), one.now_ms, limit)?;
    // What the nearest branch hides made nothing of it; the forks it came through did.
    let made = found.steps.into_iter().rev().filter(|step| step.decides).map(|step| step.op);
    let ops: Vec<MemoryOp> = made.collect();
    let value = seen.as_ref().map(|seen| seen.value.clone());
    let from = seen.map(|seen| seen.branch);
    Ok(Why { key: Some(key.to_owned()), value, from, ..why(one, branch, &ops)? })
}

/// The same of a branch's own writes alone.
fn of_own_key(one: &Look<'_>, branch: &str, key: &str, limit: usize) -> Result<Why, CliError> {
    let ops = one.stores.memory_history(branch, MemoryChange::Key(key), limit)?;
    if ops.is_empty() {
        return why(one, branch, &ops);
    }
    of_key(one, branch, key, limit)
}

/// Why a record says what it says; nothing where there is none.
pub fn of_record(one: &Look<'_>, id: u64, limit: usize) -> Result<Vec<Why>, CliError> {
    let Some(found) = memory::record(&one.view, id)? else { return Ok(Vec::new()) };
    let ops = one.stores.memory_history(&found.branch, MemoryChange::Record(id), limit)?;
    let (value, from) = (Some(found.text), Some(found.branch.clone()));
    Ok(vec![Why { record: Some(id), value, from, ..why(one, &found.branch, &ops)? }])
}

fn why(one: &Look<'_>, branch: &str, ops: &[MemoryOp]) -> Result<Why, CliError> {
    let mut causes = Vec::with_capacity(ops.len());
    if !ops.is_empty() {
        let walk = Walk::events(one.path, one.reading, Window::default())?;
        causes.extend(ops.iter().map(|op| cause(one.journal, op, &walk)));
    }
    Ok(Why {
        journal: one.journal.map(str::to_owned),
        branch: branch.to_owned(),
        key: None,
        record: None,
        value: None,
        from: None,
        causes,
    })
}

fn cause(journal: Option<&str>, op: &MemoryOp, walk: &Walk) -> Cause {
    let fields = |body: &Body| serde_json::to_value(walk.contents().with(body));
    let (event, problem) = match walk.get(Sequence(op.sequence.0)) {
        Ok(Some(recorded)) => match fields(&recorded.event.body) {
            Ok(fields) => (fields, None),
            Err(error) => (serde_json::Value::Null, Some(error.to_string())),
        },
        Ok(None) => (serde_json::Value::Null, Some("it is not in the journal".to_owned())),
        Err(error) => (serde_json::Value::Null, Some(with_causes(&error))),
    };
    Cause { op: Op::of(journal, op), event, problem }
}

fn print(why: &Why, context: &mut Context) -> Result<(), CliError> {
    let from = why.journal.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
    let what = match (&why.key, why.record) {
        (Some(key), _) => key.clone(),
        (None, Some(record)) => format!("record {record}"),
        (None, None) => String::new(),
    };
    let value = why.value.as_deref().map_or_else(|| "(nothing)".to_owned(), short);
    let of = why.from.as_ref().filter(|from| **from != why.branch);
    let of = of.map(|from| format!(", written by {from}")).unwrap_or_default();
    let title = format!("{}{from} sees {what}: {value}{of}", why.branch);
    print::heading(&escape::line(&title), context)?;
    let mut table = Table::new(&[">event", "time", "branch", "what", "by", "execution", "value"]);
    for cause in why.causes.iter().rev() {
        let op = &cause.op;
        let at = op.at.as_deref().and_then(print::millis);
        let cells = [
            format!("@{}", op.sequence),
            at.map(|at_ms| time::local(at_ms, &context.zone)).unwrap_or_default(),
            op.branch.clone(),
            log::what(op),
            op.by.clone(),
            op.execution.clone().unwrap_or_default(),
            short(&said(cause)),
        ];
        table.row(None, &cells);
    }
    if !table.is_empty() {
        table.print(&mut context.output)?;
    }
    Ok(())
}

/// What an event says of the value.
fn said(cause: &Cause) -> String {
    let text = |name: &str| cause.event[name].as_str().map(str::to_owned);
    let problem = || cause.problem.clone();
    let said = text("value").or_else(|| text("text")).or_else(|| text("reason"));
    said.or_else(|| text("cause")).or_else(problem).unwrap_or_default()
}
