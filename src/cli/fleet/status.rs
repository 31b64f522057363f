//! `annals fleet status`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::super::{Context, Exit, Result};
use super::{NOTHING_THERE, standing};
use crate::fleet::Standing;
use crate::journal::clock;
use crate::output::table::Table;
use crate::output::time;

/// By so much two clocks may differ unsaid.
const AHEAD_MS_MAX: i64 = 300_000;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// The folder, or s3://BUCKET/PREFIX
    #[arg(value_name = "DIR|URL")]
    from: PathBuf,
    /// Only this machine's
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    /// Longer without a word is a finding: an age (2d)
    #[arg(long, value_name = "AGE")]
    late: Option<String>,
}

#[derive(Serialize)]
struct Row {
    machine: String,
    host: String,
    journal: String,
    through: u64,
    records: u64,
    root: String,
    last_event_at: Option<String>,
    /// When it was sent, by the clock of whoever keeps it, or the machine's.
    sent_at: Option<String>,
    lag_ms: u64,
    /// By how much the machine's clock is ahead of whoever keeps it.
    clock_ahead_ms: Option<i64>,
    tables_through: Option<u64>,
    segments: usize,
    segments_through: u64,
    signed: bool,
    /// It is of another history than the one that was sent first.
    fork: bool,
    damaged: bool,
    findings: BTreeMap<String, u64>,
    /// What of the above is a finding of this look, in words.
    odd: Vec<String>,
}

impl Row {
    fn of(it: &Standing, now_ms: u64, late_ms: Option<u64>) -> Self {
        let (state, ahead) = (&it.state, it.ahead_ms());
        let sent_ms = it.kept_ms.unwrap_or(state.at_ms);
        let mut odd = Vec::new();
        if it.is_fork {
            odd.push("another history of a journal that was sent before".to_owned());
        }
        if late_ms.is_some_and(|late_ms| sent_ms < late_ms) {
            odd.push("late".to_owned());
        }
        if let Some(ahead) = ahead.filter(|it| it.abs() > AHEAD_MS_MAX) {
            let way = if ahead > 0 { "ahead" } else { "behind" };
            odd.push(format!("its clock is {} {way}", time::duration(ahead.unsigned_abs())));
        }
        Self {
            machine: state.machine.clone(),
            host: state.host.clone(),
            journal: state.journal.clone(),
            through: state.through,
            records: state.size,
            root: state.root.clone(),
            last_event_at: state.last_event_ms.and_then(time::utc),
            sent_at: time::utc(sent_ms),
            lag_ms: now_ms.saturating_sub(sent_ms),
            clock_ahead_ms: ahead,
            tables_through: state.tables,
            segments: state.segments.len(),
            segments_through: state.segments.last().map_or(0, |it| it.last),
            signed: state.checkpoint.is_some(),
            fork: it.is_fork,
            damaged: state.damaged,
            findings: state.findings.clone(),
            odd,
        }
    }

    fn exit(&self) -> Exit {
        match (self.damaged, &*self.odd) {
            (true, _) => Exit::Damaged,
            (false, []) if self.findings.is_empty() => Exit::Fine,
            (false, _) => Exit::Findings,
        }
    }
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let now_ms = clock::now_ms();
    let late_ms = args.late.map(|it| time::parse(&it, now_ms, &context.zone)).transpose()?;
    let (all, mut exit) = standing(&args.from, context)?;
    let is_asked =
        |it: &&Standing| args.machine.as_ref().is_none_or(|asked| *asked == it.state.machine);
    let rows: Vec<_> = all.iter().filter(is_asked).map(|it| Row::of(it, now_ms, late_ms)).collect();
    exit = rows.iter().map(Row::exit).fold(exit, Exit::worse);
    if context.output.as_json_list(&rows)? {
        return Ok(exit);
    }
    if rows.is_empty() {
        if exit != Exit::Fine {
            return Ok(exit);
        }
        return Err(NOTHING_THERE);
    }
    let titles = [
        "machine",
        "journal",
        ">events",
        "root",
        ">last event",
        ">sent",
        "segments",
        "what does not fit",
    ];
    let mut table = Table::new(&titles);
    let ago = |ms: u64| format!("{} ago", time::duration(now_ms.saturating_sub(ms)));
    for (row, it) in rows.iter().zip(all.iter().filter(is_asked)) {
        let start = |text: &str, chars: usize| text.chars().take(chars).collect::<String>();
        let counts = row.findings.iter().map(|(kind, count)| format!("{count} × {kind}"));
        let odd = row.odd.iter().cloned().chain(counts).collect::<Vec<_>>();
        let segments = match row.segments {
            0 => "none".to_owned(),
            _ => format!("to @{}", row.segments_through),
        };
        let cells = [
            row.machine.clone(),
            start(&row.journal, 8),
            row.through.to_string(),
            start(&row.root, 12),
            it.state.last_event_ms.map_or_else(|| "-".to_owned(), ago),
            ago(it.kept_ms.unwrap_or(it.state.at_ms)),
            segments,
            if odd.is_empty() { "-".to_owned() } else { odd.join(", ") },
        ];
        table.row(None, &cells);
    }
    table.print(&mut context.output)?;
    Ok(exit)
}
