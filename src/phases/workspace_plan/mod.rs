//! Writing the files of a plan: inside the workspace, or not at all.

#[cfg(test)]
mod tests;

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

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

/// What the paths of a plan mean.
pub struct Inside<'w> {
    workspace: &'w Workspace,
    /// `/workspace`, without a slash at its end.
    mount: &'w str,
}

impl<'w> Inside<'w> {
    /// Paths in a workspace that is called so where commands run.
    pub fn new(workspace: &'w Workspace, mount: &'w str) -> Self {
        Self { workspace, mount: mount.trim_end_matches('/') }
    }

    /// Holds that a plan is for this workspace.
    pub fn check_root(&self, root: Option<&str>) -> Result<(), WorkspaceError> {
        let Some(given) = root else { return Ok(()) };
        let name = given.trim_end_matches('/');
        let real = self.workspace.root();
        let is_ours = ["", ".", self.mount, self.mount.trim_start_matches('/')].contains(&name)
            || real.to_str() == Some(name);
        match is_ours && given != "/" {
            true => Ok(()),
            false => {
                let mount = self.mount.to_owned();
                Err(WorkspaceError::OtherRoot { given: given.to_owned(), mount })
            }
        }
    }

    /// A folder of `tree`, which may begin with the workspace's own name (`workspace/src/`).
    pub fn without_name<'t>(&self, entry: &'t str) -> &'t str {
        let name = self.mount.rsplit('/').next().unwrap_or_default();
        let below = |rest: &'t str| match rest {
            "" => Some("."),
            rest => rest.strip_prefix('/').map(|rest| if rest.is_empty() { "." } else { rest }),
        };
        match entry.strip_prefix(name).filter(|_| !name.is_empty()).and_then(below) {
            Some(rest) => rest,
            None => entry,
        }
    }

    /// A path of a plan: from the workspace's root, or below one of the names it has.
    pub fn place(&self, path: &str) -> Result<Place, WorkspaceError> {
        if path.contains(|c: char| c.is_control() && c != '\0') {
            return Err(WorkspaceError::Control { path: path.to_owned() });
        }
        let inside = match path.strip_prefix(self.mount).filter(|_| !self.mount.is_empty()) {
            Some("" | "/") => ".",
            Some(rest) => rest.strip_prefix('/').unwrap_or(path),
            None => path,
        };
        // `/workspace//etc` is below the workspace, as the system reads it.
        let inside = match inside.len() < path.len() {
            true => inside.trim_start_matches('/'),
            false => inside,
        };
        self.workspace.place(inside).map_err(|error| match error {
            PlaceError::Outside { path, .. } => {
                WorkspaceError::Outside { path, mount: self.mount.to_owned() }
            }
            PlaceError::Parent { .. } => {
                WorkspaceError::Outside { path: path.to_owned(), mount: self.mount.to_owned() }
            }
            error => WorkspaceError::Place(error),
        })
    }
}

/// Why the files of a plan were not written.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    #[error(
        "the plan is for {given:?}, and the workspace is {mount:?}: give that as `root`, or none"
    )]
    OtherRoot { given: String, mount: String },
    #[error("{path:?} is a folder's name: give a file's")]
    NoFile { path: String },
    #[error("{path:?} has a control character in it: give a plain name")]
    Control { path: String },
    #[error("{path:?} is outside the workspace ({mount}): give paths from its root")]
    Outside { path: String, mount: String },
    #[error("{path:?} is there twice: give each file once")]
    Twice { path: String },
    #[error("{path:?} is a file and a folder: give it one name")]
    Both { path: String },
    #[error(transparent)]
    Place(PlaceError),
}
