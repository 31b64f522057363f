//! What the paths of a plan mean: the workspace has a name of its own where commands run.

use super::WorkspaceError;
use crate::grounding::tools::workspace::{Place, PlaceError, Workspace};

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
    ///
    /// # Errors
    /// Where it names another root.
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
    ///
    /// # Errors
    /// Where it leads out, by its letters alone.
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
