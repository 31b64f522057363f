//! The built-in rules, a file a family of services. Their order is their precedence where two find
//! the same place.

mod chat;
mod ci;
mod cloud;
mod commerce;
mod content;
mod database;
mod delivery;
mod identity;
mod looks;
mod mail;
mod model;
mod nearby;
mod observability;
mod payment;
mod source_host;
mod work;

use super::rule::Rule;
use super::{environment, generic, visitor};
use crate::redact::class::{ALNUM, Class, DIGIT, HEX, LOWER, URL, UUID};
use crate::redact::judge::is_example;
use crate::redact::rule::{Place, Tried, named, random, token};
use crate::redact::shape;
use crate::redact::shape::Piece;
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, Maybe, One, Run};

/// Written into every envelope; raise it with any change of what is taken out.
pub(super) const VERSION: u16 = 4;

const FAMILIES: &[&[Rule]] = &[
    cloud::RULES,
    source_host::RULES,
    RULES,
    payment::RULES,
    chat::RULES,
    mail::RULES,
    database::RULES,
    model::RULES,
    observability::RULES,
    ci::RULES,
    delivery::RULES,
    identity::RULES,
    commerce::RULES,
    content::RULES,
    work::RULES,
    generic::RULES,
    generic::ASSIGNED,
];

/// Every rule.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().copied().flatten()
}

/// What stands in markers: of every rule, and of those that name what they find themselves.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let others = ["environment", "option", "assignment", environment::RULE, visitor::JSON_MEMBER];
    all().map(|rule| rule.name).chain(others)
}

// Registries of packages and images.

const RULES: &[Rule] = &[
    token("npm-token", &["npm_"], &[Exactly(ALNUM, 36)]),
    named("npm-token", &["_authtoken", "npm_"], &[&[Exactly(UUID, 36)]]),
    token("pypi-token", &["pypi-"], &[One(&["AgE", "AgN"]), AtLeast(URL, 50)]),
    token("crates-io-token", &["cio"], &[Exactly(ALNUM, 32)]),
    token("rubygems-token", &["rubygems_"], &[Exactly(HEX, 48)]),
    token("nuget-key", &["oy2"], &[Exactly(LOWER, 43)]),
    token("docker-hub-token", &["dckr_pat_", "dckr_oat_"], &[Run(URL, 20, 48)]),
    random("artifactory-token", &["AKCp"], &[Run(ALNUM, 60, 100)]),
    random("artifactory-token", &["cmVmdGtuO"], &[Run(ALNUM, 50, 70)]),
    named(
        "artifactory-token",
        &["artifactory", "jfrog"],
        &[&[Exactly(ALNUM, 73)], &[Exactly(ALNUM, 64)]],
    ),
    token("clojars-token", &["CLOJARS_"], &[Exactly(HEX, 60)]),
    token(
        "packagist-token",
        &["packagist_ort_", "packagist_out_", "packagist_ack_", "packagist_uut_"],
        &[AtLeast(HEX, 40)],
    ),
    named("cloudsmith-key", &["cloudsmith"], &[&[Exactly(HEX, 40)]]),
    named("gemfury-token", &["gemfury", "fury_"], &[&[AtLeast(URL, 20)]]),
    random("hex-key", &["hexpm_"], &[AtLeast(ALNUM, 24)]),
    token("anaconda-token", &["co-"], &[Exactly(UUID, 36)]),
    random("sonatype-token", &["sonatype_"], &[AtLeast(ALNUM, 24)]),
    token("jsr-token", &["jsrp_", "jsrd_", "ddp_", "ddo_", "ddw_"], &[Run(ALNUM, 34, 42)]),
    token("scalr-token", &["expo_"], &[AtLeast(URL, 36)]),
    random("chainguard-token", &["720909c9f5279097d847ad02a2f24ba8f59de36a/"], &[AtLeast(HEX, 16)]),
    random("cachix-token", &["cachix_"], &[AtLeast(ALNUM, 24)]),
];

/// What follows in the same URL after `path`, which a `\` may stand before every `/` of.
fn in_url(place: Place<'_>, shape: &[Piece]) -> Tried {
    let found = shape::length(shape, place.behind());
    // Only the end is secret: ids before it may count on.
    let found =
        found.filter(|length| !is_example(&place.behind()[length.saturating_sub(24)..*length]));
    Tried::of(found.map(|length| place.at..place.at + place.length + length))
}

fn slack_webhook(place: Place<'_>) -> Tried {
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

fn discord_webhook(place: Place<'_>) -> Tried {
    in_url(place, &[Is("/api/webhooks/"), Run(DIGIT, 15, 22), Is("/"), AtLeast(URL, 40)])
}

fn teams_webhook(place: Place<'_>) -> Tried {
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

fn google_chat(place: Place<'_>) -> Tried {
    let query: &Class = QUERY;
    in_url(place, &[Is("/v1/spaces/"), Run(URL, 4, 32), Is("/messages?key="), AtLeast(query, 40)])
}

const QUERY: &Class = &Class::new(b"AZaz09", b"_-%=&.");

/// A URL whose query has the token.
fn query_token(place: Place<'_>) -> Tried {
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

fn feishu(place: Place<'_>) -> Tried {
    in_url(place, &[Is("/open-apis/bot/v2/hook/"), AtLeast(UUID, 36)])
}

fn zapier(place: Place<'_>) -> Tried {
    let zapier = [Is("/hooks/catch/"), Run(DIGIT, 4, 12), Is("/"), AtLeast(ALNUM, 5)];
    let make = [Is("/"), Exactly(ALNUM, 32)];
    match shape::length(&zapier, place.behind()) {
        Some(_) => in_url(place, &zapier),
        None => in_url(place, &make),
    }
}
