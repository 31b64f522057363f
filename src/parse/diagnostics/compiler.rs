//! What cargo and rustc print: JSON messages, and text for people.

use serde::Deserialize;

use super::{Diagnostic, is_summary, push};

const LINE_BYTES_MAX: usize = 1 << 20;

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
    is_primary: bool,
}

/// JSON messages: a line each, of cargo (`reason: compiler-message`) or of rustc itself.
pub(super) fn json_messages(bytes: &[u8], found: &mut Vec<Diagnostic>) {
    for line in bytes.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii();
        if line.first() != Some(&b'{') || line.len() > LINE_BYTES_MAX {
            continue;
        }
        if let Some(message) = message(line)
            && !is_summary(&message.message)
            && message.level != "failure-note"
        {
            push(found, diagnostic(message));
        }
    }
}

/// The compiler's message in a line; `None` where the line is something else's JSON.
fn message(line: &[u8]) -> Option<Message> {
    match serde_json::from_slice::<CargoLine>(line) {
        Ok(CargoLine { reason: Some(reason), message }) => {
            message.filter(|_| reason == "compiler-message")
        }
        _ => serde_json::from_slice::<Message>(line).ok(), // some other tool's line
    }
}

fn diagnostic(message: Message) -> Diagnostic {
    let mut spans = message.spans;
    let at = spans.iter().position(|span| span.is_primary).unwrap_or(0);
    let span = (at < spans.len()).then(|| spans.swap_remove(at));
    Diagnostic {
        level: if message.level.starts_with("error") { "error".to_owned() } else { message.level },
        message: message.message,
        line_start: span.as_ref().map(|span| span.line_start),
        file_name: span.map(|span| span.file_name),
        code: message.code.map(|code| code.code),
    }
}

/// Lines between a headline and its place; rustc puts it on the next, or after a long message.
const PLACE_LINES_MAX: usize = 16;

/// What rustc prints for people:
///
/// ```text
/// error[E0425]: cannot find value `x` in this scope
///  --> src/main.rs:2:5
/// ```
pub(super) fn plain_text(bytes: &[u8], found: &mut Vec<Diagnostic>) {
    let text = String::from_utf8_lossy(bytes);
    let mut open: Option<(Diagnostic, usize)> = None;
    for line in text.lines() {
        let line = without_colours(line);
        if let Some(next) = headline(&line) {
            close(open.take(), found);
            open = Some((next, 0));
        } else if let Some((mut diagnostic, lines)) = open.take() {
            if let Some((file, number)) = place(&line) {
                diagnostic.file_name = Some(file);
                diagnostic.line_start = Some(number);
                push(found, diagnostic);
            } else if line.trim().is_empty() || lines >= PLACE_LINES_MAX {
                close(Some((diagnostic, lines)), found);
            } else {
                open = Some((diagnostic, lines + 1));
            }
        }
    }
    close(open, found);
}

/// A headline without a place is kept only if it is an error: `warning: …` alone is a build
/// system's remark.
fn close(open: Option<(Diagnostic, usize)>, found: &mut Vec<Diagnostic>) {
    if let Some((diagnostic, _)) = open
        && diagnostic.level == "error"
    {
        push(found, diagnostic);
    }
}

fn headline(line: &str) -> Option<Diagnostic> {
    let (level, rest) = ["error", "warning"]
        .into_iter()
        .find_map(|level| line.strip_prefix(level).map(|rest| (level, rest)))?;
    let (code, rest) = match rest.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map(|(code, rest)| (Some(code), rest))?,
        None => (None, rest),
    };
    let message = rest.strip_prefix(": ")?.trim();
    if is_summary(message) || code.is_some_and(|code| code.len() > 64) {
        return None;
    }
    Some(Diagnostic {
        level: level.to_owned(),
        message: message.to_owned(),
        file_name: None,
        line_start: None,
        code: code.map(str::to_owned),
    })
}

fn place(line: &str) -> Option<(String, u32)> {
    let place = line.trim_start().strip_prefix("--> ")?;
    let (rest, column) = place.trim_end().rsplit_once(':')?;
    let (file, number) = rest.rsplit_once(':')?;
    column.parse::<u32>().ok()?; // not a place
    Some((file.to_owned(), number.parse().ok()?))
}

/// The line without SGR sequences, which cargo prints when told to colour.
pub(crate) fn without_colours(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("\u{1b}[") {
        out.push_str(&rest[..at]);
        let parameters = &rest[at + 2..];
        match parameters.find(|c: char| !c.is_ascii_digit() && c != ';') {
            Some(end) if parameters.as_bytes()[end] == b'm' => rest = &parameters[end + 1..],
            Some(end) => rest = &parameters[end..],
            None => rest = "",
        }
    }
    out.push_str(rest);
    out
}
