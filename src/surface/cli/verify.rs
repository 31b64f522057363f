//! `annals verify`: reads every byte of a journal and says what does not hold.

use std::path::{Path, PathBuf};

use super::{CliError, Context, Exit, counted, shown, with_causes};
use crate::command::look::{Depth, Look, Looking, Place};
use crate::command::{self, Audit, Finding, Source, journal_path};
use crate::event::RecordedLoss;
use crate::surface::output::Colour;
use crate::surface::{escape, time, wire};

/// Read every byte of a journal and say what does not hold
///
/// Names the sequence, the segment, the offset and the verdict of whatever is wrong, and changes
/// nothing. Meaning is read too: payloads, lengths, times. Of several journals of one id it says
/// where they part. The exit code is 3 where something that was durable is lost or changed, 1 where
/// only the tail is torn (an append that nobody was told of) or a loss is on record already, 0 where
/// everything holds.
#[derive(clap::Args, Debug, Default)]
pub struct Args {
    /// Projects, journal folders, single .seg files or bundles [default: this project]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    context.must_be_now()?;
    let paths = match args.paths {
        paths if paths.is_empty() => context.sources()?.into_iter().map(|it| it.given).collect(),
        paths => paths,
    };
    let mut exit = Exit::Fine;
    let (mut list, mut done): (Vec<wire::Verified>, Vec<PathBuf>) = Default::default();
    for path in &paths {
        let journal = journal_path(path);
        let reading = command::reading(path, context.evidence);
        let source = Source::of(path).ok(); // what is none says so when it is read
        let looking = source.map(|it| Looking::begin(&it, reading, &context.cache));
        match command::audit(path, reading) {
            Ok(audit) => {
                if let Some(mut looking) = looking {
                    looking.take(None, &audit.report);
                    blobs(&looking.end(Depth::Whole), &mut exit, context);
                }
                exit = exit.worse(exit_of(&audit));
                let mut verified = verified(&journal, &audit);
                let earlier = list.iter().zip(&done);
                for (_, other) in earlier.filter(|(it, _)| it.journal == verified.journal) {
                    let reading = |path: &Path| command::reading(path, context.evidence);
                    let fork = command::fork((path, reading(path)), (other, reading(other)))?;
                    verified.forks.extend(fork.map(|fork| wire::Fork {
                        with: journal_path(other).to_string_lossy().into_owned(),
                        after: fork.after.0,
                    }));
                }
                if !verified.forks.is_empty() {
                    exit = exit.worse(Exit::Damaged);
                }
                done.push(path.clone());
                if !context.output.is_json() {
                    let torn = audit.report.findings.iter().any(|it| it.verdict.is_cut());
                    print(&verified, torn, path, context)?;
                }
                list.push(verified);
            }
            Err(error) if paths.len() > 1 => {
                exit = exit.worse(super::sort::journal(&error).0);
                context.output.note(with_causes(&error));
            }
            Err(error) => return Err(error.into()),
        }
    }
    if context.output.is_json() {
        context.output.json_list(&list)?;
    }
    Ok(exit)
}

/// Tells of contents beside the segments that are not what was kept there.
fn blobs(found: &Look, exit: &mut Exit, context: &mut Context) {
    for wound in found.losses().filter(|it| matches!(it.place, Place::Blob { .. })) {
        *exit = exit.worse(Exit::Damaged);
        context.output.note(escape::line(&wound.text));
    }
}

fn exit_of(audit: &Audit) -> Exit {
    if audit.is_damaged() {
        Exit::Damaged
    } else if audit.is_clean() {
        Exit::Fine
    } else {
        Exit::Findings
    }
}

fn verified(path: &Path, audit: &Audit) -> wire::Verified {
    let report = &audit.report;
    let bytes = report.bytes;
    wire::Verified {
        path: path.to_string_lossy().into_owned(),
        journal: report.journal.to_string(),
        segments: report.segments.len() as u64,
        events: report.events,
        commits: report.commits,
        commits_chained: report.commits_chained,
        redacted: report.redacted,
        first_sequence: report.sequences.map(|(first, _)| first.0),
        last_sequence: report.sequences.map(|(_, last)| last.0),
        bytes: wire::Bytes {
            header: bytes.header,
            frames: bytes.frames,
            control: bytes.control,
            damaged: bytes.damaged,
            void: bytes.void,
            free: bytes.free,
        },
        findings: report.findings.iter().map(finding).collect(),
        findings_count: report.findings_count,
        unreadable: report.unreadable.iter().map(|error| with_causes(error)).collect(),
        recorded: audit.recorded.iter().map(recorded).collect(),
        forks: Vec::new(),
        clean: audit.is_clean(),
        damaged: audit.is_damaged(),
    }
}

fn recorded(loss: &RecordedLoss) -> wire::RecordedLoss {
    wire::RecordedLoss {
        sequence: loss.at.0,
        verdict: loss.verdict.clone(),
        segment: loss.segment,
        offset: loss.offset,
        bytes: loss.bytes,
        first_sequence: loss.lost.map(|(first, _)| first.0),
        last_sequence: loss.lost.map(|(_, last)| last.0),
        message: loss.to_string(),
    }
}

/// A finding as a document.
pub fn finding(finding: &Finding) -> wire::Finding {
    wire::Finding {
        verdict: finding.verdict.as_str().to_owned(),
        segment: finding.at.segment.0,
        offset: finding.at.offset.0,
        bytes: finding.bytes,
        first_sequence: finding.lost.map(|(first, _)| first.0),
        last_sequence: finding.lost.map(|(_, last)| last.0),
        exact: finding.exact,
    }
}

/// `torn`: the tail holds what a repair cuts.
fn print(
    found: &wire::Verified,
    torn: bool,
    path: &Path,
    context: &mut Context,
) -> Result<(), CliError> {
    let journal = escape::line(&found.path).into_owned();
    let (events, commits) = (counted(found.events, "event"), counted(found.commits, "commit"));
    let segments = counted(found.segments, "segment");
    let used = time::bytes(found.bytes.header + found.bytes.frames + found.bytes.control);
    context
        .output
        .line(format_args!("{journal}: {events} in {commits}, {segments}, {used} written"))?;
    for finding in &found.findings {
        let text = context.output.paint(Colour::Red, &sentence(finding));
        context.output.line(format_args!("  {text}"))?;
    }
    let told = found.findings.len() as u64;
    if found.findings_count > told {
        context.output.line(format_args!("  … and {} more", found.findings_count - told))?;
    }
    for loss in &found.recorded {
        let text = format!("on record as @{}: {}", loss.sequence, escape::line(&loss.message));
        context.output.line(format_args!("  {text}"))?;
    }
    for fork in &found.forks {
        let (with, after) = (escape::line(&fork.with), fork.after);
        let text = format!("fork: another journal than {with} after event @{after}, of one id");
        let text = context.output.paint(Colour::Red, &text);
        context.output.line(format_args!("  {text}"))?;
    }
    for error in &found.unreadable {
        context.output.line(format_args!("  unreadable: {error}"))?;
    }
    let path = shown(path);
    if found.clean && found.forks.is_empty() {
        let chained = counted(found.commits_chained, "link");
        context
            .output
            .line(format_args!("  everything holds: checksums, and {chained} of the chain"))?;
    } else if !found.forks.is_empty() {
        context.output.line(format_args!("Next: annals log --dir {path}"))?;
    } else if found.damaged {
        context.output.line(format_args!("Next: annals salvage {path} NEW-FOLDER"))?;
    } else if torn {
        context.output.line("Next: annals repair")?;
    } else if found.recorded.is_empty() {
        context.output.line("  no event is lost or changed by that; nothing is to be repaired")?;
    } else {
        context.output.line("  everything else holds; what is lost stays on record")?;
    }
    Ok(())
}

/// What is wrong, where, and which events it costs.
pub fn sentence(finding: &wire::Finding) -> String {
    let wire::Finding { verdict, segment, offset, bytes, .. } = finding;
    let place = format!("{verdict} in segment {segment} at byte {offset} ({bytes} bytes)");
    match (finding.first_sequence, finding.last_sequence) {
        (Some(first), Some(last)) if first == last && finding.exact => {
            format!("{place}: event @{first}")
        }
        (Some(first), Some(last)) if finding.exact => {
            format!("{place}: events @{first} to @{last}")
        }
        (Some(first), _) => format!("{place}: events from @{first} on"),
        _ => format!("{place}: no event is lost"),
    }
}
