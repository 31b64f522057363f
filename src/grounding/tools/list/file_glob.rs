//! `file_glob`: the files whose paths a glob matches.

use serde::Deserialize;
use serde_json::json;

use super::walk::{STOPPED, walk};
use super::{Globs, read};
use crate::grounding::tools::{
    Bench, FOUND_LEN_MAX, Given, NAMES_LEN, Parameter, ParameterKind, TEXT_BYTES_MAX, ToolError,
    ToolSpec,
};

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
    #[serde(default)]
    limit: Option<usize>,
}

fn run(arguments: &str, bench: &Bench<'_>) -> Result<Given, ToolError> {
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
