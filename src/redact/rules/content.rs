//! Content: sites, documents, media, files.

use super::looks;
use crate::redact::class::{ALNUM, BASE64, DOTTED, HEX, LOWER, UPPER, URL, UUID};
use crate::redact::rule::{Rule, by, named, random, token};
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, Maybe, Run};

pub(super) const RULES: &[Rule] = &[
    token("contentful-token", &["CFPAT-"], &[Exactly(URL, 43)]),
    named("contentful-token", &["contentful"], &[&[Exactly(URL, 43)]]),
    random("sanity-token", &["skt"], &[Run(ALNUM, 80, 200)]),
    named(
        "sanity-token",
        &["sanity", "storyblok", "prismic", "strapi", "datocms", "directus"],
        &[&[AtLeast(ALNUM, 22)]],
    ),
    by("ghost-key", &["ghost"], looks::ghost),
    random("dropbox-token", &["sl."], &[Maybe(&[Is("u.")]), Run(URL, 100, 2000)]),
    named("dropbox-secret", &["dropbox"], &[&[Exactly(LOWER, 15)], &[Exactly(URL, 64)]]),
    named("box-secret", &["box_client", "box_"], &[&[Exactly(ALNUM, 32)]]),
    token("figma-token", &["figd_", "figp_", "figo_", "figdr_"], &[AtLeast(URL, 36)]),
    token("frameio-token", &["fio-u-"], &[AtLeast(DOTTED, 60)]),
    token("adobe-secret", &["p8e-", "p8s-"], &[Run(URL, 32, 48)]),
    named("adobe-secret", &["adobe"], &[&[Exactly(HEX, 32)], &[Is("p8e-"), Run(URL, 32, 48)]]),
    token("readme-key", &["rdme_"], &[Exactly(LOWER, 70)]),
    token("gitbook-token", &["gb_api_"], &[AtLeast(ALNUM, 38)]),
    token("docusign-key", &["docusign_"], &[AtLeast(ALNUM, 30)]),
    named(
        "webflow-token",
        &["webflow", "unsplash", "pexels", "giphy", "imgur", "flickr"],
        &[
            &[Exactly(HEX, 64)],
            &[Exactly(URL, 43)],
            &[Exactly(ALNUM, 56)],
            &[Exactly(ALNUM, 32)],
            &[Exactly(HEX, 16)],
            &[Exactly(HEX, 40)],
        ],
    ),
    token("typeform-token", &["tfp_"], &[AtLeast(DOTTED, 40)]),
    random("mux-token", &["mux_"], &[AtLeast(BASE64, 40)]),
    named(
        "pinata-key",
        &["pinata", "web3storage", "nft_storage"],
        &[&[Exactly(HEX, 64)], &[Exactly(HEX, 20)]],
    ),
    token("cloudconvert-key", &["cc_live_"], &[AtLeast(ALNUM, 30)]),
    named("deepl-key", &["deepl"], &[&[Exactly(UUID, 36), Maybe(&[Is(":fx")])]]),
    by("deepl-key", &[":fx"], looks::deepl),
    named(
        "medium-token",
        &["medium_token", "devto", "dev_to", "hashnode", "wordpress", "wpcom"],
        &[&[Exactly(HEX, 65)], &[Exactly(ALNUM, 24)], &[Exactly(UUID, 36)], &[Exactly(ALNUM, 64)]],
    ),
    named(
        "news-key",
        &["newsapi", "nytimes", "guardian_api", "yelp", "finnhub", "alphavantage", "polygon_api"],
        &[
            &[Exactly(HEX, 32)],
            &[Exactly(ALNUM, 32)],
            &[Exactly(URL, 128)],
            &[Exactly(ALNUM, 20)],
            &[Exactly(UPPER, 16)],
        ],
    ),
];
