//! Why a prompt has no text.

use std::io;
use std::path::PathBuf;

/// Why a prompt has no text.
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    #[error("{} could not be read: make it readable, or take it away to have the built-in text", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} has more than {bytes_max} bytes: shorten it", path.display())]
    TooLarge { path: PathBuf, bytes_max: usize },
    #[error("{} is no UTF-8 text: correct it, or take it away to have the built-in text", path.display())]
    NoText { path: PathBuf },
    #[error("{} could not be written", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} is there already: name a new folder, or take it away", path.display())]
    Exists { path: PathBuf },
    #[error(
        "there is no folder {}, which `[phases] prompts` of .annals/config.toml names: make it with \
         `annals phases prompts --export`, or take the setting away",
        path.display()
    )]
    NoFolder { path: PathBuf },
    #[error("there is no text {path:?}")]
    Unknown { path: String },
}
