//! Markers that stand in a text already: no pattern takes the name of a rule out of one.

use std::ops::Range;

const BEGIN: &[u8] = b"[REDACTED:";
/// Longer names has no rule.
const NAME_BYTES_MAX: usize = 64;

/// Where markers of these rules stand, in order.
pub(super) fn all(text: &[u8], is_rule: impl Fn(&[u8]) -> bool) -> Vec<Range<usize>> {
    let marker = |start: usize| {
        let behind = &text[start + BEGIN.len()..];
        let length = behind.iter().take(NAME_BYTES_MAX + 1).position(|byte| *byte == b']')?;
        is_rule(&behind[..length]).then(|| start..start + BEGIN.len() + length + 1)
    };
    let begins = text.iter().enumerate().filter(|(_, byte)| **byte == BEGIN[0]);
    let begins = begins.map(|(at, _)| at).filter(|at| text[*at..].starts_with(BEGIN));
    begins.filter_map(marker).collect()
}

/// A match with the whole of each marker that it cuts; nothing where it lies in one.
pub(super) fn around(markers: &[Range<usize>], found: Range<usize>) -> Option<Range<usize>> {
    let first = markers.partition_point(|marker| marker.end <= found.start);
    let met = &markers[first..];
    let met = &met[..met.partition_point(|marker| marker.start < found.end)];
    let (Some(first), Some(last)) = (met.first(), met.last()) else { return Some(found) };
    let lies_in = first.start <= found.start && found.end <= first.end;
    (!lies_in).then(|| found.start.min(first.start)..found.end.max(last.end))
}
