//! The few lines of git's settings that say where a repository came from (git-config(1)).

/// The URL of the remote `origin`: the first one, as git fetches from, after the last empty one,
/// which takes back those before it. A line that is none of git's is passed over.
pub(super) fn origin(text: &[u8]) -> Option<String> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut rest = text;
    let mut here = false;
    let mut url: Option<String> = None;
    while !rest.is_empty() {
        rest = trimmed(rest);
        match rest.first() {
            Some(b'[') => {
                (here, rest) = is_origin(rest);
            }
            Some(b'#' | b';') | None => rest = after_line(rest),
            Some(_) => {
                let end = rest.iter().position(|it| !is_of_key(*it)).unwrap_or(rest.len());
                let (key, after) = rest.split_at(end);
                let after = blanks(after);
                let Some(after) = after.strip_prefix(b"=") else {
                    // A key without a value, which is `true`; or no key.
                    rest = after_line(after);
                    continue;
                };
                let (value, after) = read(after);
                rest = after;
                if here && key.eq_ignore_ascii_case(b"url") {
                    url = match value {
                        Some(value) if value.is_empty() => None,
                        Some(value) => url.or(Some(value)),
                        None => url,
                    };
                }
            }
        }
    }
    url
}

fn is_of_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

fn trimmed(text: &[u8]) -> &[u8] {
    text.trim_ascii_start()
}

/// The text behind blanks of the same line.
fn blanks(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|it| !matches!(it, b' ' | b'\t')).unwrap_or(text.len());
    &text[end..]
}

/// The text behind this line's end.
fn after_line(text: &[u8]) -> &[u8] {
    match text.iter().position(|it| *it == b'\n') {
        Some(end) => &text[end + 1..],
        None => &[],
    }
}

/// Reads a value, from behind its `=`; gives the text behind its last line. `None`: git would not take
/// it, because of a quote that does not end or an escape that there is not. A line that ends in a
/// backslash goes on in the next.
fn read(text: &[u8]) -> (Option<String>, &[u8]) {
    let mut value = Vec::new();
    // Blanks that count where something follows them.
    let mut blanks = Vec::new();
    let mut quoted = false;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'\n' => {
                at -= 1;
                break;
            }
            b'\r' if text.get(at) == Some(&b'\n') => {}
            b'#' | b';' if !quoted => break,
            b' ' | b'\t' if !quoted => {
                if !value.is_empty() {
                    blanks.push(byte);
                }
            }
            b'"' => quoted = !quoted,
            b'\\' => {
                let mut next = text.get(at).copied();
                if next == Some(b'\r') && text.get(at + 1) == Some(&b'\n') {
                    (next, at) = (Some(b'\n'), at + 1);
                }
                at += 1;
                let meant = match next {
                    Some(b'\n') => continue,
                    Some(b'n') => b'\n',
                    Some(b't') => b'\t',
                    Some(b'b') => 8,
                    Some(byte @ (b'\\' | b'"')) => byte,
                    _ => return (None, after_line(text.get(at - 1..).unwrap_or_default())),
                };
                value.append(&mut blanks);
                value.push(meant);
            }
            byte => {
                value.append(&mut blanks);
                value.push(byte);
            }
        }
    }
    let value = (!quoted).then(|| String::from_utf8_lossy(&value).into_owned());
    (value, after_line(text.get(at..).unwrap_or_default()))
}

/// Whether a section's head, which begins with `[`, is that of `[remote "origin"]`, and the text behind
/// it, which may go on in the same line. One that does not end in its line is another section's.
fn is_origin(text: &[u8]) -> (bool, &[u8]) {
    let mut name = Vec::new();
    let mut quoted: Option<Vec<u8>> = None;
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b']' => return (names_origin(&name, quoted.as_deref()), &text[at..]),
            b'\n' => return (false, &text[at..]),
            b'"' if quoted.is_none() => {
                let Some((inner, after)) = subsection(text, at) else { break };
                (quoted, at) = (Some(inner), after);
            }
            b' ' | b'\t' | b'\r' => {}
            _ => name.push(byte),
        }
    }
    (false, after_line(text.get(at..).unwrap_or_default()))
}

/// What stands between quotes, and where the text goes on. A backslash takes the next as it is.
fn subsection(text: &[u8], mut at: usize) -> Option<(Vec<u8>, usize)> {
    let mut inner = Vec::new();
    loop {
        let byte = *text.get(at)?;
        at += 1;
        match byte {
            b'"' => return Some((inner, at)),
            b'\n' => return None,
            b'\\' => {
                inner.push(*text.get(at).filter(|it| **it != b'\n')?);
                at += 1;
            }
            byte => inner.push(byte),
        }
    }
}

fn names_origin(name: &[u8], quoted: Option<&[u8]>) -> bool {
    match quoted {
        Some(quoted) => name.eq_ignore_ascii_case(b"remote") && quoted == b"origin",
        // As it was written before there were quotes; of no case.
        None => name.eq_ignore_ascii_case(b"remote.origin"),
    }
}
