//! The `problemMatcher` of VS Code, in whatever file it stands: a matcher, a list of them, `tasks.json`,
//! what an extension contributes.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::javascript::{Group, group_count, translated};
use super::jsonc;
use crate::event::DeclaredMatcher;
use crate::event::limits::{
    CHECK_BYTES_MAX, MATCHER_LINES_MAX, MATCHERS_LEN_MAX, PATTERN_BYTES_MAX,
};

/// VS Code's own matchers, and the table here that reads the same lines anyway.
pub(super) const KNOWN: [(&str, &str); 12] = [
    ("$tsc", "tsc"),
    ("$tsc-watch", "tsc"),
    ("$gcc", "gcc"),
    ("$eslint-stylish", "eslint"),
    ("$eslint-compact", "eslint"),
    ("$go", "go"),
    ("$rustc", "rustc"),
    ("$rustc-json", "rustc"),
    ("$python", "python"),
    ("$javac", "javac"),
    ("$msCompile", "dotnet"),
    ("$ts-webpack", "tsc"),
];

/// What a file holds.
#[derive(Debug, Default, PartialEq)]
pub struct Imported {
    pub matchers: Vec<DeclaredMatcher>,
    /// Matchers of VS Code's own that are named, and the table that reads their lines without being told.
    pub known: Vec<(String, &'static str)>,
}

#[derive(Debug, PartialEq, thiserror::Error)]
pub enum ImportFault {
    #[error("it is no JSON: {0}")]
    NotJson(String),
    #[error("it has no problem matcher")]
    Nothing,
    #[error("it has more than {MATCHERS_LEN_MAX} problem matchers")]
    TooMany,
    #[error("the matcher {name}: {reason}")]
    Matcher { name: String, reason: String },
}

/// The matchers in a file's text; `found_in` is its name.
pub fn import(text: &str, found_in: &str) -> Result<Imported, ImportFault> {
    let value: Value = serde_json::from_str(&jsonc::plain(text))
        .map_err(|error| ImportFault::NotJson(error.to_string()))?;
    let mut found = Vec::new();
    collect(&value, &mut found);
    if found.len() > MATCHERS_LEN_MAX {
        return Err(ImportFault::TooMany);
    }
    let patterns = named(&value);
    let mut imported = Imported::default();
    for (number, matcher) in found.into_iter().enumerate() {
        let name = name(matcher, number);
        let failed = |reason| ImportFault::Matcher { name: name.clone(), reason };
        match one(matcher, &name, found_in, &patterns).map_err(failed)? {
            One::Made(made) => imported.matchers.push(*made),
            One::Known(named, table) => {
                if !imported.known.iter().any(|(known, _)| *known == named) {
                    imported.known.push((named, table));
                }
            }
        }
    }
    match imported == Imported::default() {
        true => Err(ImportFault::Nothing),
        false => Ok(imported),
    }
}

/// Every matcher: behind the names that VS Code looks behind, else the value itself.
fn collect<'v>(value: &'v Value, found: &mut Vec<&'v Value>) {
    match value {
        Value::Array(list) => list.iter().for_each(|it| collect(it, found)),
        Value::String(_) => found.push(value),
        Value::Object(object) => {
            if object.contains_key("pattern") || object.contains_key("base") {
                found.push(value);
                return;
            }
            let keys =
                ["problemMatcher", "problemMatchers", "tasks", "contributes", "linux", "osx"];
            let inner = keys.iter().filter_map(|key| object.get(*key));
            inner.filter(|it| !it.is_boolean()).for_each(|it| collect(it, found));
        }
        _ => {}
    }
}

fn name(matcher: &Value, number: usize) -> String {
    let text = |key: &str| matcher.get(key).and_then(Value::as_str).filter(|it| !it.is_empty());
    let own = matcher.as_str().or_else(|| ["name", "source", "owner"].into_iter().find_map(text));
    own.map_or_else(|| format!("matcher {}", number + 1), short)
}

fn short(text: &str) -> String {
    text.chars().take(CHECK_BYTES_MAX / 4).collect()
}

/// The patterns that an extension's file gives names to.
fn named(value: &Value) -> BTreeMap<String, Value> {
    let places = [Some(value), value.get("contributes")];
    let lists = places.into_iter().flatten().filter_map(|it| it.get("problemPatterns"));
    let all = lists.filter_map(Value::as_array).flatten();
    let of = |it: &Value| {
        let name = it.get("name")?.as_str()?.trim_start_matches('$').to_owned();
        // Several lines stand in a list of their own.
        Some((name, it.get("patterns").unwrap_or(it).clone()))
    };
    all.filter_map(of).collect()
}

enum One {
    Made(Box<DeclaredMatcher>),
    Known(String, &'static str),
}

fn one(
    matcher: &Value,
    name: &str,
    found_in: &str,
    patterns: &BTreeMap<String, Value>,
) -> Result<One, String> {
    let known = |named: &str| {
        let row = KNOWN.iter().find(|(its, _)| *its == named);
        row.map(|(named, table)| One::Known((*named).to_owned(), table))
            .ok_or_else(|| format!("{named:?} is not known here, and not in this file"))
    };
    if let Some(named) = matcher.as_str() {
        return known(named);
    }
    let text = |key: &str| matcher.get(key).and_then(Value::as_str);
    let pattern = match matcher.get("pattern") {
        None => return known(text("base").unwrap_or_default()),
        Some(Value::String(named)) => match patterns.get(named.trim_start_matches('$')) {
            Some(pattern) => pattern,
            None => return known(named),
        },
        Some(pattern) => pattern,
    };
    let lines: Vec<Line> = match pattern {
        Value::Array(_) => Vec::deserialize(pattern),
        _ => Line::deserialize(pattern).map(|it| vec![it]),
    }
    .map_err(|error| format!("its pattern cannot be read: {error}"))?;
    if lines.is_empty() || lines.len() > MATCHER_LINES_MAX {
        return Err(format!("it has {} patterns: from 1 to {MATCHER_LINES_MAX}", lines.len()));
    }
    place_fault(matcher.get("fileLocation")).map_or(Ok(()), Err)?;
    let is_alone = lines.len() == 1;
    let mut made = Vec::new();
    for (line, number) in lines.iter().zip(1..) {
        let placed = |reason| format!("pattern {number}: {reason}");
        if line.regexp.len() > PATTERN_BYTES_MAX {
            return Err(placed(format!("it has more than {PATTERN_BYTES_MAX} bytes")));
        }
        if line.r#loop && (is_alone || number != lines.len()) {
            return Err(placed("only the last of several lines may loop".to_owned()));
        }
        made.push(translated(&line.regexp, &line.groups(is_alone)).map_err(placed)?);
    }
    let level = text("severity").map(|it| match it {
        "info" | "hint" => "note".to_owned(),
        level => short(level),
    });
    Ok(One::Made(Box::new(DeclaredMatcher {
        name: name.to_owned(),
        programs: Vec::new(),
        found_in: found_in.to_owned(),
        level,
        lines: made,
        repeat: lines.last().is_some_and(|it| it.r#loop),
    })))
}

/// Files are taken as they are printed, from where the check ran: a folder of the editor's own leads elsewhere.
fn place_fault(location: Option<&Value>) -> Option<String> {
    let (word, folder) = match location? {
        Value::Array(list) => (list.first(), list.get(1).and_then(Value::as_str)),
        one => (Some(one), None),
    };
    let word = word.and_then(Value::as_str).unwrap_or_default();
    if !["absolute", "relative", "autoDetect", "search"].contains(&word) {
        return Some(format!("its fileLocation {word:?} is not known"));
    }
    let is_root =
        |it: &str| ["${workspaceFolder}", "${workspaceRoot}", "${cwd}", "."].contains(&it);
    let folder = folder.map(|it| it.trim_end_matches('/')).filter(|it| !is_root(it))?;
    Some(format!("its fileLocation leads to {folder}: only the project's own folder is read"))
}

/// One line of a pattern: which group is what.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    regexp: String,
    kind: Option<String>,
    file: Option<usize>,
    location: Option<usize>,
    line: Option<usize>,
    #[serde(alias = "character")]
    column: Option<usize>,
    severity: Option<usize>,
    code: Option<usize>,
    message: Option<usize>,
    #[serde(default)]
    r#loop: bool,
}

impl Line {
    /// Each group once; where the one line says nothing, as VS Code takes it.
    fn groups(&self, is_alone: bool) -> Vec<Group> {
        let is_file = self.kind.as_deref() == Some("file");
        let count = group_count(&self.regexp);
        let default = |given: Option<usize>, number| {
            given.or(Some(number).filter(|it| is_alone && *it <= count))
        };
        let has_place = self.location.is_some() || is_file;
        let (line, column) = match has_place {
            true => (self.line, self.column),
            false => (
                default(self.line, 2),
                self.column.or_else(|| default(None, 3).filter(|_| self.line.is_none())),
            ),
        };
        let all = [
            (default(self.file, 1), "file"),
            (self.location, "location"),
            (line, "line"),
            (column, "column"),
            (self.severity, "level"),
            (self.code, "code"),
            (default(self.message, 0), "message"),
        ];
        let mut groups: Vec<Group> = Vec::new();
        for (number, name) in all {
            let Some(number) = number else { continue };
            if !groups.iter().any(|(known, _)| *known == number) {
                groups.push((number, name));
            }
        }
        groups
    }
}
