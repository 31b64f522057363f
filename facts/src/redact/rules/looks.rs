//! Looks of rules whose keyword does not begin the secret, or that tells itself only by what stands nearby.

use std::ops::Range;

use crate::redact::generic::assignment;
use crate::redact::judge::{is_example, is_random, is_token};
use crate::redact::rule::{Place, Tried};
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, One, Run};
use crate::redact::shape::{
    self, ALNUM, ANY_BASE64, ANY_HEX, BASE64, Class, DIGIT, DOTTED, HEX, LOWER, Piece, URL, UUID,
    WORD, ends_a_word, rest_of_escape,
};

/// So many of `before`, the keyword as it is, and so many of `after`; no word goes on around it.
fn around(
    place: Place<'_>,
    before: (&Class, usize, usize),
    after: &[Piece],
) -> Option<Range<usize>> {
    let (class, min, max) = before;
    // The letter of an escape before it may be one of the class.
    let run = class.run_back(place.before(), max + 1);
    let whole = |length: &usize| ends_a_word(&place.text[..place.at - length]);
    let length = (min..=run.min(max)).rev().find(whole)?;
    let start = place.at - length;
    let behind = shape::length(after, place.behind())?;
    let range = start..place.at + place.length + behind;
    // What stands before may be a number that counts on.
    let body = &place.behind()[..behind];
    (!is_example(body)).then_some(range)
}

/// How far a class goes back from the keyword, but not into an escape.
fn back(place: Place<'_>, class: &Class, max: usize) -> usize {
    let run = class.run_back(place.before(), max);
    run - rest_of_escape(place.text, place.at - run).min(run)
}

pub(super) fn azure_client_secret(place: Place<'_>) -> Tried {
    let digit = DIGIT.has(place.here()[0]) && place.here()[1] == b'Q';
    Tried::of(around(place, (DOTTED, 3, 3), &[Run(DOTTED, 31, 34)]).filter(|_| digit))
}

/// Microsoft's keys that carry a mark of their service near their end.
pub(super) fn azure_key(place: Place<'_>) -> Tried {
    let before = back(place, BASE64, 96);
    let after = BASE64.run(place.behind(), 90);
    let padding = place.behind()[after..].iter().take(3).take_while(|byte| **byte == b'=').count();
    let length = before + place.length + after + padding;
    let range = place.at - before..place.at - before + length;
    let known = matches!((length, padding), (88, 2) | (44, 1) | (84, 0) | (52, 0) | (56, 2));
    let late = before > after;
    Tried::of((known && late && is_random(&place.text[range.clone()])).then_some(range))
}

/// The signature of a URL that is shared.
pub(super) fn signature(place: Place<'_>) -> Tried {
    let query = place.before().last().is_some_and(|byte| matches!(byte, b'&' | b'?' | b';'));
    let value = |byte: &&u8| BASE64.has(**byte) || matches!(**byte, b'%' | b'=' | b'-' | b'_');
    let length = place.behind().iter().take(512).take_while(value).count();
    let from = place.at + place.length;
    let value = &place.text[from..from + length];
    Tried::of((query && length >= 40 && is_random(value)).then(|| from..from + length))
}

pub(super) fn azure_devops(place: Place<'_>) -> Tried {
    Tried::of(around(place, (ALNUM, 80 - place.length, 80 - place.length), &[Exactly(ALNUM, 4)]))
}

pub(super) fn terraform(place: Place<'_>) -> Tried {
    Tried::of(around(place, (ALNUM, 14, 14), &[AtLeast(URL, 50)]))
}

/// `Authorization: Bot …`.
pub(super) fn discord_header(place: Place<'_>) -> Tried {
    let shape = [Run(URL, 23, 30), Is("."), Exactly(URL, 6), Is("."), Run(URL, 27, 45)];
    let found = shape::length(&shape, place.behind());
    let from = place.at + place.length;
    Tried::of(found.map(|length| from..from + length))
}

pub(super) fn telegram(place: Place<'_>) -> Tried {
    let same = place.here().starts_with(b":AA");
    let whole = around(place, (DIGIT, 8, 10), &[Exactly(URL, 33)]);
    // `bot123456:AA…` in the URLs of its API.
    let bot = || {
        let digits = DIGIT.run_back(place.before(), 11);
        let before = &place.before()[..place.at - digits];
        let length = shape::length(&[Exactly(URL, 33)], place.behind())?;
        let api = (8..=10).contains(&digits) && before.ends_with(b"bot");
        api.then(|| place.at - digits..place.at + place.length + length)
    };
    Tried::of(whole.or_else(bot).filter(|_| same))
}

/// The token beside an account's id: `AC…:token`.
pub(super) fn twilio(place: Place<'_>) -> Tried {
    let line = place.line(256);
    let Some(at) = line.windows(2).position(|here| here == b"AC") else { return Tried::NOTHING };
    let shape = [Is("AC"), Exactly(HEX, 32), Is(":"), Exactly(HEX, 32)];
    let found = shape::length(&shape, &line[at..]);
    let end = found.map(|length| place.at + at + length);
    Tried { found: end.map(|end| end - 32..end), ..Tried::nothing(place.at + line.len()) }
}

/// With its `%` escapes.
pub(super) fn twitter(place: Place<'_>) -> Tried {
    let token = |byte: &&u8| ALNUM.has(**byte) || **byte == b'%';
    let length = place.behind().iter().take(200).take_while(token).count();
    let accepted =
        length >= 70 && ends_a_word(place.before()) && is_token(&place.behind()[..length]);
    Tried::of(accepted.then(|| place.at..place.at + place.length + length))
}

/// A sending key anywhere behind the service's name.
pub(super) fn mailgun(place: Place<'_>) -> Tried {
    let shape = [Exactly(HEX, 32), Is("-"), Exactly(HEX, 8), Is("-"), Exactly(HEX, 8)];
    nearby(place, &shape)
}

/// A shape within the rest of a line.
pub(super) fn nearby(place: Place<'_>, shape: &[Piece]) -> Tried {
    let line = place.line(256);
    let mut at = place.length.min(line.len());
    while at < line.len() {
        let length = WORD.run(&line[at..], 256);
        if let Some(found) = shape::length(shape, &line[at..]).filter(|_| length > 0) {
            let range = place.at + at..place.at + at + found;
            return Tried::of((!is_example(&place.text[range.clone()])).then_some(range));
        }
        at += length.max(1);
    }
    Tried::nothing(place.at + line.len())
}

pub(super) fn mailchimp(place: Place<'_>) -> Tried {
    let rest = DIGIT.run(place.behind(), 3);
    let whole = place.behind().get(rest).is_none_or(|byte| !WORD.has(*byte));
    let hex = back(place, HEX, 40);
    let start = place.at - hex;
    let stands = hex == 32 && rest < 2 && whole && ends_a_word(&place.text[..start]);
    let range = start..place.at + place.length + rest;
    Tried::of((stands && !is_example(&place.text[start..place.at])).then_some(range))
}

pub(super) fn new_relic(place: Place<'_>) -> Tried {
    let ends = place.behind().first().is_none_or(|byte| !WORD.has(*byte));
    let hex = back(place, HEX, 44);
    let start = place.at - hex;
    let stands = ends && hex == 36 && ends_a_word(&place.text[..start]);
    Tried::of(stands.then_some(start..place.at + place.length))
}

pub(super) fn sentry_organisation(place: Place<'_>) -> Tried {
    let token = |byte: &&u8| BASE64.has(**byte) || matches!(**byte, b'_' | b'=');
    let length = place.behind().iter().take(1024).take_while(token).count();
    let accepted =
        length >= 40 && ends_a_word(place.before()) && place.behind().starts_with(b"eyJ");
    Tried::of(accepted.then(|| place.at..place.at + place.length + length))
}

pub(super) fn uptime_robot(place: Place<'_>) -> Tried {
    let line = place.line(128);
    let starts = line.windows(2).position(|here| here[0] == b'u' && DIGIT.has(here[1]));
    let Some(at) = starts else { return Tried::NOTHING };
    let found = shape::length(&[Is("u"), Run(DIGIT, 4, 9), Is("-"), Exactly(HEX, 24)], &line[at..]);
    Tried::of(found.map(|length| place.at + at..place.at + at + length))
}

pub(super) fn json_web_token(place: Place<'_>) -> Tried {
    // Its three parts tell it behind a letter too, but not in the middle of base 64.
    let attached = ANY_BASE64.run_back(place.before(), 24) < 24;
    let same = place.here().starts_with(b"eyJ") && (attached || ends_a_word(place.before()));
    let shape =
        [Run(URL, 8, 8 << 10), Is("."), Run(URL, 8, 64 << 10), Is("."), Run(URL, 8, 8 << 10)];
    let encrypted = [
        Run(URL, 8, 8 << 10),
        Is("."),
        Run(URL, 0, 8 << 10),
        Is("."),
        Run(URL, 8, 64),
        Is("."),
        Run(URL, 8, 64 << 10),
        Is("."),
        Run(URL, 8, 64),
    ];
    if !same {
        return Tried::NOTHING;
    }
    let plain = || shape::length(&shape, place.behind()).filter(|_| second_is_json(place.behind()));
    let found = shape::length(&encrypted, place.behind()).or_else(plain);
    let accepted =
        found.filter(|length| !is_example(&place.behind()[length.saturating_sub(48)..*length]));
    let seen = place.at + URL.run(place.here(), 8 << 10);
    let found = accepted.map(|length| place.at..place.at + place.length + length);
    Tried { found, ..Tried::nothing(seen) }
}

fn second_is_json(text: &[u8]) -> bool {
    let first = URL.run(text, 8 << 10);
    text.get(first + 1..).is_some_and(|rest| rest.starts_with(b"ey"))
}

pub(super) fn okta(place: Place<'_>) -> Tried {
    let found = shape::length(&[Run(URL, 40, 64)], place.behind());
    let from = place.at + place.length;
    Tried::of(found.map(|length| from..from + length))
}

pub(super) fn salesforce(place: Place<'_>) -> Tried {
    let same = place.here().starts_with(b"00D") && ends_a_word(place.before());
    let shape = [Run(ALNUM, 9, 15), Is("!"), AtLeast(DOTTED, 60)];
    let found = shape::length(&shape, place.behind()).filter(|_| same);
    Tried::of(found.map(|length| place.at..place.at + place.length + length))
}

/// An admin key: an id and a secret in one.
pub(super) fn ghost(place: Place<'_>) -> Tried {
    nearby(place, &[Exactly(HEX, 24), Is(":"), Exactly(HEX, 64)])
}

pub(super) fn deepl(place: Place<'_>) -> Tried {
    let length = UUID.run_back(place.before(), 37);
    let start = place.at - length;
    let uuid = &place.text[start..place.at];
    let dashes = uuid.iter().filter(|byte| **byte == b'-').count();
    let hex = uuid.iter().filter(|byte| ANY_HEX.has(**byte)).count();
    let ends = place.behind().first().is_none_or(|byte| !WORD.has(*byte));
    let stands = (dashes, hex) == (4, 32) && ends && ends_a_word(&place.text[..start]);
    Tried::of(stands.then_some(start..place.at + place.length))
}

pub(super) fn asana(place: Place<'_>) -> Tried {
    let Ok(it) = assignment::read(place) else { return Tried::NOTHING };
    let value = &place.text[it.value.clone()];
    let shape = [Run(DIGIT, 1, 2), Is("/"), Run(DIGIT, 10, 20), Is(":"), Exactly(LOWER, 32)];
    let found = shape::length(&shape, value) == Some(value.len());
    Tried::judged(it.value, found)
}

/// How far back what makes a signature one may stand.
const REQUEST_MAX: usize = 512;

/// A token of the older form, anywhere behind the service's name.
pub(super) fn vault(place: Place<'_>) -> Tried {
    nearby(place, &[Is("s."), Exactly(ALNUM, 24)])
}

/// A private key as wallets import it.
pub(super) fn bitcoin(place: Place<'_>) -> Tried {
    nearby(place, &[One(&["5", "K", "L"]), Run(ALNUM, 50, 51)])
}

/// An app's own token: its id and its secret with a bar between them.
pub(super) fn facebook_app(place: Place<'_>) -> Tried {
    let Ok(it) = assignment::read(place) else { return Tried::NOTHING };
    let shape = [Run(DIGIT, 15, 16), Is("|"), Exactly(URL, 27)];
    let found = shape::length(&shape, &place.text[it.value.start..]);
    Tried::of(found.map(|length| it.value.start..it.value.start + length))
}

/// The signature of a request to AWS, in its header or its URL.
pub(super) fn aws_signature(place: Place<'_>) -> Tried {
    let before = place.before();
    let before = before[before.len().saturating_sub(REQUEST_MAX)..].to_ascii_lowercase();
    let from = place.at + place.length;
    let hex = shape::length(&[Exactly(HEX, 64)], place.behind());
    let signed = hex.filter(|_| {
        before.ends_with(b"x-amz-") || before.windows(9).any(|there| there == b"aws4-hmac")
    });
    Tried::of(signed.map(|length| from..from + length))
}

/// What a request answers a server's challenge with.
pub(super) fn digest_response(place: Place<'_>) -> Tried {
    let before = place.before();
    let before = &before[before.len().saturating_sub(REQUEST_MAX)..];
    let gap = place.behind().iter().take(8).take_while(|it| matches!(it, b'\\' | b'"')).count();
    let from = place.at + place.length + gap;
    let hex = shape::length(&[Run(HEX, 32, 64)], &place.text[from..]);
    let answers = || before.windows(6).any(|there| there == b"nonce=");
    Tried::of(hex.filter(|_| answers()).map(|length| from..from + length))
}
