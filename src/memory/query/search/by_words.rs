//! The way by the words that the index keeps of each record: those of the branches alone are read.

use super::{Result, Wanted};
use crate::memory::store::MemoryView;
use crate::memory::words::Exact;

/// The branches' records that may be wanted; every record that is wanted is among them. `None` where the index keeps
/// no words, or nothing is asked for that they could tell.
pub(super) fn candidates(
    view: &MemoryView<'_>,
    wanted: &Wanted<'_>,
    branches: &[String],
) -> Result<Option<Vec<u64>>> {
    let exact = Exact::of(wanted.terms.ascii.iter().map(String::as_str), wanted.tags);
    if exact.is_empty() || !view.has_kept_words() {
        return Ok(None);
    }
    let mut found = Vec::new();
    view.each_words(branches, |entry| {
        if exact.may_be_in(entry) {
            found.push(entry.id);
        }
    })?;
    Ok(Some(found))
}
