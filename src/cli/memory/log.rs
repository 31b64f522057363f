//! `annals memory log`: who wrote what, when, in which execution.

use super::look::{self, Look};
use super::print;
use crate::cli::{CliError, Context, Exit, rows};
use crate::event::Sequence;
use crate::memory::query as memory;
use crate::memory::query::MemoryLog;
use crate::output::table::Table;
use crate::output::time;
use crate::output::wire::memory::Op;

/// Who wrote what into a branch, when, in which execution; the newest at the bottom
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The branch, or the node it stands for [default: all]
    #[arg(value_name = "BRANCH")]
    branch: Option<String>,
    /// How many, the newest
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    number: u64,
    /// What its ancestors were told as well
    #[arg(long, requires = "branch")]
    inherited: bool,
    /// Reads as well
    #[arg(long)]
    reads: bool,
    /// Only before this event
    #[arg(long, value_name = "SEQUENCE")]
    before: Option<u64>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let number = look::size(args.number);
    let asked =
        Asked { inherited: args.inherited, reads: args.reads, before: args.before, limit: number };
    let found = match &args.branch {
        Some(name) => look::branch(name, context, |one, branch| told(one, Some(branch), &asked))?,
        None => look::each(context, |one| told(one, None, &asked))?,
    };
    let mut found: Vec<Op> = found.into_iter().flatten().collect();
    found.sort_by(|a, b| (&a.at, a.sequence).cmp(&(&b.at, b.sequence)));
    found.drain(..found.len().saturating_sub(number));
    if context.output.is_json() {
        context.output.json_list(&found)?;
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line("Nothing was written there. Next: annals memory branches")?;
        return Ok(Exit::Fine);
    }
    let mut titles =
        vec![">event", "time", "branch", "what", "by", "node", "phase", "session", "execution"];
    if found.iter().any(|op| op.journal.is_some()) {
        titles.insert(0, rows::JOURNAL);
    }
    let mut table = Table::new(&titles);
    for op in &found {
        let all: Vec<String> = op.journal.clone().into_iter().chain(cells(op, context)).collect();
        table.row(None, &all);
    }
    table.print(&mut context.output)?;
    Ok(Exit::Fine)
}

/// Which events are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Those of ancestors as well.
    pub inherited: bool,
    pub reads: bool,
    /// Only before this event.
    pub before: Option<u64>,
    pub limit: usize,
}

/// The log of a branch, or of all of them, the newest first.
pub fn told(one: &Look<'_>, branch: Option<&str>, asked: &Asked) -> Result<Vec<Op>, CliError> {
    let branches = match branch {
        None => Vec::new(),
        Some(branch) if asked.inherited => {
            memory::chain(&one.view, branch)?.into_iter().map(|link| link.branch).collect()
        }
        Some(branch) => vec![branch.to_owned()],
    };
    let log = MemoryLog {
        branches,
        writes_only: !asked.reads,
        before: asked.before.map(Sequence),
        limit: asked.limit,
    };
    let found = one.stores.memory_log(&log)?;
    Ok(found.iter().map(|op| Op::of(one.journal, op)).collect())
}

/// `CoreSet compiler`, `ArchivalWritten 12`.
pub fn what(op: &Op) -> String {
    match (&op.key, op.record) {
        (Some(key), _) => format!("{} {key}", op.kind),
        (None, Some(record)) => format!("{} {record}", op.kind),
        (None, None) => op.kind.clone(),
    }
}

fn cells(op: &Op, context: &Context) -> [String; 9] {
    let at = op.at.as_deref().and_then(print::millis);
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let session: String = text(&op.session).chars().take(8).collect();
    [
        format!("@{}", op.sequence),
        at.map(|at_ms| time::local(at_ms, &context.zone)).unwrap_or_default(),
        op.branch.clone(),
        what(op),
        op.by.clone(),
        text(&op.node),
        text(&op.phase),
        session,
        text(&op.execution),
    ]
}
