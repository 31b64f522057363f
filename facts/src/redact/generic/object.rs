//! Secrets of Kubernetes: every value of such an object is one, whatever its name.

use std::ops::Range;

use crate::redact::disguise;
use crate::redact::judge::is_placeholder;
use crate::redact::names::list;
use crate::redact::rule::Place;

/// How far before and behind its kind the values of an object are looked for.
const AROUND: usize = 2 << 10;

/// Names in such objects whose values open nothing.
const OPEN: &[&str] = list!(
    "username user host hostname port database dbname type tls.crt ca.crt namespace issuer email"
);

/// Shows every value, and gives where what was looked at ends.
pub(super) fn secret(place: Place<'_>, seen: &mut dyn FnMut(Range<usize>)) -> usize {
    let text = place.text;
    let quoted = place.here()[place.length - 1] == b'"';
    let behind = place.at + place.length;
    if !quoted && text.get(behind).is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b'\\')
    {
        return behind;
    }
    let floor = place.at.saturating_sub(AROUND);
    let from = last_of(&text[floor..place.at], [b"\n---", b"kind"]).map_or(floor, |at| floor + at);
    let limit = text.len().min(behind + AROUND);
    let to = first_of(&text[behind..limit], [b"\n---", b"kind"]).map_or(limit, |at| behind + at);
    let mut at = from;
    let mut inside = None;
    while at < to {
        let line = &text[at..to];
        let (length, gap) = line_end(line);
        let indent = line[..length].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        entries(text, at..at + length, indent, &mut inside, seen);
        at += length + gap;
    }
    to
}

/// Whether values are base 64, and the indent of the block's name.
type Block = (bool, usize);

/// Looks at the names and values of one line; JSON may have all of them there.
fn entries(
    text: &[u8],
    line: Range<usize>,
    indent: usize,
    inside: &mut Option<Block>,
    seen: &mut dyn FnMut(Range<usize>),
) {
    let mut at = line.start;
    while let Some(colon) = text[at..line.end].iter().position(|byte| *byte == b':') {
        let name = text[at..at + colon].trim_ascii();
        let name = name
            .rsplit(|byte| b"{,\"'\\ ".contains(byte))
            .find(|part| !part.is_empty())
            .unwrap_or_default();
        let json = text[at..at + colon].contains(&b'"');
        let mut value = at + colon + 1;
        value += text[value..line.end].iter().take_while(|byte| b" \t\"'\\".contains(byte)).count();
        let ends = |byte: &u8| b"\"'\\".contains(byte) || json && b",}".contains(byte);
        let quoted = text[value - 1..value].iter().any(|byte| b"\"'\\".contains(byte));
        let stop = |byte: &u8| if quoted { b"\"'\\".contains(byte) } else { ends(byte) };
        let length = text[value..line.end].iter().position(stop).unwrap_or(line.end - value);
        let here = &text[value..value + length].trim_ascii_end();
        let opened = |rest: &[u8]| matches!(rest.first(), None | Some(b'{' | b'#'));
        match name {
            b"data" | b"stringData" if opened(here) => *inside = Some((name == b"data", indent)),
            _ => {
                let (coded, block) = match *inside {
                    Some(block) if json || indent > block.1 => block,
                    _ => {
                        *inside = None;
                        (false, usize::MAX)
                    }
                };
                let open = OPEN.iter().any(|it| name.eq_ignore_ascii_case(it.as_bytes()));
                let marked = name.starts_with(b"[REDACTED");
                if block != usize::MAX && !open && !marked && is_value(here, coded) {
                    seen(value..value + here.len());
                }
            }
        }
        at = value + length;
        let closes = text[at..line.end].iter().position(|byte| *byte == b':');
        if json && text[at..at + closes.unwrap_or(line.end - at)].contains(&b'}') {
            *inside = None;
        }
    }
    let rest = text[line.clone()].trim_ascii();
    if rest.starts_with(b"}") {
        *inside = None;
    }
    // A line of a value that has lines.
    let Some((coded, block)) = *inside else { return };
    let spaced = rest.contains(&b' ') || rest.contains(&b':');
    if indent > block + 2 && rest.len() >= 8 && !spaced && is_value(rest, coded) {
        let from = line.start + indent;
        seen(from..from + rest.len());
    }
}

fn is_value(value: &[u8], coded: bool) -> bool {
    let plain = disguise::text(value).filter(|_| coded);
    let judged = plain.as_deref().unwrap_or(value);
    value.len() >= 4 && !is_placeholder(judged) && (plain.is_some() || !coded || value.len() >= 16)
}

/// Where a line ends, escaped or not, and how long its end is.
fn line_end(text: &[u8]) -> (usize, usize) {
    let ends = |at: &usize| text[*at] == b'\n' || text[*at..].starts_with(b"\\n");
    match (0..text.len()).find(ends) {
        Some(at) => (at, if text[at] == b'\n' { 1 } else { 2 }),
        None => (text.len(), 0),
    }
}

fn first_of(text: &[u8], words: [&[u8]; 2]) -> Option<usize> {
    (0..text.len()).find(|at| words.iter().any(|word| text[*at..].starts_with(word)))
}

fn last_of(text: &[u8], words: [&[u8]; 2]) -> Option<usize> {
    (0..text.len()).rev().find(|at| words.iter().any(|word| text[*at..].starts_with(word)))
}
