//! Why the files of a plan were not written.

use crate::grounding::tools::workspace::PlaceError;

/// Why the files of a plan were not written.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    #[error(
        "the plan is for {given:?}, and the workspace is {mount:?}: give that as `root`, or none"
    )]
    OtherRoot { given: String, mount: String },
    #[error("{path:?} is a folder's name: give a file's")]
    NoFile { path: String },
    #[error("{path:?} has a control character in it: give a plain name")]
    Control { path: String },
    #[error("{path:?} is outside the workspace ({mount}): give paths from its root")]
    Outside { path: String, mount: String },
    #[error("{path:?} is there twice: give each file once")]
    Twice { path: String },
    #[error("{path:?} is a file and a folder: give it one name")]
    Both { path: String },
    #[error(transparent)]
    Place(PlaceError),
}
