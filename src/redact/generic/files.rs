//! Files that programs keep credentials in.

use crate::redact::disguise::base64;
use crate::redact::judge::{is_placeholder, is_token};
use crate::redact::rule::{Place, Tried};

use super::assignment::read;

/// `machine HOST login USER password SECRET`, on one line or several.
pub(super) fn netrc(place: Place<'_>) -> Tried {
    let here = place.here();
    let here = &here[..here.len().min(512)];
    let is_word = |word: &[u8], of: &[u8]| word == of;
    let mut at = 0;
    let mut words = 0;
    let mut last: &[u8] = b"";
    let mut login = false;
    while at < here.len() && words < 8 {
        at += here[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let length = here[at..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let word = &here[at..at + length];
        if is_word(last, b"password") {
            let accepted = login && word.len() >= 4 && !is_placeholder(word);
            return Tried::of(accepted.then(|| place.at + at..place.at + at + length));
        }
        login |= is_word(word, b"login");
        (last, at, words) = (word, at + length, words + 1);
    }
    Tried::NOTHING
}

/// `host:5432:database:user:SECRET`, a line.
pub(super) fn pgpass(place: Place<'_>) -> Tried {
    let line = place.line(512);
    let before = place.before();
    let host = before.iter().rev().take(256).take_while(|byte| !byte.is_ascii_whitespace()).count();
    let host = &before[before.len() - host..];
    // The rest of the line: `:5432:database:user:password`.
    let mut colons = line.iter().enumerate().filter(|(_, byte)| **byte == b':').map(|(at, _)| at);
    let Some(from) = colons.nth(3).map(|at| at + 1) else { return Tried::NOTHING };
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'\\`".contains(byte);
    let length = line[from..].iter().position(ends).unwrap_or(line.len() - from);
    let fields = line[..from].iter().any(|byte| byte.is_ascii_whitespace() || *byte == b'/');
    let secret = &line[from..from + length];
    let one = |text: &[u8]| text.iter().all(|byte| !matches!(byte, b':' | b'/'));
    let accepted = !fields && !host.is_empty() && one(host) && (4..=128).contains(&secret.len());
    let range = place.at + from..place.at + from + length;
    Tried::of((accepted && !is_placeholder(secret)).then_some(range))
}

/// `"auth": "…"` of a container registry, `_auth=…` of a package registry: `user:password` in
/// base 64.
pub(super) fn docker(place: Place<'_>) -> Tried {
    let whole = place.before().last().is_some_and(|byte| matches!(byte, b'"' | b'_' | b':'));
    let read = read(place).ok();
    let Some(it) = read.filter(|_| whole || place.here().starts_with(b"_")) else {
        return Tried::NOTHING;
    };
    let value = &place.text[it.value.clone()];
    let pair = base64::text(value).is_some_and(|text| text.contains(&b':'));
    Tried::judged(it.value.clone(), value.len() >= 8 && pair)
}

/// The private part of a JSON web key.
pub(super) fn json_web_key(place: Place<'_>) -> Tried {
    let here = place.here();
    let here = &here[..here.len().min(4 << 10)];
    let end = here.iter().position(|byte| *byte == b'}').unwrap_or(here.len());
    let here = &here[..end];
    for name in [&b"\"d\""[..], b"\"d\\\"", b"\"k\"", b"\"k\\\""] {
        let Some(at) = here.windows(name.len()).position(|there| there == name) else { continue };
        let inner = Place { text: place.text, at: place.at + at + 1, length: 1 };
        let Ok(it) = read(inner) else { continue };
        if is_token(&place.text[it.value.clone()]) {
            return Tried::found(it.value);
        }
    }
    Tried::nothing(place.at + end)
}
