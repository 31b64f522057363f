//! `annals salvage`: what is whole in a damaged journal or transcript, and what stores have beyond theirs.

mod stores;

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{CliError, Context, Exit, Result, counted, damage, quote, shown, with_causes, written};
use crate::agents::Agent;
use crate::agents::import::LogSource;
use crate::agents::import::limits::SNIFF_BYTES_MAX;
use crate::agents::import::salvage::salvage_transcript;
use crate::journal::enclosure::OpenHow;
use crate::journal::withheld::{self, Withheld, recorded};
use crate::journal::{JournalReader, Reading, SalvageReport, Source, SourceKind, enclosure};
use crate::output::escape;
use crate::stores::source::journal_path;

/// Recover the intact parts of a damaged journal, segment or transcript
///
/// The source is not touched. Of a journal every whole event is kept with its sequence, its time and
/// its bytes; of an agent's transcript, what its agent can resume. The kind is recognised by its
/// content. The exit code is 1 where something was lost.
///
/// With --from-store SRC is a store that says more than its journal, where it lies, in
/// .annals/quarantine or in a copy, or a project, for all of its stores and those that it keeps in
/// quarantine as evidence. Each is held against stores built from the journal (--dir's, else that of
/// SRC's project, else of this one; without any, every row is lost), and each row that the journal does
/// not have, or has otherwise, becomes a JSON line in DST with the store and its cursor: no record of
/// the journal proves it. The exit code is 1 where there is any.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Save what a store has and its journal has lost
    #[arg(long)]
    pub from_store: bool,
    /// A project, a journal's folder, one .seg file, a bundle, or a transcript; a store or a project
    #[arg(value_name = "SRC")]
    pub source: PathBuf,
    /// A new folder for a journal, a new file for a transcript or for rows of stores
    #[arg(value_name = "DST")]
    pub destination: PathBuf,
}

#[derive(Serialize)]
struct Salvaged {
    from: String,
    to: String,
    events: u64,
    commits: u64,
    segments: u64,
    last_sequence: Option<u64>,
    /// Sequences that are missing: first and last of each gap.
    gaps: Vec<(u64, u64)>,
    missing: u64,
    /// Whole frames of appends that were never acknowledged, kept in `voided/`.
    voided: u64,
    blobs: u64,
    blobs_damaged: Vec<String>,
    findings: Vec<String>,
    unreadable: Vec<String>,
    /// Events that hold what was redacted before.
    withheld: u64,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    if args.from_store {
        return stores::run(&args, context);
    }
    if is_transcript(&args.source)? {
        return transcript(&args, context);
    }
    damage::must_have_journal(&args.source)?;
    let reading = crate::stores::source::reading(&args.source, context.evidence);
    let sources: Vec<_> = Source::of(&args.source).into_iter().collect();
    if args.destination.symlink_metadata().is_err() {
        // A death in the middle leaves some of it there.
        written::remember(&sources, "salvaged journal", &args.destination, context);
    }
    let report =
        crate::store::salvage::salvage(&journal_path(&args.source), &args.destination, reading)?;
    written::remember(&sources, "salvaged journal", &args.destination, context);
    let mut salvaged = salvaged(&report);
    if salvaged.events > 0 {
        withheld::follow([report.from.0], &report.to.0).map_err(CliError::Withheld)?;
        salvaged.withheld = withheld_in(&args.destination)?;
    }
    let lost = report.is_lossy() || salvaged.withheld > 0;
    if !context.output.as_json(&salvaged)? {
        print(&salvaged, &args, &report, context)?;
    }
    Ok(if lost { Exit::Findings } else { Exit::Fine })
}

fn print(
    salvaged: &Salvaged,
    args: &Args,
    report: &SalvageReport,
    context: &mut Context,
) -> Result<()> {
    let events = counted(salvaged.events, "event");
    let lost = match (salvaged.missing, report.is_bounded()) {
        (missing, true) => format!("{missing} lost"),
        (0, false) => "and nothing says how many are lost".to_owned(),
        (missing, false) => format!("{missing} or more lost"),
    };
    let to = shown(&args.destination);
    context.output.line(match salvaged.events {
        0 => format!("no event is whole, {lost}"),
        _ => format!("{events} saved in {to}, {lost}"),
    })?;
    for (first, last) in &salvaged.gaps {
        match first == last {
            true => context.output.line(format_args!("  lost: @{first}"))?,
            false => context.output.line(format_args!("  lost: @{first} to @{last}"))?,
        }
    }
    for what in salvaged.findings.iter().chain(&salvaged.unreadable) {
        context.output.line(format_args!("  {}", escape::line(what)))?;
    }
    if salvaged.voided > 0 {
        let voided = salvaged.voided;
        context.output.line(format_args!("  never acknowledged, kept in voided/: {voided}"))?;
    }
    for blob in &salvaged.blobs_damaged {
        context.output.line(format_args!("  blob damaged, left behind: {}", escape::line(blob)))?;
    }
    if salvaged.withheld > 0 {
        let events = counted(salvaged.withheld, "event");
        context.output.line(format_args!(
            "  {events} that were redacted before, or hold what was; once it is in its place: annals redact --from-withheld"
        ))?;
    }
    if salvaged.events > 0 {
        context.output.line(format_args!("Next: annals verify {to}"))?;
    }
    match way_on(salvaged, args, context) {
        Some(way) => context.output.line(format_args!("To go on, recording: {way}"))?,
        None if salvaged.events > 0 => context.output.line(
            "To go on with it: move the damaged .annals/journal aside, this one there, annals repair",
        )?,
        None => {}
    }
    Ok(())
}

/// The commands that put what was saved in the damaged journal's place, or a new journal where nothing
/// was: what was there stays, under another name.
fn way_on(salvaged: &Salvaged, args: &Args, context: &Context) -> Option<String> {
    let source = Source::of(&args.source).ok().filter(|it| it.kind != SourceKind::File)?;
    let root = source.root.as_deref()?.canonicalize().ok()?;
    let word = |path: &Path| quote::word(&shown(path));
    let of = match context.start.canonicalize().is_ok_and(|start| start == root) {
        true => String::new(),
        false => format!(" --dir {}", word(&root)),
    };
    let (journal, saved) = (word(&source.journal), word(&args.destination));
    let from = if of.is_empty() { ".".to_owned() } else { word(&root) };
    let then = match salvaged.events {
        0 => crate::output::remedy::begin_anew(&from, &of),
        _ => format!("mv {saved} {journal} && annals{of} repair"),
    };
    Some(format!("mv {journal} OLD-FOLDER && {then}"))
}

/// How many events of a saved journal hold what this user withholds.
fn withheld_in(saved: &Path) -> Result<u64> {
    let Some(withheld) = Withheld::of_user().map_err(CliError::Withheld)? else { return Ok(0) };
    let reader = JournalReader::reading(saved, Reading::Evidence)?;
    Ok(recorded(&reader, withheld)?.len() as u64)
}

fn transcript(args: &Args, context: &mut Context) -> Result<Exit> {
    let report = salvage_transcript(&args.source, &args.destination)?;
    // Of which project it is nobody knows but who stands in one.
    let here = context.sources().unwrap_or_default();
    written::remember(&here, "transcript", &args.destination, context);
    if !context.output.as_json(&report)? {
        let mut text = Vec::new();
        report.write_text(&mut text)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        context.output.line(escape::block(text.trim_end()))?;
        let to = shown(&args.destination);
        context.output.line(format_args!("Next: annals import auto {to}"))?;
    }
    Ok(if report.has_findings() { Exit::Findings } else { Exit::Fine })
}

/// Whether a file begins as a transcript does; a folder never is one.
fn is_transcript(path: &Path) -> Result<bool> {
    let failed = |source| CliError::io("read", path, source);
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        return Ok(false);
    }
    let mut head = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(SNIFF_BYTES_MAX as u64).read_to_end(&mut head).map_err(failed)?;
    Ok(LogSource::sniff(&head) == Some(Agent::ClaudeCode.source()))
}

fn salvaged(report: &SalvageReport) -> Salvaged {
    Salvaged {
        from: report.from.to_string(),
        to: report.to.to_string(),
        events: report.events,
        commits: report.commits,
        segments: report.segments,
        last_sequence: report.mark.map(|mark| mark.sequence.0),
        gaps: report.gaps.iter().map(|(first, last)| (first.0, last.0)).collect(),
        missing: report.missing,
        voided: report.voided.len() as u64,
        blobs: report.blobs,
        blobs_damaged: report.blobs_damaged.clone(),
        findings: report.findings.iter().map(ToString::to_string).collect(),
        unreadable: report.unreadable.iter().map(|error| with_causes(error)).collect(),
        withheld: 0,
    }
}

/// A new file on its way; gone where it does not arrive.
pub struct NewFile {
    file: BufWriter<File>,
    temporary: PathBuf,
    path: PathBuf,
}

impl NewFile {
    pub fn begin(path: &Path) -> Result<Self> {
        match enclosure::look(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(CliError::io("make", path, source)),
            Ok(_) => return Err(CliError::Exists { path: path.to_owned() }),
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        let file = enclosure::open(&temporary, OpenHow::CreateNew)
            .map_err(|source| CliError::io("make", &temporary, source))?;
        Ok(Self { file: BufWriter::new(file), temporary, path: path.to_owned() })
    }

    pub fn line(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes())?;
        self.file.write_all(b"\n")
    }

    /// Brings it to its name, where nothing has that by now.
    pub fn arrive(mut self) -> Result<()> {
        let failed = |source| CliError::io("write", &self.path, source);
        self.file.flush().map_err(failed)?;
        self.file.get_ref().sync_all().map_err(failed)?;
        enclosure::rename_new(&self.temporary, &self.path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => CliError::Exists { path: self.path.clone() },
            _ => failed(error),
        })?;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = enclosure::folder(folder.unwrap_or(Path::new(".")));
        folder.and_then(|folder| folder.sync_all()).map_err(failed)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // Where it arrived there is none; what made it fail is the error to tell.
        drop(enclosure::remove(&self.temporary));
    }
}
