//! The files a patch names: `*** Add File: …` and the like between `*** Begin Patch` and
//! `*** End Patch`.

use std::path::Path;

use crate::agents::import::limits::PATCH_FILES_MAX;
use crate::event::Change;

/// Where a patch begins, in whatever holds it.
const BEGIN: &str = "*** Begin Patch";

/// The files that a patch changes, in its order; a moved file is its old name and its new one.
/// `folder` stands before names that are relative, where the script went somewhere first.
pub fn changes(text: &str, folder: Option<&str>) -> Vec<Change> {
    let Some((_, patch)) = text.split_once(BEGIN) else { return Vec::new() };
    let patch = patch.split_once("*** End Patch").map_or(patch, |(patch, _)| patch);
    let mut changes: Vec<Change> = Vec::new();
    for line in patch.lines() {
        let Some(header) = line.trim_start().strip_prefix("*** ") else { continue };
        let named = [
            ("Add File:", true),
            ("Update File:", false),
            ("Delete File:", false),
            ("Move to:", true),
        ];
        let found = named.iter().find_map(|(key, created)| {
            header.strip_prefix(key).map(|path| (path.trim(), *created))
        });
        let Some((path, created)) = found.filter(|(path, _)| !path.is_empty()) else { continue };
        let path = match folder {
            Some(folder) if !Path::new(path).is_absolute() => {
                Path::new(folder).join(path).to_string_lossy().into_owned()
            }
            _ => path.to_owned(),
        };
        if changes.iter().all(|change| change.path != path) {
            changes.push(Change { path, created });
        }
        if changes.len() >= PATCH_FILES_MAX {
            break;
        }
    }
    changes
}

/// The contract's name of applying a patch: a patch that only adds files creates them.
pub fn tool(changes: &[Change]) -> &'static str {
    match !changes.is_empty() && changes.iter().all(|change| change.created) {
        true => "file_create",
        false => "file_edit",
    }
}
