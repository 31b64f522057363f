//! A path inside the project: held by its letters here, by what lies there when it is opened.

use std::path::{Component, Path, PathBuf};

use super::{PlaceError, Result};
use crate::grounding::tools::PATH_BYTES_MAX;
use crate::journal::FOLDER;

/// Files in the project's root that are derived from the journal, or lie beside one that is.
const STORES: [&str; 2] = ["execution_log.db", "codegraph.db"];

/// Folders of whose files git and agents take orders: what they run, and what they allow.
const COMMANDED: [&str; 3] = [".git", ".claude", ".codex"];

/// A path inside the project, from its root. Neither `..` nor a root is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    parts: Vec<String>,
}

impl Place {
    /// Reads a path: relative to the root, or absolute below one of the names the root has.
    pub(super) fn parse(text: &str, roots: [&Path; 2]) -> Result<Self> {
        let path = || text.to_owned();
        match text {
            "" => return Err(PlaceError::Empty),
            _ if text.len() > PATH_BYTES_MAX => return Err(PlaceError::TooLong),
            _ if text.contains('\0') => return Err(PlaceError::Nul),
            _ => {}
        }
        let given = Path::new(text);
        let inside = match given.is_absolute() {
            false => given,
            true => roots
                .into_iter()
                .find_map(|root| given.strip_prefix(root).ok()) // not below this name of it
                .ok_or_else(|| PlaceError::Outside { path: path(), root: roots[0].to_owned() })?,
        };
        let mut parts = Vec::new();
        for component in inside.components() {
            match component {
                Component::CurDir => {}
                Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
                _ => return Err(PlaceError::Parent { path: path() }),
            }
        }
        Ok(Self { parts })
    }

    pub(super) fn of_parts(parts: Vec<String>) -> Self {
        Self { parts }
    }

    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The folder and the name in it; `None` for the root itself.
    pub(super) fn split(&self) -> Option<(&str, &[String])> {
        self.parts.split_last().map(|(name, folder)| (name.as_str(), folder))
    }

    /// From the root with `/`; `.` for the root itself.
    pub fn shown(&self) -> String {
        if self.parts.is_empty() { ".".to_owned() } else { self.parts.join("/") }
    }

    pub fn under(&self, root: &Path) -> PathBuf {
        self.parts.iter().fold(root.to_owned(), |path, part| path.join(part))
    }

    /// The folder on the way, or the place itself, of which other programs take orders: a hook
    /// written there would run, past every gate. Without regard to case, as below.
    pub fn commanded(&self) -> Option<&str> {
        let is = |part: &&String| COMMANDED.iter().any(|name| part.eq_ignore_ascii_case(name));
        self.parts.iter().find(is).map(String::as_str)
    }

    /// Whether it is annals' own, which tools may not change: the journal's folder, a store, or what lies beside one.
    /// Without regard to case, since some file systems have none.
    pub fn is_protected(&self) -> bool {
        let own = |part: &String| part.eq_ignore_ascii_case(FOLDER);
        let store = |name: &String| {
            let name = name.to_ascii_lowercase();
            STORES.iter().any(|store| {
                name.strip_prefix(store).is_some_and(|rest| rest.is_empty() || !is_word(rest))
            })
        };
        self.parts.iter().any(own) || matches!(&self.parts[..], [name] if store(name))
    }
}

/// Whether a name goes on as a word: `codegraph.dbx` is none of ours, `codegraph.db-wal` is.
fn is_word(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}
