//! Looks of rules whose keyword is the host of a URL that lets whoever knows it in.

use crate::redact::class::{ALNUM, Class, DIGIT, HEX, URL, UUID};
use crate::redact::judge::is_example;
use crate::redact::rule::{Place, Tried};
use crate::redact::shape;
use crate::redact::shape::Piece;
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, Maybe, Run};

/// What follows in the same URL after `path`, which a `\` may stand before every `/` of.
fn in_url(place: Place<'_>, shape: &[Piece]) -> Tried {
    let found = shape::length(shape, place.behind());
    // Only the end is secret: ids before it may count on.
    let found =
        found.filter(|length| !is_example(&place.behind()[length.saturating_sub(24)..*length]));
    Tried::of(found.map(|length| place.at..place.at + place.length + length))
}

pub(super) fn slack_webhook(place: Place<'_>) -> Tried {
    const MORE: Piece = Maybe(&[Is("/"), Run(ALNUM, 6, 64)]);
    for path in ["/services/", "/workflows/", "/triggers/"] {
        let body = [Is(path), Run(ALNUM, 6, 64), MORE, MORE, MORE];
        let Some(length) = shape::length(&body, place.behind()) else { continue };
        let accepted =
            length >= path.len() + 20 && !is_example(&place.behind()[path.len()..length]);
        return Tried::of(accepted.then(|| place.at..place.at + place.length + length));
    }
    Tried::NOTHING
}

pub(super) fn discord_webhook(place: Place<'_>) -> Tried {
    in_url(place, &[Is("/api/webhooks/"), Run(DIGIT, 15, 22), Is("/"), AtLeast(URL, 40)])
}

pub(super) fn teams_webhook(place: Place<'_>) -> Tried {
    let shape = [
        Is("/webhookb2/"),
        Exactly(UUID, 36),
        Is("@"),
        Exactly(UUID, 36),
        Is("/IncomingWebhook/"),
        Exactly(HEX, 32),
        Is("/"),
        AtLeast(UUID, 36),
    ];
    in_url(place, &shape)
}

pub(super) fn google_chat(place: Place<'_>) -> Tried {
    let query: &Class = QUERY;
    in_url(place, &[Is("/v1/spaces/"), Run(URL, 4, 32), Is("/messages?key="), AtLeast(query, 40)])
}

const QUERY: &Class = &Class::new(b"AZaz09", b"_-%=&.");

/// A URL whose query has the token.
pub(super) fn query_token(place: Place<'_>) -> Tried {
    let line = place.line(256);
    for name in [&b"access_token="[..], b"key="] {
        let Some(at) = line.windows(name.len()).position(|here| here == name) else { continue };
        let at = at + name.len();
        let length = URL.run(&line[at..], 128);
        if length >= 32 && !is_example(&line[at..at + length]) {
            return Tried::found(place.at + at..place.at + at + length);
        }
    }
    Tried::nothing(place.at + line.len())
}

pub(super) fn feishu(place: Place<'_>) -> Tried {
    in_url(place, &[Is("/open-apis/bot/v2/hook/"), AtLeast(UUID, 36)])
}

pub(super) fn zapier(place: Place<'_>) -> Tried {
    let zapier = [Is("/hooks/catch/"), Run(DIGIT, 4, 12), Is("/"), AtLeast(ALNUM, 5)];
    let make = [Is("/"), Exactly(ALNUM, 32)];
    match shape::length(&zapier, place.behind()) {
        Some(_) => in_url(place, &zapier),
        None => in_url(place, &make),
    }
}
