//! Alignment, cutting and escaping of tables.

use super::{Table, cut};

#[test]
fn columns_line_up_and_cells_are_escaped() {
    let mut table = Table::new(&[">no", "tool", "what"]);
    table.row(None, &["7", "file_read", "a"]);
    table.row(None, &["12", "x", "b\u{1b}[1m"]);
    assert_eq!(lines(&table, 80), [" 7  file_read  a", "12  x          b\\x1b[1m"]);
}

fn lines(table: &Table, columns: usize) -> Vec<String> {
    let widths = table.widths(columns);
    let line = |it: &super::Row| table.format(&it.cells, it.target, &widths, columns);
    table.rows.iter().map(line).collect()
}

#[test]
fn a_narrow_table_keeps_what_failed_and_why() {
    let titles = [">no", "time", "tool", "outcome", ">took", "what"];
    let mut table = Table::new(&titles).narrowing(&["took", "tool", "time"]);
    let cells = ["7", "2026-01-31 10:11:12", "bash_exec", "failed, behind a pipe", "310 ms"];
    let why = "error[E0308] crates/one/src/deep/file.rs:12: mismatched types (and 3 more)";
    table.row_of_failure(None, &cells.map(str::to_owned), "cargo check", why);
    for (columns, expected) in [
        (40, " 7  failed,…  cargo check: …/file.rs:12…"),
        (80, " 7  failed, behind a pipe  cargo check: error[E0308] …/file.rs:12:… (and 3 more)"),
    ] {
        assert_eq!(lines(&table, columns), [expected]);
    }
    let whole = lines(&table, 200);
    assert!(whole[0].ends_with(why) && whole[0].contains("310 ms"), "{whole:?}");
}

#[test]
fn paths_give_way_at_their_front() {
    for (target, why, max, expected) in [
        ("src/deep/folder/file.rs", "", 16, "\u{2026}/folder/file.rs"),
        ("src/deep/file.rs", "", 9, "\u{2026}/file.rs"),
        ("src/deep/file.rs", "", 5, "\u{2026}e.rs"),
        ("cd src/deep && cargo test", "", 12, "cargo test"),
        ("cargo test --all", "", 9, "cargo te\u{2026}"),
        ("a.rs", "error src/deep/file.rs:12: no", 28, "a.rs: error \u{2026}/file.rs:12: no"),
        ("a.rs", "no (and 3 more)", 19, "a.rs: no"),
        ("", "no", 9, "no"),
        ("\u{e4}/\u{f6}/\u{fc}", "\u{e4}", 4, "\u{2026}: \u{e4}"),
    ] {
        let told = super::told(target, why, max);
        assert!(told.chars().count() <= max.max(3), "{told}");
        assert_eq!(told, expected, "{target} {max}");
    }
}

#[test]
fn cutting_counts_characters_and_marks_the_cut() {
    for (text, max, expect) in
        [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("äöü", 2, "ä…"), ("", 0, "")]
    {
        assert_eq!(cut(text, max), expect);
    }
}
