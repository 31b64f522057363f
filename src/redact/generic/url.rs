//! Credentials in URLs: `scheme://user:password@host`, `scheme://token@host`.

use crate::redact::judge::{is_placeholder, is_token};
use crate::redact::rule::{Place, Tried};

const USERINFO_MAX: usize = 1024;

/// The password, or the token that stands where the user does.
pub(super) fn credentials(place: Place<'_>) -> Tried {
    let start = place.at + place.length;
    let behind = place.behind();
    let behind = &behind[..behind.len().min(USERINFO_MAX)];
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"/\"'<>\\`?#,()|".contains(byte);
    let authority = &behind[..behind.iter().position(ends).unwrap_or(behind.len())];
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
