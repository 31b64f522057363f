//! References as people write them, text that LIKE takes as it is.

use super::{LogFilter, Reference};
use crate::event::Sequence;

#[test]
fn references_are_read_as_people_write_them() {
    let id = |text: &str| Some(Reference::Id(text.to_owned()));
    for (text, expected) in [
        ("142", Some(Reference::Ordinal(142))),
        ("#142", Some(Reference::Ordinal(142))),
        ("@4711", Some(Reference::Sequence(Sequence(4711)))),
        ("last", Some(Reference::Last)),
        ("0193AB", id("0193ab")),
        ("550e8400-e29b-41d4-a716-446655440000", id("550e8400-e29b-41d4-a716-446655440000")),
        ("019312345678", id("019312345678")),
        ("", None),
        ("@", None),
        ("@x", None),
        ("-1", None),
        ("abc", None),
        ("lastly", None),
        ("'; DROP TABLE executions", None),
    ] {
        assert_eq!(Reference::parse(text).ok(), expected, "{text}");
    }
}

#[test]
fn what_people_search_for_never_becomes_sql() {
    let hostile = "'; DROP TABLE executions; -- %_\\".to_owned();
    let filter = LogFilter {
        session: Some(hostile.clone()),
        tool: Some(hostile.clone()),
        path: Some(hostile.clone()),
        grep: Some(hostile),
        ..LogFilter::default()
    };
    let asked = filter.conditions();
    assert!(!asked.sql.contains("DROP"), "{}", asked.sql);
    assert_eq!(asked.values.len(), 7);
}
