//! Every table parses, and every pattern in it compiles.

use super::table::TABLES;

#[test]
fn every_table_is_read_and_every_pattern_compiles() {
    assert!(TABLES.len() > 25, "{}", TABLES.len());
    for table in TABLES.iter() {
        let patterns = table.patterns().unwrap();
        let compiled: usize = patterns.rows.iter().map(|it| it.lines.len()).sum();
        assert_eq!(compiled, table.patterns_len(), "{}", table.name);
    }
}
