//! What a command line does to one file.

use crate::parse::has_word;

/// A change of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    File(String),
    /// A file, where it is no folder.
    Any(String),
    /// Where the target is a folder, the file in it.
    Moved {
        source: String,
        target: String,
        is_gone: bool,
    },
}

impl Changed {
    /// As its name says.
    pub(super) fn of(path: String) -> Self {
        if is_file(&path) { Self::File(path) } else { Self::Any(path) }
    }

    /// With each of its paths changed.
    pub(super) fn with(&self, change: impl Fn(&str) -> Option<String>) -> Option<Self> {
        Some(match self {
            Self::File(path) => Self::File(change(path)?),
            Self::Any(path) => Self::Any(change(path)?),
            Self::Moved { source, target, is_gone } => {
                Self::Moved { source: change(source)?, target: change(target)?, is_gone: *is_gone }
            }
        })
    }
}

pub(super) fn last(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// Files that are called so everywhere.
const FILES: &str = "\
    Makefile makefile GNUmakefile Dockerfile Containerfile Justfile justfile Gemfile Rakefile Procfile \
    Jenkinsfile Vagrantfile Brewfile Podfile Tiltfile Caddyfile LICENSE README CHANGELOG COPYING NOTICE \
    AUTHORS CODEOWNERS";

/// Whether a path looks like a file's: it ends in a dot and some letters, or is one that everybody knows.
pub(super) fn is_file(path: &str) -> bool {
    if has_word(FILES, path.rsplit('/').next().unwrap_or_default()) {
        return true;
    }
    let Some((name, end)) = last(path).rsplit_once('.') else { return false };
    let is_end = (1..=10).contains(&end.len()) && end.bytes().all(|it| it.is_ascii_alphanumeric());
    is_end && !path.ends_with('/') && name != "." && (!name.is_empty() || end.len() > 2)
}
