//! The built-in rules: tokens that tell themselves by their prefix, and values that their name
//! tells. The rules' order is their precedence where two find the same place.

use super::judge::{always, assigned, named, not_an_identity, random};
use super::rule::Before::{Anything, Dashes, NoWord};
use super::rule::Rule;

/// Written into every envelope; raise it with any change of what is taken out.
pub(super) const VERSION: u16 = 1;

const NAMES: &[&str] = &[
    "secret",
    "token",
    "passw",
    "passphrase",
    "api_key",
    "apikey",
    "api-key",
    "access_key",
    "access-key",
    "accesskey",
    "private_key",
    "private-key",
    "privatekey",
    "credential",
];

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "private-key",
        keywords: &["-----begin "],
        before: Anything,
        regex: concat!(
            r"(?s)-----BEGIN [^-\n]{0,40}PRIVATE KEY[^-\n]{0,20}-----",
            r"(?:.*?-----END [^-\n]{0,40}PRIVATE KEY[^-\n]{0,20}-----|[A-Za-z0-9+/=\s\\:,]*)",
        ),
        accept: always,
    },
    token("aws-access-key-id", &["AKIA", "ASIA", "ABIA", "ACCA"], r"A[KSBC][IC]A[A-Z2-7]{16}\b"),
    token(
        "github-token",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        r"gh[pousr]_[A-Za-z0-9]{36,255}",
    ),
    token("github-token", &["github_pat_"], r"github_pat_[A-Za-z0-9_]{22,255}"),
    token("gitlab-token", &["glpat-", "gldt-", "glrt-"], r"gl(?:pat|dt|rt)-[A-Za-z0-9_-]{20,}"),
    token(
        "slack-token",
        &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xapp-"],
        r"(?:xox[abprs]|xapp)-[A-Za-z0-9-]{10,}",
    ),
    token(
        "slack-webhook",
        &["hooks.slack.com/"],
        r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}",
    ),
    Rule {
        name: "model-api-key",
        keywords: &["sk-"],
        before: NoWord,
        regex: r"sk-[A-Za-z0-9_-]{20,}",
        accept: random,
    },
    token("google-api-key", &["AIza"], r"AIza[0-9A-Za-z_-]{35}"),
    token("google-oauth", &["ya29."], r"ya29\.[0-9A-Za-z_-]{20,}"),
    token("google-oauth", &["GOCSPX-"], r"GOCSPX-[0-9A-Za-z_-]{20,}"),
    token(
        "stripe-key",
        &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
        r"(?:[sr]k_(?:live|test)|whsec)_[0-9A-Za-z]{16,}",
    ),
    token("npm-token", &["npm_"], r"npm_[A-Za-z0-9]{36}\b"),
    token("pypi-token", &["pypi-"], r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    token("crates-io-token", &["cio"], r"cio[A-Za-z0-9]{32}\b"),
    token("huggingface-token", &["hf_"], r"hf_[A-Za-z0-9]{34,}\b"),
    token("sendgrid-key", &["SG."], r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    token("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], r"do[opr]_v1_[a-f0-9]{64}"),
    token(
        "shopify-token",
        &["shpat_", "shpca_", "shppa_", "shpss_"],
        r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
    ),
    token("databricks-token", &["dapi"], r"dapi[a-f0-9]{32}\b"),
    token("age-key", &["AGE-SECRET-KEY-1"], r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    token(
        "json-web-token",
        &["eyJ"],
        r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
    ),
    Rule {
        name: "telegram-token",
        keywords: &[":AA"],
        before: Anything,
        regex: r":(?<secret>AA[A-Za-z0-9_-]{33})\b",
        accept: always,
    },
    Rule {
        name: "azure-key",
        keywords: &["accountkey="],
        before: Anything,
        regex: r"(?i)accountkey=(?<secret>[A-Za-z0-9+/]{40,}={0,2})",
        accept: always,
    },
    Rule {
        name: "url-credentials",
        keywords: &["://"],
        before: Anything,
        regex: r#"://[^\s/@:"'<>\\]{0,256}:(?<secret>[^\s/@"'<>\\]{1,256})@"#,
        accept: named,
    },
    Rule {
        name: "authorization",
        keywords: &["authorization"],
        before: Anything,
        regex: concat!(
            r#"(?i)authorization\\?["']?\s*[:=]\s*\\?["']?"#,
            r"(?:(?:bearer|basic|token|digest|negotiate|apikey)\s+)?(?<secret>[A-Za-z0-9._~+/=-]{8,})",
        ),
        accept: named,
    },
    Rule {
        name: "authorization",
        keywords: &["bearer "],
        before: NoWord,
        regex: r"(?i)bearer +(?<secret>[A-Za-z0-9._~+/=-]{16,})",
        accept: assigned,
    },
    Rule {
        name: "environment",
        keywords: NAMES,
        before: Anything,
        regex: r#"[A-Z]{1,24}[A-Z0-9_]{0,64}=\\?["']?(?<secret>[^\s"'&;|<>()\\`]{4,})"#,
        accept: named,
    },
    Rule {
        name: "option",
        keywords: NAMES,
        before: Dashes,
        regex: r#"[a-z]{1,24}(?:-[a-z]{1,24}){0,4}[ =]\\?["']?(?<secret>[^\s"'&;|<>()\\`-][^\s"'&;|<>()\\`]{3,})"#,
        accept: named,
    },
    Rule {
        name: "assignment",
        keywords: NAMES,
        before: Anything,
        regex: concat!(
            r#"(?i)[a-z_-]{1,32}?(?:ord|wd|s|_?value|_?[0-9]+)?\\?["']?\s{0,8}(?::=|=>|[:=])\s{0,8}"#,
            r#"\\?["'](?<secret>[^"'\\\n]{4,512})\\?["']"#,
        ),
        accept: not_an_identity,
    },
    Rule {
        name: "assignment",
        keywords: NAMES,
        before: Anything,
        regex: r"(?i)[a-z_-]{1,32}\s{0,8}[:=]\s{0,8}(?<secret>[A-Za-z0-9._~+/=-]{16,})",
        accept: assigned,
    },
    Rule {
        name: "assignment",
        keywords: &["password", "passwd"],
        before: Anything,
        regex: r#"(?i)passw(?:or)?d: +(?<secret>[^\s"',;]{4,})"#,
        accept: not_an_identity,
    },
];

/// A token that tells itself by its beginning.
const fn token(name: &'static str, keywords: &'static [&'static str], regex: &'static str) -> Rule {
    Rule { name, keywords, before: NoWord, regex, accept: always }
}
