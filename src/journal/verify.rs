//! Verifying a journal's bytes, as the format does it, and what they mean.

use std::collections::BTreeSet;
use std::path::Path;

use annals_journal_format::bundle::{BundleOrder, Manifest};
use annals_journal_format::limits::FINDINGS_MAX;
use annals_journal_format::reader::{CommitEnd, Entries, Item};
use annals_journal_format::scan::{Finding, Verdict};
use annals_journal_format::storage::SourceStorage;
use annals_journal_format::verify::{VerifyFrom, VerifyOptions, VerifyReport, verify_with};
use annals_journal_format::{Chain, Mark as FormatMark, Offset, Position, SegmentNumber};

use super::archive::{ToldArchived, held_to, is_archive_wrong, is_out_of_reach};
use super::auditor::{Auditor, Listener};
use super::bundle::{ANSWERS, RECORDS};
use super::redaction::{Known, Orders, disagreements};
use super::{JournalError, JournalReader, Mark, Reading, Testimony, tells_of};
use crate::event::{RecordedLoss, Sequence};

/// Where to begin verifying, for those who know what lies before.
#[derive(Clone, Copy, Debug)]
pub struct Begin {
    pub segment: u64,
    /// The end of a commit in it, a byte offset, and its mark; `None`: at the segment's start.
    pub at: Option<(u64, Mark)>,
}

/// What verifying found, and what the journal itself tells of its losses.
#[derive(Debug)]
pub struct Audit {
    pub report: VerifyReport,
    /// In the journal's order; at most a thousand of them.
    pub recorded: Vec<RecordedLoss>,
    /// The contents outside the segments that events name, by their blake3; at most a million of them.
    pub blobs: BTreeSet<[u8; 32]>,
    /// What its events order to be redacted.
    pub orders: Orders,
    /// What the redacted ones of a bundle are called that was written without them.
    pub left_out: Option<String>,
    /// The orders that a bundle was written anew by, as it says itself.
    pub left_out_by: Vec<BundleOrder>,
    /// The segments that events say were archived, in the journal's order.
    pub told_archived: Vec<ToldArchived>,
    /// Segments that are not here, and lie where an event says.
    pub archived: u64,
}

impl Audit {
    /// Nothing is wrong, and nothing ever was lost.
    pub fn is_clean(&self) -> bool {
        self.report.is_clean() && self.recorded.is_empty()
    }

    /// Something that was durable once is lost or changed, and no event of the journal tells of it.
    pub fn is_damaged(&self) -> bool {
        self.report.unreadable.iter().any(|error| !is_out_of_reach(error))
            || self.report.findings_count > self.report.findings.len() as u64
            || self.losses().next().is_some()
    }

    /// Whether something could not be read, since the archive that has it is not there.
    pub fn is_out_of_reach(&self) -> bool {
        self.report.unreadable.iter().any(is_out_of_reach)
    }

    /// Whether an archive is there, and has something else than was archived.
    pub fn is_archive_wrong(&self) -> bool {
        self.report.unreadable.iter().any(is_archive_wrong)
    }

    /// The findings that cost something durable and that no event tells of.
    pub fn losses(&self) -> impl Iterator<Item = &Finding> {
        let untold = |it: &&Finding| it.verdict.is_loss() && !self.is_recorded(it);
        self.report.findings.iter().filter(untold)
    }

    pub fn is_recorded(&self, finding: &Finding) -> bool {
        self.recorded.iter().any(|it| tells_of(it, finding))
    }
}

/// Reads every byte of a journal's folder, of one segment, or of a bundle. Changes nothing.
pub fn verify(path: &Path, reading: Reading) -> Result<VerifyReport, JournalError> {
    verify_from(path, reading, Begin { segment: 0, at: None }, Testimony::default())
}

pub fn verify_from(
    path: &Path,
    reading: Reading,
    begin: Begin,
    testimony: Testimony,
) -> Result<VerifyReport, JournalError> {
    audit_from(path, reading, begin, testimony).map(|audit| audit.report)
}

/// As [`verify`], with the losses that the journal itself tells of, and by what else is known of its end.
pub fn audit(path: &Path, reading: Reading, testimony: Testimony) -> Result<Audit, JournalError> {
    audit_from(path, reading, Begin { segment: 0, at: None }, testimony)
}

pub fn audit_from(
    path: &Path,
    reading: Reading,
    begin: Begin,
    testimony: Testimony,
) -> Result<Audit, JournalError> {
    audit_telling(path, reading, begin, testimony, None)
}

/// As [`audit_from`], and tells `listener` what it reads on the way.
pub fn audit_telling(
    path: &Path,
    reading: Reading,
    begin: Begin,
    testimony: Testimony,
    listener: Option<&mut dyn Listener>,
) -> Result<Audit, JournalError> {
    let storage = reading.storage(path)?;
    let mut auditor = Auditor { listener, ..Auditor::default() };
    let mark = |mark: Mark| FormatMark {
        sequence: annals_journal_format::Sequence(mark.sequence.0),
        chain: Chain(mark.chain),
    };
    let from = VerifyFrom {
        segment: SegmentNumber(begin.segment),
        at: begin.at.map(|(offset, at)| (Offset(offset), mark(at))),
    };
    let options = VerifyOptions {
        from: Some(from),
        witness: testimony.lock.map(|it| it.0),
        seen: testimony.seen.map(Into::into),
        ..VerifyOptions::default()
    };
    let mut report = verify_with(&storage, path, options, &mut auditor)
        .map_err(|source| JournalError::Read { path: path.to_owned(), source })?;
    let Auditor { recorded, mut blobs, mut orders, told_archived, repeated, .. } = auditor;
    if let Some(bundle) = storage.bundle() {
        hold_to(&bundle.manifest, &mut report);
    }
    let archived = match begin.segment {
        0 if begin.at.is_none() => held_to(&told_archived, &storage, path, &mut report),
        _ => 0,
    };
    let left_out_by = storage.bundle().map_or(Vec::new(), |it| it.manifest.orders.clone());
    let left_out = storage.bundle().and_then(|it| it.manifest.left_out.clone());
    let left_out = left_out.map(|it| it.1);
    if report.redacted > 0 || !orders.records.is_empty() {
        // What cannot be opened is told by the walk.
        let reader = JournalReader::reading(path, reading).ok();
        let is_without = |what| left_out.as_deref().is_some_and(|told| told.contains(what));
        let known = Known {
            is_whole: path.is_dir() || storage.bundle().is_some(),
            is_without_answers: is_without(ANSWERS),
            is_without_records: is_without(RECORDS),
            reader: reader.as_ref(),
        };
        let mut found = disagreements(&report, &orders, &known);
        if reading == Reading::Live && found.iter().any(|it| it.verdict == Verdict::Unordered) {
            // What was ordered and done while this walked: the event stands behind where it began to look.
            orders = JournalReader::reading(path, reading).and_then(|it| Orders::of(&it))?;
            found = disagreements(&report, &orders, &known);
        }
        for finding in found {
            report.findings_count += 1;
            if report.findings.len() < FINDINGS_MAX {
                report.findings.push(finding);
            }
        }
    }
    // Of what was redacted, what a record that stays refers to was lifted out.
    let lifted = repeated.into_iter().filter(|(at, _)| orders.records.contains_key(at));
    blobs.extend(lifted.map(|(_, hash)| hash));
    Ok(Audit { report, recorded, blobs, orders, left_out, left_out_by, told_archived, archived })
}

/// What a bundle says that it holds is a witness: something else at its end was taken out of it, or
/// put in.
fn hold_to(manifest: &Manifest, report: &mut VerifyReport) {
    // A last segment without an event ends where the one before it did, there or not.
    let last = report.segments.last().filter(|it| it.events == 0);
    let before = last.and_then(|it| it.summary.header).map(|header| header.previous);
    if before
        .is_some_and(|it| it.sequence == manifest.mark.sequence && it.chain == manifest.mark.chain)
    {
        return;
    }
    let found = report.mark.map_or(0, |mark| mark.sequence.0);
    let verdict = match &report.mark {
        Some(mark) if *mark == manifest.mark && report.journal == manifest.journal => return,
        None if manifest.mark.sequence.0 == 0 => return,
        _ if report.journal != manifest.journal => Verdict::Foreign,
        _ if found < manifest.mark.sequence.0 => Verdict::AcknowledgedLoss,
        _ => Verdict::ChainBroken,
    };
    let segment = report.segments.last().map_or(SegmentNumber(0), |it| it.summary.number);
    let lost = (verdict == Verdict::AcknowledgedLoss)
        .then(|| (annals_journal_format::Sequence(found + 1), manifest.mark.sequence));
    let at = Position { segment, offset: Offset(0) };
    report.findings.push(Finding { verdict, at, bytes: 0, lost, exact: true });
    report.findings_count += 1;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The last event that both have: 0 where there is none.
    pub after: Sequence,
}

/// Where two journals of one id part; `None` where one is the beginning of the other, or their ids
/// differ. A commit that is damaged in one of them is no fork.
pub fn fork(one: &JournalReader, other: &JournalReader) -> Result<Option<Fork>, JournalError> {
    if one.id() != other.id() {
        return Ok(None);
    }
    let (short, long) = match one.mark().sequence <= other.mark().sequence {
        true => (one, other),
        false => (other, one),
    };
    let end = short.mark();
    // A chain vouches for all that lies before it.
    if end.sequence == Sequence(0) || long.mark_at(end.sequence)? == Some(end) {
        return Ok(None);
    }
    let begin = |it: &JournalReader| it.reader.entries(annals_journal_format::Sequence(1));
    let (mut left, mut right) = (begin(one), begin(other));
    let (mut a, mut b) = (next(one, &mut left)?, next(other, &mut right)?);
    let mut after = Sequence(0);
    while let (Some(x), Some(y)) = (&a, &b) {
        let same_end = x.mark.sequence == y.mark.sequence;
        let same_begin = x.first == y.first && x.whole && y.whole;
        if (same_end || same_begin) && x.mark != y.mark {
            return Ok(Some(Fork { after }));
        }
        if same_end {
            after = Sequence(x.mark.sequence.0);
        }
        let (ahead, behind) = (x.mark.sequence, y.mark.sequence);
        if ahead <= behind {
            a = next(one, &mut left)?;
        }
        if behind <= ahead {
            b = next(other, &mut right)?;
        }
    }
    Ok(None)
}

fn next(
    of: &JournalReader,
    entries: &mut Entries<SourceStorage>,
) -> Result<Option<CommitEnd>, JournalError> {
    while let Some(item) = entries.next() {
        let failed = |source| JournalError::Read { path: of.path.clone(), source };
        if let Item::Commit(end) = item.map_err(failed)? {
            return Ok(Some(end));
        }
    }
    Ok(None)
}
