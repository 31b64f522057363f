//! Every table parses, and every pattern in it compiles.

use super::signs::{Signs, TABLES_MAX};
use super::table::TABLES;

#[test]
fn every_table_is_read_and_every_pattern_compiles() {
    assert!(TABLES.len() > 25, "{}", TABLES.len());
    for table in TABLES.iter() {
        let patterns = table.patterns().unwrap_or_else(|| panic!("{} does not parse", table.name));
        for expression in patterns.all() {
            assert!(expression.regex().is_some(), "{}: {expression:?}", table.name);
        }
    }
}

#[test]
fn signs_are_found_one_by_one_and_all_at_once() {
    assert!(TABLES.len() <= TABLES_MAX, "a bit each");
    let mut many = Signs::of(&[]);
    for _ in 0..1000 {
        many.line("x");
    }
    for line in ["FAIL\ta", "error[E0425]: no", "src/a.go:3:4: no", "", "fine", "x1: (2) problems"]
    {
        let contained = |at: &usize| {
            !TABLES[*at].is_own && TABLES[*at].signs.iter().any(|it| line.contains(&**it))
        };
        let expected: Vec<usize> = (0..TABLES.len()).filter(contained).collect();
        for mut signs in [Signs::of(&[]), many.clone()] {
            assert_eq!(signs.line(line).tables().collect::<Vec<_>>(), expected, "{line}");
        }
    }
}
