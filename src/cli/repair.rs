//! `annals repair`: everything that can be mended without losing anything.

use std::path::Path;

use serde::Serialize;

use super::quote::replaced_by_a_copy;
use super::{CliError, Context, Exit, Result, counted, shown};
use crate::journal::{Source, SourceKind};
use crate::output::escape::line;
use crate::output::time;
use crate::store::Quarantined;
use crate::store::StoreName;
use crate::stores::repair::{RepairOptions, RepairReport, RepairStep, repair};

/// Repair all that can be repaired without loss
///
/// Cuts a torn tail (an append that was never acknowledged; the bytes are kept in quarantine/), closes
/// calls whose process is gone, catches the stores up, and replaces a store that does not hold what
/// the journal says (the old one is kept). A file in the place of one of annals' folders is renamed to
/// `NAME.aside.1`. Files of repositories' memory that were edited by hand are
/// left and listed. Can be run any number of times; --dry-run only shows what would be done. The exit
/// code is 3 where the journal itself is damaged, 4 where a program has a store open.
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

#[derive(Serialize)]
struct Repaired {
    dry_run: bool,
    steps: Vec<Step>,
    /// What no repair brings back.
    damage: Vec<String>,
    lags: Vec<String>,
    /// Files of repositories' memory that a person edited, or that are another journal's.
    left: Vec<String>,
    in_the_way: Vec<String>,
    /// Events that hold what was redacted before: nothing is published as long as there is one.
    withheld: u64,
    /// Why nothing can be done, where the journal cannot be appended to.
    blocked: Option<String>,
    /// What lies in the quarantine of the stores, and in the journal's.
    quarantine: Quarantined,
    journal_quarantine: Quarantined,
    fine: bool,
}

#[derive(Serialize)]
struct Step {
    /// `moved aside`, `lock made anew`, `tail cut`, `loss recorded`, `redacted`, `quarantine emptied`, `rebuilt`, `set aside`, `interrupted`,
    /// `caught up` or `published`.
    step: &'static str,
    what: String,
    quarantined: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let is_alone = |source: Source| source.kind != SourceKind::Project;
    if context.given && Source::of(&context.start).is_ok_and(is_alone) {
        let what = "a journal alone, or a bundle, is read and never repaired: annals verify says what is \
                    wrong with it, annals salvage saves what is whole, and its project can be repaired";
        return Err(CliError::Refused { what });
    }
    let project = context.project()?;
    let Args { dry_run, empty_quarantine } = args;
    let options = RepairOptions { dry_run, empty_quarantine };
    let report = repair(&project, &context.cache, options)?;
    if !context.output.as_json(&repaired(&report))? {
        print(&report, project.root(), context)?;
    }
    Ok(match &report {
        report if is_lost(report) => Exit::Damaged,
        report if report.locked => Exit::Locked,
        report if report.is_fine() => Exit::Fine,
        _ => Exit::Findings,
    })
}

fn print(report: &RepairReport, root: &Path, context: &mut Context) -> Result<()> {
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
    if let Some(why) = &report.blocked {
        context.output.line(format_args!("nothing can be repaired: {}", line(why)))?;
    }
    for (store, why) in &report.lags {
        context.output.line(format_args!("{store} still lags: {}", line(why)))?;
    }
    for left in report.left.iter().chain(&report.in_the_way) {
        context.output.line(line(left))?;
    }
    if report.withheld > 0 {
        let events = counted(report.withheld, "event");
        context.output.line(format_args!(
            "{events} that were redacted before, or hold what was: no file is published; annals redact \
             --from-withheld --reason TEXT"
        ))?;
    }
    if report.steps.is_empty() && report.is_fine() {
        context.output.line("Nothing to repair.")?;
    }
    aside(report, context)?;
    if let Some(segment) = &report.barred {
        return Ok(context.output.line(format_args!("Next: {}", replaced_by_a_copy(segment)))?);
    }
    if is_lost(report) {
        let next = format!("annals salvage {} NEW-FOLDER", shown(root));
        return Ok(context.output.line(format_args!("Next: {next}"))?);
    }
    let next = match report {
        report if report.withheld > 0 => "annals redact --from-withheld --reason TEXT",
        report if report.dry_run && !report.steps.is_empty() => "annals repair",
        report if !report.left.is_empty() => "annals repo diff",
        report if report.locked => "close the program that has the store open, then annals repair",
        report if report.is_graph_damaged => {
            "move codegraph.db away, with its -wal and -shm, then annals repair"
        }
        _ => "annals status",
    };
    Ok(context.output.line(format_args!("Next: {next}"))?)
}

/// Whether the journal is not what it was, or cannot be appended to until a new one takes its place.
fn is_lost(report: &RepairReport) -> bool {
    report.is_damaged() || report.blocked.is_some() && report.barred.is_none()
}

fn aside(report: &RepairReport, context: &mut Context) -> Result<()> {
    let stores = &report.stores_aside;
    let cut = report.journal_aside.files + report.journal_aside.evidence_files;
    let cut_bytes = report.journal_aside.bytes + report.journal_aside.evidence_bytes;
    for (files, bytes, what) in [
        (
            stores.files,
            stores.bytes,
            "replaced stores: annals repair --empty-quarantine drops them",
        ),
        (
            stores.evidence_files,
            stores.evidence_bytes,
            "evidence, which stays until you remove it: annals salvage --from-store . NEW-FILE saves what \
             only they have",
        ),
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
        RepairStep::LockMade { why } => {
            Step { step: "lock made anew", what: why.clone(), quarantined: None }
        }
        RepairStep::TailCut { finding } => {
            Step { step: "tail cut", what: finding.clone(), quarantined: None }
        }
        RepairStep::LossRecorded { finding } => {
            Step { step: "loss recorded", what: finding.clone(), quarantined: None }
        }
        RepairStep::Redacted { records } => {
            let what = format!("{}, and what else held them", counted(*records, "payload"));
            Step { step: "redacted", what, quarantined: None }
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
        RepairStep::MovedAside { found, aside } => Step {
            step: "moved aside",
            what: found.told(),
            quarantined: aside.as_deref().map(shown),
        },
        RepairStep::Emptied { files, bytes } => {
            let what = format!("{}, {}", counted(*files, "file"), time::bytes(*bytes));
            Step { step: "quarantine emptied", what, quarantined: None }
        }
        RepairStep::Rebuilt { store, reason, quarantined, .. } => {
            of_store("rebuilt", *store, reason, quarantined.as_deref())
        }
        RepairStep::SetAside { store, reason, quarantined, .. } => {
            of_store("set aside", *store, reason, quarantined.as_deref())
        }
    }
}

fn of_store(step: &'static str, store: StoreName, why: &str, kept: Option<&Path>) -> Step {
    Step { step, what: format!("{store}: {why}"), quarantined: kept.map(shown) }
}

fn repaired(report: &RepairReport) -> Repaired {
    Repaired {
        dry_run: report.dry_run,
        steps: report.steps.iter().map(step).collect(),
        damage: report.damage.clone(),
        lags: report.lags.iter().map(|(store, why)| format!("{store}: {why}")).collect(),
        left: report.left.clone(),
        in_the_way: report.in_the_way.clone(),
        withheld: report.withheld,
        blocked: report.blocked.clone(),
        quarantine: report.stores_aside,
        journal_quarantine: report.journal_aside,
        fine: report.is_fine(),
    }
}
