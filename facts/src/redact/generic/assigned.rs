//! What a name calls a secret: variables, members, options, lines of configuration.

use super::assignment::{Assignment, Style, further, read};
use crate::redact::judge::{entropy, is_identity, is_path, is_placeholder, is_random, is_token};
use crate::redact::names;
use crate::redact::rule::{Place, Tried};
use crate::redact::structure::{is_code, is_noise, is_sturdy, is_type};

type Accept = fn(&Assignment<'_>, &[u8], Place<'_>) -> bool;

/// A value under a name that says it is a secret.
pub(super) fn assigned(place: Place<'_>) -> Tried {
    let read = match read(place) {
        Ok(read) => read,
        Err(end) => return Tried::nothing(end),
    };
    let mut read = read;
    let (rule, accept): (_, Accept) = match read.style {
        _ if is_variable(&read) => ("environment", variable),
        Style::Option => ("option", option),
        _ => ("assignment", assignment),
    };
    if !read.closed {
        let whole = further(place.text, read.value.start);
        let chosen = names::is_chosen(read.name);
        let strong = |value: &[u8]| {
            !b"+&|,;=".contains(&value[0]) && (is_noise(value) || chosen && is_sturdy(value))
        };
        if whole.end > read.value.end && strong(&place.text[whole.clone()]) || is_said(&read) {
            read.value = whole;
        }
    }
    let value = &place.text[read.value.clone()];
    // `cache['sort_key']` is a key as well.
    let weak = place.text.get(place.at + place.length - 1) == Some(&b']');
    // `format!(…)`, `tokens[0]`: code goes on.
    let goes_on = !read.closed && matches!(place.text.get(read.value.end), Some(b'(' | b'['));
    let called =
        goes_on && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.:!".contains(byte));
    let accepted = value.len() >= 4
        && !called
        && (!weak || value.len() >= 16 && is_token(value) && !is_identity(value))
        && accept(&read, value, place)
        && !names::is_about(read.name)
        && !is_placeholder(value);
    Tried { name: Some(rule), ..Tried::judged(read.value, accepted) }
}

/// `--name value`, `--name=value`.
fn option(it: &Assignment<'_>, value: &[u8], _: Place<'_>) -> bool {
    let name = it.name.iter().all(|byte| !byte.is_ascii_uppercase());
    let known = value.len() >= 8 || is_mixed(value);
    let likely = names::is_chosen(it.name) || is_mixed(value) || is_token(value);
    name && value[0] != b'-' && known && !value.starts_with(b"id=") && likely
}

/// Everything else.
fn assignment(it: &Assignment<'_>, value: &[u8], place: Place<'_>) -> bool {
    match it.style {
        Style::Said | Style::Beside | Style::Argument => told(it, value),
        _ if is_noise(value) => !is_excused(it.name, value),
        Style::Quoted => quoted(it.name, value),
        Style::Tight if is_quote(place.text, it.value.start) => quoted(it.name, value),
        Style::Tight => tight(it, value, place.text),
        _ => loose(it.name, value),
    }
}

fn is_said(it: &Assignment<'_>) -> bool {
    matches!(it.style, Style::Said | Style::Beside)
}

/// What no sign of an assignment gives to the name: the value itself must tell that it is a secret.
fn told(it: &Assignment<'_>, value: &[u8]) -> bool {
    let chosen = names::is_chosen(it.name);
    let has = |of: fn(&u8) -> bool| value.iter().filter(|byte| of(byte)).count();
    // `bcrypt2-hashed`, `base64-encoded`: an adjective.
    let word = |part: &[u8]| part.len() > 3 && part.iter().all(u8::is_ascii_lowercase);
    let compound = value.contains(&b'-') && value.split(|byte| *byte == b'-').any(word);
    let made = value.len() >= 7
        && has(u8::is_ascii_alphabetic) >= 3
        && has(u8::is_ascii_digit) > 0
        && value.iter().all(u8::is_ascii_alphanumeric)
        && (it.style == Style::Said || it.closed && value.len() >= 8)
        || value.len() >= 10
            && has(u8::is_ascii_digit) > 1
            && has(u8::is_ascii_uppercase) > 0
            && has(u8::is_ascii_lowercase) > 0
            && it.style != Style::Beside
            && !compound;
    let token = value.len() >= 20 && is_token(value) && is_random(value) && !is_path(value);
    let strong = is_noise(value) || token && !compound || chosen && (is_sturdy(value) || made);
    strong
        && !is_identity(value)
        && !is_member(value)
        && !is_code(value)
        && !is_type(value)
        && !names::is_secret(value)
}

/// Whether the name is one that a shell's variables have, and nothing stands between it and its
/// value.
fn is_variable(it: &Assignment<'_>) -> bool {
    let name = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    it.style == Style::Tight && it.name.iter().all(name)
}

fn variable(it: &Assignment<'_>, value: &[u8], _: Place<'_>) -> bool {
    let spaced = value.contains(&b' ');
    let loose =
        matches!(value.first(), Some(b'+' | b'.' | b',' | b')' | b']' | b'}' | b';' | b'&'));
    is_noise(value) || !spaced && !loose && (names::is_chosen(it.name) || !is_path(value))
}

fn quoted(name: &[u8], value: &[u8]) -> bool {
    let spaced = value.contains(&b' ') || value.contains(&b'\t');
    !spaced
        && !is_excused(name, value)
        && match names::is_chosen(name) {
            true => !names::is_secret(value) || is_mixed(value),
            false => !is_path(value) && (is_mixed(value) || is_token(value)) && !is_words(value),
        }
}

fn tight(it: &Assignment<'_>, value: &[u8], text: &[u8]) -> bool {
    let next = text.get(it.value.end).copied().unwrap_or(b'\n');
    if !names::is_chosen(it.name) || matches!(next, b',' | b')' | b'[' | b'(') {
        return loose(it.name, value);
    }
    let line = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b'\n' | b'\r' | b';'));
    let start = text[..it.start].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
    let alone = line(start) && line(Some(&next));
    is_mixed(value) && !is_member(value)
        || alone
            && value.len() >= 6
            && value.iter().all(u8::is_ascii_lowercase)
            && !names::is_secret(value)
}

fn loose(name: &[u8], value: &[u8]) -> bool {
    if is_excused(name, value) || is_member(value) || is_type(value) {
        return false;
    }
    match names::is_chosen(name) {
        true => value.len() >= 6 && is_mixed(value) && !is_path(value),
        false => value.len() >= 16 && is_token(value) && is_random(value) && !is_path(value),
    }
}

/// Letters with digits or signs among them: no word, and no type.
fn is_mixed(value: &[u8]) -> bool {
    let letters = value.iter().any(u8::is_ascii_alphabetic);
    let digits = value.iter().any(u8::is_ascii_digit);
    let signs = value.iter().any(|byte| b"!@#^*~%".contains(byte));
    letters && (digits || signs) || digits && value.len() >= 10
}

/// Words with signs between them, some of them numbered: `my-secret-2`.
fn is_words(value: &[u8]) -> bool {
    let part = |part: &[u8]| {
        part.len() < 12
            && (part.iter().all(u8::is_ascii_digit) || part.iter().all(u8::is_ascii_lowercase))
    };
    value.split(|byte| matches!(byte, b'-' | b'_' | b'.' | b'/')).count() > 1
        && value.split(|byte| matches!(byte, b'-' | b'_' | b'.' | b'/')).all(part)
        && entropy(value) < 3.9
}

/// A member of something in code: `user.password2`.
fn is_member(value: &[u8]) -> bool {
    let part = |part: &[u8]| {
        part.first().is_some_and(u8::is_ascii_lowercase)
            && part.len() < 20
            && part.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    value.contains(&b'.') && value.split(|byte| *byte == b'.').all(part)
}

/// An id or a hash under a name that is given to ids as well.
fn is_excused(name: &[u8], value: &[u8]) -> bool {
    is_identity(value) && !names::is_strong(name)
}

fn is_quote(text: &[u8], at: usize) -> bool {
    at > 0 && matches!(text.get(at - 1), Some(b'"' | b'\'' | b'`'))
}
