//! What a named value must look like to be a secret, and what never is one.

use super::rule::Found;

/// Words that stand where a secret would, and tell that there is none.
const PLACEHOLDERS: &[&str] = &[
    "bearer",
    "basic",
    "changeme",
    "disabled",
    "enabled",
    "example",
    "false",
    "none",
    "null",
    "optional",
    "password",
    "placeholder",
    "redacted",
    "required",
    "secret",
    "string",
    "token",
    "true",
    "undefined",
    "xxxx",
    "yourtoken",
];

/// How a name ends that says where a secret is, or how many or how old, but not what.
const ABOUT: &[&str] = &[
    "_file", "_path", "_dir", "_name", "_type", "_id", "_count", "_limit", "_max", "_min", "_len",
    "_length", "_size", "_ttl", "_expiry", "_url", "_uri", "_field", "_hash", "_budget", "_usage",
    "izer", "ize", "ized",
];

pub(super) fn always(_: Found<'_>) -> bool {
    true
}

/// A value that its name calls a secret.
pub(super) fn named(found: Found<'_>) -> bool {
    is_value(found.secret) && !is_about(name(found))
}

/// As [`named`], where the name is a weaker sign: identities are left alone.
pub(super) fn not_an_identity(found: Found<'_>) -> bool {
    named(found) && !is_identity(found.secret) && !found.secret.contains(&b' ')
}

/// As [`not_an_identity`], where the value stands bare, as code also does: it must look random.
pub(super) fn assigned(found: Found<'_>) -> bool {
    let has = |of: fn(&u8) -> bool| found.secret.iter().any(of);
    let path = found.secret.iter().filter(|&&byte| byte == b'/').count() > 1;
    not_an_identity(found)
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && !path
        && !found.secret.contains(&b'.')
}

/// A token whose prefix is short: words with dashes between them are none.
pub(super) fn random(found: Found<'_>) -> bool {
    let run = |word: &[u8]| word.len() >= 16 && word.iter().any(u8::is_ascii_digit);
    found.secret.split(|byte| !byte.is_ascii_alphanumeric()).any(run)
}

/// A UUID, or a hash as git and blake3 write it.
fn is_identity(value: &[u8]) -> bool {
    let hex = |byte: &u8| byte.is_ascii_hexdigit();
    match value.len() {
        36 => {
            value.split(|&byte| byte == b'-').map(<[u8]>::len).eq([8, 4, 4, 4, 12])
                && value.iter().all(|byte| hex(byte) || *byte == b'-')
        }
        40 | 64 => value.iter().all(hex),
        _ => false,
    }
}

fn is_value(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    let letters: Vec<u8> = lower.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
    let refers = [&b"process.env"[..], b"os.environ", b"env.", b"std::env", b"import.meta"];
    let short_number = value.len() < 10 && value.iter().all(u8::is_ascii_digit);
    !short_number
        && !matches!(value.first(), Some(b'$' | b'<' | b'{' | b'%' | b'[' | b'('))
        && !value.contains(&b'(')
        && value.iter().any(|byte| *byte != value[0])
        && !PLACEHOLDERS.iter().any(|word| word.as_bytes() == letters)
        && !refers.iter().any(|refer| lower.starts_with(refer))
}

fn is_about(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    ABOUT.iter().any(|end| {
        name.ends_with(end.as_bytes()) || {
            let plural = [end.as_bytes(), b"s"].concat();
            name.ends_with(&plural)
        }
    })
}

/// The word that the keyword begins.
fn name(found: Found<'_>) -> &[u8] {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let end = found.whole.iter().position(|byte| !word(byte)).unwrap_or(found.whole.len());
    &found.whole[..end]
}

/// Names of JSON members whose string is a secret, as letters and digits alone.
pub(super) const SECRET_NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "apikey",
    "secretkey",
    "accesskey",
    "privatekey",
    "clientsecret",
    "accesstoken",
    "refreshtoken",
    "authtoken",
    "idtoken",
    "sessiontoken",
    "bearertoken",
    "secretaccesskey",
    "authorization",
    "credentials",
    "token",
];

/// Whether a JSON member of this name holds a secret.
fn is_secret_name(name: &str) -> bool {
    let mut plain = name.to_ascii_lowercase();
    plain.retain(|c| c.is_ascii_alphanumeric());
    // `token` alone ends too many names: of limits, of counts.
    let ends = |known: &&&str| known.len() > "token".len() && plain.ends_with(**known);
    SECRET_NAMES.contains(&plain.as_str()) || SECRET_NAMES.iter().any(|known| ends(&known))
}

/// Whether a JSON member is a secret: its name says so, and its value looks like one.
pub(super) fn is_member(name: &[u8], value: &[u8]) -> bool {
    is_secret_name(&String::from_utf8_lossy(name)) && is_secret_value(value)
}

fn is_secret_value(value: &[u8]) -> bool {
    !value.is_empty() && not_an_identity(Found { whole: b"", secret: value })
}
