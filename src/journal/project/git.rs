//! Keeps the root's stores out of git, without touching a file that git tracks.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::journal::enclosure;
use crate::journal::enclosure::Kind;

/// What is longer is no list of patterns.
const BYTES_MAX: u64 = 1 << 20;

/// What lies in the root: the log, its lock, the graph, and SQLite's files beside them.
const STORES: [&str; 2] = ["execution_log.db*", "codegraph.db*"];

/// Adds the root's stores to `info/exclude`, as [`keep_out`] does.
pub(super) fn exclude(root: &Path) -> io::Result<Option<PathBuf>> {
    keep_out(root, &STORES)
}

/// Adds patterns of the root's files to `info/exclude` of the repository that holds `root`, where
/// there is one. Gives the file where it added anything.
pub(super) fn keep_out(root: &Path, patterns: &[&str]) -> io::Result<Option<PathBuf>> {
    let is_there = |folder: &&Path| enclosure::look(&folder.join(".git")).is_ok();
    let Some(worktree) = root.ancestors().find(is_there) else {
        return Ok(None);
    };
    let git = worktree.join(".git");
    let Some(info) = common_folder(&git)?.map(|common| common.join("info")) else {
        return Ok(None);
    };
    let inside = root.strip_prefix(worktree).unwrap_or(Path::new(""));
    let Some(inside) = inside.to_str() else {
        // A folder whose name is no text cannot stand in a pattern.
        return Ok(None);
    };
    let folder = match inside {
        "" => "/".to_owned(),
        inside => format!("/{}/", escaped(inside)),
    };
    let path = info.join("exclude");
    // A stranger's folder may lead anywhere from here: into a folder of git's, and through no link.
    match enclosure::look(&info) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            enclosure::make_folder(&info)?;
        }
        Ok(look) if look.kind != Kind::Folder => return Err(ErrorKind::NotADirectory.into()),
        looked => drop(looked?),
    }
    let before = match enclosure::read(&path, BYTES_MAX + 1) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        read => read?,
    };
    if before.len() as u64 > BYTES_MAX {
        return Err(ErrorKind::FileTooLarge.into());
    }
    let before = String::from_utf8_lossy(&before);
    let missing = |pattern: &String| !before.lines().any(|line| line == pattern);
    let add: Vec<_> =
        patterns.iter().map(|pattern| format!("{folder}{pattern}")).filter(missing).collect();
    if add.is_empty() {
        return Ok(None);
    }
    let newline = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    enclosure::append(&path)?.write_all(format!("{newline}{}\n", add.join("\n")).as_bytes())?;
    Ok(Some(path))
}

/// The folder that all worktrees of a repository share. In a linked worktree or a submodule `.git`
/// is a file that leads to the worktree's own folder, and a file `commondir` there leads on.
fn common_folder(git: &Path) -> io::Result<Option<PathBuf>> {
    match enclosure::look(git)?.kind {
        Kind::Folder => return Ok(Some(git.to_owned())),
        Kind::File => (),
        // Who made the link may lead into a folder of another's.
        Kind::Link => {
            let reason = format!("{} is a symbolic link, and is not followed", git.display());
            return Err(io::Error::new(ErrorKind::NotADirectory, reason));
        }
        _ => return Ok(None),
    }
    let Some(common) = named_folder(git)? else { return Ok(None) };
    // What leads to a folder may be a stranger's: git's own has these.
    let is_gits = ["HEAD", "objects", "refs"].iter().all(|name| common.join(name).exists());
    Ok(is_gits.then_some(common))
}

fn named_folder(git: &Path) -> io::Result<Option<PathBuf>> {
    let Some(own) = own_folder(git)? else { return Ok(None) };
    match text(&own.join("commondir")) {
        Ok(common) => Ok(Some(own.join(common.trim()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Some(own)),
        Err(error) => Err(error),
    }
}

/// Where a `.git` that is a file leads.
fn own_folder(git: &Path) -> io::Result<Option<PathBuf>> {
    let line = text(git)?;
    let target = line.strip_prefix("gitdir:").map(str::trim);
    Ok(target.map(|target| git.parent().unwrap_or(git).join(target)))
}

/// The folder that git has for a linked working tree alone, and the one that it shares with the others; `None`
/// of any other.
pub(super) fn linked(git: &Path) -> io::Result<Option<(PathBuf, PathBuf)>> {
    if enclosure::look(git)?.kind != Kind::File {
        return Ok(None);
    }
    let Some(own) = own_folder(git)? else { return Ok(None) };
    let common = own.join(text(&own.join("commondir"))?.trim()).canonicalize()?;
    Ok(Some((own, common)))
}

pub(super) fn text(path: &Path) -> io::Result<String> {
    let bytes = enclosure::read(path, BYTES_MAX)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

fn escaped(path: &str) -> String {
    let special = |c: char| matches!(c, '*' | '?' | '[' | ']' | '\\' | ' ');
    path.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}
