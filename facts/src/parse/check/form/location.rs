//! Places in what a report says of a failure.

use crate::parse::check::runner::failures::{Frame, NAME_BYTES};
use crate::parse::check::runner::place;

/// The first place in a line: `a_test.py:7: AssertionError`, `at f (/w/a.js:3:9)`, `File "a.py", line 7`.
pub(super) fn place_in(line: &str) -> Option<Frame> {
    let python = line.trim_start().strip_prefix("File \"");
    if let Some((file, rest)) = python.and_then(|it| it.split_once("\", line ")) {
        let digits = rest.split(|it: char| !it.is_ascii_digit()).next()?;
        return Some(Frame::new(None, file, digits.parse().ok()?)); // no number
    }
    let is_around = |it: char| matches!(it, '(' | ')' | '[' | ']' | '"' | '\'' | ',');
    let words = line.split_whitespace().map(|it| it.trim_matches(is_around));
    let words = words.map(|it| it.trim_start_matches("file://"));
    words.filter(|it| it.len() <= NAME_BYTES).find_map(|word| {
        let word = word.rsplit_once('(').map_or(word, |it| it.1);
        let (file, line, _) = place(word)?;
        let name = file.rsplit(['/', '\\']).next()?;
        let has_ending =
            name.split_once('.').is_some_and(|it| it.1.starts_with(char::is_alphabetic));
        has_ending.then(|| Frame::new(None, file, line))
    })
}
