//! Diagnostics that a tool wrote as JSON: cargo's messages, a line each, and whole documents.

use serde::Deserialize;
use serde_json::Value;

use super::diagnostic::{self, Diagnostic, Finding};

#[derive(Deserialize)]
struct CargoLine {
    reason: Option<String>,
    message: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    message: String,
    level: String,
    code: Option<Code>,
    #[serde(default)]
    spans: Vec<Span>,
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

/// The compiler's message in a line of cargo (`reason: compiler-message`) or of rustc itself.
pub fn rustc(line: &str) -> Option<Finding> {
    let line = line.trim();
    if !line.starts_with('{') || !line.contains("\"level\"") {
        return None;
    }
    let message = match serde_json::from_str::<CargoLine>(line) {
        Ok(CargoLine { reason: Some(reason), message }) => {
            message.filter(|_| reason == "compiler-message")?
        }
        _ => serde_json::from_str::<Message>(line).ok()?, // some other tool's line
    };
    let is_summary = SUMMARIES.iter().any(|it| message.message.starts_with(it))
        || message.message.ends_with(" emitted");
    if is_summary || message.level == "failure-note" {
        return None;
    }
    let mut spans = message.spans;
    let at = spans.iter().position(|span| span.is_primary).unwrap_or(0);
    let span = (at < spans.len()).then(|| spans.swap_remove(at));
    let is_error = message.level.starts_with("error");
    Some(Finding {
        tool: "rustc".to_owned(),
        column: span.as_ref().and_then(|span| span.column_start),
        related: Vec::new(),
        diagnostic: Diagnostic {
            level: if is_error { "error".to_owned() } else { message.level },
            message: message.message,
            line_start: span.as_ref().map(|span| span.line_start),
            file_name: span.map(|span| span.file_name),
            code: message.code.map(|code| code.code),
        },
    })
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
    first: u64,
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
    first: 1,
};

/// The shapes, the more particular first.
const SHAPES: [Shape; 10] = [
    Shape {
        tool: "sarif",
        list: "/runs",
        inner: "/results",
        file: "/locations/0/physicalLocation/artifactLocation/uri",
        line: "/locations/0/physicalLocation/region/startLine",
        column: "/locations/0/physicalLocation/region/startColumn",
        code: "/ruleId",
        message: "/message/text",
        ..PLAIN
    },
    Shape {
        tool: "pyright",
        list: "/generalDiagnostics",
        line: "/range/start/line",
        column: "/range/start/character",
        level: "/severity",
        code: "/rule",
        first: 0,
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
    Shape { tool: "mypy", level: "/severity", ..PLAIN },
    PLAIN,
];

/// The diagnostics in a whole document of some tool.
pub fn document(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    // What is no JSON was written by somebody else, or is cut.
    let Ok(document) = serde_json::from_str::<Value>(text) else { return found };
    for shape in &SHAPES {
        shape.read(&document, &mut found);
        if !found.is_empty() {
            break;
        }
    }
    found
}

/// mypy's `--output json`: a document a line.
pub fn line(text: &str) -> Option<Finding> {
    let is_told = text.starts_with("{\"file\"") && text.contains("\"severity\"");
    let value: Value = serde_json::from_str(text).ok().filter(|_| is_told)?; // somebody else's
    SHAPES[8].finding(&value, &value)
}

impl Shape {
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
        let number = |at: &str| {
            let number = message.pointer(at)?.as_u64()? + 1 - self.first;
            u32::try_from(number).ok() // beyond, no place
        };
        let level = match message.pointer(self.level) {
            Some(Value::String(word)) => diagnostic::level(word),
            Some(Value::Number(number)) if number.as_u64() == Some(1) => "warning",
            _ => "error",
        };
        Some(Finding {
            tool: self.tool.to_owned(),
            column: number(self.column),
            related: Vec::new(),
            diagnostic: Diagnostic {
                level: level.to_owned(),
                message: text(self.message)?.to_owned(),
                file_name: Some(text(self.file)?.trim_start_matches("file://").to_owned()),
                line_start: number(self.line),
                code: message.pointer(self.code).and_then(|it| match it {
                    Value::String(code) => Some(code.clone()),
                    Value::Number(code) => Some(format!("SC{code}")),
                    _ => None,
                }),
            },
        })
    }
}

/// What a program printed, in a line of `go test -json`.
pub fn go_output(line: &str) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Event {
        output: String,
    }
    let is_event = line.contains("\"Action\"") && line.contains("\"Output\"");
    let event: Event = is_event.then(|| serde_json::from_str(line).ok()).flatten()?; // another's
    Some(event.output.trim_end_matches('\n').to_owned())
}
