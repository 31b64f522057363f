//! `annals timeline`: where an agent stands, what happened, and what is still broken (spec 001).

use super::journals::Opened;
use super::query::list::hint;
use super::{Context, Exit, Result, catch_up, counted, rows};
use crate::execution::query::ended;
use crate::grounding::timeline::{
    AnswerAt, FailureLoop, FailureRecord, MemoryAnswer, MemoryQuery, MemoryTopic, TIMELINE_ITEMS,
    TimelineEntry, TimelinePosition, TimelineScope, record_timeline_read,
};
use crate::journal::clock;
use crate::output::stream::Colour;
use crate::output::table::{Table, told};
use crate::output::{escape, time};

/// An agent's position, its last calls, and what is still broken
///
/// With ANNALS_SESSION set, this is recorded as that agent's read of the timeline, which the gate requires before
/// a change.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// How many executions, the newest
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = TIMELINE_ITEMS)]
    number: usize,
    /// Show the whole project, not one session
    #[arg(long)]
    project: bool,
    /// This session's: its id, the beginning of it, or the agent's own name for it [default:
    /// $ANNALS_SESSION, else the newest]
    #[arg(long, value_name = "SESSION", conflicts_with = "project")]
    session: Option<String>,
    /// Print the text block that a model gets
    #[arg(long)]
    block: bool,
    /// Maximum length of the block, in characters
    #[arg(long, value_name = "COUNT", default_value_t = 4_000, requires = "block")]
    chars: usize,
    /// Ask as an agent does: 'memory_query(tool="lsp_check", success=true, after_id=142)'
    #[arg(long, value_name = "QUERY", conflicts_with_all = ["number", "block"])]
    query: Option<String>,
}

/// Characters below which a block says nothing that a read could be: its head.
const CHARS_MIN: usize = 100;

struct Answered {
    journal: Option<String>,
    scope: TimelineScope,
    answer: MemoryAnswer,
    block: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
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
        let block = args.block.then(|| answer.block().text(now_ms, args.chars, None));
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
) -> Result<TimelineScope> {
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

fn print(all: &[Answered], now_ms: u64, context: &mut Context) -> Result<()> {
    if context.output.is_json() {
        let told: Vec<_> = all
            .iter()
            .map(|one| AnswerAt {
                journal: one.journal.as_deref(),
                block: one.block.as_deref(),
                ..one.answer.at(one.scope, now_ms)
            })
            .collect();
        return Ok(context.output.json_of_journals(&told)?);
    }
    for (at, one) in all.iter().enumerate() {
        if at > 0 {
            context.output.blank()?;
        }
        match &one.block {
            // Nothing in it is more than a line that can be shown.
            Some(block) => context.output.line(block)?,
            None => print_one(one, now_ms, context)?,
        }
    }
    Ok(())
}

/// Where an agent asked about what is, its read is recorded; a person's look writes nothing.
fn record(opened: &Opened, answered: &Answered, context: &Context) -> Result<()> {
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

fn print_one(one: &Answered, now_ms: u64, context: &mut Context) -> Result<()> {
    let answer = &one.answer;
    let whose = match one.scope {
        TimelineScope::Session(id) => format!("Session {id}"),
        TimelineScope::Project => "The whole project".to_owned(),
    };
    let whose = match &one.journal {
        Some(name) => format!("{}: {whose}", escape::line(name)),
        None => whose,
    };
    context.output.coloured(Colour::Bold, &whose)?;
    if let Some(position) = &answer.position {
        context.output.line(standing(position, now_ms))?;
    }
    if !answer.executions.is_empty() {
        let titles = [">no", "time", "tool", "outcome", "what"];
        let mut table = Table::new(&titles).narrowing(rows::OPTIONAL);
        for entry in &answer.executions {
            let (target, why) = what(entry);
            let cells = cells(entry, context);
            table.row_of_failure(rows::colour(entry.outcome), &cells, &target, &why);
        }
        table.print(&mut context.output)?;
        if answer.more && answer.position.is_none() {
            hint("There are more: the same with a greater last=", context)?;
        }
    }
    if !answer.pending.is_empty() {
        context.output.line("Still broken: nothing later shows that it is not")?;
        let titles = [">no", "since", "tool", ">failed", "what"];
        let mut table = Table::new(&titles).narrowing(&["tool", "since"]);
        for FailureRecord { execution, failures, since_ms } in &answer.pending {
            let [no, _, tool, _] = cells(execution, context);
            let since = time::local(*since_ms, &context.zone);
            let (target, why) = what(execution);
            let cells = [no, since, tool, failures.to_string()];
            table.row_of_failure(Some(Colour::Red), &cells, &target, &why);
        }
        table.print(&mut context.output)?;
    }
    for FailureLoop { execution, failures, executions } in &answer.loops {
        let (target, why) = what(execution);
        let what = told(&target, &why, usize::MAX);
        let tool = &execution.tool_name;
        let named: Vec<String> = executions.iter().map(u64::to_string).collect();
        let named = named.join(", ");
        let text = format!("A failure loop: {tool} failed {failures} times the same ({named})");
        let text = format!("{}: {}", escape::line(&text), escape::line(&what));
        context.output.coloured(Colour::Red, &text)?;
    }
    if answer.position.is_none() && answer.returned() == 0 {
        context.output.line("Nothing is recorded that this asks for. Next: annals timeline")?;
    } else if let Some(last) = answer.pending.first().map(|found| &found.execution) {
        hint(&format!("Next: annals show {}", reference(last)), context)?;
    }
    Ok(())
}

/// `Step 5 · 142 executions · last 142 (lsp_check) FAILED · read 2s ago`.
fn standing(position: &TimelinePosition, now_ms: u64) -> String {
    let last = match &position.last_execution {
        Some(last) => {
            let tool = escape::line(&last.tool_name).into_owned();
            format!("last {} ({tool}) {}", reference(last), last.status())
        }
        None => "nothing ended yet".to_owned(),
    };
    let read = match position.time_since_last_query_ms(now_ms) {
        Some(ago) => format!("timeline read {} ago", time::duration(ago)),
        None => "timeline never read".to_owned(),
    };
    let executions = counted(position.total_executions, "execution");
    format!("Step {} · {executions} · {last} · {read}", position.current_step)
}

fn reference(entry: &TimelineEntry) -> String {
    entry.execution_id.map_or_else(|| format!("@{}", entry.sequence), |no| no.to_string())
}

/// As the log has them, without how long it took and the last.
fn cells(entry: &TimelineEntry, context: &Context) -> [String; 4] {
    [
        reference(entry),
        time::local(entry.timestamp, &context.zone),
        entry.tool_name.clone(),
        ended(entry.outcome, entry.told, entry.error_summary.as_deref()),
    ]
}

/// The last: the target, and why it failed.
fn what(entry: &TimelineEntry) -> (String, String) {
    let of = |text: &Option<String>| text.as_deref().map(rows::short).unwrap_or_default();
    (of(&entry.affected_path), of(&entry.error_summary))
}
