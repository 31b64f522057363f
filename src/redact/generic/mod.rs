//! Secrets that any service has, told by what stands around them: names, headers, URLs, options.

mod assigned;
pub(super) mod assignment;
mod command_line;
mod files;
mod header;
mod pem;
mod url;

use super::names::WORDS;
use super::rule::{Place, Rule, by};

pub(super) const RULES: &[Rule] = &[
    by("private-key", &["-----begin ", "-----begin+", "---- begin "], pem::block),
    by("private-key", &["-----end "], pem::tail),
    by("private-key", &["private-lines:"], pem::putty),
    by("private-key", &["private-mac:"], pem::mac),
    by("url-credentials", &["://"], url::credentials),
    by("authorization", &["authorization"], header::authorization),
    by("authorization", &["bearer "], header::bearer),
    by(
        "authorization",
        &["x-auth-", "x-access-", "x-vault-", "x-functions-key", "ocp-apim-"],
        header::custom,
    ),
    by("cookie", &["cookie:", "cookie\""], header::cookie),
    by(
        "cookie",
        &["sessid", "sessionid=", "connect.sid", "_session=", "_session_id="],
        header::session,
    ),
    by("netrc", &["machine ", "default login "], files::netrc),
    by("pgpass", &[":5432:"], files::pgpass),
    by("docker-auth", &["auth\"", "auth\\\"", "_auth="], files::docker),
    by("json-web-key", &["\"kty\"", "\\\"kty\\\""], files::json_web_key),
    by("option", &["curl ", "wget ", "http "], command_line::user),
    by("option", &["mysql", "mariadb"], command_line::attached_password),
    by(
        "option",
        &["sshpass ", "redis-cli ", "docker login", "helm registry login", "podman login"],
        command_line::short_password,
    ),
];

/// Tried behind all others: they know better what it is.
pub(super) const ASSIGNED: &[Rule] = &[by("assignment", WORDS, assigned::assigned)];

/// The password of a URL that is a whole text.
pub(super) fn url_password(url: &str) -> Option<&str> {
    let at = url.find("://")?;
    let place = Place { text: url.as_bytes(), at, length: 3 };
    url.get(url::credentials(place).found?)
}
