//! The command that makes vectors: a line of JSON a text on its input, a line a vector on its output.

use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{DIMENSIONS_MAX, direction};
use crate::fault::{Class, Fault, Sorted};
use crate::grounding::tools::program::{self, Ended};
use crate::journal::capture::WHOLE_BYTES_MAX;
use crate::memory::texts::beginning;

/// Of a model's name, and of what the command said when it failed, characters that are kept.
const NAME_CHARS_MAX: usize = 100;
const SAID_CHARS_MAX: usize = 400;

/// A command, run by `sh -c` in the project's root: of each line `{"text": …}` on its input it must print a line
/// `{"vector": [numbers], "model": its name}`, in the same order; the name may be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandVectors {
    line: String,
    folder: PathBuf,
    within: Duration,
}

/// What it made of texts, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedding {
    pub model: String,
    /// Directions.
    pub vectors: Vec<Vec<u8>>,
}

#[derive(Serialize)]
struct Given<'a> {
    text: &'a str,
}

#[derive(Deserialize)]
struct Answered {
    vector: Vec<f32>,
    #[serde(default)]
    model: String,
}

impl CommandVectors {
    pub fn new(line: &str, folder: PathBuf, within: Duration) -> Self {
        Self { line: line.to_owned(), folder, within }
    }

    pub fn embed(&self, texts: &[&str]) -> Result<Embedding, EmbedError> {
        let command = || self.line.clone();
        let mut input = Vec::new();
        for text in texts {
            // A text is always JSON.
            serde_json::to_writer(&mut input, &Given { text })
                .map_err(|error| EmbedError::Run { command: command(), source: error.into() })?;
            input.push(b'\n');
        }
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(&self.line).current_dir(&self.folder);
        let stop = AtomicBool::new(false);
        let ran = program::run_with(shell, Some(&input), self.within, &stop)
            .map_err(|source| EmbedError::Run { command: command(), source })?;
        match ran.ended {
            Ended::TooLong | Ended::Unwanted => {
                Err(EmbedError::TooLong { command: command(), seconds: self.within.as_secs() })
            }
            Ended::ByItself if !ran.status.success() => {
                let said = String::from_utf8_lossy(ran.stderr.head()).trim().to_owned();
                let said = beginning(&said, SAID_CHARS_MAX, 4 * SAID_CHARS_MAX).to_owned();
                let status = ran.status.to_string();
                Err(EmbedError::Failed { command: command(), status, said })
            }
            Ended::ByItself if ran.stdout.seen() > WHOLE_BYTES_MAX as u64 => {
                Err(self.wrong(0, format!("it has {} bytes", ran.stdout.seen())))
            }
            Ended::ByItself => self.answer(ran.stdout.head(), texts.len()),
        }
    }

    /// What was printed for so many texts.
    pub(super) fn answer(&self, printed: &[u8], texts: usize) -> Result<Embedding, EmbedError> {
        let lines = printed.split(|byte| *byte == b'\n').zip(1..);
        let lines: Vec<(&[u8], usize)> =
            lines.filter(|(line, _)| !line.trim_ascii().is_empty()).collect();
        let mut made = Embedding { model: String::new(), vectors: Vec::with_capacity(texts) };
        for (line, number) in &lines {
            let answered: Answered = serde_json::from_slice(line)
                .map_err(|error| self.wrong(*number, format!("it is none: {error}")))?;
            let dimensions = answered.vector.len();
            if !(1..=DIMENSIONS_MAX).contains(&dimensions) {
                let why = format!("its vector has {dimensions} numbers, not 1 to {DIMENSIONS_MAX}");
                return Err(self.wrong(*number, why));
            }
            let vector = direction(&answered.vector).ok_or_else(|| {
                self.wrong(*number, "its vector is all zeros, or has no direction".to_owned())
            })?;
            let model = beginning(&answered.model, NAME_CHARS_MAX, 4 * NAME_CHARS_MAX).to_owned();
            match made.vectors.first() {
                None => made.model = model,
                Some(first) if first.len() != dimensions => {
                    let why =
                        format!("its vector has {dimensions} numbers, the first {}", first.len());
                    return Err(self.wrong(*number, why));
                }
                Some(_) if made.model != model => {
                    let why = format!("its model is {model:?}, the first's {:?}", made.model);
                    return Err(self.wrong(*number, why));
                }
                Some(_) => {}
            }
            made.vectors.push(vector);
        }
        match made.vectors.len() == texts {
            true => Ok(made),
            false => {
                let why = format!("there are {} lines for {texts} texts", made.vectors.len());
                Err(self.wrong(lines.last().map_or(0, |it| it.1), why))
            }
        }
    }

    fn wrong(&self, line: usize, why: String) -> EmbedError {
        EmbedError::Answer { command: self.line.clone(), line, why }
    }
}

/// Why there are no vectors. Nothing was recorded of these texts.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    #[error("the settings name no command that makes vectors: set `embed` in [memory]")]
    NoCommand,
    #[error("the command that makes vectors, {command:?}, could not be run")]
    Run { command: String, source: io::Error },
    #[error(
        "the command that makes vectors, {command:?}, took more than {seconds} s and was ended"
    )]
    TooLong { command: String, seconds: u64 },
    #[error("the command that makes vectors, {command:?}, failed ({status}): {said}")]
    Failed { command: String, status: String, said: String },
    #[error(
        "the command that makes vectors, {command:?}, answered otherwise than it must, line {line}: {why}. For each \
         line of its input it must print one line {{\"vector\": [numbers]}}"
    )]
    Answer { command: String, line: usize, why: String },
}

impl Fault for EmbedError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Run { .. } => Class::Io.alone(),
            _ => Class::Refused.alone(),
        }
    }
}
