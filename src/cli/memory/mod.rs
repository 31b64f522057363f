//! `annals memory`: branch memory (spec 003), for people and for agents without a pipe.

mod append;
mod apply;
mod branches;
mod consolidate;
mod del;
mod diff;
mod evict;
mod export;
pub(crate) mod fork;
mod get;
mod import;
pub(crate) mod log;
pub(crate) mod look;
mod pressure;
pub(crate) mod print;
mod read;
mod recall;
mod record;
mod render;
mod search;
mod set;
mod show;
mod update;
pub(crate) mod why;
mod write;

use std::io::Read;

use serde::Serialize;

use super::{CliError, Context, Exit};
use crate::cli::{catch_up, run as runs};
use crate::event::{ExecutionId, MemoryDoor, MemoryOrigin};
use crate::memory::{Asker, Memory, MemoryError, Operation};
use crate::parse::reply::ReplyError;
use crate::parse::reply::limits::REPLY_BYTES_MAX;

/// What agents remember: keys, events and records, in branches that fork
///
/// A branch sees its own and what its ancestors hold; its siblings see nothing of it. Every operation
/// is in the journal, and memory.db is rebuilt from there. What reads for an agent (get, recall, search,
/// record, read, render) is recorded as well; branches, show, diff, log, why and export record
/// nothing, and with --at or --evidence nothing does.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    Branches(branches::Args),
    Show(show::Args),
    Fork(fork::Args),
    Get(get::Args),
    Set(set::Args),
    Del(del::Args),
    Append(append::Args),
    Recall(recall::Args),
    Evict(evict::Args),
    Write(write::Args),
    Update(update::Args),
    Search(search::Args),
    Record(record::Args),
    Read(read::Args),
    Apply(apply::Args),
    Render(render::Args),
    Pressure(pressure::Args),
    Consolidate(consolidate::Args),
    Diff(diff::Args),
    Log(log::Args),
    Why(why::Args),
    Import(import::Args),
    Export(export::Args),
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    context.damage.asked = args.what.asks();
    match args.what {
        What::Branches(args) => branches::run(args, context),
        What::Show(args) => show::run(args, context),
        What::Fork(args) => fork::run(args, context),
        What::Get(args) => get::run(args, context),
        What::Set(args) => set::run(args, context),
        What::Del(args) => del::run(args, context),
        What::Append(args) => append::run(args, context),
        What::Recall(args) => recall::run(args, context),
        What::Evict(args) => evict::run(args, context),
        What::Write(args) => write::run(args, context),
        What::Update(args) => update::run(args, context),
        What::Search(args) => search::run(args, context),
        What::Record(args) => record::run(args, context),
        What::Read(args) => read::run(args, context),
        What::Apply(args) => apply::run(args, context),
        What::Render(args) => render::run(args, context),
        What::Pressure(args) => pressure::run(args, context),
        What::Consolidate(args) => consolidate::run(args, context),
        What::Diff(args) => diff::run(args, context),
        What::Log(args) => log::run(args, context),
        What::Why(args) => why::run(args, context),
        What::Import(args) => import::run(args, context),
        What::Export(args) => export::run(args, context),
    }
}

impl What {
    /// Whether it answers from what is remembered, though that is recorded.
    fn asks(&self) -> bool {
        matches!(
            self,
            Self::Get(_)
                | Self::Recall(_)
                | Self::Search(_)
                | Self::Record(_)
                | Self::Read(_)
                | Self::Render(_)
                | Self::Pressure(_)
        )
    }
}

/// What an operation came to, and its last event; `null` where nothing was recorded.
#[derive(Serialize)]
pub struct Done<T> {
    #[serde(flatten)]
    pub done: T,
    pub sequence: Option<u64>,
}

/// Carries an operation out: one durable commit. The stores are caught up afterwards.
pub fn operate<T>(
    origin: &OriginArgs,
    context: &mut Context,
    operation: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError>,
) -> Result<Done<T>, CliError> {
    operate_judged(None, origin, context, operation)
}

/// As [`operate`]; before it, the settings' model judges what a branch's keys are worth, for a task.
pub fn operate_judged<T>(
    judged: Option<(&str, Option<&str>)>,
    origin: &OriginArgs,
    context: &mut Context,
    operation: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError>,
) -> Result<Done<T>, CliError> {
    let project = context.project()?;
    // What it is decided by may have been rewritten.
    catch_up::settle_project(&project, context);
    let done = {
        let mut memory = Memory::open(&project)?;
        if let Some((branch, task)) = judged {
            memory.judge(branch, task)?;
        }
        let done = memory.operate(&origin.asker(context), operation)?;
        Done { done, sequence: memory.appended().map(|appended| appended.last.0) }
    };
    project.journal()?.sync()?;
    catch_up::catch_up(&project, context);
    if context.session.is_some() {
        runs::introduce(&project, context);
    }
    Ok(done)
}

impl<T> Done<T> {
    /// The same of what it came to.
    pub fn map<U>(self, told: impl FnOnce(T) -> U) -> Done<U> {
        Done { done: told(self.done), sequence: self.sequence }
    }
}

/// Prints what a write came to: a document, or a sentence and its event.
pub fn tell<T: Serialize>(
    done: &Done<T>,
    sentence: &str,
    context: &mut Context,
) -> Result<(), CliError> {
    if context.output.is_json() {
        return Ok(context.output.json(done)?);
    }
    let at = done.sequence.map(|at| format!(" (@{at})")).unwrap_or_default();
    let text = format!("{sentence}{at}");
    Ok(context.output.line(crate::output::escape::line(&text))?)
}

/// Whose an operation is
#[derive(clap::Args, Clone, Debug, Default)]
pub struct OriginArgs {
    /// The run that it belongs to
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
    /// The node that it belongs to (of a fork: the one that the branch stands for)
    #[arg(long, value_name = "NODE")]
    node: Option<String>,
    /// The phase that it belongs to
    #[arg(long, value_name = "PHASE")]
    phase: Option<String>,
    /// The execution during which it happens, a UUID
    #[arg(long, value_name = "UUID", value_parser = execution)]
    execution: Option<ExecutionId>,
}

fn execution(text: &str) -> Result<ExecutionId, String> {
    ExecutionId::parse(text).ok_or_else(|| "must be a UUID, v4 or v7".to_owned())
}

impl OriginArgs {
    /// The node that it belongs to.
    pub fn node(&self) -> Option<&str> {
        self.node.as_deref()
    }

    /// The phase that it belongs to.
    pub fn phase(&self) -> Option<&str> {
        self.phase.as_deref()
    }

    /// The run that it belongs to.
    pub fn run(&self) -> Option<&str> {
        self.run.as_deref()
    }

    /// Who asks: of the session of ANNALS_SESSION, of nobody's without.
    pub fn asker(&self, context: &Context) -> Asker {
        let origin = MemoryOrigin {
            by: MemoryDoor::Api,
            run: self.run.clone(),
            node: self.node.clone(),
            phase: self.phase.clone(),
            execution: self.execution,
        };
        let session = context.session.as_ref().map(|_| context.session_id());
        Asker { session, origin }
    }
}

/// What is counted of an input that is too long, bytes: it may never end.
const COUNTED_BYTES_MAX: u64 = 1 << 30;

/// All of standard input.
pub fn text() -> Result<String, CliError> {
    let mut input = std::io::stdin().lock();
    let mut bytes = Vec::new();
    let bytes_max = REPLY_BYTES_MAX as u64;
    let begin = input.by_ref().take(bytes_max + 1).read_to_end(&mut bytes);
    let mut size = begin.map_err(CliError::Input)? as u64;
    if size > bytes_max {
        let mut rest = input.take(COUNTED_BYTES_MAX);
        size += std::io::copy(&mut rest, &mut std::io::sink()).map_err(CliError::Input)?;
        let (what, bytes) = ("input", usize::try_from(size).unwrap_or(usize::MAX));
        return Err(ReplyError::TooLarge { what, bytes, bytes_max: REPLY_BYTES_MAX }.into());
    }
    String::from_utf8(bytes).map_err(|_| CliError::Refused {
        what: "standard input is no UTF-8 text: convert it (iconv -t UTF-8), or keep the bytes in a \
               file and give its name",
    })
}

/// A text that was given, standard input where it is `-`.
pub fn or_given(given: String) -> Result<String, CliError> {
    if given == "-" { Ok(text()?.trim_end_matches('\n').to_owned()) } else { Ok(given) }
}
