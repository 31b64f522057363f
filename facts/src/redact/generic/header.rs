//! Headers that carry credentials, wherever they are written: requests, `curl -H`, code, logs.

use std::ops::Range;

use super::assignment::read;
use crate::redact::judge::{is_identity, is_placeholder, is_random, is_token};
use crate::redact::names::list;
use crate::redact::rule::{Place, Tried};
use crate::redact::shape::{CREDENTIALS, ends_a_word};

const SCHEMES: &[&str] = list!(
    "bearer basic token digest negotiate apikey api-key bot key splunk genie genie-key geniekey
     genie_key aws4-hmac-sha256 sso-key ntlm oauth klaviyo-api-key deepl-auth-key private-token
     supertoken ghost jwt pat"
);

/// `Authorization: Bearer …`, and with any other scheme, or none.
pub(super) fn authorization(place: Place<'_>) -> Tried {
    let Ok(it) = read(place) else { return Tried::NOTHING };
    // The value as it stands, to the end of what may be credentials: schemes have a space behind.
    let start = it.value.start;
    let text = &place.text[start..];
    let scheme = CREDENTIALS.run(text, 32);
    let known = SCHEMES.iter().any(|known| text[..scheme].eq_ignore_ascii_case(known.as_bytes()));
    let gap = text[scheme..].iter().take(4).take_while(|byte| **byte == b' ').count();
    let from = start + if known && gap > 0 { scheme + gap } else { 0 };
    let Some(range) = credentials(place.text, from) else { return Tried::NOTHING };
    let value = &place.text[range.clone()];
    let accepted =
        value.len() >= 8 && !is_placeholder(value) && (known && gap > 0 || is_token(value));
    Tried::judged(range, accepted)
}

/// `Bearer …` where no header is named.
pub(super) fn bearer(place: Place<'_>) -> Tried {
    let word = !ends_a_word(place.before());
    let spaces = place.behind().iter().take(8).take_while(|byte| **byte == b' ').count();
    let Some(range) = credentials(place.text, place.at + place.length + spaces) else {
        return Tried::NOTHING;
    };
    let value = &place.text[range.clone()];
    let accepted = !word && value.len() >= 16 && is_token(value) && is_random(value);
    let accepted = accepted && !is_identity(value);
    Tried::judged(range, accepted)
}

/// Headers of one service or another.
pub(super) fn custom(place: Place<'_>) -> Tried {
    let Ok(it) = read(place) else { return Tried::NOTHING };
    let value = &place.text[it.value.clone()];
    let accepted = value.len() >= 12 && !is_placeholder(value) && is_random(value);
    Tried::judged(it.value, accepted)
}

/// A request's cookies, all of them, where one looks like a session's; an answer's, the first value.
pub(super) fn cookie(place: Place<'_>) -> Tried {
    let quoted = place.text.get(place.at + place.length - 1) == Some(&b'"');
    let mut at = place.at + place.length;
    let gap = |byte: &&u8| matches!(byte, b' ' | b':' | b'"' | b'\\');
    at += place.text[at..].iter().take(8).take_while(gap).count();
    let word = !ends_a_word(place.before());
    if word || quoted && !place.text[place.at..at].contains(&b':') {
        return Tried::NOTHING;
    }
    let line = &place.text[at..place.text.len().min(at + (8 << 10))];
    let ends = |byte: &u8| matches!(byte, b'"' | b'\'' | b'\n' | b'\r' | b'\\');
    let line = &line[..line.iter().position(ends).unwrap_or(line.len())];
    let is_set = place.before().len() >= 4 && place.before().to_ascii_lowercase_tail(4) == *b"set-";
    let first = line.iter().position(|byte| *byte == b';').unwrap_or(line.len());
    let looks = |pair: &[u8]| {
        let value = pair.splitn(2, |byte| *byte == b'=').nth(1).unwrap_or_default();
        value.len() >= 12 && value[0] != b' ' && is_random(value) && !is_placeholder(value)
    };
    let seen = at + line.len();
    let range = match is_set {
        true => {
            let name = line[..first].iter().position(|byte| *byte == b'=').map_or(0, |at| at + 1);
            looks(&line[..first]).then(|| at + name..at + first)
        }
        false => line.split(|byte| *byte == b';').any(looks).then_some(at..seen),
    };
    Tried { found: range, ..Tried::nothing(seen) }
}

/// A session's id where only a cookie has one.
pub(super) fn session(place: Place<'_>) -> Tried {
    let Ok(it) = read(place) else { return Tried::NOTHING };
    let value = &place.text[it.value.clone()];
    let cut = value.iter().position(|byte| *byte == b';').unwrap_or(value.len());
    let range = it.value.start..it.value.start + cut;
    let value = &value[..cut];
    // Logs have ids of sessions too: `session_id=`, `sessionid=` and words, a UUID's digits.
    let name = it.name.trim_ascii_start();
    let upper = name.iter().all(|byte| !byte.is_ascii_lowercase());
    let cookie = upper || name.starts_with(b"_") || name == b"sessionid" || name == b"connect.sid";
    let digits = value.iter().all(u8::is_ascii_hexdigit) && !upper && !name.starts_with(b"_");
    let longest = value.split(|byte| !byte.is_ascii_alphanumeric()).map(<[u8]>::len).max();
    let accepted = cookie
        && !digits
        && longest >= Some(16)
        && is_random(value)
        && !is_identity(value)
        && !is_placeholder(value);
    Tried::judged(range, accepted)
}

fn credentials(text: &[u8], from: usize) -> Option<Range<usize>> {
    let length = CREDENTIALS.run(text.get(from..)?, 16 << 10);
    (length > 0).then(|| from..from + length)
}

/// The end of a text, in lower case.
trait Tail {
    fn to_ascii_lowercase_tail(&self, length: usize) -> Vec<u8>;
}

impl Tail for [u8] {
    fn to_ascii_lowercase_tail(&self, length: usize) -> Vec<u8> {
        self[self.len().saturating_sub(length)..].to_ascii_lowercase()
    }
}
