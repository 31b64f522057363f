//! A small file that is written over in place, under a sum: what is cut short is no text.

use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;

/// Writes over what is there, which costs a hook little beside a rename. A file that has another name keeps it as it is.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    let file = match enclosure::open(path, OpenHow::ReadWriteOrCreate) {
        Err(error) if enclosure::is_in_the_way(&error) && !enclosure::is_foreign(&error) => {
            enclosure::remove(path)?;
            enclosure::open(path, OpenHow::CreateNew)?
        }
        opened => opened?,
    };
    file.write_all_at(sealed(text).as_bytes(), 0)
}

/// A text behind a line with its length and its sum: what lies behind it is of an older one.
pub fn sealed(text: &str) -> String {
    format!("{} {}\n{text}", text.len(), sum(text))
}

/// The text in a file; `None` where it was not written whole.
pub fn text_in(bytes: &str) -> Option<&str> {
    let (head, rest) = bytes.split_once('\n')?;
    let (length, told) = head.split_once(' ')?;
    let text = rest.get(..length.parse().ok()?)?;
    (sum(text) == told).then_some(text)
}

fn sum(text: &str) -> String {
    let sum = blake3::hash(text.as_bytes()).to_hex();
    sum[..16].to_owned()
}
