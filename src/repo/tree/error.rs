//! Why a tree could not be mapped.

use std::io;
use std::path::PathBuf;

/// Why a tree could not be mapped.
#[derive(Debug, thiserror::Error)]
pub enum TreeMapError {
    #[error("the repository's folder {} could not be read", path.display())]
    Top { path: PathBuf, source: io::Error },
    #[error(
        "{} holds more than {files_max} files that no .gitignore names: name there what is no part \
         of the repository",
        path.display()
    )]
    Endless { path: PathBuf, files_max: usize },
}
