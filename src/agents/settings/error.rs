//! Why a settings file was left as it is.

use std::io;
use std::path::{Path, PathBuf};

/// Why a settings file was left as it is.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("could not {did} {}", path.display())]
    Io { path: PathBuf, did: &'static str, source: io::Error },
    #[error("{}:{line}:{column}: {fault}; the file was left as it is", path.display())]
    Fault { path: PathBuf, line: usize, column: usize, fault: SettingsFault },
    #[error("{} is not a settings file: not a regular file of at most 16 MiB", path.display())]
    NotSettings { path: PathBuf },
    #[error("{} is a link that leads nowhere", path.display())]
    Dangling { path: PathBuf },
    #[error(
        "{} leads out of the project through a symbolic link, so it was left as it is: put a file of the project's in its place",
        path.display()
    )]
    Outside { path: PathBuf },
    #[error("{} is write-protected, so it was left as it is", path.display())]
    ReadOnly { path: PathBuf },
    #[error("{} was changed by another program meanwhile, so it was left as it is", path.display())]
    Changed { path: PathBuf },
    #[error(
        "the hooks are in {} already, with {found} instead of {wanted}: two would run side by side",
        path.display()
    )]
    Elsewhere { path: PathBuf, found: &'static str, wanted: &'static str },
    #[error("no folder of {agent}'s is known: HOME is not set")]
    NoHome { agent: &'static str },
    #[error("neither {} nor {} is there: name the agent (claude-code or codex)", claude.display(), codex.display())]
    NoAgent { claude: PathBuf, codex: PathBuf },
}

/// What of a settings file cannot be read as settings, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsFault {
    #[error("not valid JSON: {reason}")]
    NotJson { reason: String },
    #[error("not valid UTF-8")]
    NotText,
    #[error("nested more than {deep} deep")]
    Deep { deep: usize },
    #[error("{what} is not {wanted}")]
    Shape { what: String, wanted: &'static str },
    #[error("{key:?} stands there twice")]
    Twice { key: String },
}

impl SettingsError {
    /// A fault at a byte of a text.
    pub(super) fn fault(path: &Path, text: &[u8], (at, fault): (usize, SettingsFault)) -> Self {
        let before = &text[..at.min(text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count();
        Self::Fault { path: path.to_owned(), line, column, fault }
    }
}
