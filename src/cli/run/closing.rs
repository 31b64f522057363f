//! How a child's end is told to the journal.

use std::io;

use super::child::Ended;
use crate::event::{Closing, Outcome};
use crate::execution::infer;
use crate::parse::diagnostics;
use crate::redact::end_of_head;

/// Of standard error, what becomes the error message where nothing better is known.
const ERROR_BYTES_MAX: usize = 400;

/// The closing event's content for a child that ended, or that could not be started.
pub fn of(tool: &str, ended: &io::Result<Ended>) -> Closing {
    let ended = match ended {
        Ok(ended) => ended,
        Err(error) => return not_started(error),
    };
    let found = match tool {
        infer::CHECK => diagnostics::parse(ended.stdout.head(), ended.stderr.head()),
        _ => Vec::new(),
    };
    let failed = ended.code != 0;
    let mut paths: Vec<String> = found.iter().filter_map(|one| one.file_name.clone()).collect();
    paths.sort();
    paths.dedup();
    Closing {
        outcome: if failed { Outcome::Failed } else { Outcome::Ok },
        exit_code: Some(i32::from(ended.code)),
        duration_ms: Some(ended.duration_ms),
        error: failed.then(|| error(ended, &found)),
        stdout: ended.stdout.content(),
        stderr: ended.stderr.content(),
        // Serialization of these types has no way to fail; without it the text is still there.
        diagnostics: diagnostics::to_json(&found).unwrap_or_default(),
        paths,
        symbols: Vec::new(),
        changed: Vec::new(),
    }
}

fn not_started(error: &io::Error) -> Closing {
    Closing {
        outcome: Outcome::Failed,
        exit_code: None,
        duration_ms: None,
        error: Some(format!("could not be started: {error}")),
        stdout: None,
        stderr: None,
        diagnostics: None,
        paths: Vec::new(),
        symbols: Vec::new(),
        changed: Vec::new(),
    }
}

/// What a person would want to read first: the first error, else the last line on standard error.
fn error(ended: &Ended, found: &[diagnostics::Diagnostic]) -> String {
    if let Some(first) = found.iter().find(|one| one.level == "error") {
        let code = first.code.as_ref().map(|code| format!("[{code}]")).unwrap_or_default();
        return format!("error{code}: {}", first.message);
    }
    if let Some(signal) = ended.signal {
        return format!("ended by signal {signal}");
    }
    let head = ended.stderr.head();
    let tail = String::from_utf8_lossy(&head[head.len().saturating_sub(4 << 10)..]);
    let last = tail.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let mut text = last.unwrap_or_default().to_owned();
    if text.is_empty() {
        return format!("exit code {}", ended.code);
    }
    text.truncate(text.floor_char_boundary(end_of_head(text.as_bytes(), ERROR_BYTES_MAX)));
    text
}
