//! A model that is a command: the prompt on its standard input, the answer on its output.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::{Model, ModelFailure, Question};
use crate::grounding::tools::program;
use crate::grounding::tools::program::Ended;
use crate::parse::reply::limits::REPLY_BYTES_MAX;
use crate::phases::limits::ERROR_CHARS_MAX;
use crate::phases::text::end_of;

/// A model that is a command. It is told by its environment what is asked: `ANNALS_RUN`,
/// `ANNALS_NODE`, `ANNALS_LABEL` (`draft_attempt1`) and `ANNALS_ROUND`.
#[derive(Clone, Debug)]
pub struct CommandModel {
    /// For the shell.
    line: String,
    folder: PathBuf,
    within: Duration,
}

/// Of what a failed model printed, bytes that are kept.
const PRINTED_BYTES_MAX: usize = 64 << 10;

impl CommandModel {
    /// A shell command, run in this folder, given so long for each answer.
    pub fn new(line: &str, folder: PathBuf, within: Duration) -> Self {
        Self { line: line.to_owned(), folder, within }
    }
}

impl Model for CommandModel {
    fn ask(&mut self, question: &Question<'_>) -> Result<String, ModelFailure> {
        let mut command = Command::new("sh");
        command.arg("-c").arg(&self.line).current_dir(&self.folder);
        command.env("ANNALS_RUN", question.run).env("ANNALS_NODE", question.node);
        command.env("ANNALS_LABEL", question.label);
        command.env("ANNALS_ROUND", question.round.to_string());
        let prompt = Some(question.prompt.as_bytes());
        let ran = program::run_with(command, prompt, self.within, question.stop)
            .map_err(|error| ModelFailure::silent(format!("it could not be started: {error}")))?;
        let printed = ran.stdout.head();
        let said = String::from_utf8_lossy(ran.stderr.head());
        let said = end_of(said.trim(), ERROR_CHARS_MAX);
        let said = if said.is_empty() { String::new() } else { format!("; it said: {said}") };
        let seconds = self.within.as_secs();
        let why = match ran.ended {
            Ended::TooLong => Some(format!("it took longer than {seconds} s and was ended{said}")),
            Ended::Unwanted => Some("it was ended".to_owned()),
            Ended::ByItself if !ran.status.success() => Some(format!("{}{said}", ran.status)),
            Ended::ByItself if ran.stdout.seen() > REPLY_BYTES_MAX as u64 => {
                let bytes = ran.stdout.seen();
                Some(format!("it printed {bytes} bytes; at most {REPLY_BYTES_MAX} are read"))
            }
            Ended::ByItself if printed.trim_ascii().is_empty() => {
                Some(format!("it printed nothing{said}"))
            }
            Ended::ByItself => None,
        };
        // What is no UTF-8 is still worth reading.
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match why {
            None => Ok(text(printed)),
            Some(why) => Err(ModelFailure {
                why,
                printed: text(&printed[..printed.len().min(PRINTED_BYTES_MAX)]),
                unwanted: ran.ended == Ended::Unwanted,
                of_script: false,
            }),
        }
    }
}
