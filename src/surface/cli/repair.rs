//! `annals repair`: everything that can be mended without losing anything.

use serde::Serialize;

use super::{CliError, Context, Exit, counted, shown};
use crate::command::repair::{RepairReport, RepairStep, empty_quarantine, repair};
use crate::surface::escape::line;
use crate::surface::{time, wire};

/// Mend everything that can be mended without losing anything
///
/// Cuts a torn tail (an append that nobody was told of; the bytes are kept in quarantine/), closes
/// calls whose process is gone, catches the stores up, and replaces a store that does not hold what
/// the journal says (the old one is kept). Files of repositories' memory that were edited by hand are
/// left, and told. Can be run any number of times. The exit code is 3 where
/// the journal itself is damaged, 4 where a program has a store open.
#[derive(clap::Args, Debug, Default)]
pub struct Args {
    /// Change nothing: say what would be done (exit code 1 where there is something)
    #[arg(long)]
    pub dry_run: bool,
    /// Drop the replaced stores that .annals/quarantine keeps, too; never evidence, nor what was cut from
    /// the journal
    #[arg(long)]
    pub empty_quarantine: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Repaired {
    dry_run: bool,
    steps: Vec<Step>,
    /// What no repair brings back.
    damage: Vec<String>,
    /// Stores that still lag, and why.
    lags: Vec<String>,
    /// Files of repositories' memory that a person edited, or that are another journal's.
    left: Vec<String>,
    /// What lies in the quarantine of the stores, and in the journal's.
    quarantine: wire::Quarantine,
    journal_quarantine: wire::Quarantine,
    fine: bool,
}

/// One thing done, or to do.
#[derive(Serialize)]
struct Step {
    /// `tail cut`, `interrupted`, `caught up`, `rebuilt`, `published` or
    /// `quarantine emptied`.
    step: &'static str,
    what: String,
    quarantined: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let project = context.project()?;
    let mut report = repair(&project, args.dry_run)?;
    if args.empty_quarantine {
        empty_quarantine(&project, &mut report)?;
    }
    if context.output.is_json() {
        context.output.json(&repaired(&report))?;
    } else {
        print(&report, context)?;
    }
    Ok(match &report {
        report if !report.damage.is_empty() => Exit::Damaged,
        report if report.locked => Exit::Locked,
        report if report.is_fine() => Exit::Fine,
        _ => Exit::Findings,
    })
}

fn print(report: &RepairReport, context: &mut Context) -> Result<(), CliError> {
    for step in &report.steps {
        let Step { step, what, quarantined } = self::step(step);
        let would = if report.dry_run { "would be " } else { "" };
        context.output.line(format_args!("{would}{step}: {}", line(&what)))?;
        if let Some(place) = quarantined {
            context.output.line(format_args!("  kept: {}", line(&place)))?;
        }
    }
    for damage in &report.damage {
        context.output.line(format_args!("DAMAGED: {}", line(damage)))?;
    }
    for (store, why) in &report.lags {
        context.output.line(format_args!("{store} still lags: {}", line(why)))?;
    }
    for left in &report.left {
        context.output.line(line(left))?;
    }
    if report.steps.is_empty() && report.is_fine() {
        context.output.line("Nothing to repair.")?;
    }
    aside(report, context)?;
    let next = match report {
        report if !report.damage.is_empty() => {
            "annals verify, then annals salvage .annals/journal NEW-FOLDER"
        }
        report if report.dry_run && !report.steps.is_empty() => "annals repair",
        report if !report.left.is_empty() => "annals repo diff",
        report if report.locked => "close the program that has the store open, then annals repair",
        _ => "annals status",
    };
    Ok(context.output.line(format_args!("Next: {next}"))?)
}

/// What the quarantine holds, and how it is emptied.
fn aside(report: &RepairReport, context: &mut Context) -> Result<(), CliError> {
    let stores = &report.stores_aside;
    let cut = report.journal_aside.files + report.journal_aside.evidence_files;
    let cut_bytes = report.journal_aside.bytes + report.journal_aside.evidence_bytes;
    for (files, bytes, what) in [
        (
            stores.files,
            stores.bytes,
            "replaced stores: annals repair --empty-quarantine drops them",
        ),
        (stores.evidence_files, stores.evidence_bytes, "evidence, which stays until you remove it"),
        (cut, cut_bytes, "pieces cut from the journal, which stay until you remove them"),
    ] {
        if files > 0 {
            let (files, bytes) = (counted(files, "file"), time::bytes(bytes));
            context.output.line(format_args!("in quarantine: {files}, {bytes}, of {what}"))?;
        }
    }
    Ok(())
}

fn step(step: &RepairStep) -> Step {
    match step {
        RepairStep::TailCut { finding } => {
            Step { step: "tail cut", what: finding.clone(), quarantined: None }
        }
        RepairStep::Interrupted { count } => {
            let what = format!("{count} calls whose process is gone");
            Step { step: "interrupted", what, quarantined: None }
        }
        RepairStep::CaughtUp { store, events } => {
            let what = format!("{store}, {events} events");
            Step { step: "caught up", what, quarantined: None }
        }
        RepairStep::Published { path, files } => {
            let what = format!("{}, {}", shown(path), counted(*files as u64, "file"));
            Step { step: "published", what, quarantined: None }
        }
        RepairStep::Emptied { files, bytes } => {
            let what = format!("{}, {}", counted(*files, "file"), time::bytes(*bytes));
            Step { step: "quarantine emptied", what, quarantined: None }
        }
        RepairStep::Rebuilt { store, reason, quarantined } => Step {
            step: "rebuilt",
            what: format!("{store}: {reason}"),
            quarantined: quarantined.as_deref().map(shown),
        },
    }
}

fn repaired(report: &RepairReport) -> Repaired {
    Repaired {
        dry_run: report.dry_run,
        steps: report.steps.iter().map(step).collect(),
        damage: report.damage.clone(),
        lags: report.lags.iter().map(|(store, why)| format!("{store}: {why}")).collect(),
        left: report.left.clone(),
        quarantine: report.stores_aside.into(),
        journal_quarantine: report.journal_aside.into(),
        fine: report.is_fine(),
    }
}
