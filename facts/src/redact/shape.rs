//! How a token goes on from its prefix: pieces in a row, each as long as it gets, no way back.
//!
//! Tokens are made to be told apart by eye, so that this is all that their shapes need. It costs
//! nothing to build, where a regular expression takes longer to compile than a hook may last, and
//! no text can make it slow.

/// No token is longer.
const RUN_MAX: usize = 16 << 10;

/// A part of a token.
#[derive(Clone, Copy)]
pub(super) enum Piece {
    /// These bytes. A `/` may stand escaped, as some JSON has it.
    Is(&'static str),
    /// One of these.
    One(&'static [&'static str]),
    /// As many bytes of a class as there are, at least so many and at most so many.
    Run(&'static Class, usize, usize),
    /// So many bytes of a class, no more and no less.
    Exactly(&'static Class, usize),
    /// As many bytes of a class as there are, at least so many.
    AtLeast(&'static Class, usize),
    /// Nothing that a word goes on with: a token that can have another part ends here or there.
    Maybe(&'static [Piece]),
}

/// How much of a text's beginning has this shape; `None` where it has another, or a word goes on
/// behind it.
pub(super) fn length(shape: &[Piece], text: &[u8]) -> Option<usize> {
    measured(shape, text).ok()
}

/// As [`length`], and where there is none, how far was looked.
pub(super) fn measured(shape: &[Piece], text: &[u8]) -> Result<usize, usize> {
    let end = walk(shape, text)?;
    let ends = |byte: u8| match shape.last() {
        Some(Piece::Run(class, ..) | Piece::Exactly(class, _) | Piece::AtLeast(class, _)) => {
            !class.has(byte) && !WORD.has(byte)
        }
        _ => !WORD.has(byte),
    };
    if text.get(end).is_none_or(|byte| ends(*byte)) { Ok(end) } else { Err(end) }
}

fn walk(shape: &[Piece], text: &[u8]) -> Result<usize, usize> {
    let mut at = 0;
    for piece in shape {
        let rest = &text[at..];
        let length = match piece {
            Piece::Is(literal) => literally(literal, rest).ok_or(0),
            Piece::One(choices) => {
                choices.iter().find_map(|choice| literally(choice, rest)).ok_or(0)
            }
            Piece::Run(class, min, max) => run(class, rest, *min, *max),
            Piece::Exactly(class, length) => run(class, rest, *length, *length),
            Piece::AtLeast(class, min) => run(class, rest, *min, RUN_MAX),
            Piece::Maybe(pieces) => Ok(walk(pieces, rest).unwrap_or(0)),
        };
        at = match length {
            Ok(length) => at + length,
            Err(far) => return Err(at + far),
        };
    }
    Ok(at)
}

fn run(class: &Class, text: &[u8], min: usize, max: usize) -> Result<usize, usize> {
    let length = class.run(text, max);
    if length >= min { Ok(length) } else { Err(length) }
}

/// How long a literal is as it stands at the beginning of a text.
fn literally(literal: &str, text: &[u8]) -> Option<usize> {
    if text.starts_with(literal.as_bytes()) {
        return Some(literal.len());
    }
    if !literal.contains('/') {
        return None;
    }
    let mut at = 0;
    for byte in literal.bytes() {
        if byte == b'/' {
            at += text[at..].iter().take(4).take_while(|byte| **byte == b'\\').count();
        }
        if text.get(at) != Some(&byte) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

// Sets of bytes that tokens are written in.

/// A set of bytes.
pub(super) struct Class([bool; 256]);

impl Class {
    /// The bytes of `singles`, and every byte from the first to the second of each pair in
    /// `ranges`.
    pub(super) const fn new(ranges: &[u8], singles: &[u8]) -> Self {
        let mut set = [false; 256];
        let mut at = 0;
        while at + 1 < ranges.len() {
            let mut byte = ranges[at] as usize;
            while byte <= ranges[at + 1] as usize {
                set[byte] = true;
                byte += 1;
            }
            at += 2;
        }
        at = 0;
        while at < singles.len() {
            set[singles[at] as usize] = true;
            at += 1;
        }
        Self(set)
    }

    pub(super) fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }

    /// How many bytes at the beginning of a text are in it, looking at `max` at most.
    pub(super) fn run(&self, text: &[u8], max: usize) -> usize {
        let text = &text[..text.len().min(max)];
        text.iter().position(|byte| !self.has(*byte)).unwrap_or(text.len())
    }

    /// How many bytes at the end of a text are in it, looking at `max` at most.
    pub(super) fn run_back(&self, text: &[u8], max: usize) -> usize {
        let text = &text[text.len().saturating_sub(max)..];
        text.iter().rev().position(|byte| !self.has(*byte)).unwrap_or(text.len())
    }
}

pub(super) const DIGIT: &Class = &Class::new(b"09", b"");
/// Hexadecimal in lower case.
pub(super) const HEX: &Class = &Class::new(b"09af", b"");
/// Hexadecimal in either case.
pub(super) const ANY_HEX: &Class = &Class::new(b"09afAF", b"");
pub(super) const UPPER: &Class = &Class::new(b"AZ09", b"");
pub(super) const LOWER: &Class = &Class::new(b"az09", b"");
pub(super) const ALNUM: &Class = &Class::new(b"AZaz09", b"");
/// What a word is made of in most languages.
pub(super) const WORD: &Class = &Class::new(b"AZaz09", b"_");
/// The digits of base 64 as in URLs.
pub(super) const URL: &Class = &Class::new(b"AZaz09", b"_-");
/// The digits of base 64.
pub(super) const BASE64: &Class = &Class::new(b"AZaz09", b"+/");
/// The digits of base 64, of either kind.
pub(super) const ANY_BASE64: &Class = &Class::new(b"AZaz09", b"+/_-");
/// [`URL`] with dots and padding.
pub(super) const DOTTED: &Class = &Class::new(b"AZaz09", b"_-.=~");
/// What a bare secret is written in.
pub(super) const BARE: &Class = &Class::new(b"AZaz09", b"._~+/=-!@#^*:?%");
/// What a header's credentials are written in.
pub(super) const CREDENTIALS: &Class = &Class::new(b"AZaz09", b"._~+/=-%:");
/// A UUID's bytes.
pub(super) const UUID: &Class = &Class::new(b"09afAF", b"-");

// Where a word begins.

/// Whether no word goes on behind a text: its last character is none of a word's, or belongs to an
/// escape that stands for none: `\n` and `\u000a` of JSON at any depth, a terminal's colours.
pub(super) fn ends_a_word(before: &[u8]) -> bool {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let Some(last) = before.last().filter(|byte| word(byte)) else { return true };
    let escaped = |from_end: usize| {
        before.len().checked_sub(from_end + 1).is_some_and(|at| before[at] == b'\\')
    };
    let unicode = || {
        let digits = before.iter().rev().take(4).filter(|byte| byte.is_ascii_hexdigit());
        digits.count() == 4 && before.len() > 5 && before[before.len() - 5] == b'u' && escaped(5)
    };
    let ends_colour = || matches!(last, b'm' | b'K') && colour(before);
    b"nrtbf0".contains(last) && escaped(1) || unicode() || ends_colour()
}

/// How many bytes from `start` on still belong to an escape that began before it: none of them is a
/// word's, though words have such letters.
pub(super) fn rest_of_escape(text: &[u8], start: usize) -> usize {
    let (before, here) = text.split_at(start.min(text.len()));
    let hex = here.iter().skip(1).take(4).filter(|byte| byte.is_ascii_hexdigit()).count();
    match here.first() {
        Some(b'n' | b'r' | b't') if before.ends_with(b"\\") => return 1,
        Some(b'u') if before.ends_with(b"\\") && hex == 4 => return 5,
        _ => (),
    }
    let digits = here.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    let ends = matches!(here.get(digits), Some(b'm' | b'K'));
    if ends && colour(&text[..start + digits + 1]) { digits + 1 } else { 0 }
}

/// How long the escape of a colour is that a text begins with.
pub(super) fn colour_length(text: &[u8]) -> usize {
    let text = &text[..text.len().min(32)];
    let end = text.iter().position(|byte| *byte == b'm').map_or(0, |at| at + 1);
    let escape = matches!(text.first(), Some(b'\x1b' | b'\\'));
    if escape && end > 0 && colour(&text[..end]) { end } else { 0 }
}

/// Whether a text ends in what sets a colour: `ESC [ 1 ; 32 m`.
fn colour(before: &[u8]) -> bool {
    let digits = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
    let length = before.iter().rev().skip(1).take(16).take_while(digits).count();
    let Some(before) = before.len().checked_sub(length + 1).map(|at| &before[..at]) else {
        return false;
    };
    let starts = [&b"\x1b["[..], b"u001b[", b"u001B[", b"x1b[", b"033["];
    starts.iter().any(|start| before.ends_with(start))
}
