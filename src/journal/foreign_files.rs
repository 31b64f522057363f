//! What lies below `.annals` and belongs to another user: nothing it says is believed, and it is not written.

use std::path::{Path, PathBuf};

use crate::journal::enclosure::{Kind, owners};
use crate::journal::{InTheWay, enclosure};

/// What is looked at, and what is told.
const LOOKED_AT_MAX: usize = 200_000;
const TOLD_MAX: usize = 8;

/// The journal tells of its own files, which are held to their checksums; what was set aside is not used.
const LEFT_OUT: [&str; 2] = ["journal", "quarantine"];

/// What of a project's own is another user's, in words; `told` is what was told already.
pub fn foreign_files(annals: &Path, told: &[InTheWay]) -> Vec<String> {
    let mut found = find(annals);
    found.retain(|(path, _)| told.iter().all(|it| it.path != *path));
    found.sort();
    let more = found.len().saturating_sub(TOLD_MAX);
    let mut told: Vec<_> =
        found.iter().take(TOLD_MAX).map(|(path, owner)| tell(path, *owner)).collect();
    if more > 0 {
        told.push(format!("{more} more below {} belong to other users", annals.display()));
    }
    told
}

fn tell(path: &Path, owner: u32) -> String {
    let said = format!("{} belongs to another user (uid {owner})", path.display());
    match path.file_name().is_some_and(|name| name == "config.toml") {
        true => format!("{said}: its settings count as a stranger's (annals trust --show)"),
        false => {
            format!("{said} and is left alone: make it yours if you trust it, or move it away")
        }
    }
}

fn find(annals: &Path) -> Vec<(PathBuf, u32)> {
    let owners = owners();
    let (mut found, mut looked_at) = (Vec::new(), 0);
    let mut folders = vec![annals.to_owned()];
    while let Some(folder) = folders.pop() {
        // What cannot be listed is told by who needs what is in it.
        for (name, kind) in enclosure::names(&folder).unwrap_or_default() {
            looked_at += 1;
            let path = folder.join(&name);
            if looked_at > LOOKED_AT_MAX
                || folder == annals && LEFT_OUT.iter().any(|it| name == *it)
            {
                continue;
            }
            match enclosure::look(&path) {
                Ok(look) if !owners.contains(&look.owner) => found.push((path, look.owner)),
                Ok(_) if kind == Kind::Folder => folders.push(path),
                _ => {}
            }
        }
    }
    found
}
