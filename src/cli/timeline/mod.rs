//! `annals timeline`: where an agent stands, what happened, and what is still broken (spec 001).

mod shown;

use super::journals::Opened;
use super::{CliError, Context, Exit, catch_up};
use crate::grounding::timeline::{
    MemoryAnswer, MemoryQuery, MemoryTopic, TIMELINE_ITEMS, TimelineBlock, TimelineScope,
};
use crate::grounding::timeline_read::record_timeline_read;
use crate::journal::clock;
use crate::output::wire;

/// Where an agent stands, what happened last, and what is still broken
///
/// Asked by an agent (ANNALS_SESSION is set), this is recorded as its read of the timeline: what the
/// gate wants before a change.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// How many executions, the newest
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = TIMELINE_ITEMS)]
    number: usize,
    /// The whole project's, not one session's
    #[arg(long)]
    project: bool,
    /// This session's: its id, the beginning of it, or the agent's own name for it [default:
    /// $ANNALS_SESSION, else the newest]
    #[arg(long, value_name = "SESSION", conflicts_with = "project")]
    session: Option<String>,
    /// The block of text that a model is given
    #[arg(long)]
    block: bool,
    /// How long the block may be
    #[arg(long, value_name = "COUNT", default_value_t = 4_000, requires = "block")]
    chars: usize,
    /// Ask as an agent does: 'memory_query(tool="lsp_check", success=true, after_id=142)'
    #[arg(long, value_name = "QUERY", conflicts_with_all = ["number", "block"])]
    query: Option<String>,
}

/// Characters below which a block says nothing that a read could be: its head.
const CHARS_MIN: usize = 100;

/// One journal's timeline.
struct Answered {
    journal: Option<String>,
    scope: TimelineScope,
    answer: MemoryAnswer,
    block: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let query = match &args.query {
        Some(text) => MemoryQuery::parse(text)?,
        None => MemoryQuery {
            topic: MemoryTopic::TimelineSummary,
            last: Some(args.number),
            ..MemoryQuery::default()
        },
    };
    let opened = catch_up::open_all(context)?;
    let now_ms = clock::now_ms();
    let mut all = Vec::with_capacity(opened.len());
    for one in &opened {
        let scope = scope(&args, &query, one, context)?;
        let answer = one.stores.memory_query(&query, scope)?;
        let block = args.block.then(|| block(&answer).text(now_ms, args.chars, None));
        all.push(Answered { journal: one.name.clone(), scope, answer, block });
    }
    print(&all, now_ms, context)?;
    context.output.flush()?;
    let nothing = query.last == Some(0) || args.block && args.chars < CHARS_MIN;
    if let ([one], [answered]) = (opened.as_slice(), all.as_slice())
        && !nothing
    {
        record(one, answered, context)?;
    }
    Ok(Exit::Fine)
}

/// Whose timeline is asked for in a journal.
fn scope(
    args: &Args,
    query: &MemoryQuery,
    opened: &Opened,
    context: &Context,
) -> Result<TimelineScope, CliError> {
    if args.project || query.project {
        return Ok(TimelineScope::Project);
    }
    if let Some(name) = args.session.as_ref().or(query.session.as_ref()) {
        return Ok(TimelineScope::Session(opened.stores.session_named(name)?));
    }
    if context.session.is_some() {
        return Ok(TimelineScope::Session(context.session_id()));
    }
    let newest = opened.stores.newest_session()?;
    Ok(newest.map_or(TimelineScope::Project, TimelineScope::Session))
}

/// What the summary answers, as a block.
fn block(answer: &MemoryAnswer) -> TimelineBlock {
    TimelineBlock {
        position: answer.position.clone().unwrap_or_default(),
        recent: answer.executions.clone(),
        pending: answer.pending.clone(),
        loops: answer.loops.clone(),
    }
}

fn print(all: &[Answered], now_ms: u64, context: &mut Context) -> Result<(), CliError> {
    if context.output.is_json() {
        let told = |one: &Answered| wire::Timeline {
            journal: one.journal.clone(),
            block: one.block.clone(),
            ..wire::Timeline::of(&one.answer, one.scope, now_ms)
        };
        let told: Vec<_> = all.iter().map(told).collect();
        match told.as_slice() {
            [one] => context.output.json(one)?,
            several => context.output.json_list(several)?,
        }
        return Ok(());
    }
    for (at, one) in all.iter().enumerate() {
        if at > 0 {
            context.output.blank()?;
        }
        match &one.block {
            // Nothing in it is more than a line that can be shown.
            Some(block) => context.output.line(block)?,
            None => shown::print(one, now_ms, context)?,
        }
    }
    Ok(())
}

/// Where an agent asked about what is, its read is recorded; a person's look writes nothing.
fn record(opened: &Opened, answered: &Answered, context: &Context) -> Result<(), CliError> {
    // Another session's timeline is not the one that its agent must know.
    let own = match answered.scope {
        TimelineScope::Project => true,
        TimelineScope::Session(id) => id == context.session_id(),
    };
    let lives = own && opened.built.is_none() && !opened.evidence && opened.at.is_none();
    if context.session.is_none() || !lives {
        return Ok(());
    }
    let mut project = context.project()?;
    if context.journal_is_held {
        project = project.waiting(0);
    }
    if !project.is_at_home() {
        return Ok(());
    }
    let given = answered.block.as_ref().and(answered.answer.position.as_ref());
    record_timeline_read(&project, context.session_id(), &answered.answer, given)?;
    Ok(())
}
