//! What a drawing had room for: what keys need to know of the screen.

/// What a drawing had room for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Lines that a page's key moves by.
    pub page_lines: usize,
    /// How far a detail can be scrolled.
    pub scroll_max: usize,
}
