//! The walk that salvages.

use std::path::Path;
use std::sync::Arc;

use super::blobs::copy_blobs;
use super::run::runs;
use super::segment_writer::{SegmentWriter, failed};
use super::void::{VOIDED_NAME, keep_voided};
use super::{SalvageError, SalvageReport};
use crate::limits::{FINDINGS_MAX, SEGMENT_BYTES_MAX};
use crate::reader::{Catalog, LockState, Walk, WalkOptions, WalkStep};
use crate::scan::{Finding, ScanEnd};
use crate::storage::Storage;
use crate::units::{JournalId, Sequence};

/// How to salvage.
#[derive(Clone, Copy, Debug)]
pub struct SalvageOptions {
    /// Random; the new journal's id and nonces grow from it.
    pub seed: [u8; 32],
    pub segment_bytes_max: u64,
    /// Keep whole frames of appends that were never acknowledged in `voided/`.
    pub voided: bool,
}

impl SalvageOptions {
    pub fn new(seed: [u8; 32]) -> Self {
        Self { seed, segment_bytes_max: SEGMENT_BYTES_MAX, voided: false }
    }
}

/// Reads a journal's folder or one segment and writes every record that is whole into a fresh
/// journal in `to`, with its sequence, kind, time, salt and payload. The source is not touched;
/// `to` must be empty or not exist.
pub fn salvage<S: Storage>(
    storage: &S,
    from: &Path,
    to: &Path,
    options: SalvageOptions,
) -> Result<SalvageReport, SalvageError> {
    let catalog = Arc::new(Catalog::read(storage, from)?);
    if storage.list(to).is_ok_and(|names| !names.is_empty()) {
        return Err(SalvageError::NotEmpty { folder: to.into() });
    }
    storage.create_folder(to).map_err(failed(to, "made"))?;
    let walk_options =
        WalkOptions { chain: true, map: false, confirm: true, forgiving: true, brief: false };
    let walk = Walk::new(storage.clone(), Arc::clone(&catalog), walk_options, 0, None);
    let journal = fresh_id(catalog.journal, &options.seed);
    let writer =
        SegmentWriter::new(storage.clone(), to, journal, options.segment_bytes_max, &options.seed);
    let report = empty(catalog.journal, journal);
    let mut salvage = Salvage { storage, to, options, catalog, walk, writer, report };
    salvage.run()?;
    if let Some(folder) = &salvage.catalog.folder {
        let (blobs, damaged) =
            copy_blobs(storage, folder, to).map_err(failed(to, "given the blobs"))?;
        (salvage.report.blobs, salvage.report.blobs_damaged) = (blobs, damaged);
    }
    Ok(salvage.report)
}

struct Salvage<'a, S: Storage> {
    storage: &'a S,
    to: &'a Path,
    options: SalvageOptions,
    catalog: Arc<Catalog>,
    walk: Walk<S>,
    writer: SegmentWriter<S>,
    report: SalvageReport,
}

impl<S: Storage> Salvage<'_, S> {
    fn run(&mut self) -> Result<(), SalvageError> {
        loop {
            match self.walk.step() {
                Ok(None) => break,
                Ok(Some(WalkStep::Begin)) => {}
                Ok(Some(WalkStep::Finding(finding))) => self.report.note(finding),
                Ok(Some(WalkStep::Commit)) => self.take_commit()?,
                Ok(Some(WalkStep::End(index, end))) => self.take_end(index, end)?,
                Err(error) => self.report.unreadable.push(error),
            }
        }
        // What is lost at the end no later event shows.
        let lost = self.report.findings.iter().filter(|it| it.exact && it.verdict.is_loss());
        if let Some(last) = lost.filter_map(|it| it.lost).map(|(_, last)| last).max()
            && self.catalog.folder.is_some()
        {
            self.report.note_gap(self.writer.mark().sequence.next(), last.next());
        }
        self.writer.finish()?;
        self.report.segments = self.writer.segments;
        self.report.mark = (self.report.events > 0).then(|| self.writer.mark());
        self.report.lock = self.walk.lock_state();
        self.report.unreadable.extend(self.walk.take_unreadable());
        Ok(())
    }

    fn take_commit(&mut self) -> Result<(), SalvageError> {
        let segment = self.catalog.segments[self.walk.segment()].name.number;
        let above = self.writer.mark().sequence;
        let Some(commit) = self.walk.commit() else { return Ok(()) };
        let commit = match commit {
            Ok(commit) => commit,
            Err(error) => {
                self.report.unreadable.push(error);
                return Ok(());
            }
        };
        let (runs, unopened) = runs(&commit, segment, above);
        for run in runs {
            // What came before one segment alone is not missing from it.
            if self.report.events > 0 || self.catalog.folder.is_some() {
                self.report.note_gap(self.writer.mark().sequence.next(), run.first);
            }
            self.report.events += run.drafts.len() as u64;
            self.report.commits += 1;
            self.writer.commit(run.first, &run.drafts)?;
        }
        for finding in unopened {
            self.report.note(finding);
        }
        Ok(())
    }

    fn take_end(&mut self, index: usize, end: ScanEnd) -> Result<(), SalvageError> {
        let segment = &self.catalog.segments[index];
        if let Some(header) = segment.walkable()
            && self.options.voided
        {
            let folder = self.to.join(VOIDED_NAME);
            let kept = keep_voided(self.storage, &segment.path, header, end.offset, self.to)
                .map_err(failed(&folder, "filled"))?;
            self.report.voided.extend(kept);
        }
        Ok(())
    }
}

impl SalvageReport {
    fn note(&mut self, finding: Finding) {
        self.findings_count += 1;
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(finding);
        }
    }

    fn note_gap(&mut self, expected: Sequence, found: Sequence) {
        if found > expected {
            self.missing += found.0 - expected.0;
            if self.gaps.len() < FINDINGS_MAX {
                self.gaps.push((expected, Sequence(found.0 - 1)));
            }
        }
    }
}

fn fresh_id(from: JournalId, seed: &[u8; 32]) -> JournalId {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"annals salvage\0").update(&from.0).update(seed);
    let mut id = [0; 16];
    id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    JournalId(id)
}

fn empty(from: JournalId, to: JournalId) -> SalvageReport {
    SalvageReport {
        from,
        to,
        events: 0,
        commits: 0,
        segments: 0,
        mark: None,
        gaps: Vec::new(),
        missing: 0,
        voided: Vec::new(),
        blobs: 0,
        blobs_damaged: Vec::new(),
        findings: Vec::new(),
        findings_count: 0,
        unreadable: Vec::new(),
        lock: LockState::NotAsked,
    }
}
