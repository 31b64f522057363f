//! The first diagnostic of an execution, in one line.

use serde::Deserialize;

/// Bytes of the line that the index keeps.
const LINE_BYTES_MAX: usize = 400;

#[derive(Deserialize)]
struct Diagnostic {
    #[serde(default)]
    level: Option<String>,
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    file_name: Option<String>,
    #[serde(default)]
    line_start: Option<u64>,
}

/// `error[E0425] src/lib.rs:3: cannot find value`: of the first error, else of the first.
pub(super) fn first(json: &str) -> Option<String> {
    // What is not of this shape has no line; the artifact keeps it as it came.
    let found: Vec<Diagnostic> = serde_json::from_str(json).ok()?;
    let is_error = |found: &&Diagnostic| found.level.as_deref() == Some("error");
    let first = found.iter().find(is_error).or(found.first())?;
    let mut line = first.level.clone().unwrap_or_else(|| "diagnostic".to_owned());
    if let Some(code) = &first.code {
        line.push_str(&format!("[{code}]"));
    }
    if let Some(file) = &first.file_name {
        line.push_str(&format!(" {file}"));
        if let Some(at) = first.line_start {
            line.push_str(&format!(":{at}"));
        }
    }
    if let Some(message) = &first.message {
        line.push_str(&format!(": {message}"));
    }
    Some(cut(&line, LINE_BYTES_MAX).to_owned())
}

/// The beginning of a text, whole characters only.
pub(super) fn cut(text: &str, bytes_max: usize) -> &str {
    let mut end = bytes_max.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
