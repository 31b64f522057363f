//! `file_glob`: the files whose paths a glob matches; and the walk that it and `file_search` go.

use std::time::{Duration, Instant};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::{DirEntry, WalkBuilder};
use serde::Deserialize;
use serde_json::json;

use super::read;
use crate::grounding::tools::{
    Bench, FILES_LEN_MAX, FOUND_LEN_MAX, Given, NAMES_LEN, PATTERN_BYTES_MAX, Parameter,
    ParameterKind, Place, PlaceError, Result, SEARCH_MS_MAX, TEXT_BYTES_MAX, ToolError, ToolSpec,
};
use crate::journal::FOLDER;

const NAME: &str = "file_glob";

pub(super) const SPEC: ToolSpec = ToolSpec {
    name: NAME,
    about: "List the files whose paths a glob matches; what git ignores is left out",
    parameters: &[
        Parameter::required("pattern", ParameterKind::Texts, "The glob, as src/**/*.rs"),
        Parameter::optional("path", ParameterKind::Text, "Below which folder [default: .]"),
        Parameter::optional("hidden", ParameterKind::Flag, "Hidden files as well"),
        Parameter::optional("limit", ParameterKind::Number, "How many [default: 1000]"),
    ],
    run,
    program: None,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(alias = "glob")]
    pattern: Globs,
    #[serde(default, alias = "root")]
    path: Option<String>,
    #[serde(default)]
    hidden: bool,
    limit: Option<usize>,
}

fn run(arguments: &str, bench: &Bench<'_>) -> Result<Given> {
    let asked: Arguments = read(NAME, arguments)?;
    let globs = asked.pattern.set(false)?;
    let from = bench.workspace.place(asked.path.as_deref().unwrap_or("."))?;
    let limit = asked.limit.unwrap_or(NAMES_LEN).clamp(1, FOUND_LEN_MAX);
    let (mut paths, mut bytes, mut more) = (Vec::new(), 0, false);
    let whole = walk(bench, &from, asked.hidden, &mut |place| {
        let below = place.parts()[from.parts().len().min(place.parts().len() - 1)..].join("/");
        if !globs.is_match(&below) {
            return Ok(true);
        }
        // Somebody may have put a link on the way since the walk came by.
        if !bench.workspace.snapshot(&place).is_ok_and(|file| file.is_some()) {
            return Ok(true);
        }
        let path = place.shown();
        bytes += path.len() + 1;
        more = paths.len() == limit || bytes > TEXT_BYTES_MAX;
        if !more {
            paths.push(path);
        }
        Ok(!more)
    })?;
    let note = match (more, whole) {
        (true, _) => Some(format!("the first {}: narrow the glob, or raise limit", paths.len())),
        (false, false) => Some(STOPPED.to_owned()),
        (false, true) if paths.is_empty() => Some("no file matches".to_owned()),
        (false, true) => None,
    };
    let data = json!({"paths": paths, "more": more || !whole});
    Ok(Given { note, ..Given::with(paths.join("\n"), data) })
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Globs {
    One(String),
    Several(Vec<String>),
}

impl Globs {
    /// The set of them. Where `anywhere`, one without `/` means a name in any folder.
    pub fn set(&self, anywhere: bool) -> Result<GlobSet> {
        let globs = match self {
            Self::One(glob) => std::slice::from_ref(glob),
            Self::Several(globs) => globs,
        };
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            let wrong = |why: String| ToolError::Pattern { pattern: glob.clone(), why };
            if glob.is_empty() || glob.len() > PATTERN_BYTES_MAX {
                return Err(wrong("give 1 to 4096 bytes, as src/**/*.rs".to_owned()));
            }
            let glob = glob.trim_start_matches("./");
            let name_only = anywhere && !glob.contains('/');
            let glob = if name_only { format!("**/{glob}") } else { glob.to_owned() };
            let mut builder = GlobBuilder::new(&glob);
            let glob = builder.literal_separator(true).build();
            set.add(glob.map_err(|error| wrong(error.kind().to_string()))?);
        }
        let all = globs.join(" ");
        set.build().map_err(|error| ToolError::Pattern { pattern: all, why: error.to_string() })
    }
}

/// Why a walk ended before it was through.
pub(super) const STOPPED: &str = "not everything was looked at: name a folder, or narrow the glob";

/// Shows every file below a folder, as git sees them, in order of their names, to `each` until it has enough; false where not everything was looked at.
///
/// Passed over are what `.gitignore`, `.ignore` and git's own exclusions name, hidden files unless
/// `hidden`, links, and annals' own folder.
pub(super) fn walk(
    bench: &Bench<'_>,
    from: &Place,
    hidden: bool,
    each: &mut dyn FnMut(Place) -> Result<bool>,
) -> Result<bool> {
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
