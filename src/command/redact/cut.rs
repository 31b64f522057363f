//! Where a text may be cut before redaction has seen it: never inside of what could be a secret.

/// What goes on longer without a space is no token, and is cut where the bound is.
const RUN_MAX: usize = 16 << 10;

/// Where the beginning of a text ends that is to be `max` bytes at most: before the word that the
/// bound is in. Half a token would pass the rules.
pub fn end_of_head(text: &[u8], max: usize) -> usize {
    let max = max.min(text.len());
    let (head, rest) = text.split_at(max);
    match head.last().zip(rest.first()) {
        Some((last, next)) if !separates(*last) && !separates(*next) => {
            let run = head.iter().rev().take(RUN_MAX).position(|byte| separates(*byte));
            run.map_or(max, |run| max - run)
        }
        _ => max,
    }
}

/// Where the end of a text begins that is to begin at `from` or behind it: behind the word that it
/// is in.
pub fn start_of_tail(text: &[u8], from: usize) -> usize {
    let from = from.min(text.len());
    let (before, tail) = text.split_at(from);
    match before.last().zip(tail.first()) {
        Some((last, next)) if !separates(*last) && !separates(*next) => {
            let run = tail.iter().take(RUN_MAX).position(|byte| separates(*byte));
            run.map_or(from, |run| from + run)
        }
        _ => from,
    }
}

fn separates(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`')
}
