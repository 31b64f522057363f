//! One kind of secret: the words that betray it, and how it goes on from them.

/// One kind of secret. The keyword search finds where `regex` is tried, so that a text without a
/// keyword costs one pass of an automaton.
pub(super) struct Rule {
    /// Stands in the marker `[REDACTED:name]`.
    pub name: &'static str,
    /// Found whatever their case.
    pub keywords: &'static [&'static str],
    pub before: Before,
    /// Tried at the keyword, and only there. The group `secret` is what is taken out, the whole
    /// match where there is none.
    pub regex: &'static str,
    /// Judges what the regex found.
    pub accept: fn(Found<'_>) -> bool,
}

/// What must stand before a keyword.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    Anything,
    /// Not an ASCII letter, digit or `_`: the keyword begins a token.
    NoWord,
    /// Two dashes: the keyword is a program's option.
    Dashes,
}

/// What a rule's regex found.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    /// From the keyword to the end of the match.
    pub whole: &'a [u8],
    /// What would be taken out.
    pub secret: &'a [u8],
}
