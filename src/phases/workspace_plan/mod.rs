//! Writing the files of a plan: inside the workspace, or not at all.

mod error;
mod inside;
#[cfg(test)]
mod tests;

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

pub use error::WorkspaceError;
pub use inside::Inside;

use super::artifacts::WorkspacePlan;
use crate::grounding::tools::workspace::{Onto, Place, PlaceError, Workspace};

/// What a plan came to: paths from the workspace's root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub folders: Vec<String>,
    pub files: Vec<String>,
}

/// Makes the folders of a plan and writes its files, each whole. Nothing is written where one of them
/// would lie outside: folder by folder from the root, by descriptor, through no symbolic link.
///
/// # Errors
/// Where the plan is of another root, a path leads out, two entries are in each other's way, or a
/// file cannot be written: then those before it are.
pub fn apply_workspace_plan(
    workspace: &Workspace,
    plan: &WorkspacePlan,
    mount: &str,
) -> Result<Written, WorkspaceError> {
    let inside = Inside::new(workspace, mount);
    inside.check_root(plan.root.as_deref())?;
    let mut listed = Vec::new();
    for entry in &plan.tree {
        listed.push((inside.place(inside.without_name(entry))?, entry.ends_with('/')));
    }
    let mut files = Vec::new();
    for file in &plan.files {
        let place = inside.place(&file.path)?;
        check(workspace, &place, &file.path)?;
        files.push((place, file));
    }
    // A tree lists files as well: those are written, not made folders.
    let is_file = |place: &Place| files.iter().any(|(file, _)| file.parts() == place.parts());
    let folders = listed.into_iter().filter(|(place, slash)| *slash || !is_file(place));
    let folders: Vec<Place> = folders.map(|(place, _)| place).collect();
    in_the_way(&folders, &files.iter().map(|(place, _)| place).collect::<Vec<_>>())?;
    let mut written = Written::default();
    for folder in folders.iter().filter(|folder| !folder.parts().is_empty()) {
        workspace.make_folder(folder).map_err(WorkspaceError::Place)?;
        written.folders.push(folder.shown());
    }
    for (place, file) in files {
        let bytes = file.content.as_bytes();
        workspace.write(&place, bytes, Onto::Anything).map_err(WorkspaceError::Place)?;
        if let Some(mode) = file.mode {
            let failed = |source| PlaceError::Io {
                path: place.shown(),
                did: "given its permissions",
                source,
            };
            let opened = workspace.file(&place).map_err(WorkspaceError::Place)?;
            let set = opened.set_permissions(Permissions::from_mode(mode));
            set.map_err(|source| WorkspaceError::Place(failed(source)))?;
        }
        written.files.push(place.shown());
    }
    Ok(written)
}

/// A file has a name, and lies where a tool may write.
fn check(workspace: &Workspace, place: &Place, given: &str) -> Result<(), WorkspaceError> {
    if place.parts().is_empty() || given.ends_with('/') {
        return Err(WorkspaceError::NoFile { path: given.to_owned() });
    }
    workspace.changeable(place).map_err(WorkspaceError::Place)
}

/// No file is there twice, is a folder as well, or lies below another file.
fn in_the_way(folders: &[Place], files: &[&Place]) -> Result<(), WorkspaceError> {
    let mut sorted: Vec<&[String]> = files.iter().map(|place| place.parts()).collect();
    sorted.sort_unstable();
    for pair in sorted.windows(2) {
        if pair[1] == pair[0] {
            return Err(WorkspaceError::Twice { path: pair[1].join("/") });
        }
    }
    let is_file = |parts: &[String]| sorted.binary_search(&parts).is_ok();
    let below = sorted.iter().flat_map(|parts| (1..parts.len()).map(move |to| &parts[..to]));
    let made = folders
        .iter()
        .flat_map(|place| (1..=place.parts().len()).map(move |to| &place.parts()[..to]));
    match below.chain(made).find(|parts| is_file(parts)) {
        Some(parts) => Err(WorkspaceError::Both { path: parts.join("/") }),
        None => Ok(()),
    }
}
