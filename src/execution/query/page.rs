//! A part of an answer, and where the rest begins.

use super::After;

/// A part of an answer.
///
/// An answer is read in bounded steps: a page may have fewer items than were asked for, even none,
/// where much had to be looked through to find them. Only `next: None` says that there are no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// In the query's order.
    pub items: Vec<T>,
    /// What to give `page` for the items that follow; `None` where there are none.
    pub next: Option<After>,
}

/// Items of a page where nobody said how many.
pub const PAGE_ITEMS: usize = 20;
/// Items of a page at most.
pub const PAGE_ITEMS_MAX: usize = 1_000;

impl<T> Page<T> {
    /// Nothing, and nothing that follows.
    pub(crate) fn empty() -> Self {
        Self { items: Vec::new(), next: None }
    }
}
