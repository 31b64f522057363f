//! Why an operation on a repository's memory is refused, or fails.

use std::io;
use std::path::PathBuf;

/// Why an operation on a repository's memory is refused, or fails. Nothing of it was recorded.
#[derive(Debug, thiserror::Error)]
pub enum RepoError {
    #[error("the folder {} cannot be looked up", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error(
        "{} cannot be read, and it says which repository this is: make it readable",
        path.display()
    )]
    GitFile { path: PathBuf, source: io::Error },
    #[error("{} says which repository this is, but {why}", path.display())]
    GitText { path: PathBuf, why: &'static str },
}
