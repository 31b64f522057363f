//! JSON messages: a line each, of cargo (`reason: compiler-message`) or of rustc itself.

use serde::Deserialize;

use super::{Diagnostic, is_summary, push};

/// A longer line is no message of a compiler.
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

pub(super) fn parse(bytes: &[u8], found: &mut Vec<Diagnostic>) {
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
