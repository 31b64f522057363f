//! Calls and results of agents whose tools are named alike.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::head_of;
use super::item::{Call, CallResult, Part, odd_words};
use super::loose::{Text, object, parsed};
use super::odd::{Count, Given};
use crate::event::{Change, Outcome, tool};

/// What the arguments of most agents' tools name as their target.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Targets<'a> {
    #[serde(borrow)]
    path: Text<'a>,
    file_path: Text<'a>,
    #[serde(rename = "filePath")]
    camel_path: Text<'a>,
    file: Text<'a>,
    filename: Text<'a>,
    absolute_path: Text<'a>,
    workdir: Text<'a>,
    directory: Text<'a>,
}

/// A call by an agent's name of its tool. What it changes if it succeeds is what it names, where it is an edit.
pub fn call(id: String, scope: Option<String>, native_tool: &str, arguments: String) -> Call {
    let tool =
        tool::of_others(native_tool).map_or_else(|| tool::made_valid(native_tool), str::to_owned);
    let named: Targets<'_> = object(arguments.as_bytes());
    let Targets { path, file_path, camel_path, file, filename, absolute_path, .. } = &named;
    let mut paths: Vec<String> = Vec::new();
    for path in [path, file_path, camel_path, file, filename, absolute_path]
        .into_iter()
        .flat_map(Text::to_text)
    {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let is_shell = tool == "bash_exec";
    let cwd = named.workdir.to_text().or_else(|| named.directory.to_text()).filter(|_| is_shell);
    let changes = match tool::is_mutation(&tool) {
        true => paths.iter().map(|path| changed(path, false)).collect(),
        false => Vec::new(),
    };
    let native_tool = native_tool.to_owned();
    Call {
        id,
        scope,
        native_tool,
        tool,
        arguments,
        paths,
        changes,
        cwd,
        task: None,
        execution: None,
    }
}

pub fn changed(path: &str, created: bool) -> Change {
    Change { path: path.to_owned(), created }
}

/// How a call ended, by what it printed: a code that is not 0 and an error tell that it failed.
pub fn result(
    id: String,
    scope: Option<String>,
    exit_code: Option<i32>,
    is_error: bool,
    printed: Option<String>,
) -> CallResult {
    let is_error = is_error || exit_code.is_some_and(|code| code != 0);
    let outcome = if is_error { Outcome::Failed } else { Outcome::Ok };
    let mut result = CallResult { exit_code, ..CallResult::of(id, scope, outcome) };
    let printed = printed.filter(|text| !text.is_empty());
    if is_error {
        let said = printed.as_deref().unwrap_or_default().trim();
        result.error = Some(match (exit_code, said) {
            (Some(code), "") => format!("Exit code {code}"),
            (Some(code), said) => head_of(&format!("Exit code {code}\n{said}")).to_owned(),
            (None, "") => "failed without a word".to_owned(),
            (None, said) => head_of(said).to_owned(),
        });
        result.stderr = printed.map(String::into_bytes);
    } else {
        result.stdout = printed.map(String::into_bytes);
    }
    result
}

/// How long it took from one time to another; `None` where that is more than a year: one of them is wrong.
pub fn lasted(from_ms: Option<u64>, to_ms: Option<u64>) -> Option<u64> {
    const YEAR_MS: u64 = 366 * 86_400_000;
    to_ms?.checked_sub(from_ms?).filter(|ms| *ms <= YEAR_MS)
}

/// Arguments as JSON's object, also where they are a text of one; what is none is kept under `key`.
pub fn arguments(raw: Option<&RawValue>, key: &str) -> String {
    let Some(raw) = raw.map(RawValue::get).filter(|raw| *raw != "null") else {
        return "{}".to_owned();
    };
    let is_object = |text: &str| {
        text.trim_start().starts_with('{')
            && parsed::<serde::de::IgnoredAny>(text.as_bytes()).is_some()
    };
    if is_object(raw) {
        return raw.to_owned();
    }
    match parsed::<String>(raw.as_bytes()) {
        Some(text) if is_object(&text) => text,
        Some(text) => wrapped(key, &text.into()),
        None => wrapped(key, &parsed(raw.as_bytes()).unwrap_or_default()),
    }
}

fn wrapped(key: &str, value: &serde_json::Value) -> String {
    serde_json::json!({ key: value }).to_string()
}

/// A text, or the texts of a list of blocks, one a line.
pub fn text_of(raw: Option<&RawValue>) -> Option<String> {
    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Block<'a> {
        #[serde(borrow)]
        text: Text<'a>,
    }
    let raw = raw?.get().as_bytes();
    if let Some(text) = parsed::<String>(raw) {
        return Some(text);
    }
    let blocks: Vec<&RawValue> = parsed(raw)?;
    let text = |block: &&RawValue| {
        let bytes = block.get().as_bytes();
        parsed::<String>(bytes).or_else(|| object::<Block<'_>>(bytes).text.to_text())
    };
    Some(blocks.iter().filter_map(text).collect::<Vec<_>>().join("\n"))
}

/// Of content what [`text_of`] leaves out: pictures, files, what is of no known shape.
pub fn textless(raw: Option<&RawValue>) -> Option<Part> {
    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Block<'a> {
        #[serde(rename = "type", borrow)]
        kind: Text<'a>,
        text: Text<'a>,
    }
    let raw = raw?.get();
    if raw == "null" || raw.starts_with('"') {
        return None;
    }
    let Some(blocks) = parsed::<Vec<&RawValue>>(raw.as_bytes()) else {
        return Some(Part::unread("content that is neither a text nor a list"));
    };
    let mut kinds: Vec<String> = Vec::new();
    for block in blocks.iter().map(|block| block.get()).filter(|block| !block.starts_with('"')) {
        let block: Block<'_> = object(block.as_bytes());
        let kind = block.kind.to_text().unwrap_or_else(|| "of no type".to_owned());
        if block.text.0.is_none() && !kinds.contains(&kind) && kinds.len() < KINDS_MAX {
            kinds.push(odd_words(&kind));
        }
    }
    let kinds = kinds.join(", ");
    (!kinds.is_empty()).then(|| Part::Unread(format!("content that is no text: {kinds}")))
}

/// Kinds of content that are named.
const KINDS_MAX: usize = 8;

/// What of a message's tokens is no number of tokens.
pub fn odd_usage<'k>(counts: &[(&'k str, Count)]) -> Option<Part> {
    let odd: Vec<&'k str> =
        counts.iter().filter(|(_, count)| count.is_odd()).map(|(key, _)| *key).collect();
    (!odd.is_empty())
        .then(|| Part::Unread(format!("usage: {} is no number of tokens", odd.join(", "))))
}

/// The same of tokens that may be no object at all.
pub fn odd_tokens<T>(given: &Given<T>, odd: impl Fn(&T) -> Option<Part>) -> Option<Part> {
    match given {
        Given::Absent => None,
        Given::Is(tokens) => odd(tokens),
        Given::Odd => Some(Part::unread("usage that is no object")),
    }
}
