//! The value of a line of git's settings.

use super::settings::after_line;

/// Reads a value, from behind its `=`; gives the text behind its last line. `None`: git would not take
/// it, because of a quote that does not end or an escape that there is not. A line that ends in a
/// backslash goes on in the next.
pub(super) fn read(text: &[u8]) -> (Option<String>, &[u8]) {
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
