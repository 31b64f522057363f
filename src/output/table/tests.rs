//! Alignment, cutting and escaping of tables.

use super::{Table, cut};

#[test]
fn columns_line_up_and_cells_are_escaped() {
    let mut table = Table::new(&[">no", "tool", "what"]);
    table.row(None, &["7", "file_read", "a"]);
    table.row(None, &["12", "x", "b\u{1b}[1m"]);
    let widths = table.widths();
    let lines: Vec<_> =
        table.rows.iter().map(|(_, cells)| table.format(cells, &widths, 80)).collect();
    assert_eq!(lines, [" 7  file_read  a", "12  x          b\\x1b[1m"]);
}

#[test]
fn cutting_counts_characters_and_marks_the_cut() {
    for (text, max, expect) in
        [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("äöü", 2, "ä…"), ("", 0, "")]
    {
        assert_eq!(cut(text, max), expect);
    }
}
