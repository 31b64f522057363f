//! `annals merge`: several journals made one.

use std::path::PathBuf;

use serde::Serialize;

use super::{Context, Exit, Result, catch_up, counted, damage, shown, written};
use crate::event::wire::hex_text;
use crate::journal::enclosure;
use crate::journal::merge::{Input, MergeReport, MergedFrom, merge};
use crate::journal::{Project, ProjectError, Source};

/// Make one journal of several
///
/// Every record of the sources (projects, journal folders, bundles, segments) goes into one journal, in the order in
/// which they were recorded; each source's own order stays, and so do the ids of executions, sessions and calls, and
/// where each record comes from. What two of them both have is taken once: the same record by its leaf, the same call
/// by its id. Two journals of one id that hold another record under one number are refused, and nothing is written.
/// The same again adds what is new. No byte of a source is changed. The exit code is 6 where a source is not the
/// journal that was seen of it, 1 where something of it is lost.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What to merge: projects, journal folders, bundles, segments
    #[arg(value_name = "SRC", required = true)]
    pub sources: Vec<PathBuf>,
    /// The project that it goes into: a new folder, or what was merged before
    #[arg(long, value_name = "DST")]
    pub into: PathBuf,
}

#[derive(Serialize)]
struct Done {
    into: String,
    journal: String,
    /// Its last event.
    last_sequence: u64,
    sources: Vec<From>,
}

#[derive(Serialize)]
struct From {
    path: String,
    journal: String,
    events: u64,
    taken: u64,
    /// The same record was there already, or another source gave it.
    known: u64,
    /// Another journal recorded the same.
    same: u64,
    /// Facts about the source's own journal, which are not taken over.
    own: u64,
    /// Findings of what is lost in it.
    lost: u64,
    contents_missing: u64,
    /// They were redacted before, or hold what was: they went over redacted.
    withheld: u64,
    /// Redacted in it, and not in what it went into.
    redacted_here: u64,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    let sources = args.sources.iter().map(|it| Source::of(it)).collect::<Result<Vec<_>, _>>()?;
    for source in &sources {
        damage::ask_whether_source_seen(source, context);
    }
    let inputs: Vec<_> = sources.iter().map(|it| Input::of(it, context.evidence)).collect();
    if args.into.symlink_metadata().is_err() {
        // A death in the middle leaves some of it there.
        written::remember(&sources, "merged project", &args.into, context);
    }
    let report = merge(&inputs, &args.into, |root, options| {
        let failed = |source| ProjectError::Folder { path: root.to_owned(), did: "made", source };
        enclosure::make_folders(root).map_err(failed)?;
        Ok(Project::init(root, &options)?.0)
    })?;
    written::remember(&sources, "merged project", &args.into, context);
    let project = Project::open(&args.into)?;
    catch_up::catch_up(&project, context);
    if !context.output.as_json(&done(&args, &report))? {
        print(&args, &report, context)?;
    }
    let is_whole = report.sources.iter().all(|it| it.lost == 0 && it.contents_missing == 0);
    Ok(if is_whole { Exit::Fine } else { Exit::Findings })
}

fn done(args: &Args, report: &MergeReport) -> Done {
    let from = |it: &MergedFrom| From {
        path: it.path.to_string_lossy().into_owned(),
        journal: hex_text(&it.journal),
        events: it.events,
        taken: it.taken,
        known: it.known,
        same: it.same,
        own: it.own,
        lost: it.lost,
        contents_missing: it.contents_missing,
        withheld: it.withheld,
        redacted_here: it.redacted_here,
    };
    Done {
        into: args.into.to_string_lossy().into_owned(),
        journal: hex_text(&report.journal),
        last_sequence: report.last,
        sources: report.sources.iter().map(from).collect(),
    }
}

fn print(args: &Args, report: &MergeReport, context: &mut Context) -> Result<()> {
    for it in &report.sources {
        let (path, taken) = (shown(&it.path), counted(it.taken, "record"));
        let mut rest = String::new();
        for (count, what) in [
            (it.known, "known"),
            (it.same, "the same as another journal's"),
            (it.own, "about itself"),
            (it.lost, "findings of what is lost in it"),
            (it.contents_missing, "contents missing"),
            (it.withheld, "of them redacted, since they were before, or hold what was"),
            (it.redacted_here, "redacted in it and not there: redact them there"),
        ] {
            if count > 0 {
                rest.push_str(&format!(", {count} {what}"));
            }
        }
        context.output.line(format_args!("{path}: {taken} taken of {}{rest}", it.events))?;
    }
    let (into, last) = (shown(&args.into), report.last);
    context.output.line(format_args!("{into}: up to @{last}"))?;
    Ok(context.output.line(format_args!("Next: annals --dir {into} log"))?)
}
