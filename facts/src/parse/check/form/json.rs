//! Diagnostics that a tool wrote as JSON: a document a line, as cargo does, and whole documents.

use serde::Deserialize;
use serde_json::Value;

use super::{Told, sarif};
use crate::parse::check::diagnostic::{self, Diagnostic, Finding};

/// Explanations behind a message that are kept.
const RELATED_MAX: usize = 8;

#[derive(Deserialize)]
struct CargoLine {
    reason: Option<String>,
    message: Option<Message>,
    /// Of `build-finished`.
    success: Option<bool>,
}

#[derive(Deserialize)]
struct Message {
    message: String,
    level: String,
    code: Option<Code>,
    #[serde(default)]
    spans: Vec<Span>,
    #[serde(default)]
    children: Vec<Child>,
}

#[derive(Deserialize)]
struct Child {
    level: String,
    message: String,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    line_start: u32,
    column_start: Option<u32>,
    is_primary: bool,
}

/// Compiler messages that only sum up.
const SUMMARIES: [&str; 3] =
    ["aborting due to", "Some errors have detailed", "For more information about this"];

/// A line that is a document: cargo's and rustc's messages, mypy's. `None`: another's.
pub fn line(line: &str) -> Option<Told> {
    let mut told = Told::default();
    if line.contains("\"build-finished\"") {
        let cargo: CargoLine = serde_json::from_str(line).ok()?; // another's words
        (told.has_failed, told.is_whole) = (cargo.success == Some(false), cargo.success.is_some());
    } else if line.contains("\"level\"") {
        let message = match serde_json::from_str::<CargoLine>(line) {
            Ok(CargoLine { reason: Some(reason), message, .. }) => {
                message.filter(|_| reason == "compiler-message")?
            }
            _ => serde_json::from_str::<Message>(line).ok()?, // some other tool's line
        };
        told.findings.extend(message.finding());
    } else if line.starts_with("{\"file\"") && line.contains("\"severity\"") {
        let value: Value = serde_json::from_str(line).ok()?; // somebody else's
        told.findings.push(MYPY.finding(&value, &value)?);
    } else {
        return None;
    }
    Some(told)
}

impl Message {
    /// `None`: it only sums up.
    fn finding(self) -> Option<Finding> {
        let is_summary = SUMMARIES.iter().any(|it| self.message.starts_with(it))
            || self.message.ends_with(" emitted");
        if is_summary || self.level == "failure-note" {
            return None;
        }
        let mut spans = self.spans;
        let at = spans.iter().position(|span| span.is_primary).unwrap_or(0);
        let span = (at < spans.len()).then(|| spans.swap_remove(at));
        let is_error = self.level.starts_with("error");
        let children = self.children.into_iter().take(RELATED_MAX);
        Some(Finding {
            tool: "rustc".to_owned(),
            column: span.as_ref().and_then(|span| span.column_start),
            related: children.map(|it| format!("{}: {}", it.level, it.message)).collect(),
            diagnostic: Diagnostic {
                level: if is_error { "error".to_owned() } else { self.level },
                message: self.message,
                line_start: span.as_ref().map(|span| span.line_start),
                file_name: span.map(|span| span.file_name),
                code: self.code.map(|code| code.code),
            },
        })
    }
}

/// Where a tool's document has what; all are JSON pointers.
struct Shape {
    tool: &'static str,
    /// The list of files, or of messages.
    list: &'static str,
    /// In each of it the list of messages; empty: it is one.
    inner: &'static str,
    file: &'static str,
    line: &'static str,
    column: &'static str,
    level: &'static str,
    code: &'static str,
    message: &'static str,
    /// What the tool's first line and column are called.
    first: [u32; 2],
}

const PLAIN: Shape = Shape {
    tool: "json",
    list: "",
    inner: "",
    file: "/file",
    line: "/line",
    column: "/column",
    level: "/level",
    code: "/code",
    message: "/message",
    first: [1, 1],
};

/// The shapes, the more particular first.
const SHAPES: [Shape; 9] = [
    Shape {
        tool: "pyright",
        list: "/generalDiagnostics",
        line: "/range/start/line",
        column: "/range/start/character",
        level: "/severity",
        code: "/rule",
        first: [0, 0],
        ..PLAIN
    },
    Shape {
        tool: "golangci-lint",
        list: "/Issues",
        file: "/Pos/Filename",
        line: "/Pos/Line",
        column: "/Pos/Column",
        level: "/Severity",
        code: "/FromLinter",
        message: "/Text",
        ..PLAIN
    },
    Shape {
        tool: "rubocop",
        list: "/files",
        inner: "/offenses",
        file: "/path",
        line: "/location/line",
        column: "/location/column",
        level: "/severity",
        code: "/cop_name",
        ..PLAIN
    },
    Shape {
        tool: "eslint",
        inner: "/messages",
        file: "/filePath",
        level: "/severity",
        code: "/ruleId",
        ..PLAIN
    },
    Shape {
        tool: "stylelint",
        inner: "/warnings",
        file: "/source",
        level: "/severity",
        code: "/rule",
        message: "/text",
        ..PLAIN
    },
    Shape {
        tool: "ruff",
        file: "/filename",
        line: "/location/row",
        column: "/location/column",
        level: "/severity",
        ..PLAIN
    },
    Shape { tool: "shellcheck", list: "/comments", ..PLAIN },
    MYPY,
    PLAIN,
];
const MYPY: Shape = Shape { tool: "mypy", level: "/severity", first: [1, 0], ..PLAIN };

/// What a whole document of some tool tells; `None` where it has the shape of none.
pub fn document(text: &str) -> Option<Told> {
    let document: Value = serde_json::from_str(text).ok()?; // written by somebody else, or cut
    let mut told = Told { is_whole: true, ..Told::default() };
    if let Some(runs) = document["runs"].as_array() {
        runs.iter().for_each(|it| sarif::run(it, &mut told.findings));
        let has_failed = |it: &Value| it["executionSuccessful"] == false;
        let calls = runs.iter().filter_map(|it| it["invocations"].as_array()).flatten();
        told.has_failed = calls.into_iter().any(has_failed);
        return Some(told);
    }
    let shape = SHAPES.iter().find(|it| it.fits(&document))?;
    shape.read(&document, &mut told.findings);
    Some(told)
}

/// A number as a line or column, of which the tool's first is called `first`.
pub fn number(value: &Value, first: u32) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()?.checked_add(1 - first) // beyond, no place
}

impl Shape {
    /// Whether a document is of this shape: its first message is; without one, its list has a name, or
    /// nothing in it.
    fn fits(&self, document: &Value) -> bool {
        let Some(list) = document.pointer(self.list) else { return false };
        let Some(list) = list.as_array() else { return list.is_null() };
        let has_list = |it: &&Value| {
            !self.inner.is_empty() && it.pointer(self.inner).is_some_and(Value::is_array)
        };
        match list.iter().find(has_list).or(list.first()) {
            None => true,
            Some(item) if has_list(&item) => item.pointer(self.file).is_some(),
            Some(item) => self.inner.is_empty() && self.finding(item, item).is_some(),
        }
    }

    fn read(&self, document: &Value, found: &mut Vec<Finding>) {
        let list = document.pointer(self.list).and_then(Value::as_array);
        for item in list.into_iter().flatten() {
            let messages = match self.inner {
                "" => std::slice::from_ref(item),
                inner => item.pointer(inner).and_then(Value::as_array).map_or(&[][..], |it| it),
            };
            let told = messages.iter().filter_map(|it| self.finding(it, item));
            told.for_each(|it| it.add_to(found));
        }
    }

    fn finding(&self, message: &Value, item: &Value) -> Option<Finding> {
        let text = |at: &str| message.pointer(at).or_else(|| item.pointer(at))?.as_str();
        let level = match message.pointer(self.level) {
            Some(Value::String(word)) => diagnostic::level(word),
            Some(Value::Number(number)) if number.as_u64() == Some(1) => "warning",
            _ => "error",
        };
        Some(Finding {
            tool: self.tool.to_owned(),
            column: message.pointer(self.column).and_then(|it| number(it, self.first[1])),
            related: Vec::new(),
            diagnostic: Diagnostic {
                level: level.to_owned(),
                message: text(self.message)?.to_owned(),
                file_name: Some(text(self.file)?.trim_start_matches("file://").to_owned()),
                line_start: message.pointer(self.line).and_then(|it| number(it, self.first[0])),
                code: message.pointer(self.code).and_then(|it| match it {
                    Value::String(code) => Some(code.clone()),
                    Value::Number(code) => Some(format!("SC{code}")),
                    _ => None,
                }),
            },
        })
    }
}

/// What a program printed, in a line of `go test -json`; of a package that failed, its last line.
pub fn go_output(line: &str) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Event {
        action: String,
        package: Option<String>,
        test: Option<String>,
        output: Option<String>,
    }
    let is_event = line.contains("\"Action\"");
    let event: Event = is_event.then(|| serde_json::from_str(line).ok()).flatten()?; // another's
    match (event.output, event.package, event.test) {
        (Some(output), ..) => Some(output.trim_end_matches('\n').to_owned()),
        (None, Some(package), None) if event.action == "fail" => Some(format!("FAIL\t{package}")),
        _ => None,
    }
}
