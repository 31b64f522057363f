//! The diagnostics of an execution: recorded, or read from what it printed.

use super::{Diagnostic, parse, recorded};
use crate::event::Closing;
use crate::parse::content;

/// Tools whose output is a compiler's, or may be. What others print is text that somebody wrote.
const PRINTERS: [&str; 3] = ["lsp_check", "splice_patch", "bash_exec"];

/// Of each output, the bytes that are read: half of them from its beginning, half from its end.
const OUTPUT_BYTES_MAX: usize = 1 << 20;

/// Without one of these a text holds no diagnostic that is kept.
const SIGNS: [&str; 4] = ["--> ", "compiler-message", "error[", "\"spans\":"];

/// An execution's diagnostics: the recorded ones; where none were recorded, those that a compiler
/// printed and that have a code or a place.
pub(crate) fn of_closing(tool: &str, closing: &Closing) -> Vec<Diagnostic> {
    if let Some(json) = &closing.diagnostics {
        return recorded::parse(&json.0);
    }
    if !PRINTERS.contains(&tool) {
        return Vec::new();
    }
    let printed = |content: &Option<_>| {
        content.as_ref().and_then(|content| content::text(content, OUTPUT_BYTES_MAX)).map(|text| {
            let promising = SIGNS.iter().any(|sign| text.contains(sign));
            if promising { text.into_owned() } else { String::new() }
        })
    };
    let stdout = printed(&closing.stdout).unwrap_or_default();
    let stderr = printed(&closing.stderr).unwrap_or_default();
    if stdout.is_empty() && stderr.is_empty() {
        return Vec::new();
    }
    let mut found = parse(stdout.as_bytes(), stderr.as_bytes());
    found.retain(|one| one.code.is_some() || one.file_name.is_some());
    for one in &mut found {
        let texts = [Some(&mut one.message), one.file_name.as_mut(), one.code.as_mut()];
        for text in texts.into_iter().flatten().filter(|text| text.contains('\0')) {
            *text = text.replace('\0', "\u{fffd}");
        }
    }
    found
}
