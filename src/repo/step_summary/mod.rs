//! What a step of a workflow came to (spec 004, Compaction): told from the journal's own events, or
//! by a model that is given them, and recorded with the step's end in one commit.
//!
//! Three parts: what happened, important outputs, follow-up. The same events give the same text. A turn
//! in which nothing ran and nothing was refused leaves none, so that a hook that fires twice tells nothing
//! twice; a step that somebody began and ended by hand always does. What comes from elsewhere – an agent's last words, a model's reply – is redacted before it is
//! cut: half a secret is no secret to a rule.

mod facts;
mod step_end;

use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::grounding::tools::program;
use crate::grounding::tools::program::Ended;
use crate::journal::Project;
use crate::repo::RepoError;

pub use facts::Facts;
pub use step_end::{Given, StepEnd};

/// A text without control characters: those that colour or move go with what they ask for, line ends
/// stay.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' => out.push('\n'),
            '\t' => out.push(' '),
            '\u{1b}' if rest.peek() == Some(&'[') => {
                rest.next();
                // Parameters, up to the letter that ends them.
                while rest.next_if(|c| matches!(c, ' '..='?')).is_some() {}
                rest.next_if(|c| matches!(c, '@'..='~'));
            }
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// A text in one line of at most so many characters; one that was cut ends in `…`.
pub fn line(text: &str, chars_max: usize) -> String {
    let plain = plain(text);
    shortened(&plain.split_whitespace().collect::<Vec<_>>().join(" "), chars_max)
}

/// A line's beginning, at most so many characters; one that was cut ends in `…`.
pub fn shortened(line: &str, chars_max: usize) -> String {
    if line.chars().nth(chars_max).is_none() {
        return line.to_owned();
    }
    let mut kept: String = line.chars().take(chars_max.saturating_sub(1)).collect();
    kept.truncate(kept.trim_end().len());
    if chars_max > 0 {
        kept.push('…');
    }
    kept
}

/// A text's first lines, whole, and how many are left out; at most so many characters.
pub fn whole_lines(text: &str, chars_max: usize) -> String {
    let text = text.trim();
    if text.chars().nth(chars_max).is_none() {
        return text.to_owned();
    }
    let count = text.lines().count();
    let (mut kept, mut chars) = (Vec::new(), 0);
    for line in text.lines() {
        chars += line.chars().count() + 1;
        let left = left_out(count - kept.len() - 1);
        if chars + left.chars().count() > chars_max {
            break;
        }
        kept.push(line);
    }
    if kept.is_empty() {
        return shortened(text.lines().next().unwrap_or_default(), chars_max);
    }
    let left = left_out(count - kept.len());
    format!("{}\n{left}", kept.join("\n"))
}

fn left_out(lines: usize) -> String {
    format!("(left out: {lines} more lines)")
}

/// A command that tells a step, run by `sh -c` in the project's root: what happened on its standard
/// input, the summary on its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryModel {
    line: String,
    folder: PathBuf,
    within: Duration,
}

impl SummaryModel {
    /// The one that the settings name.
    pub fn of(project: &Project) -> Option<Self> {
        let settings = &project.config().repo;
        let line = settings.summary_model.clone().filter(|line| !line.trim().is_empty())?;
        let within = Duration::from_secs(settings.summary_timeout_s.clamp(1, WITHIN_S_MAX));
        Some(Self { line, folder: project.root().to_owned(), within })
    }

    /// What it makes of these facts, without control characters; the first 64 KiB of it. Not redacted.
    pub fn tell(&self, facts: &str) -> Result<String, SummaryError> {
        let command = || self.line.clone();
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(&self.line).current_dir(&self.folder);
        let stop = AtomicBool::new(false);
        let ran = program::run_with(shell, Some(facts.as_bytes()), self.within, &stop)
            .map_err(|source| SummaryError::Run { command: command(), source })?;
        match ran.ended {
            Ended::TooLong | Ended::Unwanted => {
                let seconds = self.within.as_secs();
                return Err(SummaryError::TooLong { command: command(), seconds });
            }
            Ended::ByItself if !ran.status.success() => {
                let said = line(&String::from_utf8_lossy(ran.stderr.head()), SAID_CHARS_MAX);
                let status = ran.status.to_string();
                return Err(SummaryError::Failed { command: command(), status, said });
            }
            Ended::ByItself => {}
        }
        let head = ran.stdout.head();
        let head = String::from_utf8_lossy(&head[..head.len().min(REPLY_BYTES_MAX)]);
        let told = plain(&head).trim().to_owned();
        if told.is_empty() {
            return Err(SummaryError::Nothing { command: command() });
        }
        Ok(told)
    }
}

/// Why a step's summary was not made, or not by the model. The step's end is recorded all the
/// same, where there was a step.
#[derive(Debug, thiserror::Error)]
pub enum SummaryError {
    #[error("the step has no summary, since its repository is not known")]
    Repo(#[from] RepoError),
    #[error("the summary model {command:?} could not be run; the summary is told from the events")]
    Run { command: String, source: io::Error },
    #[error(
        "the summary model {command:?} took more than {seconds} s and was ended; the summary is told \
         from the events"
    )]
    TooLong { command: String, seconds: u64 },
    #[error(
        "the summary model {command:?} failed ({status}): {said}; the summary is told from the events"
    )]
    Failed { command: String, status: String, said: String },
    #[error("the summary model {command:?} printed nothing; the summary is told from the events")]
    Nothing { command: String },
    #[error(
        "the step went on while the summary model was asked; the summary is told from the events"
    )]
    WentOn,
    #[error(
        "no step was begun and nothing ran since the last one ended: nothing was recorded; \
         `annals step begin TITLE` begins one"
    )]
    NoStep,
}

/// Of a line.
pub const LINE_CHARS_MAX: usize = 300;
/// Of a line where not all lines fit.
pub const SHORT_LINE_CHARS_MIN: usize = 40;
/// Of what an agent said last, bytes that are read and characters that are told.
pub const ANSWER_BYTES_MAX: usize = 64 << 10;
pub const ANSWER_CHARS_MAX: usize = 280;
/// Pending failures, and changed files, that are named.
pub const PENDING_MAX: usize = 16;
pub const FILES_MAX: usize = 16;
/// Of what a model is given.
pub const FACTS_CHARS_MAX: usize = 16_000;
/// Of what a model answers, bytes that are read.
pub const REPLY_BYTES_MAX: usize = 64 << 10;
/// Of what a model said when it failed.
pub const SAID_CHARS_MAX: usize = 200;
/// Seconds that a model is given at most, whatever the settings say.
pub const WITHIN_S_MAX: u64 = 3_600;
/// Of the names of a run and of a step.
pub const NAME_CHARS_MAX: usize = 256;

#[cfg(test)]
mod tests;
