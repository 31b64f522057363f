//! Looks of rules whose secret tells itself only by what stands nearby.

use super::looks::nearby;
use crate::redact::class::{ALNUM, DIGIT, HEX, URL};
use crate::redact::generic::assignment;
use crate::redact::rule::{Place, Tried};
use crate::redact::shape;
use crate::redact::shape::Piece::{Exactly, Is, One, Run};

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
