//! The line of what a command printed that a summary quotes.

use super::{TEXT_BYTES_MAX, one_line};
use crate::event::Content;
use crate::parse::check::diagnostic::cut;
use crate::parse::check::lines::plain;
use crate::parse::content;

/// Of an output's end, the bytes in which its last line is looked for.
const END_BYTES_MAX: usize = 4 << 10;

/// What `cargo test` says of each of its programs: the last one's examples may be none.
const SUM: &str = "test result: ok. ";

/// The sum of the most tests, and how many those are.
pub fn most_tests(printed: &Content) -> Option<(u64, String)> {
    let text = content::text(printed, 2 * END_BYTES_MAX)?;
    let sums = text.lines().filter_map(|line| {
        let line = plain(line.as_bytes()).trim().to_owned();
        let passed = line.strip_prefix(SUM)?.split_once(" passed")?.0.parse().ok()?; // no sum
        Some((passed, line))
    });
    let (passed, line) = sums.max_by_key(|it| it.0)?;
    Some((passed, one_line(cut(&line, TEXT_BYTES_MAX)).into_owned()))
}

pub fn last_line(printed: &Content) -> Option<String> {
    let text = content::text(printed, 2 * END_BYTES_MAX)?;
    let begin = text.ceil_char_boundary(text.len().saturating_sub(END_BYTES_MAX));
    // A progress bar writes over its line again and again.
    let lines = text[begin..].rsplit(['\n', '\r']).map(|line| plain(line.as_bytes()));
    let line = lines.map(|line| line.trim().to_owned()).find(|line| !line.is_empty())?;
    Some(one_line(cut(&line, TEXT_BYTES_MAX)).into_owned())
}

#[cfg(test)]
mod tests {
    use super::most_tests;
    use crate::event::Content;

    #[test]
    fn of_several_sums_that_of_the_most_tests_is_quoted() {
        let sum = |passed: u32| format!("test result: ok. {passed} passed; 0 failed; 0 ignored\n");
        let printed = format!("{}   Doc-tests x\n\n{}", sum(12), sum(0));
        let found = most_tests(&Content::Inline(printed.into_bytes()));
        assert_eq!(found, Some((12, sum(12).trim().to_owned())));
        assert_eq!(most_tests(&Content::Inline(b"ok\n".to_vec())), None);
    }
}
