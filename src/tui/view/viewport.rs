//! Which part of a list is seen.

use std::ops::Range;

/// The items of these heights that are seen in so many lines: the end of the list where the chosen
/// one is near it, else the chosen one in the middle.
pub fn seen(heights: &[usize], chosen: usize, lines: usize) -> Range<usize> {
    let begin = |from: usize, room: usize| {
        let mut taken = 0;
        let mut first = from;
        while first > 0 && taken + heights[first - 1] <= room {
            first -= 1;
            taken += heights[first];
        }
        first
    };
    let at_end = begin(heights.len(), lines);
    let own = heights.get(chosen).copied().unwrap_or(0);
    let first = match chosen >= at_end {
        true => at_end,
        false => begin(chosen, lines.saturating_sub(own) / 2),
    };
    let mut taken = 0;
    let fits = |height: &&usize| {
        taken += **height;
        taken <= lines
    };
    let count = heights[first..].iter().take_while(fits).count();
    // One that is higher than the room is seen in part.
    first..(first + count).max((first + 1).min(heights.len()))
}
