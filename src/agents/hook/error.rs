//! Why a hook could not do all of its work. The agent goes on whatever it is.

use super::InputError;
use crate::agents::import::ImportError;
use crate::event::Sequence;
use crate::grounding::gate::GateError;
use crate::grounding::gone_agents::GoneAgentError;
use crate::journal::{ProjectError, RecordError};
use crate::repo::step_summary::SummaryError;

/// Why a hook could not do all of its work.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("it names no {field}")]
    Missing { field: &'static str },
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error("what happened is not on record")]
    NotRecorded(#[from] RecordError),
    #[error(transparent)]
    Summary(#[from] SummaryError),
    #[error("the gate does not know what happened before")]
    Gate(#[from] GateError),
    #[error(transparent)]
    Gone(#[from] GoneAgentError),
    #[error("the transcript was not read")]
    Import(#[from] ImportError),
    #[error("{file} was not read as the transcript: {reason}")]
    NoTranscript { file: String, reason: String },
    #[error("{} could not be written: commands in the agent's shell are not of its session", path.display())]
    EnvFile { path: std::path::PathBuf, source: std::io::Error },
    /// Its place alone: an agent hears it, and what the file holds may be anybody's word.
    #[error("{place}: what cannot be used there is left out, the rest of the settings holds")]
    Settings { place: String },
    #[error(
        "call {call} was told again with other arguments: the first stands, this one is not on record"
    )]
    ToldOtherwise { call: String },
    #[error("a fault of this build")]
    Panicked,
}

impl HookError {
    /// The journal's last event, where others were faster and the call was not recorded therefore.
    pub fn overtaken(&self) -> Option<Sequence> {
        match self {
            Self::NotRecorded(error) => error.overtaken(),
            _ => None,
        }
    }

    /// Whether something that happened is missing from the journal by it.
    pub fn lost_something(&self) -> bool {
        !matches!(
            self,
            Self::EnvFile { .. }
                | Self::Gate(_)
                | Self::Summary(_)
                | Self::Gone(_)
                | Self::Settings { .. }
        )
    }
}
