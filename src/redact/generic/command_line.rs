//! Options of programs that take a secret without a name that says so.

use crate::redact::boundary::ends_a_word;
use crate::redact::judge::is_placeholder;
use crate::redact::rule::{Place, Tried};

const LINE_MAX: usize = 1024;

/// `-u user:password` of the programs that speak HTTP.
pub(super) fn user(place: Place<'_>) -> Tried {
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
pub(super) fn attached_password(place: Place<'_>) -> Tried {
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
pub(super) fn short_password(place: Place<'_>) -> Tried {
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
