//! How a token goes on from its prefix: pieces in a row, each as long as it gets, no way back.
//!
//! Tokens are made to be told apart by eye, so that this is all that their shapes need. It costs
//! nothing to build, where a regular expression takes longer to compile than a hook may last, and
//! no text can make it slow.

use super::class::{Class, WORD};

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
