//! Delivery: networks, names, tunnels.

use crate::redact::class::{ALNUM, BASE64, HEX, LOWER, URL, UUID, WORD};
use crate::redact::rule::{Rule, named, random, token};
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, Maybe, One, Run};

pub(super) const RULES: &[Rule] = &[
    named(
        "cloudflare-key",
        &["cloudflare", "cf_api", "cf_token", "x-auth-key", "cf_key"],
        &[&[Exactly(HEX, 37)], &[Exactly(URL, 40)]],
    ),
    token("cloudflare-origin-ca-key", &["v1.0-"], &[Exactly(HEX, 24), Is("-"), Exactly(HEX, 146)]),
    token("cloudflare-key", &["cfut_", "cfat_", "cfk_"], &[AtLeast(WORD, 40)]),
    named("fastly-token", &["fastly"], &[&[Exactly(URL, 32)]]),
    random("akamai-token", &["akab-", "akaa-"], &[Exactly(LOWER, 16), Is("-"), Exactly(LOWER, 16)]),
    named("akamai-secret", &["akamai", "client_secret"], &[&[Exactly(BASE64, 43), Is("=")]]),
    named("bunny-key", &["bunny"], &[&[Run(UUID, 36, 72)]]),
    named("godaddy-key", &["godaddy"], &[&[AtLeast(WORD, 22)]]),
    named(
        "namecheap-key",
        &["namecheap", "gandi", "dnsimple", "porkbun", "cloudns"],
        &[&[Exactly(HEX, 32)], &[Exactly(ALNUM, 24)], &[Exactly(ALNUM, 32)], &[Exactly(HEX, 40)]],
    ),
    token("porkbun-key", &["pk1_", "sk1_"], &[Exactly(HEX, 64)]),
    token("dnsimple-token", &["dnsimple_a_", "dnsimple_u_"], &[AtLeast(ALNUM, 30)]),
    named("ngrok-token", &["ngrok"], &[&[Run(ALNUM, 20, 30), Is("_"), Run(ALNUM, 20, 30)]]),
    token("ngrok-token", &["cr_"], &[Exactly(ALNUM, 27)]),
    token(
        "tailscale-key",
        &["tskey-"],
        &[
            Maybe(&[One(&["auth-", "api-", "client-", "scim-", "webhook-"])]),
            Run(ALNUM, 10, 32),
            Maybe(&[Is("-"), Run(ALNUM, 6, 64)]),
        ],
    ),
    named("zerotier-token", &["zerotier"], &[&[Exactly(ALNUM, 32)]]),
    token("netbird-token", &["nbp_"], &[Exactly(ALNUM, 36)]),
    random("desec-token", &["desec_"], &[AtLeast(URL, 20)]),
    named(
        "wireguard-key",
        &["privatekey", "presharedkey", "private_key"],
        &[&[Exactly(BASE64, 43), Is("=")]],
    ),
    named(
        "cloudinary-secret",
        &["cloudinary", "imgix", "imagekit"],
        &[&[Exactly(URL, 27)], &[AtLeast(URL, 24)]],
    ),
    token("imagekit-key", &["private_"], &[Exactly(BASE64, 27), Is("=")]),
    token("ipinfo-token", &["ipinfo_"], &[AtLeast(ALNUM, 14)]),
    named(
        "maxmind-key",
        &[
            "maxmind",
            "ipinfo",
            "ipstack",
            "abuseipdb",
            "virustotal",
            "shodan",
            "censys",
            "securitytrails",
        ],
        &[
            &[Run(ALNUM, 14, 16)],
            &[Exactly(ALNUM, 32)],
            &[Exactly(HEX, 64)],
            &[Exactly(HEX, 80)],
            &[Run(WORD, 29, 40)],
        ],
    ),
    token("mapbox-token", &["sk.eyJ", "tk.eyJ"], &[Run(URL, 40, 400), Is("."), Run(URL, 16, 64)]),
    named(
        "maps-key",
        &["here_api", "tomtom", "maptiler", "openweather", "opencage", "weatherapi", "locationiq"],
        &[&[AtLeast(URL, 20)]],
    ),
];
