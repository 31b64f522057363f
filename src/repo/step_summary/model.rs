//! A command that tells a step.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::SummaryError;
use super::limits::{REPLY_BYTES_MAX, SAID_CHARS_MAX, WITHIN_S_MAX};
use super::text::{line, plain};
use crate::grounding::tools::program;
use crate::grounding::tools::program::Ended;
use crate::journal::Project;

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
    ///
    /// # Errors
    /// Where it cannot be run, takes too long, fails or prints nothing.
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
