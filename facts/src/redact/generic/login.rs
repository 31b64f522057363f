//! Passwords that nothing names: the arguments of calls that log in, what SQL identifies a user by.

use crate::redact::judge::is_placeholder;
use crate::redact::rule::{Place, Tried};
use crate::redact::structure::{is_code, is_noise, is_sturdy};

/// How far the arguments of a call go on.
const CALL_MAX: usize = 512;
const ARGUMENTS_MAX: usize = 5;

/// `login("user", "password")`: the last argument but the first that can be a password, where all
/// before it are texts, names and numbers.
pub(super) fn call(place: Place<'_>) -> Tried {
    let line = place.line(CALL_MAX);
    let mut at = place.length;
    let mut last = None;
    // Much is connected that has no password: signals, tables.
    let strong = line[..at].eq_ignore_ascii_case(b"connect(");
    let is_given = |value: &[u8]| is_password(value) && (!strong || !is_plain(value));
    for count in 1..=ARGUMENTS_MAX {
        at += blanks(&line[at..]);
        let text = quoted(line, at);
        let end = match &text {
            Some((_, end)) => *end,
            None => {
                let name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.@$".contains(byte);
                at + line[at..].iter().take_while(name).count()
            }
        };
        if end == at {
            break;
        }
        at = end + blanks(&line[end..]);
        let text = text.map(|(text, _)| text).filter(|_| count > 1);
        last = text.filter(|text| is_given(&line[text.clone()])).or(last);
        match line.get(at) {
            Some(b',') => at += 1,
            Some(b')') => break,
            _ => return Tried::nothing(place.at + end),
        }
    }
    let found = last.map(|range| place.at + range.start..place.at + range.end);
    Tried { found, ..Tried::nothing(place.at + at) }
}

/// `IDENTIFIED BY 'password'`, and with the plugin that checks it.
pub(super) fn identified(place: Place<'_>) -> Tried {
    let line = place.line(CALL_MAX);
    let mut at = place.length;
    let word = |at: usize| {
        let name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_'".contains(byte);
        at + line[at..].iter().take_while(name).count()
    };
    if line[at..].len() > 4 && line[at..at + 4].eq_ignore_ascii_case(b"with") {
        at += 4 + blanks(&line[at + 4..]);
        at = word(at);
        at += blanks(&line[at..]);
    }
    let by = line.get(at..at + 3).is_some_and(|by| by.eq_ignore_ascii_case(b"by "));
    if !by {
        return Tried::nothing(place.at + at);
    }
    at += 3 + blanks(&line[at + 3..]);
    let (range, accepted) = match quoted(line, at) {
        Some((range, _)) => {
            let value = &line[range.clone()];
            let mixed =
                value.iter().any(|byte| byte.is_ascii_digit() || b"!@#$%^&*".contains(byte));
            let spaced = value.contains(&b' ');
            let accepted = value.len() >= 4 && !is_placeholder(value) && mixed && !spaced;
            (range, accepted || is_password(value))
        }
        None => {
            let before = place.before();
            let before = before[before.len().saturating_sub(128)..].to_ascii_lowercase();
            let user = before.windows(5).any(|there| matches!(there, b"user " | b"role "));
            let value = &line[at..word(at)];
            (at..word(at), user && is_password(value))
        }
    };
    Tried::judged(place.at + range.start..place.at + range.end, accepted)
}

/// Whether a text that nothing calls a password must be one.
fn is_password(value: &[u8]) -> bool {
    let has = |of: fn(&u8) -> bool| value.iter().any(of);
    let made = (7..=64).contains(&value.len())
        && has(u8::is_ascii_digit)
        && value.iter().filter(|byte| byte.is_ascii_alphabetic()).count() > 2
        && is_plain(value);
    let word = |part: &[u8]| part.len() > 3 && part.iter().all(u8::is_ascii_alphabetic);
    let address = value.contains(&b'@')
        && value
            .rsplit(|byte| *byte == b'@')
            .next()
            .is_some_and(|host| host.contains(&b'.') && host.split(|byte| *byte == b'.').any(word));
    (is_noise(value) || is_sturdy(value) && !address || made)
        && !is_code(value)
        && !is_placeholder(value)
}

fn is_plain(value: &[u8]) -> bool {
    value.iter().all(u8::is_ascii_alphanumeric)
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take(16).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// What stands in quotes at a place, escaped or not, and where what follows begins.
fn quoted(line: &[u8], at: usize) -> Option<(std::ops::Range<usize>, usize)> {
    let slashes = line[at..].iter().take(8).take_while(|byte| **byte == b'\\').count();
    let quote = *line.get(at + slashes).filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    let start = at + slashes + 1;
    let end = start + line[start..].iter().position(|byte| *byte == quote)?;
    let text = end.checked_sub(slashes).filter(|text| *text >= start)?;
    (line[text..end].iter().all(|byte| *byte == b'\\')).then_some((start..text, end + 1))
}
