//! Everything a command can fail with: its exit code and what to do about it.

use std::borrow::Cow;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::Exit;
use super::sql::AskError;
use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::journal::fault;
use crate::output::remedy;

pub type Result<T, E = CliError> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// What a room below fails with, which says itself what it is.
    #[error(transparent)]
    Below(Below),
    #[error("could not write the output")]
    Output(#[from] io::Error),
    #[error("could not {what} {}", path.display())]
    Io { what: &'static str, path: PathBuf, source: io::Error },
    #[error("could not read standard input")]
    Input(#[source] io::Error),
    #[error("what was redacted before cannot be told: {0}")]
    Withheld(#[source] io::Error),
    #[error("{what}")]
    Refused { what: &'static str },
    #[error("{} was named twice", path.display())]
    NamedTwice { path: PathBuf },
    #[error("--at {text}: {why}")]
    At { text: String, why: String },
    #[error("{reference} is in several journals: {}", journals.join(", "))]
    InSeveral { reference: String, journals: Vec<String> },
    #[error("{} is not empty: name a new folder", path.display())]
    NotEmpty { path: PathBuf },
    #[error("{} is there already: name a new file", path.display())]
    Exists { path: PathBuf },
    #[error("the tour needs cargo, to check a small crate with, and has none: {why}")]
    NoCargo { why: String },
    #[error("this did not hold: {claim}")]
    Claim { claim: &'static str },
    #[error("a store holds JSON that is none")]
    StoredJson { source: serde_json::Error },
    #[error("{} has more than {bytes_max} bytes, which is all that is read", path.display())]
    TooLarge { path: PathBuf, bytes_max: u64 },
    #[error("{}, line {line}: this is nothing that annals seen export writes", path.display())]
    NotSeen { path: PathBuf, line: usize },
    #[error("--{option} {text:?} has a quote that is not closed, or ends in a backslash")]
    Unquoted { option: &'static str, text: String },
    #[error("{field} asks for what there is not: {may}")]
    Field { field: String, may: String },
    #[error("no node {node:?} was run here: `annals phases list` shows which were")]
    NoNode { node: String },
}

/// An error of a room below, whichever.
#[derive(Debug)]
pub struct Below(Box<dyn Fault>);

impl fmt::Display for Below {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Error for Below {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

impl<F: Fault + 'static> From<F> for CliError {
    fn from(error: F) -> Self {
        let below: Box<dyn Fault> = Box::new(error);
        Self::Below(Below(below))
    }
}

impl CliError {
    pub fn io(what: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { what, path: path.to_owned(), source }
    }

    /// The error of a room below, where it is of this type.
    pub fn below<F: Fault + 'static>(&self) -> Option<&F> {
        let Self::Below(below) = self else { return None };
        (&*below.0 as &(dyn Error + 'static)).downcast_ref()
    }

    /// The reader of our output has gone: that is how `| head` ends, and no failure.
    pub fn is_broken_pipe(&self) -> bool {
        let source = match (self, self.below()) {
            (Self::Output(source), _) | (_, Some(AskError::Output(source))) => source,
            _ => return false,
        };
        source.kind() == io::ErrorKind::BrokenPipe
    }

    pub fn exit(&self) -> Exit {
        self.sorted().0.into()
    }

    /// What it is, in words, and what to do about it where something can be said.
    pub fn said(&self) -> (String, Option<Cow<'static, str>>) {
        remedy::apart(self, self.sorted().1.as_ref())
    }

    pub fn sorted(&self) -> Sorted {
        let way = |way| Some(Remedy::Do(way));
        match self {
            Self::Below(below) => below.0.sorted(),
            Self::Output(_) | Self::Input(_) => Class::Io.alone(),
            Self::Withheld(source) => fault::of_io(source),
            Self::Io { source, .. } => (Class::Io, fault::of_io(source).1),
            Self::At { .. } => {
                (Class::Refused, way("annals log, without --at, lists what there is"))
            }
            Self::InSeveral { .. } => (Class::Refused, way("name one of them: --dir DIR")),
            Self::NoNode { .. }
            | Self::Field { .. }
            | Self::TooLarge { .. }
            | Self::NotSeen { .. }
            | Self::Unquoted { .. }
            | Self::Refused { .. }
            | Self::NamedTwice { .. }
            | Self::NotEmpty { .. }
            | Self::Exists { .. } => Class::Refused.alone(),
            Self::NoCargo { .. } => {
                let rust =
                    "the Rust toolchain (https://rustup.rs); everything else works without it";
                (Class::Io, way(rust))
            }
            Self::Claim { .. } => Class::Findings.alone(),
            Self::StoredJson { .. } => Class::Findings.with(Remedy::Rebuild(None)),
        }
    }
}
