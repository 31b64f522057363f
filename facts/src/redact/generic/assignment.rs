//! Reads `name = value` around a word of the name, in whatever way it is written: a shell, a
//! configuration, code, JSON, JSON within a string of JSON, an option of a program.

use std::ops::Range;

use super::written;
use crate::redact::rule::Place;
use crate::redact::shape::{BARE, WORD, colour_length, rest_of_escape};

/// How far a name goes on to either side of its word.
const NAME_MAX: usize = 64;
/// A bare value; a longer one is no secret that somebody assigned.
const BARE_MAX: usize = 2 << 10;
/// A bare value with signs of code in it.
const WORD_MAX: usize = 128;
/// A value in quotes.
const QUOTED_MAX: usize = 4 << 10;
/// The text of an element.
const ELEMENT_MAX: usize = 1 << 10;

/// A name with its value.
pub struct Assignment<'t> {
    pub name: &'t [u8],
    pub value: Range<usize>,
    pub style: Style,
    /// Where the name begins, after its dashes or quote.
    pub start: usize,
    /// Whether quotes, or tags, say where the value ends.
    pub closed: bool,
}

/// How an assignment is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `NAME=value`, without spaces.
    Tight,
    /// `--name value`, `--name=value`.
    Option,
    /// `name: value`, `name = value`, without quotes around the value.
    Loose,
    /// The value has quotes.
    Quoted,
    /// The one argument of a function that is named so.
    Argument,
    /// A sentence says that it is this.
    Said,
    /// It stands behind the name.
    Beside,
}

/// Reads the assignment whose name has the keyword in it. Where nothing is assigned, gives where
/// the name ends: no other word of it is assigned anything either.
pub fn read(place: Place<'_>) -> Result<Assignment<'_>, usize> {
    let text = place.text;
    let before = place.before();
    let mut start = place.at - name_run_back(before);
    start = (start + rest_of_escape(text, start)).min(place.at);
    let end_of_word = place.at + place.length;
    let behind = &text[end_of_word.min(text.len())..];
    // A keyword may have the separator in it: `_pat=`.
    let end = match text.get(end_of_word - 1) {
        Some(b'=') => end_of_word - 1,
        Some(b']') => end_of_word - 2,
        _ => end_of_word + name_run(behind),
    };
    let dashes = text[start..].iter().take_while(|byte| matches!(byte, b'-' | b'.')).count();
    let is_option = dashes == 2 && text[start..].starts_with(b"--");
    start = (start + dashes).min(place.at);
    let name = &text[start..end];
    let mut at = end + closing_quote(&text[end..]);
    let spaces = blanks(&text[at..]);
    let separated = separator(&text[at + spaces..]);
    let (style, length) = match separated {
        0 if is_option && spaces > 0 => (Style::Option, spaces),
        0 if spaces > 0 && is_set(&text[..start]) => (Style::Tight, spaces),
        0 => {
            let behind = &text[at..];
            let before = &text[..start];
            if let Some((from, length)) = written::element(before, behind, ELEMENT_MAX) {
                let value = at + from..at + from + length;
                return Ok(Assignment { name, value, style: Style::Quoted, start, closed: true });
            }
            let quoted = elsewhere(behind)
                .or_else(|| next_argument(before, behind))
                .or_else(|| written::typed(behind));
            let argument = || Some((Style::Argument, written::argument(behind)?));
            let said = || {
                let (length, verb) = written::said(behind)?;
                Some((if verb { Style::Said } else { Style::Beside }, length))
            };
            quoted
                .map(|length| (Style::Quoted, length))
                .or_else(argument)
                .or_else(said)
                .ok_or(end)?
        }
        _ => {
            let after = blanks(&text[at + spaces + separated..]);
            let tight = spaces + after == 0 && text[at] == b'=';
            let style = match tight {
                _ if is_option => Style::Option,
                true => Style::Tight,
                false => Style::Loose,
            };
            (style, spaces + separated + after)
        }
    };
    // A type may stand between the two: `x: &str = "…"`.
    if separated > 0
        && let Some(further) = written::typed(&text[at + spaces..])
    {
        let (value, _) = value(text, at + spaces + further);
        return Ok(Assignment { name, value, style: Style::Quoted, start, closed: true });
    }
    at += length;
    let (value, closed) = value(text, at);
    let style = if closed && style == Style::Loose { Style::Quoted } else { style };
    Ok(Assignment { name, value, style, start, closed })
}

/// Where a bare value ends that has signs of code in it, as strong passwords have: with the word,
/// but before the next name of a list, and before what only closes or ends something.
pub fn further(text: &[u8], from: usize) -> Range<usize> {
    let word = &text[from..text.len().min(from + WORD_MAX)];
    let ends = |byte: &u8| !byte.is_ascii_graphic() || b"\"'`\\<>".contains(byte);
    let word = &word[..word.iter().position(ends).unwrap_or(word.len())];
    let next = |at: &usize| {
        let (sign, rest) = (word[*at], &word[at + 1..]);
        if !matches!(sign, b'&' | b';' | b',' | b'|') {
            return false;
        }
        let letter = |byte: &&u8| byte.is_ascii_alphabetic() || **byte == b'_';
        let name = rest.iter().take(NAME_MAX).take_while(letter).count();
        let twice = matches!(sign, b'&' | b'|') && rest.first() == Some(&sign);
        let named = name > 1 && matches!(rest.get(name), Some(b'=' | b':'));
        rest.is_empty() || twice || named
    };
    let mut length = (1..word.len()).find(next).unwrap_or(word.len());
    while let Some(last) = word[..length].last() {
        let count = |sign: u8| word[..length].iter().filter(|byte| **byte == sign).count();
        let unopened = match last {
            b')' => count(b')') > count(b'('),
            b']' => count(b']') > count(b'['),
            b'}' => count(b'}') > count(b'{'),
            last => b".,;:?".contains(last),
        };
        if !unopened {
            break;
        }
        length -= 1;
    }
    from..from + length
}

fn name_byte(byte: u8) -> bool {
    WORD.has(byte) || byte == b'-' || byte == b'.'
}

fn name_run(text: &[u8]) -> usize {
    text.iter().take(NAME_MAX).take_while(|byte| name_byte(**byte)).count()
}

fn name_run_back(text: &[u8]) -> usize {
    text.iter().rev().take(NAME_MAX).take_while(|byte| name_byte(**byte)).count()
}

/// Whether a shell's, or a Dockerfile's, command ends here that sets what comes next.
fn is_set(before: &[u8]) -> bool {
    let line = before.trim_ascii_end();
    before.len() > line.len()
        && [&b"ENV"[..], b"setenv", b"setx", b"set -x", b"set -gx", b"set -xg", b"set -Ux"]
            .iter()
            .chain(&[&b"set -g -x"[..], b"set -x -g", b"set --export", b"set -lx"])
            .any(|command| line.ends_with(command))
}

/// How far on the second argument of a call begins, whose first is the name: `define('X', 'Y')`.
fn next_argument(before: &[u8], behind: &[u8]) -> Option<usize> {
    let (quote, mut call) = before.split_last()?;
    while let Some(rest) = call.strip_suffix(b"\\") {
        call = rest;
    }
    let gap = blanks(behind);
    let rest = behind[gap..].strip_prefix(b",")?;
    let mut gap = gap + 1 + blanks(rest);
    // The second may have a name: `default='…'`.
    let named = WORD.run(&behind[gap..], NAME_MAX);
    if named > 0 && behind.get(gap + named) == Some(&b'=') {
        gap += named + 1;
    }
    let slashes = behind[gap..].iter().take(16).take_while(|byte| **byte == b'\\').count();
    let quotes = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
    let second = behind.get(gap + slashes).is_some_and(quotes);
    (quotes(quote) && call.trim_ascii_end().ends_with(b"(") && second).then_some(gap)
}

/// A quote that closes a name, with the backslashes before it; a bracket, as in `env["NAME"] =`.
fn closing_quote(text: &[u8]) -> usize {
    let slashes = text.iter().take(16).take_while(|byte| **byte == b'\\').count();
    match text.get(slashes) {
        Some(b'"' | b'\'' | b'`') => {
            slashes + 1 + usize::from(text.get(slashes + 1) == Some(&b']'))
        }
        _ => 0,
    }
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take(16).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

fn separator(text: &[u8]) -> usize {
    let triple = [&b"::="[..], b"||=", b"??="];
    let double = [&b":="[..], b"=>", b"?=", b"+=", b".=", b"->", b"<-"];
    match text.first() {
        _ if triple.iter().any(|sign| text.starts_with(sign)) => 3,
        _ if text.starts_with(b"==") || text.starts_with(b"::") || text.starts_with(b"=~") => 0,
        _ if double.iter().any(|sign| text.starts_with(sign)) => 2,
        Some(b'=' | b':') => 1,
        _ => 0,
    }
}

/// How far on a value begins that stands in a field of its own: `name: X`, `value: …`.
fn elsewhere(text: &[u8]) -> Option<usize> {
    let far = &text[..text.len().min(64)];
    let filler = |byte: &u8| b" \t\r\n\\n,\"'".contains(byte);
    let skipped = far.iter().take_while(|byte| filler(byte)).count();
    let field = [&b"value"[..], b"Value"].iter().any(|word| far[skipped..].starts_with(word));
    if skipped == 0 || !field {
        return None;
    }
    let mut at = skipped + b"value".len();
    at += closing_quote(&text[at..]);
    at += blanks(&text[at..]);
    let separated = separator(&text[at..]);
    at += separated;
    (separated > 0).then(|| at + blanks(&text[at..]))
}

/// A value and whether it has quotes; they are not in it.
fn value(text: &[u8], at: usize) -> (Range<usize>, bool) {
    let at = at + colour_length(&text[at..]);
    // `N'…'` of SQL, `b"…"` of Python.
    let typed = matches!(text[at..], [b'N' | b'b' | b'r' | b'u' | b'L' | b'@', b'"' | b'\'', ..]);
    let at = at + usize::from(typed);
    let here = &text[at..];
    let slashes = here.iter().take(16).take_while(|byte| **byte == b'\\').count();
    if let Some(quote @ (b'"' | b'\'' | b'`')) = here.get(slashes).copied() {
        let start = at + slashes + 1;
        return (start..start + until_quote(&text[start..], quote, slashes), true);
    }
    let mut length = BARE.run(here, BARE_MAX);
    // A sentence ends, or a list goes on, behind what was meant.
    while length > 0 && matches!(here[length - 1], b'.' | b':' | b'?') {
        length -= 1;
    }
    (at..at + length, false)
}

/// How long a value is whose quote came after so many backslashes: to the next quote that has no
/// more of them, for then it is its end, or that of a string that all of this stands in.
fn until_quote(text: &[u8], quote: u8, slashes: usize) -> usize {
    let text = &text[..text.len().min(QUOTED_MAX)];
    let mut run = 0;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'\\' => {
                run += 1;
                continue;
            }
            b'\n' => return at,
            _ if *byte == quote && slashes == 0 && run % 2 == 0 => return at,
            _ if *byte == quote && slashes > 0 && run <= slashes => return at - run,
            _ => run = 0,
        }
    }
    text.len()
}
