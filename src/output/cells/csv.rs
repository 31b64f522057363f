//! CSV (RFC 4180): a comma between, CRLF behind, quoted where it must be.
//!
//! Cells are data: one that begins with `=`, `+`, `-` or `@` is written as it is, though a
//! spreadsheet would take it for a formula.

use super::Cell;

/// One row, its line's end included.
pub fn csv_line<'a>(cells: impl IntoIterator<Item = &'a Cell<'a>>) -> String {
    let mut line = String::new();
    for (at, cell) in cells.into_iter().enumerate() {
        if at > 0 {
            line.push(',');
        }
        push(&mut line, &cell.text(), matches!(cell, Cell::Null));
    }
    line.push_str("\r\n");
    line
}

fn push(line: &mut String, text: &str, null: bool) {
    // Nothing is null, two quotation marks an empty text.
    let quoted = text.contains([',', '"', '\r', '\n']) || text.is_empty() && !null;
    if !quoted {
        return line.push_str(text);
    }
    line.push('"');
    line.push_str(&text.replace('"', "\"\""));
    line.push('"');
}
