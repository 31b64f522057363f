//! Where a workspace may lie: nowhere that files of a plan would be taken for git's, an agent's or ours.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::{NodeGiven, PhasesError, Result};
use crate::journal::{FOLDER, Project};

const WORKSPACES: &str = "workspaces";

/// Holds that a folder may be a workspace, whether or not it is there yet; links on the way are
/// followed.
pub fn check(project: &Project, home: Option<&Path>, folder: &Path) -> Result<()> {
    let real = real(folder);
    let home = home.map(self::real);
    let own = self::real(&project.annals_dir());
    let journal = self::real(&project.journal_dir());
    let why = if real.parent().is_none() {
        Some("is the root of all files")
    } else if home.is_some_and(|home| home.starts_with(&real)) {
        Some("is the user's home, or holds it")
    } else if is_ours(&real, &own) || real.starts_with(journal) {
        Some("lies in the folder of annals itself")
    } else {
        named(&real)
    };
    match why {
        None => Ok(()),
        Some(why) => Err(PhasesError::Unsafe { path: real, why }),
    }
}

/// Whether it is in the project's own folder, and not among the workspaces there.
fn is_ours(real: &Path, own: &Path) -> bool {
    real.strip_prefix(own).is_ok_and(|rest| !is_workspace(rest))
}

/// Below `workspaces`, not that folder itself.
fn is_workspace(rest: &Path) -> bool {
    let mut parts = rest.components();
    let first = parts.next().is_some_and(|first| is(first.as_os_str(), WORKSPACES));
    first && parts.next().is_some()
}

/// By the names on the way, without regard to case as some file systems have none.
fn named(real: &Path) -> Option<&'static str> {
    let parts: Vec<&OsStr> = real.iter().collect();
    parts.iter().enumerate().find_map(|(at, part)| {
        let rest = || parts[at + 1..].iter().collect::<PathBuf>();
        if is(part, ".git") {
            Some("is, or lies in, a folder of git")
        } else if is(part, FOLDER) && !is_workspace(&rest()) {
            Some("is, or lies in, a folder of annals")
        } else if [".claude", ".codex"].iter().any(|name| is(part, name))
            && !rest().starts_with("worktrees")
        {
            Some("is, or lies in, a folder that an agent takes orders from")
        } else {
            None
        }
    })
}

fn is(part: &OsStr, name: &str) -> bool {
    part.eq_ignore_ascii_case(name)
}

/// Without links and `..`, as far as it is there; what is not there yet will be made as it is named.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut real = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(real.pop()),
            part => real.push(part),
        }
        // What is not there is no link.
        if let Ok(there) = real.canonicalize() {
            real = there;
        }
    }
    real
}

/// A folder of the node's own, which git does not see.
pub fn own_folder(project: &Project, given: &NodeGiven) -> PathBuf {
    let run = component(&given.experiment.run);
    let node = format!("node_{}", component(&given.node));
    project.annals_dir().join(WORKSPACES).join(run).join(node)
}

/// A name as one that can be a folder's: letters, digits, `-`, `_` and dots stay, everything else is
/// told by a hash behind it, so that no two names are one folder.
pub fn component(name: &str) -> String {
    const BYTES_MAX: usize = 100;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_fine =
        (1..=BYTES_MAX).contains(&name.len()) && name.chars().all(plain) && !name.starts_with('.');
    if is_fine {
        return name.to_owned();
    }
    let kept: String = name.chars().filter(|c| plain(*c) && *c != '.').take(60).collect();
    let hash = blake3::hash(name.as_bytes()).to_hex();
    format!("{kept}-{}", &hash[..16])
}
