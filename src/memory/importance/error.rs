//! Why a model did not judge.

use std::io;

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
