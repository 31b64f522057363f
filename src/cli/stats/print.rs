//! What is counted, for a person.

use super::Answer;
use crate::cli::{Context, Result};
use crate::execution::query::{Cost, Often, StatsBy, Totals};
use crate::output::stream::Colour;
use crate::output::table::Table;
use crate::output::{escape, time};

/// The longest bar.
const BAR_CHARS: u64 = 20;
/// Days that a line of bars has at most, the last.
const DAYS_MAX: usize = 60;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

pub fn print(answer: &Answer, context: &mut Context) -> Result<()> {
    let it = &answer.totals;
    if it.prompts + it.calls + it.messages == 0 {
        context.output.line("Nothing is recorded of that time. Next: annals import auto")?;
        return Ok(());
    }
    let all = [
        ("sessions", answer.sessions.to_string()),
        ("prompts", prompts(answer)),
        ("calls", calls(it)),
        ("active", time::duration(it.active_ms)),
        (
            "tokens",
            format!(
                "{} in, {} out, {} read from a cache, {} written to one",
                short(it.input_tokens),
                short(it.output_tokens),
                short(it.cache_read_tokens),
                short(it.cache_write_tokens)
            ),
        ),
    ];
    for (name, value) in all {
        context.output.line(format_args!("{name:<9} {value}"))?;
    }
    if context.output.terminal && answer.days.len() > 1 {
        let last = &answer.days[answer.days.len().saturating_sub(DAYS_MAX)..];
        let (from, to) = (&last[0].0, &last[last.len() - 1].0);
        context.output.line(format_args!("calls     {}  {from} to {to}", sparkline(last)))?;
    }
    context.output.blank()?;
    by(answer, context)?;
    if let Some(cost) = &answer.cost {
        costs(cost, context)?;
    }
    often("check", "failed", &answer.checks, context)?;
    often("most changed", "sessions", &answer.files, context)?;
    often("failed again for", "sessions", &answer.causes, context)?;
    if !answer.slow.is_empty() {
        context.output.blank()?;
        let mut table = Table::new(&["slowest", ">took", "call"]);
        for it in &answer.slow {
            let took = time::duration(it.duration_ms);
            table.row(None, &[it.reference.clone(), took, first_line(&it.what)]);
        }
        table.print(&mut context.output)?;
    }
    if !answer.flaky.is_empty() {
        context.output.blank()?;
        let mut table = Table::new(&["flaky", ">seen"]);
        for it in &answer.flaky {
            table.row(None, &[it.test.clone(), it.count.to_string()]);
        }
        table.print(&mut context.output)?;
    }
    Ok(())
}

fn prompts(answer: &Answer) -> String {
    match answer.subagent_prompts {
        0 => answer.totals.prompts.to_string(),
        more => format!("{}, and {more} of agents to subagents", answer.totals.prompts),
    }
}

fn calls(it: &Totals) -> String {
    let hidden = match it.failed_by_output {
        0 => String::new(),
        hidden => format!(" ({hidden} of them checks whose exit code does not say so)"),
    };
    format!("{}, {} failed{hidden}, {} refused", it.calls, it.failed, it.refused)
}

fn costs(cost: &Cost, context: &mut Context) -> Result<()> {
    context.output.blank()?;
    let mut table = Table::new(&["model", ">cost", "by the price of"]);
    for it in &cost.models {
        let amount = it.cost.map_or_else(|| "-".to_owned(), amount);
        let by = it.price.clone().unwrap_or_else(|| "no price".to_owned());
        table.row(None, &[it.model.clone(), amount, by]);
    }
    table.row(None, &["all".to_owned(), amount(cost.sum), cost.currency.clone()]);
    table.print(&mut context.output)?;
    Ok(())
}

fn amount(amount: f64) -> String {
    if amount > 0.0 && amount < 0.01 { "< 0.01".to_owned() } else { format!("{amount:.2}") }
}

fn by(answer: &Answer, context: &mut Context) -> Result<()> {
    let most = answer.rows.iter().map(|it| it.totals.calls).max().unwrap_or(0);
    let titles = match answer.by {
        StatsBy::Model => {
            vec![answer.by.as_str(), ">messages", ">calls", ">failed", ">in", ">out", ">cached"]
        }
        StatsBy::Tool => vec![answer.by.as_str(), ">calls", ">failed", ">took", ""],
        _ => vec![answer.by.as_str(), ">prompts", ">calls", ">failed", ">out", ">active", ""],
    };
    let mut table = Table::new(&titles);
    for row in &answer.rows {
        let it = &row.totals;
        let bar = if context.output.terminal { bar(it.calls, most) } else { String::new() };
        let key = match answer.by {
            StatsBy::Session => row.key.chars().take(8).collect(),
            _ => row.key.clone(),
        };
        let (calls, failed) = (it.calls.to_string(), it.failed.to_string());
        let cells = match answer.by {
            StatsBy::Model => vec![
                key,
                it.messages.to_string(),
                calls,
                failed,
                short(it.input_tokens),
                short(it.output_tokens),
                short(it.cache_read_tokens),
            ],
            StatsBy::Tool => {
                // Nobody may have told how long its calls took.
                let took = Some(it.calls_ms).filter(|it| *it > 0).map(time::duration);
                vec![key, calls, failed, took.unwrap_or_else(|| "-".to_owned()), bar]
            }
            _ => {
                let (prompts, active) = (it.prompts.to_string(), time::duration(it.active_ms));
                vec![key, prompts, calls, failed, short(it.output_tokens), active, bar]
            }
        };
        table.row(None, &cells);
    }
    table.print(&mut context.output)?;
    Ok(())
}

fn often(
    title: &'static str,
    of: &'static str,
    all: &[Often],
    context: &mut Context,
) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    context.output.blank()?;
    let head = format!("{:>7} {of:>8}  {title}", "times");
    context.output.coloured(Colour::Dim, head)?;
    for it in all {
        let what = first_line(&it.what);
        context.output.line(format_args!(
            "{:>7} {:>8}  {}",
            it.count,
            it.of,
            escape::line(&what)
        ))?;
    }
    Ok(())
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(100).collect()
}

fn bar(count: u64, most: u64) -> String {
    let chars = (count * BAR_CHARS).div_ceil(most.max(1));
    (0..chars).map(|_| '█').collect()
}

fn sparkline(days: &[(String, u64)]) -> String {
    let most = days.iter().map(|it| it.1).max().unwrap_or(0).max(1);
    let bar = |count: u64| BARS[usize::try_from(count * 7 / most).unwrap_or(7).min(7)];
    days.iter().map(|it| bar(it.1)).collect()
}

/// A count as people say it: `1.8 M`.
fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{}.{} k", count / 1_000, count % 1_000 / 100),
        _ => format!("{}.{} M", count / 1_000_000, count % 1_000_000 / 100_000),
    }
}
