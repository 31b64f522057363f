//! Lists of numbers as one text: they are read and written with every call of a hook, and may be thousands.

use std::collections::VecDeque;

use data_encoding::BASE64;

/// Rows of so many bytes, one behind the other, in base 64.
pub(super) fn pack<const BYTES: usize>(rows: impl ExactSizeIterator<Item = [u8; BYTES]>) -> String {
    let mut bytes = Vec::with_capacity(rows.len() * BYTES);
    rows.for_each(|row| bytes.extend_from_slice(&row));
    BASE64.encode(&bytes)
}

/// What was packed so, no more than `max` rows; `None` where it is nothing else.
pub(super) fn unpack<const BYTES: usize, Row>(
    text: &str,
    max: usize,
    row: impl Fn(&[u8; BYTES]) -> Option<Row>,
) -> Option<VecDeque<Row>> {
    if text.len() > (max * BYTES).div_ceil(3) * 4 {
        return None;
    }
    let bytes = BASE64.decode(text.as_bytes()).ok()?; // as above
    let (rows, rest) = bytes.as_chunks::<BYTES>();
    (rest.is_empty() && rows.len() <= max).then(|| rows.iter().map(row).collect())?
}

/// The number in a row's next eight bytes.
pub(super) fn number(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|it| u64::from_be_bytes(*it))
}
