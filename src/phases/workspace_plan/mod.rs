//! The files of a plan: read, and written inside the workspace, or not at all.

#[cfg(test)]
mod tests;

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use crate::grounding::tools::workspace::{Onto, Place, PlaceError, Workspace};
use crate::parse::reply::ReplyError;
use crate::parse::reply::field::Field;
use crate::phases::limits::{FILES_MAX, too_many};

/// `coding.workspace`: `{root, tree, files}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspacePlan {
    /// What the plan calls the workspace's folder; `None`: what it is called.
    pub root: Option<String>,
    /// Folders to make; one of `files` may be listed as well.
    pub tree: Vec<String>,
    pub files: Vec<PlannedFile>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFile {
    pub path: String,
    pub content: String,
    /// Its permissions, at most `0o777`.
    pub mode: Option<u32>,
}

const FILES: &str = "a list of files, each with `path` and `content`";

impl WorkspacePlan {
    pub fn read(section: Option<&Field<'_>>) -> Result<Self, ReplyError> {
        let missing = |at: &str, wants| ReplyError::MissingField { at: at.to_owned(), wants };
        let Some(section) = section else {
            return Err(missing("phase_artifacts.coding", "an object with `workspace`"));
        };
        section.object("an object with `workspace`")?;
        let Some(workspace) = section.member("workspace") else {
            let at = format!("{}.workspace", section.at);
            return Err(missing(&at, "an object with root, tree and files"));
        };
        Self::of(&workspace)
    }

    pub fn of(workspace: &Field<'_>) -> Result<Self, ReplyError> {
        workspace.object("an object with root, tree and files")?;
        let root = workspace.member("root").map(|root| root.text()).transpose()?;
        let tree = match workspace.member("tree") {
            None => Vec::new(),
            Some(tree) => {
                bounded(&tree)?;
                tree.texts()?
            }
        };
        let Some(files) = workspace.member("files") else {
            let at = format!("{}.files", workspace.at);
            return Err(ReplyError::MissingField { at, wants: FILES });
        };
        if !files.value.is_array() {
            return Err(files.wrong(FILES));
        }
        let read: Vec<PlannedFile> =
            bounded(&files)?.iter().map(PlannedFile::read).collect::<Result<_, _>>()?;
        Ok(Self { root, tree, files: read })
    }
}

impl PlannedFile {
    fn read(field: &Field<'_>) -> Result<Self, ReplyError> {
        field.object("an object with `path` and `content`")?;
        let text = |name: &str, wants| match field.member(name) {
            Some(member) => member.text(),
            None => Err(ReplyError::MissingField { at: format!("{}.{name}", field.at), wants }),
        };
        if let Some(encoding) = field.member("encoding") {
            let name = encoding.text()?.to_ascii_lowercase();
            if !matches!(name.as_str(), "utf-8" | "utf8" | "ascii" | "us-ascii") {
                return Err(encoding.invalid("is not utf-8, the one encoding that is written"));
            }
        }
        let mode = field.member("mode").map(|mode| permissions(&mode)).transpose()?;
        let path = text("path", "a path inside the workspace")?;
        Ok(Self { path, content: text("content", "the file's text")?, mode })
    }
}

fn bounded<'v>(field: &Field<'v>) -> Result<Vec<Field<'v>>, ReplyError> {
    match field.value.as_array().map_or(1, Vec::len) {
        0..=FILES_MAX => field.elements(),
        count => Err(too_many(field, count, "entries", FILES_MAX)),
    }
}

/// `"0755"`, octal digits in a text. A number is refused: 420 may mean 0644 and may mean 0420.
fn permissions(field: &Field<'_>) -> Result<u32, ReplyError> {
    const WANTS: &str = "a text of octal digits, \"0644\"";
    if !field.value.is_string() {
        return Err(field.wrong(WANTS));
    }
    let digits = field.text()?;
    let digits = digits.trim().trim_start_matches("0o");
    let mode = u32::from_str_radix(digits, 8).map_err(|_| field.wrong(WANTS))?;
    match mode > 0o777 {
        true => Err(field
            .invalid("has bits above 0777: give permissions of reading, writing and running only")),
        false => Ok(mode),
    }
}

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
