//! `annals memory`: branch memory (spec 003), for people and for agents without a pipe.

mod advice;
pub(crate) mod branches;
mod care;
mod embed;
mod events;
pub(crate) mod history;
mod keys;
mod kv;
mod layers;
pub(crate) mod look;
mod models;
mod moves;
pub(crate) mod print;
mod records;
mod thread;

use std::io::Read;

use serde::Serialize;

use super::command::verbs;
use super::{CliError, Context, Exit, Result};
use crate::cli::catch_up;
use crate::cli::recorded::{self, settled};
use crate::event::{ExecutionId, MemoryDoor, MemoryOrigin, Sequence};
use crate::memory::{Asker, Memory, MemoryError, Operation};
use crate::output::escape;
use crate::parse::reply::ReplyError;
use crate::parse::reply::limits::REPLY_BYTES_MAX;

/// Branch memory: keys, events and records, in branches that fork; values and threads of frameworks
///
/// A branch sees its own and what its ancestors hold; its siblings see nothing of it. Every operation
/// is in the journal, and memory.db is rebuilt from there. What reads for an agent (get, recall, search,
/// record, read, render) is recorded as well; branches, show, diff, log, why, export and what reads of kv
/// and thread record nothing, and with --at or --evidence nothing does.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

verbs! { enum What {
    Branches(branches::Branches) => branches::Branches::run,
    Show(layers::Show) => layers::Show::run,
    Fork(branches::Fork) => branches::Fork::run,
    Get(keys::Get) => keys::Get::run,
    Set(keys::Set) => keys::Set::run,
    Del(keys::Del) => keys::Del::run,
    Append(events::Append) => events::Append::run,
    Recall(events::Recall) => events::Recall::run,
    Evict(events::Evict) => events::Evict::run,
    Write(records::Write) => records::Write::run,
    Update(records::Update) => records::Update::run,
    Search(records::Search) => records::Search::run,
    Embed(embed::Embed) => embed::Embed::run,
    Record(records::Record) => records::Record::run,
    Read(layers::Read) => layers::Read::run,
    Apply(models::Apply) => models::Apply::run,
    Render(models::Render) => models::Render::run,
    Pressure(care::Pressure) => care::Pressure::run,
    Consolidate(care::Consolidate) => care::Consolidate::run,
    Diff(branches::Diff) => branches::Diff::run,
    Log(history::Log) => history::Log::run,
    Why(history::Why) => history::Why::run,
    Kv(kv::Args) => kv::run,
    Thread(thread::Args) => thread::run,
    Import(moves::Import) => moves::Import::run,
    Export(moves::Export) => moves::Export::run,
} }

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.damage.asked = args.what.asks();
    args.what.run(context)
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
    pub sequence: Option<Sequence>,
}

/// Carries an operation out: one durable commit. The stores are caught up afterwards.
pub fn operate<T>(
    origin: &OriginArgs,
    context: &mut Context,
    operation: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError>,
) -> Result<Done<T>, CliError> {
    operate_after(|_| Ok(None), origin, context, operation)
}

/// As [`operate`]; before it, the settings' model judges what a branch's keys are worth, for a task.
pub fn operate_judged<T>(
    judged: Option<(&str, Option<&str>)>,
    origin: &OriginArgs,
    context: &mut Context,
    operation: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError>,
) -> Result<Done<T>, CliError> {
    let judge = |memory: &mut Memory<'_>| match judged {
        Some((branch, task)) => memory.judge(branch, task).map(|()| None),
        None => Ok(None),
    };
    operate_after(judge, origin, context, operation)
}

/// As [`operate`], with what a model is asked before it; what it says then is told.
pub fn operate_after<T>(
    before: impl FnOnce(&mut Memory<'_>) -> Result<Option<String>, MemoryError>,
    origin: &OriginArgs,
    context: &mut Context,
    operation: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError>,
) -> Result<Done<T>, CliError> {
    let project = context.project()?;
    // What it is decided by may have been rewritten.
    catch_up::settle_project(&project, context);
    let done = {
        let mut memory = Memory::open(&project)?;
        if let Some(said) = before(&mut memory)? {
            context.output.note(escape::line(&said));
        }
        let done = memory.operate(&origin.asker(context), operation)?;
        Done { done, sequence: memory.appended().map(|appended| appended.last) }
    };
    settled(&project, context)?;
    Ok(done)
}

impl<T: Serialize> Done<T> {
    /// Prints it: a document, or a sentence and its event.
    pub fn tell(&self, sentence: &str, context: &mut Context) -> Result<Exit> {
        recorded::tell(self, sentence, self.sequence, context)
    }
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
    /// Who asks: of the session of ANNALS_SESSION, of nobody's without.
    pub fn asker(&self, context: &Context) -> Asker {
        let origin = MemoryOrigin {
            by: MemoryDoor::Api,
            run: self.run.clone(),
            node: self.node.clone(),
            phase: self.phase.clone(),
            execution: self.execution,
        };
        Asker { session: context.named_session(), origin }
    }
}

/// What is counted of an input that is too long, bytes: it may never end.
const COUNTED_BYTES_MAX: u64 = 1 << 30;

pub fn text() -> Result<String> {
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

/// JSON that was given, or a text as JSON.
pub fn json_given(given: String, is_json: bool) -> Result<String> {
    let given = or_given(given)?;
    Ok(if is_json { given } else { serde_json::Value::String(given).to_string() })
}

/// A text that was given, standard input where it is `-`.
pub fn or_given(given: String) -> Result<String> {
    if given == "-" { Ok(text()?.trim_end_matches('\n').to_owned()) } else { Ok(given) }
}
