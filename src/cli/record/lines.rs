//! Lines within a bound: what is longer is skipped whole, and said.

use std::io::{self, BufRead};

/// A longer line is refused; the lines after it are read.
pub const LINE_BYTES_MAX: usize = 16 << 20;

/// Reads one line into `line`, without its newline. `None` at the end of the input; `Some(false)`
/// where the line was longer than [`LINE_BYTES_MAX`] and is not in `line`.
pub fn next(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let mut fits = true;
    let mut any = false;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if chunk.is_empty() {
            return Ok(any.then_some(fits));
        }
        any = true;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let taken = &chunk[..end.unwrap_or(chunk.len())];
        fits &= line.len() + taken.len() <= LINE_BYTES_MAX;
        if fits {
            line.extend_from_slice(taken);
        } else {
            line.clear();
        }
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(fits));
        }
    }
}
