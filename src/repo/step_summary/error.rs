//! Why a step's summary was not made, or not by the model.

use std::io;

use crate::repo::RepoError;

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
