//! Other ways to write a name and its value: declarations with a type, elements, sentences.

use crate::redact::names::list;

/// How far on a value may begin.
const TYPE_MAX: usize = 48;
const ATTRIBUTES_MAX: usize = 128;
const WORD_MAX: usize = 128;

/// What stands between a secret and its name in a sentence.
const SAYS: &[&[u8]] = &[
    b"is now ",
    b"is set to ",
    b"is: ",
    b"is ",
    b"was set to ",
    b"was ",
    b"will be ",
    b"to ",
    b"set to ",
    b"- ",
];

/// How words begin that tell whose secret it is, or of what.
const WHOSE: &[&[u8]] = &[b"for ", b"of ", b"on ", b"in "];

/// How a name of two words goes on.
const NOUNS: &[&[u8]] = &[b"key ", b"code ", b"phrase "];

fn blanks(text: &[u8]) -> usize {
    text.iter().take(16).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

fn quotes(text: &[u8]) -> bool {
    let slashes = text.iter().take(16).take_while(|byte| **byte == b'\\').count();
    matches!(text.get(slashes), Some(b'"' | b'\'' | b'`'))
        || matches!(text, [b'N' | b'b' | b'r' | b'u' | b'L' | b'@', b'"' | b'\'', ..])
}

/// How far on the value begins of a name that is declared with a type: `x string = "…"`, `x: &str =
/// "…"`, `x[32] = "…"`; the value has quotes.
pub(super) fn typed(text: &[u8]) -> Option<usize> {
    let near = &text[..text.len().min(TYPE_MAX)];
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_&'<>[]:.*?| ()\t".contains(byte);
    let sign = memchr::memchr(b'=', near)?;
    if !near[..sign].iter().all(part) {
        return None;
    }
    let declares = near[..sign].iter().any(|byte| byte.is_ascii_alphanumeric() || *byte == b']');
    let begins = matches!(near[0], b' ' | b'\t' | b':' | b'[');
    let at = sign + 1 + blanks(&text[sign + 1..]);
    let apart = near[..sign].ends_with(b" ") || near[..sign].ends_with(b"]");
    (declares && begins && apart && quotes(&text[at..])).then_some(at)
}

/// How far on the text of an element begins whose name, or whose attribute's value, ends here, and
/// how long that is.
pub(super) fn element(before: &[u8], text: &[u8], max: usize) -> Option<(usize, usize)> {
    if before.ends_with(b"/") {
        return None;
    }
    // `<key>name</key> <string>…</string>` of property lists.
    if before.ends_with(b"<key>")
        && let Some(rest) = text.strip_prefix(b"</key>")
        && let rest = &rest[space(rest)..]
        && let Some(value) = rest.strip_prefix(b"<string>")
    {
        let end = value.iter().take(max).position(|byte| *byte == b'<')?;
        return Some((text.len() - value.len(), end));
    }
    let near = &text[..text.len().min(ATTRIBUTES_MAX)];
    let named = before.ends_with(b"<") && matches!(near.first(), Some(b' '));
    let open = match near.first() {
        Some(b'>') => 0,
        _ if named => near.iter().position(|byte| matches!(byte, b'<' | b'>' | b'\n'))?,
        _ => return None,
    };
    if text.get(open) != Some(&b'>')
        || matches!(text.get(open + 1), None | Some(b'>'))
        || text[..open].ends_with(b"/")
    {
        return None;
    }
    let mut at = open + 1;
    at += space(&text[at..]);
    let mut cdata = false;
    for inner in [&b"<value>"[..], b"<![CDATA["] {
        if text[at..].starts_with(inner) {
            at += inner.len();
            at += space(&text[at..]);
            cdata |= inner.ends_with(b"[");
        }
    }
    let within = &text[at..text.len().min(at + max)];
    let ends = |at: usize| match cdata {
        true => within[at..].starts_with(b"]]>"),
        false => matches!(within[at], b'<' | b'\n' | b'\r') || within[at..].starts_with(b"\\n"),
    };
    let end = (0..within.len()).find(|at| ends(*at))?;
    let closed = end + space(&within[end..]);
    let whole = cdata || open + 1 == at || within[closed..].starts_with(b"</");
    whole.then(|| (at, within[..end].trim_ascii_end().len()))
}

/// White space at the beginning, escaped as JSON has it as well.
fn space(text: &[u8]) -> usize {
    let mut at = 0;
    while at < 64 {
        match text.get(at..) {
            Some([b' ' | b'\t' | b'\n' | b'\r', ..]) => at += 1,
            Some([b'\\', b'n' | b'r' | b't', ..]) => at += 2,
            _ => break,
        }
    }
    at
}

/// How far on a secret begins that a sentence tells behind its name, and whether a verb says so.
pub(super) fn said(text: &[u8]) -> Option<(usize, bool)> {
    let mut at = blanks(text);
    if at == 0 {
        return None;
    }
    at += NOUNS.iter().find(|word| begins(&text[at..], word)).map_or(0, |word| word.len());
    if WHOSE.iter().any(|word| begins(&text[at..], word)) {
        at += whose(&text[at..])?;
    }
    let says = SAYS.iter().find(|says| begins(&text[at..], says));
    at += says.map_or(0, |says| says.len());
    let value = &text[at..];
    // What is not closed has a digit in it to be taken for a secret here; most words have none.
    let mut word = value.iter().take(WORD_MAX).take_while(|byte| byte.is_ascii_graphic());
    (quotes(value) || word.any(u8::is_ascii_digit)).then_some((at, says.is_some()))
}

fn begins(text: &[u8], word: &[u8]) -> bool {
    text.first().is_some_and(|first| first | 0x20 == word[0])
        && text.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word))
}

/// How long the words are that tell whose secret it is: `for the admin is`, `of root:`.
fn whose(text: &[u8]) -> Option<usize> {
    let near = &text[..text.len().min(TYPE_MAX)];
    for (at, byte) in near.iter().enumerate().skip(1) {
        match byte {
            b'i' if near[at - 1] == b' ' && near[at..].starts_with(b"is ") => return Some(at),
            b':' | b'=' => return (near.get(at + 1) == Some(&b' ')).then_some(at + 2),
            byte if byte.is_ascii_alphanumeric() || b" '-_@%".contains(byte) => (),
            _ => return None,
        }
    }
    None
}

/// How long the first argument of a call is to be looked at: `setPassword("…")`.
pub(super) fn argument(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"(")?;
    let at = 1 + blanks(rest);
    quotes(&text[at..]).then_some(at)
}

/// How functions are called that are given a user and a password.
pub(super) const LOGINS: &[&str] = list!(
    "login( log_in( logon( signin( sign_in( authenticate( basicauth( basic_auth( auth=( auth:(
     credential( credentials( credentials.basic( usernamepasswordtoken( getconnection( plainauth(
     passwordauthentication( mysqli_connect( mysqli( pdo( ftp( connect("
);
