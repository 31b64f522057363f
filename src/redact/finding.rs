//! A secret that was found in a text.

use std::ops::Range;

/// A secret that was found in a text: where, and what says so; nothing of what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedactFinding<'r> {
    /// The bytes that a marker would stand for, in the text as it was given.
    pub range: Range<usize>,
    /// The rule's name, as in its marker `[REDACTED:rule]`.
    pub rule: &'r str,
}

/// Findings in order, those that overlap as one: the one that begins first, and the longer of two
/// that begin together, names it.
pub(super) fn apart(mut found: Vec<RedactFinding<'_>>) -> Vec<RedactFinding<'_>> {
    found.sort_by_key(|one| (one.range.start, std::cmp::Reverse(one.range.end)));
    let mut apart: Vec<RedactFinding<'_>> = Vec::with_capacity(found.len());
    for one in found {
        match apart.last_mut() {
            Some(last) if one.range.start < last.range.end => {
                last.range.end = last.range.end.max(one.range.end);
            }
            _ => apart.push(one),
        }
    }
    apart
}
