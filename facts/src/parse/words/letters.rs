//! Letters that are written in several ways, and what stands in a text beside its letters.

use std::borrow::Cow;

/// A word as it is looked up: ligatures, and letters that stand for two, by their plain ones; wide ones by theirs.
pub fn folded(word: &str) -> Cow<'_, str> {
    if word.is_ascii() || !word.chars().any(|it| plain(it).is_some() || is_wide(it)) {
        return word.into();
    }
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        match plain(c) {
            Some(letters) => out.push_str(letters),
            None if is_wide(c) => out.extend(char::from_u32(u32::from(c) - WIDE)),
            None => out.push(c),
        }
    }
    out.into()
}

fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' | 'ẞ' => "ss",
        'æ' | 'Æ' => "ae",
        'œ' | 'Œ' => "oe",
        'ĳ' | 'Ĳ' => "ij",
        'ﬀ' => "ff",
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        'ﬃ' => "ffi",
        'ﬄ' => "ffl",
        'ﬅ' | 'ﬆ' => "st",
        _ => return None,
    })
}

/// From a letter of ASCII to the wide one.
const WIDE: u32 = 0xfee0;

fn is_wide(c: char) -> bool {
    matches!(c, '\u{ff10}'..='\u{ff19}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}')
}

/// What the other character that begins a sequence begins with in UTF-8.
const C1: u8 = 0xc2;

/// The pieces of a text between the sequences that tell a terminal of colours, links and titles: no letter of those
/// is one of a word.
pub fn shown(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        if memchr::memchr2(b'\x1b', C1, text.as_bytes()).is_none() {
            return rest.take();
        }
        let found = text.match_indices(['\u{1b}', '\u{9b}']);
        let end = found.filter_map(|(at, _)| Some((at, at + sequence(&text[at..])?))).next();
        let (piece, behind) = match end {
            Some((at, end)) => (&text[..at], Some(&text[end..])),
            None => (text, None),
        };
        rest = behind;
        Some(piece)
    })
}

/// Bytes of a title or a link that a sequence may have.
const OSC_BYTES_MAX: usize = 4 << 10;

/// How many bytes the sequence has that a text begins with.
fn sequence(text: &str) -> Option<usize> {
    let (head, rest) = [("\u{1b}[", true), ("\u{9b}", true), ("\u{1b}]", false)]
        .into_iter()
        .find_map(|(head, is_csi)| Some(((head, is_csi), text.strip_prefix(head)?)))?;
    let len = match head.1 {
        true => {
            let end = rest.bytes().position(|it| !matches!(it, b' '..=b'?'))?;
            matches!(rest.as_bytes()[end], b'@'..=b'~').then_some(end + 1)?
        }
        false => {
            let rest = &rest[..rest.floor_char_boundary(OSC_BYTES_MAX)];
            let end = rest.find(['\u{7}', '\u{1b}'])?;
            end + if rest[end..].starts_with("\u{1b}\\") { 2 } else { 1 }
        }
    };
    Some(head.0.len() + len)
}
