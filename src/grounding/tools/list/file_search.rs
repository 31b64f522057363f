//! `file_search`: the lines that a regular expression matches.

use std::collections::BTreeMap;

use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;
use serde_json::{Value, json};

use super::file_glob::{Globs, STOPPED, walk};
use super::read;
use crate::grounding::tools::{
    Bench, CONTEXT_LINES_MAX, FOUND_LEN_MAX, Given, LINE_BYTES_MAX, MATCHES_LEN, PATTERN_BYTES_MAX,
    PATTERN_COMPILED_BYTES_MAX, Parameter, ParameterKind, Result, SEARCHED_BYTES_MAX,
    SNIFFED_BYTES, TEXT_BYTES_MAX, ToolError, ToolSpec,
};

const NAME: &str = "file_search";

pub(super) const SPEC: ToolSpec = ToolSpec {
    name: NAME,
    about: "Find the lines that a regular expression matches; what git ignores is left out",
    parameters: &[
        Parameter::required("pattern", ParameterKind::Text, "The expression (Rust's regex)"),
        Parameter::optional("path", ParameterKind::Text, "A file, or a folder [default: .]"),
        Parameter::optional("glob", ParameterKind::Texts, "Only files that it matches: *.rs"),
        Parameter::optional("fixed", ParameterKind::Flag, "The pattern is a text"),
        Parameter::optional("ignore_case", ParameterKind::Flag, "Ignore case"),
        Parameter::optional("context", ParameterKind::Number, "Lines around each match, to 20"),
        Parameter::optional("hidden", ParameterKind::Flag, "Hidden files as well"),
        Parameter::optional("limit", ParameterKind::Number, "How many matches [default: 200]"),
    ],
    run,
    program: None,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    pattern: String,
    #[serde(default, alias = "root")]
    path: Option<String>,
    glob: Option<Globs>,
    #[serde(default)]
    fixed: bool,
    #[serde(default)]
    ignore_case: bool,
    #[serde(default)]
    context: usize,
    #[serde(default)]
    hidden: bool,
    limit: Option<usize>,
}

#[derive(Default)]
struct Found {
    text: String,
    matches: Vec<Value>,
    files: usize,
    skipped: usize,
    full: bool,
}

fn run(arguments: &str, bench: &Bench<'_>) -> Result<Given> {
    let asked: Arguments = read(NAME, arguments)?;
    let regex = regex(&asked)?;
    let globs = asked.glob.as_ref().map(|globs| globs.set(true)).transpose()?;
    let from = bench.workspace.place(asked.path.as_deref().unwrap_or("."))?;
    let context = asked.context.min(CONTEXT_LINES_MAX);
    let limit = asked.limit.unwrap_or(MATCHES_LEN).clamp(1, FOUND_LEN_MAX);
    let mut found = Found::default();
    let whole = walk(bench, &from, asked.hidden, &mut |place| {
        let path = place.shown();
        if globs.as_ref().is_some_and(|globs| !globs.is_match(&path)) {
            return Ok(true);
        }
        let most = usize::try_from(SEARCHED_BYTES_MAX).unwrap_or(usize::MAX);
        match bench.workspace.read(&place, most) {
            Ok((bytes, _)) if bytes.iter().take(SNIFFED_BYTES).any(|byte| *byte == 0) => {}
            Ok((bytes, _)) => found.take(&path, &bytes, &regex, context, limit),
            // Too large, not to be read, or gone since the walk came by.
            Err(_) => found.skipped += 1,
        }
        Ok(!found.full)
    })?;
    let (count, files) = (found.matches.len(), found.files);
    let mut notes = Vec::new();
    if found.full {
        notes.push(format!("the first {count} matches: narrow the search, or raise limit"));
    } else if count == 0 {
        notes.push("nothing matches".to_owned());
    } else {
        notes.push(format!("{count} matches in {files} files"));
    }
    if !whole {
        notes.push(STOPPED.to_owned());
    }
    if found.skipped > 0 {
        let skipped = found.skipped;
        notes.push(format!("{skipped} files were too large or could not be read"));
    }
    let more = found.full || !whole;
    let data = json!({"matches": found.matches, "files": files, "more": more});
    Ok(Given { note: Some(notes.join("; ")), ..Given::with(found.text, data) })
}

fn regex(asked: &Arguments) -> Result<Regex> {
    let wrong = |why: String| ToolError::Pattern { pattern: asked.pattern.clone(), why };
    if asked.pattern.is_empty() || asked.pattern.len() > PATTERN_BYTES_MAX {
        return Err(ToolError::Pattern {
            pattern: asked.pattern.chars().take(80).collect(),
            why: "give 1 to 4096 bytes".to_owned(),
        });
    }
    let pattern = match asked.fixed {
        true => regex::escape(&asked.pattern),
        false => asked.pattern.clone(),
    };
    RegexBuilder::new(&pattern)
        .case_insensitive(asked.ignore_case)
        .size_limit(PATTERN_COMPILED_BYTES_MAX)
        .build()
        .map_err(|error| wrong(last_line(&error.to_string())))
}

/// The parser draws the pattern over several lines and says what is wrong on the last.
fn last_line(text: &str) -> String {
    let last = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or(text);
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

impl Found {
    fn take(&mut self, path: &str, bytes: &[u8], regex: &Regex, context: usize, limit: usize) {
        let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').map(trimmed).collect();
        // What follows the last line's end is no line.
        let lines = match lines.split_last() {
            Some((&[], lines)) => lines,
            _ => &lines[..],
        };
        let mut shown: BTreeMap<usize, bool> = BTreeMap::new();
        let before = self.matches.len();
        for (at, line) in lines.iter().enumerate() {
            let Some(hit) = regex.find(line) else { continue };
            if self.matches.len() == limit || self.text.len() > TEXT_BYTES_MAX {
                self.full = true;
                break;
            }
            let text = cut(line);
            let column = hit.start() + 1;
            self.matches
                .push(json!({"path": path, "line": at + 1, "column": column, "text": text}));
            for near in at.saturating_sub(context)..=(at + context).min(lines.len() - 1) {
                *shown.entry(near).or_default() |= near == at;
            }
        }
        if self.matches.len() == before {
            return;
        }
        self.files += 1;
        let mut last: Option<usize> = None;
        for (at, is_match) in shown {
            if context > 0 && !self.text.is_empty() && last != at.checked_sub(1) {
                self.text.push_str("--\n");
            }
            let mark = if is_match { ':' } else { '-' };
            self.text += &format!("{path}{mark}{}{mark}{}\n", at + 1, cut(lines[at]));
            last = Some(at);
            if self.text.len() > TEXT_BYTES_MAX {
                self.full = true;
                return;
            }
        }
    }
}

fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn cut(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(LINE_BYTES_MAX)]).into_owned();
    if line.len() > LINE_BYTES_MAX { text + "…" } else { text }
}
