//! `annals verify`: reads every byte of a journal and says what does not hold.

use std::path::{Path, PathBuf};

use super::quote::replaced_by_a_copy;
use super::{Context, Exit, Result, counted, damage, shown, with_causes};
use crate::event::RecordedLoss;
use crate::event::fault::Fault;
use crate::journal::{Audit, Finding, Source};
use crate::output::stream::Colour;
use crate::output::{escape, time, wire};
use crate::store::look::{Depth, Look, Looking, Place, WoundKind};
use crate::stores::source::journal_path;

/// Check every byte of a journal
///
/// Names the sequence, the segment, the offset and the verdict of whatever is wrong, and changes
/// nothing. Meaning is read too: payloads, lengths, times, and the contents that lie beside the
/// segments. For several journals with one id it says where they diverge. The exit code is 3 where
/// something that was durable is lost or changed, 1 where only the tail is torn (an append that
/// was never acknowledged) or a loss is on record already, 0 where everything holds.
#[derive(clap::Args, Debug, Default)]
pub struct Args {
    /// Projects, journal folders, single .seg files or bundles [default: this project]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    let paths = match args.paths {
        paths if paths.is_empty() => context.sources()?.into_iter().map(|it| it.given).collect(),
        paths => paths,
    };
    let mut exit = Exit::Fine;
    let (mut list, mut done): (Vec<wire::Verified>, Vec<PathBuf>) = Default::default();
    for path in &paths {
        damage::must_have_journal(path)?;
        let journal = journal_path(path);
        let reading = crate::stores::source::reading(path, context.evidence);
        let source = Source::of(path).ok(); // what is none says so when it is read
        let looking = source.as_ref().map(|it| Looking::begin(it, reading, &context.cache));
        match crate::store::verify::audit(source.as_ref(), &journal, reading, &context.cache) {
            Ok(audit) => {
                let mut verified = verified(&journal, &audit);
                let mut barred = None;
                if let Some(mut looking) = looking {
                    looking.take(None, &audit);
                    let look = looking.end(Depth::Whole);
                    verified.blobs = blobs(&look);
                    verified.damaged |= !verified.blobs.is_empty();
                    verified.clean &= verified.blobs.is_empty();
                    verified.lock = look.lock.map(str::to_owned);
                    verified.segment = look.barred.as_ref().map(|it| with_causes(&it.error));
                    verified.clean &= look.lock.is_none() && look.barred.is_none();
                    barred = look.barred.map(|it| replaced_by_a_copy(&it.segment));
                }
                exit = exit.worse(exit_of(&verified));
                let earlier = list.iter().zip(&done);
                for (_, other) in earlier.filter(|(it, _)| it.journal == verified.journal) {
                    let reading =
                        |path: &Path| crate::stores::source::reading(path, context.evidence);
                    let other_journal = journal_path(other);
                    let fork = crate::store::verify::fork(
                        (&journal, reading(path)),
                        (&other_journal, reading(other)),
                    )?;
                    verified.forks.extend(fork.map(|fork| wire::Fork {
                        with: other_journal.to_string_lossy().into_owned(),
                        after: fork.after.0,
                    }));
                }
                if !verified.forks.is_empty() {
                    exit = exit.worse(Exit::Damaged);
                }
                done.push(path.clone());
                if !context.output.is_json() {
                    print(&verified, &audit, barred, path, context)?;
                }
                list.push(verified);
            }
            Err(error) if paths.len() > 1 => {
                exit = exit.worse(error.sorted().0.into());
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

fn blobs(found: &Look) -> Vec<String> {
    let of_blobs = found.losses().filter(|it| matches!(it.place, Place::Blob { .. }));
    of_blobs.map(|it| it.text.clone()).collect()
}

fn exit_of(found: &wire::Verified) -> Exit {
    if found.damaged {
        Exit::Damaged
    } else if found.clean {
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
        left_out: audit.left_out.clone(),
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
        lock: None,
        segment: None,
        blobs: Vec::new(),
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

pub fn finding(finding: &Finding) -> wire::Finding {
    wire::Finding {
        verdict: finding.verdict.as_str().to_owned(),
        kind: WoundKind::of(finding.verdict).as_str(),
        segment: finding.at.segment.0,
        offset: finding.at.offset.0,
        bytes: finding.bytes,
        first_sequence: finding.lost.map(|(first, _)| first.0),
        last_sequence: finding.lost.map(|(_, last)| last.0),
        exact: finding.exact,
    }
}

/// `barred`: what ends that nothing may be appended.
fn print(
    found: &wire::Verified,
    audit: &Audit,
    barred: Option<String>,
    given: &Path,
    context: &mut Context,
) -> Result<()> {
    let journal = escape::line(&found.path).into_owned();
    let (events, commits) = (counted(found.events, "event"), counted(found.commits, "commit"));
    let segments = counted(found.segments, "segment");
    let used = time::bytes(found.bytes.header + found.bytes.frames + found.bytes.control);
    context
        .output
        .line(format_args!("{journal}: {events} in {commits}, {segments}, {used} written"))?;
    if found.redacted > 0 {
        let records = counted(found.redacted, "record");
        let text = match &found.left_out {
            Some(what) => format!("{records} left out ({})", escape::line(what)),
            None => format!("{records} redacted"),
        };
        context.output.line(format_args!("  {text}"))?;
    }
    for finding in &found.findings {
        let colour =
            if finding.kind == WoundKind::Note.as_str() { Colour::Dim } else { Colour::Red };
        let text = context.output.paint(colour, sentence(finding));
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
    for told in found.segment.iter().chain(&found.lock).chain(&found.blobs) {
        let text = context.output.paint(Colour::Red, escape::line(told));
        context.output.line(format_args!("  {text}"))?;
    }
    for fork in &found.forks {
        let (with, after) = (escape::line(&fork.with), fork.after);
        let text = format!("fork: another journal than {with} after event @{after}, of one id");
        let text = context.output.paint(Colour::Red, text);
        context.output.line(format_args!("  {text}"))?;
    }
    for error in &found.unreadable {
        context.output.line(format_args!("  unreadable: {error}"))?;
    }
    let path = shown(given);
    // What a repair cuts.
    let torn = audit.report.findings.iter().any(|it| it.verdict.is_cut());
    if found.clean && found.forks.is_empty() {
        let chained = counted(found.commits_chained, "link");
        context
            .output
            .line(format_args!("  everything holds: checksums, and {chained} of the chain"))?;
    } else if !found.forks.is_empty() {
        context.output.line(format_args!("Next: annals log --dir {path}"))?;
    } else if found.damaged && !audit.is_damaged() {
        context.output.line("Next: put each blob back from a copy; nothing else has its bytes")?;
    } else if found.damaged {
        context.output.line(format_args!("Next: annals salvage {path} NEW-FOLDER"))?;
    } else if let Some(way) = barred {
        context.output.line(format_args!("Next: {way}"))?;
    } else if torn || found.lock.is_some() {
        let is_own = Source::of(given).is_ok_and(|it| damage::is_own(&it, context));
        let of = if is_own { String::new() } else { format!(" --dir {path}") };
        context.output.line(format_args!("Next: annals{of} repair"))?;
    } else if found.recorded.is_empty() {
        context.output.line("  no event is lost or changed by that; nothing is to be repaired")?;
    } else {
        context.output.line("  everything else holds; what is lost stays on record")?;
    }
    Ok(())
}

pub fn sentence(finding: &wire::Finding) -> String {
    let wire::Finding { verdict, segment, offset, bytes, .. } = finding;
    if finding.kind == WoundKind::Note.as_str() {
        return format!(
            "the clock was set back: from segment {segment}, byte {offset} on it reads earlier than before; \
             nothing is wrong"
        );
    }
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
