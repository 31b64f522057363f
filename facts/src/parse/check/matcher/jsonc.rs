//! JSON with comments and commas too many, as editors' settings have it.

/// The same text as plain JSON; what is no JSON without them is left as it is.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    while let Some(at) = rest.find(['"', '/', ',']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with('"') {
            let end = string_end(rest);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        } else if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.get(2..).and_then(|it| it.split_once("*/")).map_or("", |(_, rest)| rest);
        } else {
            let is_last = rest.starts_with(',') && ends(&rest[1..]);
            if !is_last {
                out.push_str(&rest[..1]);
            }
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

/// Where a string that begins here ends, in bytes.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if std::mem::take(&mut escaped) => {}
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Whether what follows closes a list, behind blanks and comments.
fn ends(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        rest = match rest {
            _ if rest.starts_with("//") => rest.find('\n').map_or("", |end| &rest[end..]),
            _ if rest.starts_with("/*") => match rest[2..].split_once("*/") {
                Some((_, rest)) => rest,
                None => "",
            },
            _ => return rest.starts_with([']', '}']),
        }
        .trim_start();
    }
}
