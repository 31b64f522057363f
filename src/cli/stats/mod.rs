//! `annals stats`: what is on record, counted.

mod injected;
mod print;

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Context, Exit, Result, catch_up};
use crate::config::Prices;
use crate::debug::query::FlakyTest;
use crate::event::Ordered;
use crate::execution::query::{Cost, Often, Slow, StatsBy, Totals};
use crate::execution::replay::Window;
use crate::journal::clock;
use crate::journal::trust::user_config;
use crate::output::time;

/// Rows of each short list.
const ROWS_MAX: u32 = 8;
/// A day in local time: `2026-01-31`.
const DAY_CHARS: usize = 10;

/// What is on record, counted: prompts, calls, tokens, time, failures
///
/// Only what is recorded. Active is the time between one thing and the next of a session, without pauses of more
/// than five minutes and without waiting for a prompt. With prices in ~/.config/annals/config.toml (of a million
/// tokens; a project's settings have none) also what it cost:
///
///   [prices]
///   currency = "USD"
///   [prices."claude-opus-4"]    # this model, and those whose names begin so
///   input = 15.0
///   output = 75.0
///   cache_read = 1.5            # cache_read and cache_write: as input where left out
///   cache_write = 18.75
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(subcommand)]
    what: Option<Stats>,
    /// What to count apart: day, session, model, tool or project
    #[arg(long, value_name = "WHAT", default_value = "day", value_parser = by)]
    by: StatsBy,
    /// Only what came after: an age (2h, 7d), a date or a time
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
}

#[derive(clap::Subcommand, Debug)]
enum Stats {
    /// How often a fix, a file or a pack that a hook gave was followed by its use
    ///
    /// followed: of those that named files, after which the same session changed one of them. The texts
    /// themselves: annals replay.
    Loop,
}

fn by(text: &str) -> std::result::Result<StatsBy, String> {
    StatsBy::parse(text).ok_or_else(|| {
        let all: Vec<&str> = StatsBy::ALL.iter().map(|it| it.as_str()).collect();
        format!("one of {}", all.join(", "))
    })
}

#[derive(Serialize)]
struct Row {
    key: String,
    #[serde(flatten)]
    totals: Totals,
}

#[derive(Serialize)]
struct Answer {
    sessions: u64,
    totals: Totals,
    /// What agents said to their subagents; not among `totals.prompts`.
    subagent_prompts: u64,
    by: StatsBy,
    rows: Vec<Row>,
    /// By the program that ran them; `of`: those that failed.
    checks: Vec<Often>,
    /// Most changed; `of`: in so many sessions.
    files: Vec<Often>,
    slow: Vec<Slow>,
    /// What calls failed for more than once; `of`: in so many sessions.
    causes: Vec<Often>,
    flaky: Vec<FlakyTest>,
    /// Calls of each day, the first to the last.
    days: Vec<(String, u64)>,
    /// By the user's own prices, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<Cost>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    if let Some(Stats::Loop) = args.what {
        return injected::run(context);
    }
    let since = args.since.as_deref().map(|it| time::parse(it, clock::now_ms(), &context.zone));
    let since_ms = since.transpose()?.unwrap_or(0);
    let window = Window { from_ms: Some(since_ms), ..Window::default() };
    let opened = catch_up::open_all(context)?;
    let zone = context.zone.clone();
    let day_of = move |at_ms| time::local(at_ms, &zone).chars().take(DAY_CHARS).collect::<String>();
    let mut answer = Answer {
        sessions: 0,
        totals: Totals::default(),
        subagent_prompts: 0,
        by: args.by,
        rows: Vec::new(),
        checks: Vec::new(),
        files: Vec::new(),
        slow: Vec::new(),
        causes: Vec::new(),
        flaky: Vec::new(),
        days: Vec::new(),
        cost: None,
    };
    let prices = user_config().map(|it| it.prices).unwrap_or_else(|error| {
        context.output.note(format_args!("{error}. No prices are used until that is corrected"));
        Prices::default()
    });
    let mut models = BTreeMap::new();
    let (mut days, mut rows) = (BTreeMap::new(), BTreeMap::new());
    for one in &opened {
        let stores = &one.stores;
        answer.sessions += stores.session_count(since_ms)?;
        answer.subagent_prompts += stores.subagent_prompt_count(since_ms)?;
        if !prices.models.is_empty() {
            for (model, totals) in stores.totals(StatsBy::Model, &window, &day_of)? {
                let sum: &mut Totals = models.entry(model).or_default();
                sum.add(&totals);
            }
        }
        let by_day = stores.totals(StatsBy::Day, &window, &day_of)?;
        let name =
            one.name.clone().unwrap_or_else(|| one.places.root.to_string_lossy().into_owned());
        let mut all = Totals::default();
        for (day, totals) in &by_day {
            all.add(totals);
            *days.entry(day.clone()).or_default() += totals.calls;
        }
        answer.totals.add(&all);
        let found = match args.by {
            StatsBy::Day => by_day,
            StatsBy::Project => BTreeMap::from([(name, all)]),
            by => stores.totals(by, &window, &day_of)?,
        };
        for (key, totals) in found {
            let sum: &mut Totals = rows.entry(key).or_default();
            sum.add(&totals);
        }
        answer.checks.extend(stores.checks_often(since_ms, ROWS_MAX)?);
        answer.files.extend(stores.files_often(since_ms, ROWS_MAX)?);
        answer.causes.extend(stores.causes_often(since_ms, ROWS_MAX)?);
        answer.slow.extend(stores.slowest(since_ms, ROWS_MAX)?);
        answer.flaky.extend(stores.debug().flaky(ROWS_MAX as usize)?);
    }
    answer.cost = Cost::of(&models, &prices);
    answer.rows = rows.into_iter().map(|(key, totals)| Row { key, totals }).collect();
    if !matches!(args.by, StatsBy::Day | StatsBy::Project) {
        answer
            .rows
            .order_by_key(|it| std::cmp::Reverse((it.totals.calls, it.totals.output_tokens)));
    }
    answer.days = days.into_iter().collect();
    for often in [&mut answer.checks, &mut answer.files, &mut answer.causes] {
        *often = merged(std::mem::take(often));
    }
    answer.slow.order_by_key(|it| std::cmp::Reverse(it.duration_ms));
    answer.slow.truncate(ROWS_MAX as usize);
    if !context.output.as_json(&answer)? {
        print::print(&answer, context)?;
    }
    Ok(Exit::Fine)
}

/// The same of several journals as one, the most often first.
fn merged(all: Vec<Often>) -> Vec<Often> {
    let mut sums: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for Often { what, count, of } in all {
        let sum = sums.entry(what).or_default();
        (sum.0, sum.1) = (sum.0 + count, sum.1 + of);
    }
    let mut all: Vec<Often> =
        sums.into_iter().map(|(what, (count, of))| Often { what, count, of }).collect();
    all.order_by_key(|it| std::cmp::Reverse(it.count));
    all.truncate(ROWS_MAX as usize);
    all
}
