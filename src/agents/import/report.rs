//! What an import found, for people and for JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::limits::FINDINGS_MAX;

/// What an import found. A call is counted once, however often the files repeat it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    pub files: u64,
    pub bytes: u64,
    pub lines: u64,
    pub records: u64,
    /// Lines that held more than one record.
    pub glued_lines: u64,
    /// Lines of which something could not be read.
    pub unreadable_lines: u64,
    pub sessions: u64,
    pub prompts: u64,
    pub calls: u64,
    /// Results that have a call.
    pub results: u64,
    /// Results that are not ok: `failed` and `refused` together.
    pub errors: u64,
    pub failed: u64,
    /// Calls that never ran.
    pub refused: u64,
    /// Calls that have no result.
    pub interrupted: u64,
    pub results_without_call: u64,
    /// Results that turned up for calls an earlier import had recorded as interrupted.
    pub corrected: u64,
    /// Calls, results and prompts that the files, or earlier imports, had already given.
    pub duplicates: u64,
    /// Events that the journal took.
    pub recorded: u64,
    /// Events that the journal could not take, and why.
    pub not_recorded: u64,
    /// The findings by place, the first [`FINDINGS_MAX`] of them.
    pub findings: Vec<Finding>,
    /// Files that could not be read, and why.
    pub skipped: Vec<SkippedFile>,
}

/// Something a person should look at, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub file: String,
    /// From 1.
    pub line: u64,
    /// `unreadable line`, `result without call` or `not recorded`.
    pub kind: &'static str,
    pub detail: String,
}

/// A file that was passed over, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedFile {
    pub file: String,
    pub reason: String,
}

impl ImportReport {
    /// Keeps a finding, up to the limit.
    pub fn find(&mut self, file: &str, line: u64, kind: &'static str, detail: String) {
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(Finding { file: file.to_owned(), line, kind, detail });
        }
    }

    /// Whether anything needs a person's eye.
    pub fn has_findings(&self) -> bool {
        self.unreadable_lines + self.results_without_call + self.not_recorded > 0
            || !self.skipped.is_empty()
    }

    /// The report as lines of text. The caller escapes what goes to a terminal.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { files, lines, records, .. } = self;
        writeln!(out, "read {files} files, {lines} lines, {records} records")?;
        let rows = [
            ("sessions", self.sessions),
            ("prompts", self.prompts),
            ("calls", self.calls),
            ("results", self.results),
            ("errors", self.errors),
            ("  failed", self.failed),
            ("  refused", self.refused),
            ("interrupted", self.interrupted),
            ("corrected", self.corrected),
            ("results without call", self.results_without_call),
            ("glued lines split", self.glued_lines),
            ("unreadable lines", self.unreadable_lines),
            ("seen before", self.duplicates),
            ("events recorded", self.recorded),
        ];
        for (name, count) in rows {
            writeln!(out, "{name:<22}{count:>10}")?;
        }
        for Finding { file, line, kind, detail } in &self.findings {
            writeln!(out, "{file}:{line}: {kind}: {detail}")?;
        }
        let named = self.findings.len() as u64;
        let found = self.unreadable_lines + self.results_without_call + self.not_recorded;
        if found > named {
            writeln!(out, "… and {} more", found - named)?;
        }
        for SkippedFile { file, reason } in &self.skipped {
            writeln!(out, "{file}: skipped: {reason}")?;
        }
        Ok(())
    }
}
