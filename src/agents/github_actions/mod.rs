//! GitHub Actions' job logs: lines `TIME text`, as they are downloaded, or `JOB TAB STEP TAB TIME text`, as
//! `gh run view --log` gives them.
//!
//! A step begins with `##[group]Run …`, whose group tells its commands; what follows is what it printed.
//! `##[error]Process completed with exit code N.` tells that it failed; the step behind it that it did not.
//! Whether the last one of a log that breaks off passed, nothing tells.

#[cfg(test)]
mod tests;

use std::io;

use super::import::Flaw;
use super::import::item::{Call, CallResult, Head, Part, TranscriptRecord};
use super::import::log_source::{Beginning, LogSource, Reads};
use super::import::odd::Stamp;
use super::import::source_file::SourceFile;
use super::import::told;
use super::import::whole::{TextLines, WholeLog, read_text};

pub const SOURCE: LogSource = LogSource {
    name: "github-actions",
    title: "GitHub Actions job logs",
    also: None,
    endings: &[".txt", ".log"],
    is_of,
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: true,
};

const RUN: &str = "##[group]Run ";

fn is_of(beginning: &Beginning<'_>) -> bool {
    let text = String::from_utf8_lossy(beginning.head);
    let mut lines = text.lines().map(|line| Line::of(line.trim_start_matches('\u{feff}')));
    lines.any(|line| line.at.at_ms.is_some() && line.text.starts_with("##[group]"))
}

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    read_text(file, Box::new(Job { session: file.whole_name(), ..Job::default() }))
}

#[derive(Debug, Default)]
struct Job {
    session: String,
    count: u64,
    step: Option<Step>,
}

#[derive(Debug, Default)]
struct Step {
    line: u64,
    at: Head,
    /// What the log calls it: the first line of its commands, or its action.
    title: String,
    is_in_group: bool,
    commands: Vec<String>,
    is_shell: bool,
    printed: String,
    exit_code: Option<i32>,
    error: Option<String>,
    /// What it printed is more than is kept.
    is_cut: bool,
}

/// Bytes kept of what a step printed.
const PRINTED_BYTES_MAX: usize = 16 << 20;

struct Line<'a> {
    /// Its time.
    at: Head,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Self {
        let line = match line.splitn(3, '\t').collect::<Vec<_>>()[..] {
            [_, _, line] => line.trim_start_matches('\u{feff}'),
            _ => line,
        };
        let (time, text) = line.split_once(' ').unwrap_or((line, ""));
        let is_time =
            time.len() >= 20 && time.ends_with('Z') && time.as_bytes()[0].is_ascii_digit();
        match is_time {
            true => Self { at: Head::at(&Stamp(Some(time.into()))), text },
            false => Self { at: Head::default(), text: line },
        }
    }
}

/// What stands where the steps of a job are over.
const OVER: [&str; 3] = ["Post job cleanup.", "Cleaning up orphan processes", "##[endgroup]Post"];

impl TextLines for Job {
    fn line(
        &mut self,
        number: u64,
        line: &str,
        out: &mut Vec<TranscriptRecord>,
    ) -> Result<(), Flaw> {
        let Line { at, text } = Line::of(line.trim_start_matches('\u{feff}'));
        if let Some(title) = text.strip_prefix(RUN) {
            let step = Step {
                line: number,
                at: at.clone(),
                title: title.to_owned(),
                is_in_group: true,
                ..Step::default()
            };
            return self.end_step(at, Some(step), out);
        }
        if OVER.iter().any(|over| text.starts_with(over)) {
            return self.end_step(at, None, out);
        }
        if let Some(step) = &mut self.step {
            step.take(text);
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<TranscriptRecord>) -> Result<(), Flaw> {
        let Some(step) = &self.step else { return Ok(()) };
        // What failed is told, also where nothing follows.
        if step.exit_code.is_some() || step.error.is_some() {
            return self.end_step(Head::default(), None, out);
        }
        self.begin(out);
        Ok(())
    }
}

impl Job {
    /// The step ended at this time, and another begins.
    fn end_step(
        &mut self,
        at: Head,
        next: Option<Step>,
        out: &mut Vec<TranscriptRecord>,
    ) -> Result<(), Flaw> {
        let begun = self.begin(out);
        let Some(step) = std::mem::replace(&mut self.step, next) else { return Ok(()) };
        let mut result = begun.map_or_else(
            || CallResult::of(String::new(), None, crate::event::Outcome::Ok),
            |call| {
                let is_error = step.error.is_some();
                told::result(call.id, call.scope, step.exit_code, is_error, Some(step.printed))
            },
        );
        if let (Some(error), None) = (step.error, step.exit_code) {
            result.error = Some(error);
        }
        result.duration_ms = told::lasted(step.at.at_ms, at.at_ms);
        // The step that begins then tells what is wrong with the time.
        let at_ms = at.at_ms.or(step.at.at_ms.filter(|_| at.odd_time.is_none()));
        let head = self.head(Head { at_ms, ..Head::default() });
        out.push(TranscriptRecord { line: 0, head, parts: vec![Part::Result(result)] });
        if step.is_cut {
            return Err(Flaw::TooLong { bytes: PRINTED_BYTES_MAX as u64 });
        }
        Ok(())
    }

    fn head(&self, at: Head) -> Head {
        Head { session: Some(self.session.clone()), ..at }
    }

    /// Tells the call that the step is.
    fn begin(&mut self, out: &mut Vec<TranscriptRecord>) -> Option<Call> {
        let step = self.step.as_ref()?;
        self.count += 1;
        let (id, scope) = (format!("step {}", self.count), Some(self.session.clone()));
        let call = if step.is_shell {
            let command = step.commands.join("\n");
            let arguments = serde_json::json!({ "command": command }).to_string();
            told::call(id, scope, "bash", arguments)
        } else {
            let arguments = serde_json::json!({ "uses": step.title }).to_string();
            told::call(id, scope, "action", arguments)
        };
        let (line, head) = (step.line, self.head(step.at.clone()));
        out.push(TranscriptRecord { line, head, parts: vec![Part::Call(call.clone())] });
        Some(call)
    }
}

impl Step {
    fn take(&mut self, text: &str) {
        if self.is_in_group {
            let command = text.strip_prefix("\u{1b}[36;1m");
            match command {
                _ if text.starts_with("##[endgroup]") => self.is_in_group = false,
                Some(command) => {
                    let command = command.strip_suffix("\u{1b}[0m").unwrap_or(command);
                    self.commands.push(command.to_owned());
                }
                None => self.is_shell |= text.starts_with("shell: "),
            }
            if !self.is_in_group && self.is_shell && self.commands.is_empty() {
                self.commands.push(self.title.clone());
            }
            return;
        }
        if let Some(error) = text.strip_prefix("##[error]") {
            let code = error.strip_prefix("Process completed with exit code ");
            let code = code.and_then(|code| code.trim_end_matches('.').parse().ok()); // not a code
            self.exit_code = code.or(self.exit_code);
            // What a command itself marks as an error is no end of its.
            if code.is_none() && !self.is_shell {
                self.error = Some(error.to_owned());
            }
            if code.is_some() {
                return;
            }
        }
        if self.printed.len() + text.len() < PRINTED_BYTES_MAX {
            self.printed.push_str(text);
            self.printed.push('\n');
        } else {
            self.is_cut = true;
        }
    }
}
