//! Who judges what is important in memory.

use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::event::Importance;
use crate::grounding::tools::program::{self, Ended};
use crate::memory::texts::beginning;

/// A key that is to be judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportanceItem {
    pub key: String,
    pub value: String,
    /// What is stored: 1 to 5.
    pub importance: u8,
}

impl ImportanceItem {
    fn as_stored(&self) -> Importance {
        let (key, reason) = (self.key.clone(), "as stored".to_owned());
        Importance { key, score: self.importance, reason }
    }
}

/// Who judges what is important: a model, or a rule.
pub trait ImportanceModel {
    /// Judges items for a task; what is not in the answer keeps what is stored.
    fn evaluate(
        &mut self,
        items: &[ImportanceItem],
        task_hint: Option<&str>,
    ) -> Result<Vec<Importance>, ImportanceError>;
}

/// How long it may take, where nothing else is said.
const WITHIN: Duration = Duration::from_secs(120);
/// Of a value, characters that it is told.
const VALUE_CHARS_MAX: usize = 2_000;
/// Of its answer, bytes.
const ANSWER_BYTES_MAX: u64 = 1 << 20;
/// Of a reason, and of what it said when it failed, characters that are kept.
const REASON_CHARS_MAX: usize = 200;

/// A command, run by `sh -c` in the project's root. On its standard input is
/// `{"task_hint", "items": [{"key", "value", "importance"}]}`; its output must be
/// `[{"key", "score", "reason"}]`, scores from 1 to 5.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandImportance {
    line: String,
    folder: PathBuf,
    within: Duration,
}

#[derive(Serialize)]
struct Asked<'a> {
    task_hint: Option<&'a str>,
    items: Vec<ImportanceItem>,
}

#[derive(Deserialize)]
struct Scored {
    key: String,
    score: f64,
    #[serde(default)]
    reason: String,
}

impl CommandImportance {
    /// A shell command, run in this folder.
    pub fn new(line: &str, folder: PathBuf) -> Self {
        Self { line: line.to_owned(), folder, within: WITHIN }
    }

    /// The same, given no more time than this.
    #[must_use]
    pub fn within(self, within: Duration) -> Self {
        Self { within, ..self }
    }

    fn answer(&self, printed: &[u8]) -> Result<Vec<Importance>, ImportanceError> {
        let scored: Vec<Scored> = serde_json::from_slice(printed).map_err(|error| {
            ImportanceError::Answer { command: self.line.clone(), why: error.to_string() }
        })?;
        let importance = |it: Scored| Importance {
            key: it.key,
            // JSON has no number that is none; the cast keeps what lies between.
            score: it.score.round().clamp(1.0, 5.0) as u8,
            reason: beginning(&it.reason, REASON_CHARS_MAX, 4 * REASON_CHARS_MAX).to_owned(),
        };
        Ok(scored.into_iter().map(importance).collect())
    }
}

impl ImportanceModel for CommandImportance {
    fn evaluate(
        &mut self,
        items: &[ImportanceItem],
        task_hint: Option<&str>,
    ) -> Result<Vec<Importance>, ImportanceError> {
        let command = || self.line.clone();
        let items = items.iter().map(|it| {
            let value = beginning(&it.value, VALUE_CHARS_MAX, 4 * VALUE_CHARS_MAX).to_owned();
            ImportanceItem { key: it.key.clone(), value, importance: it.importance }
        });
        let asked = Asked { task_hint, items: items.collect() };
        let input = serde_json::to_vec(&asked).map_err(|error| ImportanceError::Answer {
            command: command(),
            why: error.to_string(),
        })?;
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(&self.line).current_dir(&self.folder);
        let stop = AtomicBool::new(false);
        let ran = program::run_with(shell, Some(&input), self.within, &stop)
            .map_err(|source| ImportanceError::Run { command: command(), source })?;
        match ran.ended {
            Ended::TooLong | Ended::Unwanted => {
                let seconds = self.within.as_secs();
                Err(ImportanceError::TooLong { command: command(), seconds })
            }
            Ended::ByItself if !ran.status.success() => {
                let said = String::from_utf8_lossy(ran.stderr.head()).trim().to_owned();
                let said = beginning(&said, REASON_CHARS_MAX, 4 * REASON_CHARS_MAX).to_owned();
                let status = ran.status.to_string();
                Err(ImportanceError::Failed { command: command(), status, said })
            }
            Ended::ByItself if ran.stdout.seen() > ANSWER_BYTES_MAX => {
                let why = format!("it has {} bytes", ran.stdout.seen());
                Err(ImportanceError::Answer { command: command(), why })
            }
            Ended::ByItself => self.answer(ran.stdout.head()),
        }
    }
}

/// What a model judged of a branch's keys, outside of any transaction: a model takes its time, and
/// nobody waits for it. It holds for keys whose value is the same still.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    pub(crate) branch: String,
    /// As they were judged.
    pub(crate) items: Vec<ImportanceItem>,
    pub(crate) scores: Vec<Importance>,
    /// Why nothing was judged.
    pub(crate) failed: Option<String>,
}

impl Judged {
    /// The judgements that hold for what is there now; the rest keeps what is stored. In the order of
    /// the items.
    pub(crate) fn of(&self, now: &[ImportanceItem]) -> Vec<Importance> {
        let is_same = |item: &ImportanceItem| {
            self.items.iter().any(|known| known.key == item.key && known.value == item.value)
        };
        now.iter()
            .map(|item| {
                let score = self.scores.iter().find(|score| score.key == item.key);
                score.filter(|_| is_same(item)).cloned().unwrap_or_else(|| item.as_stored())
            })
            .map(|score| Importance { score: score.score.clamp(1, 5), ..score })
            .collect()
    }
}

/// The built-in rule: everything is worth what is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoredImportance;

impl ImportanceModel for StoredImportance {
    fn evaluate(
        &mut self,
        items: &[ImportanceItem],
        _task_hint: Option<&str>,
    ) -> Result<Vec<Importance>, ImportanceError> {
        Ok(items.iter().map(ImportanceItem::as_stored).collect())
    }
}

/// Why a model did not judge. Everything keeps the importance that is stored.
#[derive(Debug, thiserror::Error)]
pub enum ImportanceError {
    #[error("the importance model {command:?} could not be run")]
    Run { command: String, source: io::Error },
    #[error("the importance model {command:?} took more than {seconds} s and was ended")]
    TooLong { command: String, seconds: u64 },
    #[error("the importance model {command:?} failed ({status}): {said}")]
    Failed { command: String, status: String, said: String },
    #[error(
        "the importance model {command:?} answered what is no list of scores ({why}): it must print \
         [{{\"key\": …, \"score\": 1 to 5, \"reason\": …}}]"
    )]
    Answer { command: String, why: String },
}
