//! What was saved of a transcript, what was lost, and what was changed.

use std::io::{self, Write};

use serde::Serialize;

use crate::agents::import::Flaw;
use crate::agents::import::limits::FINDINGS_MAX;

/// What was saved of a transcript, what was lost, and what was changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TranscriptSalvage {
    pub lines: u64,
    /// Records written, each on a line of its own.
    pub records: u64,
    pub bytes_read: u64,
    pub bytes_written: u64,
    /// Lines that held more than one record.
    pub glued_lines: u64,
    pub bytes_lost: u64,
    /// What could not be saved, by place: the first [`FINDINGS_MAX`] of each list.
    pub lost: Vec<Lost>,
    pub lost_total: u64,
    /// Records whose lost parent was replaced by the nearest record before them. Nothing else of
    /// any record was changed.
    pub relinked: Vec<Relinked>,
    pub relinked_total: u64,
    /// Calls whose result is not in the file. The agent leaves them out when it resumes.
    pub calls_without_result: Vec<Unpaired>,
    /// Results whose call is not in the file. They are kept, but no record follows on them.
    pub results_without_call: Vec<Unpaired>,
}

/// Bytes that could not be saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// From 1.
    pub line: u64,
    pub bytes: u64,
    pub reason: String,
}

/// A record whose parent was lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Relinked {
    /// Its line in the source, from 1.
    pub line: u64,
    pub uuid: Option<String>,
    pub from: String,
    /// `None`: there was no record before it.
    pub to: Option<String>,
}

/// A call or a result that stands alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unpaired {
    /// Its line in the source, from 1.
    pub line: u64,
    pub call: String,
}

impl TranscriptSalvage {
    pub(super) fn lose(&mut self, line: u64, bytes: u64, flaw: Flaw) {
        self.lost_total += 1;
        self.bytes_lost += bytes;
        if self.lost.len() < FINDINGS_MAX {
            self.lost.push(Lost { line, bytes, reason: flaw.to_string() });
        }
    }

    pub(super) fn relink(&mut self, relinked: Relinked) {
        self.relinked_total += 1;
        if self.relinked.len() < FINDINGS_MAX {
            self.relinked.push(relinked);
        }
    }

    /// Whether the source was damaged at all.
    pub fn has_findings(&self) -> bool {
        self.lost_total + self.glued_lines + self.relinked_total > 0
    }

    /// The report as lines of text. The caller escapes what goes to a terminal.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { lines, records, glued_lines, lost_total, bytes_lost, .. } = self;
        writeln!(out, "read {lines} lines, saved {records} records, split {glued_lines} lines")?;
        writeln!(out, "lost {lost_total} pieces, {bytes_lost} bytes")?;
        for Lost { line, bytes, reason } in &self.lost {
            writeln!(out, "line {line}: lost {bytes} bytes: {reason}")?;
        }
        for Relinked { line, uuid, from, to } in &self.relinked {
            let (uuid, to) = (uuid.as_deref().unwrap_or("-"), to.as_deref().unwrap_or("nothing"));
            writeln!(out, "line {line}: record {uuid} follows on {to}: its parent {from} is lost")?;
        }
        for Unpaired { line, call } in &self.calls_without_result {
            writeln!(out, "line {line}: call {call} has no result; the agent leaves it out")?;
        }
        for Unpaired { line, call } in &self.results_without_call {
            writeln!(out, "line {line}: result of {call}, whose call is lost: kept beside")?;
        }
        Ok(())
    }
}
