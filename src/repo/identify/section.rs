//! The head of a section of git's settings.

use super::settings::after_line;

/// Which section begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// `[remote "origin"]`
    Origin,
    Other,
}

/// Reads a head, which begins with `[`; gives the text behind it, which may go on in the same line.
/// One that does not end in its line is another section's.
pub(super) fn read(text: &[u8]) -> (Section, &[u8]) {
    let mut name = Vec::new();
    let mut quoted: Option<Vec<u8>> = None;
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b']' => return (section(&name, quoted.as_deref()), &text[at..]),
            b'\n' => return (Section::Other, &text[at..]),
            b'"' if quoted.is_none() => {
                let Some((inner, after)) = subsection(text, at) else { break };
                (quoted, at) = (Some(inner), after);
            }
            b' ' | b'\t' | b'\r' => {}
            _ => name.push(byte),
        }
    }
    (Section::Other, after_line(text.get(at..).unwrap_or_default()))
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

fn section(name: &[u8], quoted: Option<&[u8]>) -> Section {
    let origin = match quoted {
        Some(quoted) => name.eq_ignore_ascii_case(b"remote") && quoted == b"origin",
        // As it was written before there were quotes; of no case.
        None => name.eq_ignore_ascii_case(b"remote.origin"),
    };
    if origin { Section::Origin } else { Section::Other }
}
