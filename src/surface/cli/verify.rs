//! `annals verify`: reads every byte of a journal and says what does not hold.

use std::path::{Path, PathBuf};

use super::{CliError, Context, Exit, counted, shown, with_causes};
use crate::command::{self, Finding, VerifyReport, journal_path};
use crate::surface::output::Colour;
use crate::surface::{escape, time, wire};

/// Read every byte of a journal and say what does not hold
///
/// Names the sequence, the segment, the offset and the verdict of whatever is wrong, and changes
/// nothing. The exit code is 3 where something that was durable is lost or changed, 1 where only
/// the tail is torn (an append that nobody was told of), 0 where everything holds.
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
    let mut list = Vec::new();
    for path in &paths {
        let journal = journal_path(path);
        match command::verify_as(path, command::reading(path, context.evidence)) {
            Ok(report) => {
                exit = exit.worse(exit_of(&report));
                let verified = verified(&journal, &report);
                if !context.output.is_json() {
                    print(&verified, path, context)?;
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

fn exit_of(report: &VerifyReport) -> Exit {
    if report.is_damaged() {
        Exit::Damaged
    } else if report.is_clean() {
        Exit::Fine
    } else {
        Exit::Findings
    }
}

fn verified(path: &Path, report: &VerifyReport) -> wire::Verified {
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
        clean: report.is_clean(),
        damaged: report.is_damaged(),
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

fn print(found: &wire::Verified, path: &Path, context: &mut Context) -> Result<(), CliError> {
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
    for error in &found.unreadable {
        context.output.line(format_args!("  unreadable: {error}"))?;
    }
    let path = shown(path);
    if found.clean {
        let chained = counted(found.commits_chained, "link");
        context
            .output
            .line(format_args!("  everything holds: checksums, and {chained} of the chain"))?;
    } else if found.damaged {
        context.output.line(format_args!("Next: annals salvage {path} NEW-FOLDER"))?;
    } else {
        context.output.line("Next: annals repair")?;
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
