//! How a rule looks at the place where one of its keywords was found.

use std::ops::Range;

use super::generic::assignment;
use super::judge::{is_example, is_placeholder, is_random, is_token};
use super::names;
use super::rule::{Look, Place, Rule, Tried};
use super::shape::{self, ANY_BASE64, Piece, ends_a_word};

pub(super) fn look(rule: &Rule, place: Place<'_>) -> Tried {
    let tried = match rule.look {
        Look::Token(shape) => token(rule, place, shape, |body| !is_example(body)),
        Look::Random(shape) => token(rule, place, shape, is_token),
        Look::Named(shapes) => named(place, shapes),
        Look::By(look) => look(place),
        Look::Each(_) => Tried::NOTHING,
    };
    Tried { found: tried.found.and_then(|range| unmarked(place.text, range)), ..tried }
}

/// The range, where something stands there that is no marker.
pub(super) fn unmarked(text: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let marked = text[range.clone()].starts_with(b"[REDACTED:");
    (!range.is_empty() && !marked).then_some(range)
}

fn token(rule: &Rule, place: Place<'_>, shape: &[Piece], accept: fn(&[u8]) -> bool) -> Tried {
    let prefix = &place.here()[..place.length];
    let known = rule.keywords.iter().any(|keyword| keyword.as_bytes() == prefix);
    let attached = !ends_a_word(place.before());
    if !known || attached && !may_be_attached(place) {
        return Tried::NOTHING;
    }
    let end = |length: usize| place.at + place.length + length;
    let tells = |body: &[u8]| body.len() >= 16 && is_token(body) || is_drawn(body);
    let accept = |body: &[u8]| accept(body) && (!attached || tells(body));
    match shape::measured(shape, place.behind()) {
        Ok(length) => Tried::judged(place.at..end(length), accept(&place.behind()[..length])),
        // Another prefix in what cannot be such a token begins none either.
        Err(far) => Tried::judged(place.at..end(far), false),
    }
}

/// What no words are, whatever stands between them.
fn is_drawn(body: &[u8]) -> bool {
    let count = |of: fn(&u8) -> bool| body.iter().filter(|byte| of(byte)).count();
    let cases = count(u8::is_ascii_lowercase).min(count(u8::is_ascii_uppercase));
    body.len() >= 16 && is_random(body) && (cases > 1 || count(u8::is_ascii_digit) > 2)
}

/// A longer word before a token is base 64, in which anything stands by chance.
const ATTACHED_MAX: usize = 24;

/// Whether a token may begin in the middle of a word: its prefix tells itself there too, and what
/// stands before it in the same letters is short.
fn may_be_attached(place: Place<'_>) -> bool {
    let prefix = &place.here()[..place.length];
    let signed = place.length >= 4 && prefix.iter().any(|byte| matches!(byte, b'_' | b'-'));
    let known = matches!(prefix, b"AKIA" | b"ASIA" | b"AIza");
    (signed || known) && ANY_BASE64.run_back(place.before(), ATTACHED_MAX) < ATTACHED_MAX
}

fn named(place: Place<'_>, shapes: &[&[Piece]]) -> Tried {
    let (name, range) = match named_value(place) {
        Ok(read) => read,
        Err(seen) => return Tried::nothing(seen),
    };
    let value = &place.text[range.clone()];
    let fits = |shape: &&[Piece]| shape::length(shape, value) == Some(value.len());
    let accepted = names::is_secret(name)
        && !names::is_about(name)
        && shapes.iter().any(fits)
        && !is_placeholder(value);
    Tried::judged(range, accepted)
}

/// The name that a keyword is in, and its value; the name may be of several words. Where there is
/// none, the end of the name.
fn named_value(place: Place<'_>) -> Result<(&[u8], Range<usize>), usize> {
    let end = match assignment::read(place) {
        Ok(it) => return Ok((it.name, it.value)),
        Err(end) => end,
    };
    let here = place.here();
    let words = |byte: &&u8| byte.is_ascii_alphanumeric() || b" _-".contains(byte);
    let length = here.iter().take(48).take_while(words).count();
    let last = here[..length].trim_ascii_end().iter().rposition(|byte| *byte == b' ');
    let last = last.map_or(0, |space| space + 1);
    let inner = Place { text: place.text, at: place.at + last, length: 1 };
    match assignment::read(inner) {
        Ok(it) if last > 0 => Ok((&here[..length], it.value)),
        _ => Err(end),
    }
}
