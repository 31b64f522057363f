//! What an import found, for people and for JSON.

use std::collections::BTreeSet;
use std::io;
use std::io::Write;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::Result;
use super::intake::{ImportRequest, past_files};
use super::item::{Item, Part};
use super::limits::FINDINGS_MAX;
use super::transcript::Transcript;
use crate::agents::Agent;
use crate::event::{CallKey, Ordered, TranscriptFlaw};

/// What an import found. A call is counted once, however often the files repeat it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    pub files: u64,
    pub bytes: u64,
    pub lines: u64,
    pub records: u64,
    pub glued_lines: u64,
    pub unreadable_lines: u64,
    /// What of records that were taken could not be.
    pub unread_parts: u64,
    /// Records whose time is none, or cannot be: each stands beside its neighbour, with that one's time.
    pub odd_times: u64,
    pub sessions: u64,
    /// A subagent's among them.
    pub prompts: u64,
    pub subagent_prompts: u64,
    /// Messages of agents, those that only call tools among them.
    pub messages: u64,
    pub calls: u64,
    pub results: u64,
    /// Results that their agent does not call ok: `failed` and `refused` together. A check that failed behind a
    /// pipe is not among them; questions count it as failed.
    pub errors: u64,
    pub failed: u64,
    /// Calls that never ran.
    pub refused: u64,
    pub interrupted: u64,
    pub results_without_call: u64,
    /// Results that turned up for calls an earlier import had recorded as interrupted.
    pub corrected: u64,
    /// Calls, results and prompts that the files, or earlier imports, had already given.
    pub duplicates: u64,
    /// Events that are not taken, since they were redacted or forgotten before.
    pub withheld: u64,
    pub recorded: u64,
    pub not_recorded: u64,
    /// The findings by place, the first [`FINDINGS_MAX`] of them.
    pub findings: Vec<Finding>,
    pub skipped: Vec<SkippedFile>,
    /// Files in folders that are named as logs may be, and are none that is known.
    pub foreign: u64,
    /// Files without times of their own, or with times of no zone: their records are ordered as they stand there,
    /// from when the file was last written; the first [`FINDINGS_MAX`] of them.
    pub untimed: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub file: String,
    pub line: u64,
    /// `unreadable line`, `part not read`, `time that cannot be` or `result without call`.
    pub kind: &'static str,
    pub detail: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedFile {
    pub file: String,
    pub reason: String,
}

impl ImportReport {
    pub fn find(&mut self, file: &str, line: u64, kind: &'static str, detail: String) {
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(Finding { file: file.to_owned(), line, kind, detail });
        }
    }

    /// Counts something wrong in a line.
    pub fn count(&mut self, flaw: TranscriptFlaw) {
        *match flaw {
            TranscriptFlaw::Unreadable => &mut self.unreadable_lines,
            TranscriptFlaw::PartUnread => &mut self.unread_parts,
            TranscriptFlaw::OddTime => &mut self.odd_times,
            TranscriptFlaw::ResultWithoutCall => &mut self.results_without_call,
        } += 1;
    }

    /// How much there is that was not taken as it stands.
    pub fn found(&self) -> u64 {
        let Self { unreadable_lines, unread_parts, odd_times, results_without_call, .. } = self;
        unreadable_lines + unread_parts + odd_times + results_without_call + self.not_recorded
    }

    pub fn has_findings(&self) -> bool {
        self.found() > 0 || !self.skipped.is_empty()
    }

    /// The report as lines of text. The caller escapes what goes to a terminal.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { files, lines, records, .. } = self;
        writeln!(out, "read {files} files, {lines} lines, {records} records")?;
        let rows = [
            ("sessions", self.sessions),
            ("prompts", self.prompts),
            ("  to subagents", self.subagent_prompts),
            ("messages", self.messages),
            ("calls", self.calls),
            ("results", self.results),
            ("errors", self.errors),
            ("  failed, as told", self.failed),
            ("  refused", self.refused),
            ("interrupted", self.interrupted),
            ("corrected", self.corrected),
            ("results without call", self.results_without_call),
            ("glued lines split", self.glued_lines),
            ("unreadable lines", self.unreadable_lines),
            ("parts not read", self.unread_parts),
            ("times that cannot be", self.odd_times),
            ("seen before", self.duplicates),
            ("withheld (redacted)", self.withheld),
            ("events recorded", self.recorded),
        ];
        for (name, count) in rows {
            writeln!(out, "{name:<22}{count:>10}")?;
        }
        for Finding { file, line, kind, detail } in &self.findings {
            writeln!(out, "{file}:{line}: {kind}: {detail}")?;
        }
        let named = self.findings.len() as u64;
        let found = self.found();
        if found > named {
            writeln!(out, "… and {} more", found - named)?;
        }
        for file in &self.untimed {
            writeln!(
                out,
                "{file}: no times of its own: in the order of the file, from when that was last written"
            )?;
        }
        for SkippedFile { file, reason } in &self.skipped {
            writeln!(out, "{file}: skipped: {reason}")?;
        }
        if self.foreign > 0 {
            writeln!(out, "files in the folders that are no known logs: {}", self.foreign)?;
        }
        Ok(())
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TranscriptCalls {
    pub transcripts: u64,
    /// Of them, those that were read: the newest, within the bytes allowed.
    pub read: u64,
    pub calls: BTreeSet<CallKey>,
}

/// The calls that the past sessions of an agent tell of; at most about `bytes_max` are read, the
/// newest transcripts first, the first one whatever its size.
pub fn transcript_calls(
    agent: Agent,
    request: &ImportRequest,
    bytes_max: u64,
) -> Result<TranscriptCalls> {
    let mut files = past_files(request)?;
    files.retain(|file| file.source == agent.source());
    files.order_by_key(|file| std::cmp::Reverse(file.modified_ms));
    let mut found =
        TranscriptCalls { transcripts: files.len() as u64, ..TranscriptCalls::default() };
    let mut bytes = 0;
    for file in &files {
        bytes += file.bytes;
        if found.read > 0 && bytes > bytes_max {
            break;
        }
        found.read += 1;
        let Ok(reader) = file.open() else { continue };
        for item in Transcript::new(reader, (agent.facts().dialect)()) {
            let Ok(item) = item else { break };
            let Item::Record(record) = item else { continue };
            for part in record.parts {
                let Part::Call(call) = part else { continue };
                let (agent, scope) = (agent.as_str().to_owned(), call.scope);
                found.calls.insert(CallKey { agent, scope, call: call.id });
            }
        }
    }
    Ok(found)
}

/// How far an import is: a bar on standard error, drawn only where that is a terminal.
pub fn stderr_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    let style = ProgressStyle::with_template(
        "importing {bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
    );
    // The template is fixed text; were it wrong, the bar would only look plainer.
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
