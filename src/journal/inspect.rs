//! Taking a journal apart: every segment, frame and commit where it lies.

use std::path::{Path, PathBuf};

use annals_journal_format::frame::Flags;
use annals_journal_format::inspect::Inspected;
use annals_journal_format::salvage::{SalvageError, SalvageOptions, SalvageReport};
use annals_journal_format::storage::SourceStorage;
use serde::Serialize;

use super::trust::seen::note_copy;
use super::{JournalError, Reading};
use crate::event::{Kind, wire};

pub struct Inspect {
    inspect: annals_journal_format::inspect::Inspect<SourceStorage>,
    path: PathBuf,
}

#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// `segment`, `frame`, `commit`, `finding` or `end`.
    pub what: &'static str,
    pub segment: u64,
    pub offset: u64,
    pub bytes: u64,
    /// Of a frame its own, of a commit its last.
    pub sequence: Option<u64>,
    /// A frame's kind, by name where this build knows it.
    pub kind: Option<String>,
    /// When a frame was recorded, Unix milliseconds.
    #[serde(rename = "recorded", serialize_with = "wire::utc_or_null")]
    pub time_ms: Option<u64>,
    pub note: String,
}

pub fn inspect(path: &Path, reading: Reading) -> Result<Inspect, JournalError> {
    annals_journal_format::inspect::Inspect::open(reading.storage(path)?, path)
        .map(|inspect| Inspect { inspect, path: path.to_owned() })
        .map_err(|source| JournalError::Read { path: path.to_owned(), source })
}

impl Iterator for Inspect {
    type Item = Result<Part, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.inspect.next()?;
        let path = &self.path;
        Some(next.map(part).map_err(|source| JournalError::Read { path: path.clone(), source }))
    }
}

fn part(inspected: Inspected) -> Part {
    match inspected {
        Inspected::Segment(segment) => Part {
            what: "segment",
            segment: segment.number.0,
            offset: 0,
            bytes: 0,
            sequence: Some(segment.first_sequence.0),
            kind: None,
            time_ms: None,
            note: format!("{} ({:?})", segment.path.display(), segment.standing),
        },
        Inspected::Frame(frame) => Part {
            what: "frame",
            segment: frame.at.segment.0,
            offset: frame.at.offset.0,
            bytes: frame.frame_bytes,
            sequence: Some(frame.header.sequence.0),
            kind: Some(kind(frame.header.kind)),
            time_ms: Some(frame.header.time_ms),
            note: match frame.payload_bytes {
                Ok(bytes) if frame.header.flags.has(Flags::REDACTED) => {
                    format!("redacted, its payload had {bytes} B")
                }
                Ok(bytes) => format!("payload {bytes} B"),
                Err(error) => format!("payload does not open: {error}"),
            },
        },
        Inspected::Commit(commit) => Part {
            what: "commit",
            segment: commit.at.segment.0,
            offset: commit.at.offset.0,
            bytes: commit.bytes,
            sequence: commit.mark.map(|mark| mark.sequence.0),
            kind: None,
            time_ms: None,
            note: format!(
                "{} frames, {}, chain {:?}",
                commit.frames,
                if commit.whole { "whole" } else { "NOT WHOLE" },
                commit.chain
            ),
        },
        Inspected::Finding(finding) => Part {
            what: "finding",
            segment: finding.at.segment.0,
            offset: finding.at.offset.0,
            bytes: finding.bytes,
            sequence: finding.lost.map(|(first, _)| first.0),
            kind: None,
            time_ms: None,
            note: finding.to_string(),
        },
        Inspected::End(end) => Part {
            what: "end",
            segment: end.segment.0,
            offset: end.offset.0,
            bytes: 0,
            sequence: None,
            kind: None,
            time_ms: None,
            note: format!("{:?}", end.cause),
        },
    }
}

fn kind(number: u16) -> String {
    Kind(number).name().map_or_else(|| format!("{number:#06x}"), str::to_owned)
}

/// Writes every record that is whole into a fresh journal in `to`, with its sequence, time and
/// payload. `from` is a journal's folder or one segment, and is not touched.
///
/// `entropy` is 32 random bytes: the new journal's id and salts.
pub fn salvage(
    from: &Path,
    to: &Path,
    entropy: [u8; 32],
    reading: Reading,
) -> Result<SalvageReport, JournalError> {
    let storage = reading.storage(from)?;
    let options = SalvageOptions { voided: true, ..SalvageOptions::new(entropy) };
    let saved = annals_journal_format::salvage::salvage(&storage, from, to, options);
    let saved = saved.map_err(|source| match source {
        SalvageError::Source(source) => JournalError::Read { path: from.to_owned(), source },
        source => JournalError::Salvage { to: to.to_owned(), source },
    })?;
    // It may take the place of the one that it was saved from.
    note_copy(to);
    Ok(saved)
}
