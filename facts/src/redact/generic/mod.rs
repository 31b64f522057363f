//! Secrets that any service has, told by what stands around them: names, headers, URLs, options.

mod assigned;
pub(super) mod assignment;
mod header;
mod login;
mod object;
mod pem;
mod written;

use super::names::WORDS;
use super::rule::{Look, Place, Rule, by};
use crate::redact::judge::{is_placeholder, is_token};
use crate::redact::rule::Tried;
use crate::redact::shape::ends_a_word;
use crate::redact::structure::is_sturdy;
use assignment::read;

pub(super) const RULES: &[Rule] = &[
    by("private-key", &["-----begin ", "-----begin+", "---- begin "], pem::block),
    by("private-key", &["-----end "], pem::tail),
    by("private-key", &["private-lines:"], pem::putty),
    by("private-key", &["private-mac:"], pem::mac),
    by("url-credentials", &["://"], credentials),
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
    by("netrc", &["machine ", "default login "], netrc),
    by("pgpass", &[":5432:"], pgpass),
    by("docker-auth", &["auth\"", "auth\\\"", "_auth="], docker),
    Rule { name: "kubernetes-secret", keywords: OBJECTS, look: Look::Each(object::secret) },
    by("login", written::LOGINS, login::call),
    by("login", &["identified "], login::identified),
    by("json-web-key", &["\"kty\"", "\\\"kty\\\""], json_web_key),
    by("option", &["curl ", "wget ", "http "], user),
    by("option", &["mysql", "mariadb"], attached_password),
    by(
        "option",
        &["sshpass ", "redis-cli ", "docker login", "helm registry login", "podman login"],
        short_password,
    ),
];

const OBJECTS: &[&str] = &[
    "kind: secret",
    "kind\":\"secret\"",
    "kind\": \"secret\"",
    "kind\\\":\\\"secret\\\"",
    "kind\\\": \\\"secret\\\"",
];

/// Names of two words, in sentences.
const SPACED: &[&str] = &["api key", "access key"];

/// Tried behind all others: they know better what it is.
pub(super) const ASSIGNED: &[Rule] =
    &[by("assignment", WORDS, assigned::assigned), by("assignment", SPACED, assigned::assigned)];

/// The password of a URL that is a whole text.
pub(super) fn url_password(url: &str) -> Option<&str> {
    let at = url.find("://")?;
    let place = Place { text: url.as_bytes(), at, length: 3 };
    url.get(credentials(place).found?)
}

/// `machine HOST login USER password SECRET`, on one line or several.
fn netrc(place: Place<'_>) -> Tried {
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
fn pgpass(place: Place<'_>) -> Tried {
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
fn docker(place: Place<'_>) -> Tried {
    let whole = place.before().last().is_some_and(|byte| matches!(byte, b'"' | b'_' | b':'));
    let read = read(place).ok();
    let Some(it) = read.filter(|_| whole || place.here().starts_with(b"_")) else {
        return Tried::NOTHING;
    };
    let value = &place.text[it.value.clone()];
    let pair = crate::redact::disguise::text(value).is_some_and(|text| text.contains(&b':'));
    Tried::judged(it.value.clone(), value.len() >= 8 && pair)
}

/// The private part of a JSON web key.
fn json_web_key(place: Place<'_>) -> Tried {
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

// Options of programs that take a secret without a name that says so.

const LINE_MAX: usize = 1024;

/// `-u user:password` of the programs that speak HTTP.
fn user(place: Place<'_>) -> Tried {
    let line = place.line(LINE_MAX);
    for option in
        [&b" -u "[..], b" -u", b" --user ", b" --user=", b" --proxy-user ", b" -a ", b" --auth="]
    {
        let Some(at) = line.windows(option.len()).position(|here| here == option) else { continue };
        let Some((from, length)) = argument(line, at + option.len()) else { continue };
        let value = &line[from..from + length];
        let Some(colon) = value.iter().position(|byte| *byte == b':') else { continue };
        let secret = &value[colon + 1..];
        if secret.len() >= 3 && !is_placeholder(secret) && !secret.starts_with(b"//") {
            return Tried::found(place.at + from + colon + 1..place.at + from + length);
        }
    }
    Tried::nothing(place.at + line.len())
}

/// `-pPASSWORD` of the clients of MySQL.
fn attached_password(place: Place<'_>) -> Tried {
    let line = place.line(LINE_MAX);
    let program = line.iter().position(|byte| *byte == b' ').unwrap_or(line.len());
    let known = ends_a_word(place.before())
        && line[..program].iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte));
    let at = line.windows(3).position(|here| here == b" -p").filter(|_| known);
    let value = at.and_then(|at| argument(line, at + 3)).filter(|(from, _)| line[from - 1] != b' ');
    let accepted = value.filter(|&(from, length)| {
        let secret = &line[from..from + length];
        secret.len() >= 4 && !is_placeholder(secret) && !secret.iter().all(u8::is_ascii_digit)
    });
    let found = accepted.map(|(from, length)| place.at + from..place.at + from + length);
    Tried { found, ..Tried::nothing(place.at + line.len()) }
}

/// `-p PASSWORD`, `-a PASSWORD`.
fn short_password(place: Place<'_>) -> Tried {
    let line = place.line(LINE_MAX);
    let option = if line.starts_with(b"redis") { &b" -a"[..] } else { b" -p" };
    let found = line.windows(3).position(|here| here == option).and_then(|at| {
        let at = at + 3;
        let spaces = line[at..].iter().take_while(|byte| **byte == b' ').count();
        let (from, length) = argument(line, at + spaces)?;
        let secret = &line[from..from + length];
        let accepted = length >= 4 && secret[0] != b'-' && !is_placeholder(secret);
        accepted.then(|| place.at + from..place.at + from + length)
    });
    Tried { found, ..Tried::nothing(place.at + line.len()) }
}

/// Where an argument begins and how long it is, without the quotes around it.
fn argument(line: &[u8], at: usize) -> Option<(usize, usize)> {
    let slashes = line[at..].iter().take(8).take_while(|byte| **byte == b'\\').count();
    if let Some(quote @ (b'"' | b'\'')) = line.get(at + slashes) {
        let from = at + slashes + 1;
        let length = line[from..].iter().position(|byte| byte == quote || *byte == b'\\')?;
        return Some((from, length));
    }
    let ends = |byte: &u8| *byte <= b' ' || b"\"'\\;|&<>`".contains(byte);
    let length = line[at..].iter().position(ends).unwrap_or(line.len() - at);
    (length > 0).then_some((at, length))
}

// Credentials in URLs: `scheme://user:password@host`, `scheme://token@host`.

const USERINFO_MAX: usize = 1024;

/// The password, or the token that stands where the user does.
fn credentials(place: Place<'_>) -> Tried {
    let start = place.at + place.length;
    let behind = place.behind();
    let behind = &behind[..behind.len().min(USERINFO_MAX)];
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"/\"'<>\\`?#,()|".contains(byte);
    let mut authority = &behind[..behind.iter().position(ends).unwrap_or(behind.len())];
    // A password that nobody escaped goes on to the last `@` before the path.
    let ends = |byte: &u8| !byte.is_ascii_graphic() || b"/\"'<>\\`".contains(byte);
    let raw = &behind[..behind.iter().position(ends).unwrap_or(behind.len())];
    let raw = &raw[..raw.iter().rposition(|byte| *byte == b'@').map_or(0, |at| at + 1)];
    let colon = raw.iter().position(|byte| *byte == b':').map_or(raw.len(), |at| at + 1);
    let password = raw[colon..].strip_suffix(b"@").unwrap_or_default();
    let port = password.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let port = port > 0 && !password.get(port).is_some_and(u8::is_ascii_alphabetic);
    let query = raw.get(authority.len()) == Some(&b'?');
    if raw.len() > authority.len() && is_sturdy(password) && !port && !query {
        authority = raw;
    }
    let Some(host) = authority.iter().rposition(|byte| *byte == b'@') else {
        return Tried::NOTHING;
    };
    let userinfo = &authority[..host];
    if userinfo.starts_with(b"[REDACTED") || userinfo.windows(10).any(|it| it == b":[REDACTED") {
        return Tried::NOTHING;
    }
    let (from, is_password) = match userinfo.iter().position(|byte| *byte == b':') {
        Some(colon) => (colon + 1, true),
        None => (0, false),
    };
    let secret = &userinfo[from..];
    let accepted = match is_password {
        // `https://TOKEN:x-oauth-basic@host`.
        true if secret == b"x-oauth-basic" || secret.is_empty() => {
            return Tried::of(is_token(&userinfo[..from - 1]).then(|| start..start + from - 1));
        }
        true => !is_placeholder(secret) && secret.iter().any(|byte| *byte != b'*'),
        false => secret.len() >= 16 && is_token(secret),
    };
    Tried::of(accepted.then(|| start + from..start + host))
}
