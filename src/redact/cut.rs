//! Where a text may be cut before redaction has seen it: never inside of what could be a secret.

/// What goes on longer without a space is no token, and is cut where the bound is.
const RUN_MAX: usize = 16 << 10;
/// How far the beginning of a line is looked for.
const LINE_MAX: usize = 4 << 10;

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

/// Where the end of a text begins that is to begin at `from` or behind it: with a line, so that no value
/// stands there without the name that tells what it is; where none begins soon, behind the word that
/// `from` is in.
pub fn start_of_tail(text: &[u8], from: usize) -> usize {
    let from = from.min(text.len());
    let (before, tail) = text.split_at(from);
    if before.is_empty() || before.ends_with(b"\n") {
        return from;
    }
    let line = tail.iter().take(LINE_MAX).position(|byte| *byte == b'\n');
    if let Some(line) = line {
        return from + line + 1;
    }
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
