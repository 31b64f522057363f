//! `file_edit`: exact replacements in a text file, all of them or none.

use serde::Deserialize;
use serde_json::json;

use super::files::PATH;
use super::read;
use crate::event::Change;
use crate::grounding::tools::{
    Bench, EDIT_BYTES_MAX, EDITS_LEN_MAX, Given, Onto, Parameter, ParameterKind, PlaceError,
    Result, ToolError, ToolSpec,
};

const NAME: &str = "file_edit";

pub(super) const SPEC: ToolSpec = ToolSpec {
    name: NAME,
    about: "Replace exact text in a file: one place that is meant, or every one",
    parameters: &[
        PATH,
        Parameter::optional("old_string", ParameterKind::Text, "What is there now, to the letter"),
        Parameter::optional("new_string", ParameterKind::Text, "What shall be there instead"),
        Parameter::optional("replace_all", ParameterKind::Flag, "Every place, not just one"),
        Parameter::optional(
            "edits",
            ParameterKind::Json,
            "Several, done in order: a list of {old_string, new_string, replace_all}",
        ),
    ],
    run,
    program: None,
};

const LINES_TOLD: usize = 8;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(alias = "file_path", alias = "file")]
    path: String,
    #[serde(default, alias = "old")]
    old_string: Option<String>,
    #[serde(default, alias = "new")]
    new_string: Option<String>,
    #[serde(default)]
    replace_all: bool,
    #[serde(default)]
    edits: Vec<Edit>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    #[serde(alias = "old")]
    old_string: String,
    #[serde(alias = "new")]
    new_string: String,
    #[serde(default)]
    replace_all: bool,
}

fn run(arguments: &str, bench: &Bench<'_>) -> Result<Given> {
    let mut asked: Arguments = read(NAME, arguments)?;
    let edits = edits(&mut asked)?;
    let place = bench.workspace.place(&asked.path)?;
    bench.workspace.changeable(&place)?;
    let (bytes, read) = bench.workspace.read(&place, EDIT_BYTES_MAX)?;
    let path = place.shown();
    let Ok(mut text) = String::from_utf8(bytes) else {
        return Err(ToolError::NotText { path });
    };
    let (mut lines, mut replaced) = (Vec::new(), 0);
    for (at, edit) in edits.iter().enumerate() {
        let found = replace(&mut text, edit, &path, at + 1)?;
        replaced += found.len();
        lines.extend(found);
    }
    let told = told(&lines);
    bench.workspace.write(&place, text.as_bytes(), Onto::Read(read))?;
    let word = if replaced == 1 { "place" } else { "places" };
    let said = format!("{path}: {replaced} {word} changed (lines {told})");
    let data = json!({"path": path, "replaced": replaced, "lines": lines, "bytes": text.len()});
    Ok(Given { changed: vec![Change { path, created: false }], ..Given::with(said, data) })
}

fn edits(asked: &mut Arguments) -> Result<Vec<Edit>> {
    let wrong = |what: &str| Err(ToolError::Meaning { tool: NAME, what: what.to_owned() });
    let mut edits = std::mem::take(&mut asked.edits);
    match (asked.old_string.take(), asked.new_string.take()) {
        (Some(old_string), Some(new_string)) if edits.is_empty() => {
            edits.push(Edit { old_string, new_string, replace_all: asked.replace_all });
        }
        (None, None) if !edits.is_empty() => {}
        _ => return wrong("give old_string and new_string, or edits"),
    }
    if edits.len() > EDITS_LEN_MAX {
        return wrong("give at most 256 edits in one call");
    }
    if edits.iter().any(|edit| edit.old_string.is_empty()) {
        return wrong(
            "old_string is empty: give what is there now; file_write writes a file whole",
        );
    }
    if edits.iter().any(|edit| edit.old_string == edit.new_string) {
        return wrong("old_string and new_string are the same: nothing would change");
    }
    Ok(edits)
}

/// Does one edit; the lines that it changed, from 1.
fn replace(text: &mut String, edit: &Edit, path: &str, number: usize) -> Result<Vec<usize>> {
    let path = || path.to_owned();
    let at: Vec<usize> = text.match_indices(&edit.old_string).map(|(at, _)| at).collect();
    let lines = lines_of(text, &at);
    match at.len() {
        0 => {
            let hint = hint(text, &edit.old_string);
            Err(ToolError::NoMatch { path: path(), edit: number, hint })
        }
        count if count > 1 && !edit.replace_all => {
            let lines = told(&lines);
            Err(ToolError::Several { path: path(), edit: number, count, lines })
        }
        count => {
            let grown = edit.new_string.len().saturating_sub(edit.old_string.len());
            let bytes = text.len().saturating_add(grown.saturating_mul(count));
            if bytes > EDIT_BYTES_MAX {
                let (bytes, bytes_max) = (bytes as u64, EDIT_BYTES_MAX as u64);
                return Err(PlaceError::TooLarge { path: path(), bytes, bytes_max }.into());
            }
            *text = text.replace(&edit.old_string, &edit.new_string);
            Ok(lines)
        }
    }
}

/// The line of each offset, from 1; the offsets ascend.
fn lines_of(text: &str, offsets: &[usize]) -> Vec<usize> {
    let (mut line, mut from) = (1, 0);
    let mut lines = Vec::with_capacity(offsets.len());
    for at in offsets {
        line += text.as_bytes()[from..*at].iter().filter(|byte| **byte == b'\n').count();
        from = *at;
        lines.push(line);
    }
    lines
}

fn told(lines: &[usize]) -> String {
    let mut told: Vec<String> = lines.iter().take(LINES_TOLD).map(usize::to_string).collect();
    if lines.len() > LINES_TOLD {
        told.push("…".to_owned());
    }
    told.join(", ")
}

/// Where the text nearly is, so that the next attempt can be right.
fn hint(text: &str, old: &str) -> String {
    if text.contains("\r\n") && !old.contains('\r') && old.contains('\n') {
        return ": the file's lines end in CRLF".to_owned();
    }
    let first = old.lines().map(str::trim).find(|line| !line.is_empty());
    let near = first.and_then(|first| text.lines().position(|line| line.trim() == first));
    match near {
        Some(at) => format!(
            ", but its first line is, but for spaces, line {}: read it there and copy it",
            at + 1
        ),
        None => ": read the file and copy it to the letter".to_owned(),
    }
}
