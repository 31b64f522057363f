//! Which orders were carried out in a journal, as its user's state remembers it: whether what keeps them from being
//! undone is still there is asked without reading the journal.

use std::path::Path;

use super::{file, unkept};
use crate::event::OrderId;
use crate::journal::trust::outside::{Kind, keep, text};

const BYTES: usize = 16;

/// Remembers that an order is carried out in this journal. What is not remembered is told by who verifies.
pub fn note(folder: &Path, journal: &[u8; 16], order: OrderId) {
    let mut orders = text(Kind::Orders, folder, journal).unwrap_or_default();
    if !orders.chunks(BYTES).any(|it| it == order.0) {
        orders.extend(order.0);
        drop(keep(Kind::Orders, folder, journal, &orders)); // as above
    }
}

/// Whether an order was carried out, or begun, in this journal by this user.
pub fn is_ordered_in(folder: &Path, journal: &[u8; 16]) -> bool {
    text(Kind::Orders, folder, journal).is_some_and(|orders| !orders.is_empty())
}

/// Why what was redacted in a journal may be recorded again: what kept it out is not there any more.
pub fn lost(folder: &Path, journal: &[u8; 16]) -> Option<String> {
    let bytes = text(Kind::Orders, folder, journal)?;
    let orders: Vec<_> = bytes.as_chunks::<BYTES>().0.iter().map(|it| OrderId(*it)).collect();
    // One that cannot be read is told as such.
    let lost = unkept(&orders).ok()?.len();
    let (path, all) = (file()?, orders.len());
    let path = path.display();
    (lost > 0).then(|| {
        format!(
            "{path} has nothing of {lost} of {all} redactions here: what they took out may be recorded again. Put it \
             back from a copy; else redact the values again, and accept it"
        )
    })
}
