//! Private keys in their armour, whole, or without their end or their beginning.

use crate::redact::rule::{Place, Tried};
use crate::redact::shape::{ANY_HEX, BASE64, rest_of_escape};

/// A large key is some 13 KiB.
const KEY_MAX: usize = 32 << 10;
/// The words in the first and the last line.
const LABEL_MAX: usize = 64;

/// The least that a key has in a row.
const BODY_MIN: usize = 16;

/// From the first line to the last, or as far as a key goes.
pub(super) fn block(place: Place<'_>) -> Tried {
    let start = place.at;
    let Some(label) = label(place.behind()) else { return Tried::NOTHING };
    let body = place.at + place.length + label;
    let rest = &place.text[body..];
    let rest = &rest[..rest.len().min(KEY_MAX)];
    let dashes = |from: usize| {
        let found = rest[from..]
            .windows(8)
            .position(|here| here.starts_with(b"-----") || here == b"---- END");
        found.map(|at| from + at)
    };
    let end = match dashes(0) {
        Some(at)
            if rest[at..].starts_with(b"-----END ") || rest[at..].starts_with(b"---- END ") =>
        {
            let line = &rest[at + 9..];
            let ends = self::label(line).map(|length| at + 9 + length);
            ends.unwrap_or_else(|| keyed(rest))
        }
        // No end, or another's beginning: what is written as keys are goes.
        _ => keyed(rest),
    };
    // An armour without anything in it is an example, or code that looks for one.
    let digits = |line: &[u8]| BASE64.run(line, BODY_MIN) == BODY_MIN;
    let keyed = rest[..end].windows(BODY_MIN).any(digits);
    Tried::judged(start..body + end, keyed)
}

/// What stands before the last line of a key whose first line is gone.
pub(super) fn tail(place: Place<'_>) -> Tried {
    let Some(label) = label(place.behind()) else { return Tried::NOTHING };
    let before = place.before();
    let before = &before[before.len().saturating_sub(KEY_MAX)..];
    let mut start = before.len();
    loop {
        let rest = &before[..start];
        let breaks = [&b"\r\n"[..], b"\n", b"\\\\r\\\\n", b"\\r\\n", b"\\\\n", b"\\n"];
        let gap = breaks.iter().find(|sign| rest.ends_with(sign)).map_or(0, |sign| sign.len());
        let rest = &rest[..rest.len() - gap];
        let padding = rest.iter().rev().take(2).take_while(|byte| **byte == b'=').count();
        let rest_of_line = &rest[..rest.len() - padding];
        let line = BASE64.run_back(rest_of_line, KEY_MAX);
        let line = line - rest_of_escape(rest_of_line, rest_of_line.len() - line).min(line);
        let is_last = start == before.len();
        let is_cut = rest.len() == line + padding;
        // A shorter line is no part of a key, if it is not the last, or was cut where a text begins.
        if gap == 0 || line == 0 || line < 48 && !is_last && !(is_cut && line >= 16) {
            break;
        }
        start = rest.len() - padding - line;
    }
    let length = before.len() - start;
    let range = place.at - length..place.at + place.length + label;
    if length < BODY_MIN { Tried::nothing(range.end) } else { Tried::found(range) }
}

/// The private lines of a key in PuTTY's own form.
pub(super) fn putty(place: Place<'_>) -> Tried {
    let behind = place.behind();
    let behind = &behind[..behind.len().min(KEY_MAX)];
    let mut at =
        behind.iter().take(16).take_while(|byte| **byte != b'\n' && **byte != b'\\').count();
    let start = at;
    // The last line may be of any length.
    let lines = std::str::from_utf8(&behind[..at]).ok().and_then(|it| it.trim().parse().ok());
    let mut lines: usize = lines.unwrap_or(0);
    loop {
        let gap = behind[at..].iter().take(4).take_while(|b| b"\r\n\\rn".contains(b)).count();
        let line = BASE64.run(&behind[at + gap..], KEY_MAX);
        if gap == 0 || line == 0 || line < 32 && lines == 0 {
            break;
        }
        lines = lines.saturating_sub(1);
        at += gap + line;
        at += behind[at..].iter().take(2).take_while(|byte| **byte == b'=').count();
    }
    let from = place.at + place.length;
    Tried::of((at > start).then(|| from + start..from + at))
}

/// What a key in PuTTY's own form is checked with: it tells whether a guessed passphrase is right.
pub(super) fn mac(place: Place<'_>) -> Tried {
    let from = place.at + place.length;
    let from = from + place.behind().iter().take(4).take_while(|byte| **byte == b' ').count();
    let digits = ANY_HEX.run(&place.text[from..], 128);
    Tried::of(matches!(digits, 40 | 64).then_some(from..from + digits))
}

/// How long the rest of an armour's line is that names a private key.
fn label(text: &[u8]) -> Option<usize> {
    let text = &text[..text.len().min(LABEL_MAX)];
    let dashes = text.windows(4).position(|here| here == b"----")?;
    let name = &text[..dashes];
    let private = name.windows(11).any(|word| matches!(word, b"PRIVATE KEY" | b"PRIVATE+KEY"));
    let line = name.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ');
    let end = text[dashes..].iter().take_while(|byte| **byte == b'-').count();
    (private && line).then_some(dashes + end)
}

/// How far the bytes go that a key's body and its headers are written in.
fn keyed(text: &[u8]) -> usize {
    let key = |byte: &u8| BASE64.has(*byte) || b"=\n\r\t \\:,%".contains(byte);
    text.iter().position(|byte| !key(byte)).unwrap_or(text.len())
}
