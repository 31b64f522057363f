//! Text that was remembered, as an item of a pack: it can neither look like a heading of ours nor end its item, and
//! nothing in it drives a terminal.

use crate::grounding::timeline::is_hidden;

/// Before every line of an item but the first: still within the item of a list.
const INDENT: &str = "    ";

pub(super) fn lines(text: &str) -> String {
    let mut told = String::with_capacity(text.len());
    for (number, line) in text.trim().lines().enumerate() {
        let line = line.trim_end();
        if number > 0 {
            told.push('\n');
            if !line.is_empty() {
                told.push_str(INDENT);
            }
        }
        let (indent, rest) = line.split_at(line.len() - line.trim_start().len());
        told.extend(indent.chars().map(shown));
        if is_mark(rest) {
            told.push('\\');
        }
        told.extend(rest.chars().map(shown));
    }
    told
}

/// A text that is one line: the ends of lines in it are blanks.
pub(super) fn line(text: &str) -> String {
    lines(&text.replace(['\n', '\r'], " "))
}

/// Whether a line would begin a heading or another block, make the line above it a heading, or part
/// what follows from it.
fn is_mark(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    let is_heading = heading.len() < line.len() && heading.trim_start().len() < heading.len();
    let rule = |mark: char| !line.is_empty() && line.chars().all(|c| c == mark || c == ' ');
    is_heading
        || line.ends_with('#') && heading.is_empty()
        || line.starts_with("===")
        || ['-', '=', '*', '_'].into_iter().any(rule)
}

fn shown(c: char) -> char {
    match c {
        '\t' => ' ',
        c if c.is_control() || is_hidden(c) => '\u{fffd}',
        c => c,
    }
}
