//! One kind of secret: the words that betray it, and how it goes on from them.

use std::ops::Range;

use super::shape::Piece;

/// One kind of secret. The keyword search finds where it is looked for, so that a text without a
/// keyword costs one pass.
pub(super) struct Rule {
    /// Stands in the marker `[REDACTED:name]`.
    pub name: &'static str,
    /// Three bytes or more each; found whatever their case.
    pub keywords: &'static [&'static str],
    pub look: Look,
}

/// How a secret is looked for where a keyword was found.
pub(super) enum Look {
    /// The keyword, in its own case, begins the token, which goes on like this. No word goes on
    /// before it.
    Token(&'static [Piece]),
    /// As [`Look::Token`], but the prefix is short, or common: what follows must look random.
    Random(&'static [Piece]),
    /// The keyword, in any case, stands in the name of something secret, whose value has one of
    /// these shapes.
    Named(&'static [&'static [Piece]]),
    /// As a function says.
    By(fn(Place<'_>) -> Tried),
    /// As a function says that finds several at once; it gives where it need not look again before.
    Each(fn(Place<'_>, &mut dyn FnMut(Range<usize>)) -> usize),
}

/// Where a keyword was found.
#[derive(Clone, Copy)]
pub(super) struct Place<'t> {
    pub text: &'t [u8],
    /// Where the keyword begins.
    pub at: usize,
    /// How long it is.
    pub length: usize,
}

impl<'t> Place<'t> {
    /// What stands before the keyword.
    pub(super) fn before(&self) -> &'t [u8] {
        &self.text[..self.at]
    }

    /// The keyword and what follows.
    pub(super) fn here(&self) -> &'t [u8] {
        &self.text[self.at..]
    }

    /// What stands behind the keyword.
    pub(super) fn behind(&self) -> &'t [u8] {
        &self.text[self.at + self.length..]
    }

    /// The rest of the line from the keyword on, no more than `max` bytes of it. A line ends at an
    /// escaped line end as well.
    pub(super) fn line(&self, max: usize) -> &'t [u8] {
        let here = self.here();
        let here = &here[..here.len().min(max)];
        let mut end = 0;
        while let Some(byte) = here.get(end) {
            let ends =
                *byte == b'\n' || *byte == b'\\' && matches!(here.get(end + 1), Some(b'n' | b'r'));
            if ends {
                break;
            }
            end += 1;
        }
        &here[..end]
    }
}

/// What came of a look.
pub(super) struct Tried {
    /// The secret, in the text that the keyword stands in.
    pub found: Option<Range<usize>>,
    /// The same rule need not look again before this place.
    pub seen: usize,
    /// What it is called, where that is not the rule's own name.
    pub name: Option<&'static str>,
}

/// What was looked at in vain is looked at again for another keyword in it, if it is not longer.
const AGAIN_MAX: usize = 128;

impl Tried {
    pub(super) const NOTHING: Self = Self { found: None, seen: 0, name: None };

    pub(super) fn found(range: Range<usize>) -> Self {
        Self { seen: range.end, found: Some(range), name: None }
    }

    /// Nothing, and nothing to be found before `seen`.
    pub(super) fn nothing(seen: usize) -> Self {
        Self { seen, ..Self::NOTHING }
    }

    /// The range, if it is accepted; else nothing.
    pub(super) fn judged(range: Range<usize>, accepted: bool) -> Self {
        match accepted {
            true => Self::found(range),
            false if range.len() > AGAIN_MAX => Self::nothing(range.end),
            false => Self::NOTHING,
        }
    }

    pub(super) fn of(range: Option<Range<usize>>) -> Self {
        range.map_or(Self::NOTHING, Self::found)
    }
}

/// A token that tells itself by its beginning.
pub(super) const fn token(
    name: &'static str,
    keywords: &'static [&'static str],
    shape: &'static [Piece],
) -> Rule {
    Rule { name, keywords, look: Look::Token(shape) }
}

/// A token whose beginning is short, or common.
pub(super) const fn random(
    name: &'static str,
    keywords: &'static [&'static str],
    shape: &'static [Piece],
) -> Rule {
    Rule { name, keywords, look: Look::Random(shape) }
}

/// A token that has no shape of its own, but for its name.
pub(super) const fn named(
    name: &'static str,
    keywords: &'static [&'static str],
    shapes: &'static [&'static [Piece]],
) -> Rule {
    Rule { name, keywords, look: Look::Named(shapes) }
}

pub(super) const fn by(
    name: &'static str,
    keywords: &'static [&'static str],
    look: fn(Place<'_>) -> Tried,
) -> Rule {
    Rule { name, keywords, look: Look::By(look) }
}
