//! The files below a folder, as git sees them, in order of their names, none of them reached through
//! a link.

use std::time::{Duration, Instant};

use ignore::{DirEntry, WalkBuilder};

use crate::grounding::tools::{Bench, FILES_LEN_MAX, Place, PlaceError, SEARCH_MS_MAX, ToolError};
use crate::journal::FOLDER;

/// Why a walk ended before it was through.
pub(super) const STOPPED: &str = "not everything was looked at: name a folder, or narrow the glob";

/// Shows every file to `each` until it has enough; false where not everything was looked at.
///
/// Passed over are what `.gitignore`, `.ignore` and git's own exclusions name, hidden files unless
/// `hidden`, links, and annals' own folder.
pub(super) fn walk(
    bench: &Bench<'_>,
    from: &Place,
    hidden: bool,
    each: &mut dyn FnMut(Place) -> Result<bool, ToolError>,
) -> Result<bool, ToolError> {
    if !from.parts().is_empty() && bench.workspace.snapshot(from).is_ok_and(|file| file.is_some()) {
        each(from.clone())?;
        return Ok(true);
    }
    if !bench.workspace.is_folder(from) {
        // Says why, whatever lies there.
        bench.workspace.file(from)?;
        return Err(PlaceError::NotFound { path: from.shown() }.into());
    }
    let mut builder = WalkBuilder::new(from.under(bench.workspace.root()));
    builder.follow_links(false).hidden(!hidden).require_git(false).git_global(false);
    builder.sort_by_file_name(std::ffi::OsStr::cmp).filter_entry(is_not_ours);
    let end = Instant::now() + Duration::from_millis(SEARCH_MS_MAX);
    let mut looked_at = 0;
    // A folder that cannot be read has no files to show.
    for entry in builder.build().filter_map(Result::ok) {
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        looked_at += 1;
        if looked_at > FILES_LEN_MAX || Instant::now() > end || bench.is_stopped() {
            return Ok(false);
        }
        let place = bench.workspace.found(entry.path());
        let Some(place) = place.filter(|place| !place.is_protected()) else { continue };
        if !each(place)? {
            break;
        }
    }
    Ok(true)
}

fn is_not_ours(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    name != FOLDER && name != ".git"
}
