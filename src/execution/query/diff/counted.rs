//! How many lines an edit changed of which no place is known.

use super::leg::Loose;

#[test]
fn lines_that_went_and_came_are_counted_without_those_that_stayed() {
    for (old, new, expect) in [
        ("timeout = 30", "timeout = 60", (1, 1)),
        ("a\nb", "a\nc", (1, 1)),
        ("a\nb\nc", "a\nc", (1, 0)),
        ("b", "b\nb", (0, 1)),
        ("a\nb\na", "a\nb\nb\na", (0, 1)),
        ("a", "a", (0, 0)),
        ("a\nb", "c\nd\ne", (2, 3)),
    ] {
        let (old, new) = (old.to_owned(), new.to_owned());
        let loose = Loose { old, new, is_lines: false, all: false, by: 0 };
        assert_eq!(loose.counts(), expect, "{loose:?}");
    }
}
