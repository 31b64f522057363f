//! Finding anything that was said, asked, run, printed or remembered: `search.db`, a full-text index over the
//! journal, and the questions over it.
//!
//! It is caught up by who searches or imports alone, never by a hook. The texts stay in the journal: a hit's
//! snippet is read from there.

mod ask;
mod documents;
mod find;
mod fold;
mod question;
mod snippet;
mod store;
#[cfg(test)]
mod tests;

pub use ask::ask;
pub use documents::Part;
pub use find::{Hit, Order, left_out, search};
pub use question::Asked;
pub use snippet::{Snippet, snippet, whole};
pub use store::SearchReader;
