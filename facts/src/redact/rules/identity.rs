//! Identity, keepers of secrets, and what delivers over the net.

use super::looks;
use crate::redact::rule::{Rule, by, named, random, token};
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, Maybe, One, Run};
use crate::redact::shape::{
    ALNUM, BASE64, Class, DIGIT, DOTTED, HEX, LOWER, UPPER, URL, UUID, WORD,
};

/// The digits of the C library's hashes of passwords.
const CRYPT: &Class = &Class::new(b"AZaz09", b"./");

/// Identity, and keepers of secrets.
pub(super) const IDENTITY: &[Rule] = &[
    by("json-web-token", &["eyJ"], looks::json_web_token),
    token("age-key", &["AGE-SECRET-KEY-1"], &[AtLeast(UPPER, 50)]),
    token("age-key", &["AGE-SECRET-KEY-PQ-1"], &[AtLeast(UPPER, 50)]),
    named(
        "okta-token",
        &["okta", "ssws"],
        &[&[Is("00"), Exactly(URL, 40)], &[Exactly(URL, 40)], &[Exactly(URL, 64)]],
    ),
    by("okta-token", &["ssws "], looks::okta),
    named("auth0-secret", &["auth0"], &[&[Exactly(URL, 64)], &[Exactly(URL, 48)]]),
    token(
        "doppler-token",
        &["dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit.", "dp.said."],
        &[AtLeast(ALNUM, 40)],
    ),
    token("doppler-token", &["dp.st."], &[Maybe(&[Run(URL, 2, 40), Is(".")]), AtLeast(ALNUM, 40)]),
    token(
        "infisical-token",
        &["st."],
        &[Exactly(HEX, 24), Is("."), Exactly(HEX, 32), Is("."), AtLeast(HEX, 32)],
    ),
    token("one-password-token", &["ops_eyJ"], &[AtLeast(DOTTED, 100)]),
    token(
        "one-password-key",
        &["A3-"],
        &[
            Exactly(UPPER, 6),
            Is("-"),
            Run(UPPER, 6, 11),
            Is("-"),
            Exactly(UPPER, 5),
            Is("-"),
            Exactly(UPPER, 5),
            Is("-"),
            Exactly(UPPER, 5),
            Maybe(&[Is("-"), Exactly(UPPER, 5)]),
        ],
    ),
    named(
        "bitwarden-secret",
        &["bw_", "bws_", "bitwarden"],
        &[
            &[Exactly(ALNUM, 30)],
            &[
                Is("0."),
                Exactly(UUID, 36),
                Is("."),
                AtLeast(ALNUM, 20),
                Maybe(&[Is(":"), AtLeast(DOTTED, 10)]),
            ],
        ],
    ),
    token("clerk-key", &["clerk_"], &[AtLeast(ALNUM, 30)]),
    random("stytch-secret", &["secret-live-", "secret-test-"], &[Run(DOTTED, 32, 64)]),
    token(
        "ory-token",
        &["ory_pat_", "ory_at_", "ory_rt_", "ory_st_", "ory_ac_", "ory_wak_", "ory_apikey_"],
        &[AtLeast(DOTTED, 30)],
    ),
    token("kinde-token", &["kinde_"], &[AtLeast(ALNUM, 30)]),
    named("workos-key", &["workos"], &[&[Is("sk_"), AtLeast(WORD, 24)]]),
    named(
        "jumpcloud-key",
        &["jumpcloud", "onelogin", "duo_skey", "duo_secret"],
        &[
            &[Exactly(HEX, 40)],
            &[Exactly(HEX, 64)],
            &[Exactly(ALNUM, 40)],
            &[Is("jca_"), Exactly(ALNUM, 36)],
        ],
    ),
    token("jumpcloud-key", &["jca_"], &[Exactly(ALNUM, 36)]),
    token("frontegg-token", &["fe_secret_"], &[AtLeast(ALNUM, 24)]),
    token(
        "authress-key",
        &["sc_", "ext_", "scauth_", "authress_"],
        &[
            Run(LOWER, 5, 30),
            Is("."),
            Run(LOWER, 4, 6),
            Is("."),
            Run(URL, 10, 32),
            Is("."),
            AtLeast(BASE64, 30),
        ],
    ),
    token("teleport-token", &["teleport_"], &[AtLeast(ALNUM, 30)]),
    token("persona-key", &["persona_production_", "persona_sandbox_"], &[AtLeast(ALNUM, 30)]),
    token("keybase-paper-key", &["keybase_"], &[AtLeast(ALNUM, 30)]),
    token("permit-key", &["permit_key_"], &[AtLeast(ALNUM, 40)]),
    token("settlemint-token", &["sm_aat_", "sm_pat_", "sm_sat_"], &[Exactly(ALNUM, 16)]),
    token("ssh-host-token", &["ssh_tok_"], &[AtLeast(ALNUM, 24)]),
    random("ansible-vault", &["$ANSIBLE_VAULT;"], &[AtLeast(DOTTED, 40)]),
    token(
        "password-hash",
        &["$1$", "$5$", "$6$", "$apr1$"],
        &[
            Maybe(&[Is("rounds="), Run(DIGIT, 4, 9), Is("$")]),
            Run(CRYPT, 1, 16),
            Is("$"),
            Run(CRYPT, 22, 86),
        ],
    ),
    token(
        "password-hash",
        &["$y$"],
        &[Run(CRYPT, 1, 8), Is("$"), Run(CRYPT, 1, 86), Is("$"), Exactly(CRYPT, 43)],
    ),
    by("authorization", &["response="], looks::digest_response),
    token("bitcoin-key", &["xprv", "yprv", "zprv", "tprv"], &[Exactly(ALNUM, 107)]),
    by("bitcoin-key", &["wif", "bitcoin", "btc_", "privkey"], looks::bitcoin),
    token("gandi-token", &["gandi_"], &[AtLeast(HEX, 40)]),
];

/// Delivery: networks, names, tunnels.
pub(super) const DELIVERY: &[Rule] = &[
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
