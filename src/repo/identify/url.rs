//! A remote's URL without what lets one in.

/// The URL without user, password, query and fragment: a token that changes changes nothing, and is kept
/// nowhere. Where it is not clear what belongs to a password, more is cut.
pub(super) fn without_credentials(url: &str) -> String {
    let url = url.trim();
    if url.get(..5).is_some_and(|begin| begin.eq_ignore_ascii_case("ext::")) {
        // A command line, with whatever stands on it.
        return "ext::".to_owned();
    }
    let Some((scheme, mut rest)) = url.split_once("://") else {
        return short_form(url).to_owned();
    };
    let mut clean = scheme.to_owned();
    loop {
        rest = without_user(rest);
        if !scheme.eq_ignore_ascii_case("file") {
            rest = rest.split(['?', '#']).next().unwrap_or(rest);
        }
        clean.push_str("://");
        // A URL may hold another: a mirror's, or a proxy's.
        let Some((before, inner)) = rest.split_once("://") else { break };
        clean.push_str(before);
        rest = inner;
    }
    clean.push_str(rest);
    clean
}

/// Host and path without the user before them.
fn without_user(rest: &str) -> &str {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = authority.rfind('@').map_or(0, |at| at + 1);
    if authority.is_empty() || is_host(&authority[host..]) {
        return &rest[host..];
    }
    // What follows the colon is no port: the password holds what ends a host elsewhere.
    rest.rfind('@').map_or(rest, |at| &rest[at + 1..])
}

/// Whether it can be a host, with a port or without.
fn is_host(text: &str) -> bool {
    // Of an IPv6 address what follows the bracket.
    let last = text.rsplit_once(']').map_or(text, |(_, last)| last);
    !text.is_empty()
        && last.split_once(':').is_none_or(|(_, port)| port.bytes().all(|it| it.is_ascii_digit()))
}

/// `user@host:path` without the user; a path is left as it is.
fn short_form(url: &str) -> &str {
    let before = url.split('/').next().unwrap_or(url);
    let Some(colon) = before.find(':') else { return url };
    match before[..colon].rfind('@').or_else(|| before.rfind('@')) {
        Some(at) => &url[at + 1..],
        None => url,
    }
}
