//! A timeline for people.

use super::Answered;
use crate::cli::query::list::hint;
use crate::cli::{CliError, Context, counted, rows};
use crate::event::Outcome;
use crate::grounding::timeline::{
    FailureLoop, FailureRecord, TimelineEntry, TimelinePosition, TimelineScope,
};
use crate::output::stream::Colour;
use crate::output::table::Table;
use crate::output::{escape, time};

/// Prints a timeline: where it stands, what happened, what is still broken.
pub fn print(one: &Answered, now_ms: u64, context: &mut Context) -> Result<(), CliError> {
    let answer = &one.answer;
    let whose = match one.scope {
        TimelineScope::Session(id) => format!("Session {id}"),
        TimelineScope::Project => "The whole project".to_owned(),
    };
    let whose = match &one.journal {
        Some(name) => format!("{}: {whose}", escape::line(name)),
        None => whose,
    };
    context.output.line(context.output.paint(Colour::Bold, &whose))?;
    if let Some(position) = &answer.position {
        context.output.line(standing(position, now_ms))?;
    }
    if !answer.executions.is_empty() {
        let mut table = Table::new(&[">no", "time", "tool", "outcome", "what"]);
        for entry in &answer.executions {
            table.row(rows::colour(entry.outcome), &cells(entry, context));
        }
        table.print(&mut context.output)?;
        if answer.more && answer.position.is_none() {
            hint("There are more: the same with a greater last=", context)?;
        }
    }
    if !answer.pending.is_empty() {
        context
            .output
            .line("Still broken: no later success of the same tool on the same target")?;
        let mut table = Table::new(&[">no", "since", "tool", ">failed", "what"]);
        for FailureRecord { execution, failures, since_ms } in &answer.pending {
            let [no, _, tool, _, what] = cells(execution, context);
            let since = time::local(*since_ms, &context.zone);
            table.row(Some(Colour::Red), &[no, since, tool, failures.to_string(), what]);
        }
        table.print(&mut context.output)?;
    }
    for FailureLoop { execution, failures, executions } in &answer.loops {
        let [_, _, tool, _, what] = cells(execution, context);
        let named: Vec<String> = executions.iter().map(u64::to_string).collect();
        let named = named.join(", ");
        let text = format!("A failure loop: {tool} failed {failures} times the same ({named})");
        let text = format!("{}: {}", escape::line(&text), escape::line(&what));
        context.output.line(context.output.paint(Colour::Red, &text))?;
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

/// As the log has them, without how long it took.
fn cells(entry: &TimelineEntry, context: &Context) -> [String; 5] {
    let what = match (entry.affected_path.as_deref(), entry.error_summary.as_deref()) {
        (Some(target), Some(why)) => format!("{}: {}", rows::short(target), rows::short(why)),
        (target, why) => target.or(why).map(rows::short).unwrap_or_default(),
    };
    [
        reference(entry),
        time::local(entry.timestamp, &context.zone),
        entry.tool_name.clone(),
        entry.outcome.map_or("open", Outcome::as_str).to_owned(),
        what,
    ]
}
