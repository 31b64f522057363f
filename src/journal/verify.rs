//! Verifying a journal's bytes, as the format does it.

use std::path::Path;

use annals_journal_format::bundle::Manifest;
use annals_journal_format::scan::{Finding, Verdict};
use annals_journal_format::verify::{VerifyOptions, VerifyReport};
use annals_journal_format::{Offset, Position, SegmentNumber};

use super::{JournalError, Reading};

/// Reads every byte of a journal's folder, of one segment, or of a bundle. Changes nothing.
///
/// # Errors
/// Where nothing of a journal can be read there. Damage is no error: it is in the report.
pub fn verify(path: &Path, reading: Reading) -> Result<VerifyReport, JournalError> {
    let storage = reading.storage(path)?;
    let options = VerifyOptions::default();
    let mut report = annals_journal_format::verify::verify(&storage, path, options)
        .map_err(|source| JournalError::Read { path: path.to_owned(), source })?;
    if let Some(bundle) = storage.bundle() {
        hold_to(&bundle.manifest, &mut report);
    }
    Ok(report)
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
