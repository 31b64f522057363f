//! `annals verify`: reads every byte of a journal and says what does not hold.

mod on_record;
mod print;

use std::path::{Path, PathBuf};

use on_record::{accepted, recorded, redaction, withheld};
pub use print::sentence;

use super::quote::replaced_by_a_copy;
use super::signed::Signed;
use super::{Context, Exit, Result, damage, seen, shown, with_causes};
use crate::event::wire::hex_text;
use crate::fault::Fault;
use crate::journal::bundle::BundleOrder;
use crate::journal::trust::seen::{Contradiction, held_against, note_copy, unkept};
use crate::journal::{Audit, Finding, JournalReader, Reading, Source};
use crate::output::wire;
use crate::store::look::{Depth, Look, Looking, Place, WoundKind};
use crate::stores::source::journal_path;

/// Check every byte of a journal
///
/// Names the sequence, the segment, the offset and the verdict of whatever is wrong, and changes
/// nothing. Meaning is read too: payloads, lengths, times, and the contents that lie beside the
/// segments. For several journals with one id it says where they diverge. The exit code is 6 where
/// the journal does not contain what was seen of it before (`annals seen`) or the checkpoint, 5 where an archive that has a
/// part of it is away, 3 where something that was durable is lost or changed, or two of the journals that are named are
/// forks (6 where one of them is not what was seen), 1 where only the tail is torn (an append that
/// was never acknowledged) or a loss is on record already, 0 where everything holds.
#[derive(clap::Args, Debug, Default)]
pub struct Args {
    /// Projects, journal folders, single .seg files or bundles [default: this project]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Hold it also against what another machine's programs saw: a file that `annals seen export` wrote
    #[arg(long, value_name = "FILE")]
    pub seen: Option<PathBuf>,
    /// Hold it against a checkpoint that was signed before: a file that `annals checkpoint` wrote
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// A public key that is believed, as `annals key show` prints it; repeats [default: your own]
    #[arg(long, value_name = "LINE", requires = "checkpoint")]
    pub key: Vec<String>,
    /// A witness who must have signed it as well; repeats [default: those in the settings]
    #[arg(long, value_name = "LINE", requires = "checkpoint")]
    pub witness: Vec<String>,
    /// How many of the witnesses must have [default: all]
    #[arg(long, value_name = "N", requires = "checkpoint")]
    pub quorum: Option<usize>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    let paths = match args.paths {
        paths if paths.is_empty() => context.sources()?.into_iter().map(|it| it.given).collect(),
        paths => paths,
    };
    let elsewhere = args.seen.as_deref().map(seen::read).transpose()?.unwrap_or_default();
    let signed = |it| Signed::read(it, &args.key, &args.witness, args.quorum);
    let checkpoint = args.checkpoint.as_deref().map(signed).transpose()?;
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
                    if let Some(file) = &args.seen
                        && !elsewhere.iter().any(|it| hex_text(&it.at.journal) == verified.journal)
                    {
                        let file = shown(file);
                        let note = format_args!("{file} says nothing of this journal");
                        context.output.note(note);
                        exit = exit.worse(Exit::Findings);
                    }
                    let here = look.contradiction.as_deref().map(|it| contradicted(it, false));
                    let there = || held_against(&journal, reading, &elsewhere);
                    verified.contradiction =
                        here.or_else(|| there().map(|it| contradicted(&it, true)));
                    verified.clean &= verified.contradiction.is_none();
                    if let Some(checkpoint) = &checkpoint {
                        let folder = source.as_ref().and_then(|it| it.root.as_deref());
                        let held = checkpoint.hold(&journal, reading, folder)?;
                        verified.clean &= held.holds;
                        verified.checkpoint = Some(held);
                    }
                    barred = look.barred.map(|it| replaced_by_a_copy(&it.segment));
                }
                withheld(&mut verified, &audit);
                if !verified.recorded.is_empty() && verified.contradiction.is_none() {
                    accepted(&mut verified, &JournalReader::reading(&journal, reading)?);
                }
                if reading == Reading::Evidence && verified.clean {
                    note_copy(&journal);
                }
                exit = exit.worse(exit_of(&verified));
                if audit.is_out_of_reach() {
                    exit = exit.worse(Exit::Io);
                }
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
                    print::print(&verified, &audit, barred, path, context)?;
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
    if found.contradiction.is_some() || found.checkpoint.as_ref().is_some_and(|it| !it.holds) {
        Exit::Contradicted
    } else if found.damaged {
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
        redactions: audit.orders.orders.iter().map(redaction).collect(),
        left_out: audit.left_out.clone(),
        left_out_by: audit.left_out_by.iter().map(left_out_by).collect(),
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
        archived: audit.archived,
        archived_missing: archived_missing(audit),
        recorded: audit.recorded.iter().map(recorded).collect(),
        lock: None,
        segment: None,
        blobs: Vec::new(),
        forks: Vec::new(),
        contradiction: None,
        unseen: unkept(),
        checkpoint: None,
        clean: audit.is_clean(),
        damaged: audit.is_damaged(),
    }
}

fn left_out_by(order: &BundleOrder) -> wire::LeftOutBy {
    let BundleOrder { id, frames, at, by, reason } = order.clone();
    wire::LeftOutBy { order: id, at, by, reason, records: frames }
}

/// The last word on each segment that is missing, its note too.
fn archived_missing(audit: &Audit) -> Vec<wire::ArchivedMissing> {
    let numbers = || audit.report.segments.iter().map(|it| it.summary.number.0);
    // None is missing behind the last: what is salvaged has fewer.
    let end = numbers().max().unwrap_or_default();
    let is_here = |number: u64| number > end || numbers().any(|it| it == number);
    let mut missing: Vec<wire::ArchivedMissing> = Vec::new();
    for it in audit.told_archived.iter().rev().filter(|it| !is_here(it.segment)) {
        if missing.iter().all(|known| known.segment != it.segment) {
            let folder = it.to.to_string_lossy().into_owned();
            missing.push(wire::ArchivedMissing {
                segment: it.segment,
                sequence: it.event.0,
                folder,
            });
        }
    }
    missing
}

fn contradicted(found: &Contradiction, by_file: bool) -> wire::Contradicted {
    wire::Contradicted {
        change: found.change.as_str(),
        seen_sequence: found.seen.at.mark.sequence.0,
        seen_in: found.seen.folder.clone(),
        end_sequence: found.end.sequence.0,
        shared_sequence: found.shared.map(|it| it.0),
        by_file,
        message: found.to_string(),
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
