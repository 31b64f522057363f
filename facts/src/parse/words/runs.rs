//! The runs of letters, digits and `_` of a text, and their parts. Nearly all of what is looked up is ASCII: of that a
//! byte is told by a table.

use super::letters::shown;
use super::stem::is_mark;

const BETWEEN: u8 = 0;
const JOINT: u8 = 1;
const SMALL: u8 = 2;
const LARGE: u8 = 3;
const DIGIT: u8 = 4;

const SORTS: [u8; 128] = {
    let mut sorts = [BETWEEN; 128];
    let mut byte = 0;
    while byte < 128 {
        sorts[byte] = match byte as u8 {
            b'_' => JOINT,
            b'a'..=b'z' => SMALL,
            b'A'..=b'Z' => LARGE,
            b'0'..=b'9' => DIGIT,
            _ => BETWEEN,
        };
        byte += 1;
    }
    sorts
};

/// `None`: it is no ASCII.
fn sort(byte: u8) -> Option<u8> {
    SORTS.get(usize::from(byte)).copied()
}

/// The runs of letters, digits and `_` of a text.
pub fn runs(text: &str) -> impl Iterator<Item = &str> {
    shown(text).flat_map(|rest| Runs { rest })
}

struct Runs<'t> {
    rest: &'t str,
}

impl<'t> Iterator for Runs<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        loop {
            let (begin, _) = reach(self.rest, |is_in| is_in);
            let rest = &self.rest[begin..];
            if rest.is_empty() {
                return None;
            }
            let (end, has_letters) = reach(rest, |is_in| !is_in);
            let (run, behind) = rest.split_at(end);
            self.rest = behind;
            if has_letters {
                return Some(run);
            }
        }
    }
}

/// Where the first character is that belongs to a run, or the first that does not; and whether a letter or digit
/// stands before it.
fn reach(text: &str, is_there: impl Fn(bool) -> bool) -> (usize, bool) {
    let (mut at, mut has_letters) = (0, false);
    while let Some(byte) = text.as_bytes().get(at) {
        let (is_in, is_letter, len) = match sort(*byte) {
            Some(sort) => (sort != BETWEEN, sort > JOINT, 1),
            None => {
                let Some(c) = text[at..].chars().next() else { break };
                let is_letter = c.is_alphanumeric();
                (is_letter || is_mark(c), is_letter, c.len_utf8())
            }
        };
        if is_there(is_in) {
            break;
        }
        has_letters |= is_letter;
        at += len;
    }
    (at, has_letters)
}

/// Gives the parts of a run: by `_`, by the case of its letters; of a script without spaces each pair of letters.
pub fn split<'r>(run: &'r str, give: impl FnMut(&'r str)) {
    match run.is_ascii() {
        true => split_ascii(run, give),
        false => split_any(run, give),
    }
}

pub(super) fn split_ascii<'r>(run: &'r str, mut give: impl FnMut(&'r str)) {
    let bytes = run.as_bytes();
    let (mut start, mut before) = (0, BETWEEN);
    for (at, byte) in bytes.iter().enumerate() {
        let this = sort(*byte).unwrap_or(BETWEEN);
        let ends = match this {
            JOINT => true,
            LARGE => {
                let is_next_small = || bytes.get(at + 1).is_some_and(|it| sort(*it) == Some(SMALL));
                matches!(before, SMALL | DIGIT) || before == LARGE && is_next_small()
            }
            _ => false,
        };
        if ends {
            if start < at {
                give(&run[start..at]);
            }
            start = at + usize::from(this == JOINT);
        }
        before = this;
    }
    if start < run.len() {
        give(&run[start..]);
    }
}

pub(super) fn split_any<'r>(run: &'r str, mut give: impl FnMut(&'r str)) {
    let mut chars = run.char_indices().peekable();
    let mut start = 0;
    let (mut before, mut before_at): (Option<char>, usize) = (None, 0);
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let next = chars.peek().map(|it| it.1);
        if is_spaceless(c) {
            if start < at && before.is_some_and(|it| !is_spaceless(it)) {
                give(&run[start..at]);
            }
            match before.filter(|it| is_spaceless(*it)) {
                Some(_) => give(&run[before_at..end]),
                None if !next.is_some_and(is_spaceless) => give(&run[at..end]),
                None => {}
            }
            start = end;
        } else if c == '_' {
            if start < at {
                give(&run[start..at]);
            }
            start = end;
        } else {
            let is_hump = c.is_uppercase()
                && before.is_some_and(|it| {
                    it.is_lowercase()
                        || it.is_numeric()
                        || it.is_uppercase() && next.is_some_and(char::is_lowercase)
                });
            if is_hump && start < at {
                give(&run[start..at]);
                start = at;
            }
        }
        (before, before_at) = (Some(c), at);
    }
    if start < run.len() {
        give(&run[start..]);
    }
}

/// Of a script that writes no spaces between words.
pub fn is_spaceless(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
        | '\u{0e00}'..='\u{0eff}')
}
