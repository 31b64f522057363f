//! `annals bundle`: the journal in one file.

use std::path::PathBuf;

use serde::Serialize;

use super::{CliError, Context, Exit, Result, counted, shown, written};
use crate::journal::{BundleOptions, BundleReport};
use crate::output::{escape, time};

/// Write a consistent copy of the journal to one file
///
/// Writers are not stopped: the bundle holds the whole commits there were when it was begun, and
/// what they name, without preallocated space. It is a plain tar file; every command
/// that asks takes it with --dir, and `annals verify` as a path. With --evidence, or of a copy, no
/// byte of the source is changed.
///
/// With --no-answers what agents said and the summaries made of it are left out: a hash of each stands in its place,
/// so that everything else still verifies, and the journal keeps them. What quotes an answer elsewhere (a claim, a
/// subagent's result, a commit's message) is in it.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The file to write
    pub out: PathBuf,
    /// Replace it if it is there
    #[arg(long)]
    pub force: bool,
    /// Without what agents said, and the summaries made of it
    #[arg(long)]
    pub no_answers: bool,
}

#[derive(Debug, Serialize)]
struct Bundled {
    path: String,
    bytes: u64,
    journal: String,
    /// The first event that could be in it, and the last that is.
    first_sequence: u64,
    last_sequence: u64,
    /// The chain at the last commit: what `verify` computes of the bundle.
    chain: String,
    segments: u64,
    blobs: u64,
    /// Content that events name and the journal no longer has.
    blobs_missing: Vec<String>,
    /// Events that were left out.
    left_out: u64,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    let sources = context.sources()?;
    let [source] = sources.as_slice() else {
        return Err(CliError::Refused { what: "a bundle is of one journal: give one --dir" });
    };
    let project = source.label();
    let Args { out, force, no_answers } = &args;
    let options = BundleOptions { out, force: *force, project: &project, no_answers: *no_answers };
    let report = crate::journal::bundle::bundle(source, context.evidence, options)?;
    written::remember(&sources, "bundle", out, context);
    if !context.output.as_json(&bundled(&report))? {
        print(&report, context)?;
    }
    Ok(if report.blobs_missing.is_empty() { Exit::Fine } else { Exit::Findings })
}

fn print(report: &BundleReport, context: &mut Context) -> Result<()> {
    let (out, size) = (shown(&report.path), time::bytes(report.bytes));
    let (first, last) = (report.first, report.mark.sequence);
    let segments = counted(report.segments, "segment");
    let blobs = counted(report.blobs, "blob");
    context
        .output
        .line(format_args!("{out}: {size}, events @{first} to @{last}, {segments}, {blobs}"))?;
    context.output.line(format_args!("  journal {}", report.journal))?;
    context.output.line(format_args!("  chain   {}", report.mark.chain))?;
    if report.left_out > 0 {
        let events = counted(report.left_out, "event");
        context.output.line(format_args!("  {events} left out (answers)"))?;
    }
    for name in &report.blobs_missing {
        context.output.line(format_args!("  missing: blob {}", escape::line(name)))?;
    }
    Ok(context.output.line(format_args!("Next: annals verify {out}"))?)
}

fn bundled(report: &BundleReport) -> Bundled {
    Bundled {
        path: report.path.to_string_lossy().into_owned(),
        bytes: report.bytes,
        journal: report.journal.to_string(),
        first_sequence: report.first.0,
        last_sequence: report.mark.sequence.0,
        chain: report.mark.chain.to_string(),
        segments: report.segments,
        blobs: report.blobs,
        blobs_missing: report.blobs_missing.clone(),
        left_out: report.left_out,
    }
}
