//! A small file that is written over in place, under a sum: what is cut short is none.

use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;

/// Writes over what is there, which costs a hook little beside a rename. A file that has another name keeps it as it is.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = match enclosure::open(path, OpenHow::ReadWriteOrCreate) {
        Err(error) if enclosure::is_in_the_way(&error) && !enclosure::is_foreign(&error) => {
            enclosure::remove(path)?;
            enclosure::open(path, OpenHow::CreateNew)?
        }
        opened => opened?,
    };
    file.write_all_at(&sealed(bytes), 0)
}

/// Bytes behind a line with how many they are and their sum: what lies behind them is of an older one.
pub fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut sealed = format!("{} {}\n", bytes.len(), sum(bytes)).into_bytes();
    sealed.extend_from_slice(bytes);
    sealed
}

/// What was sealed so; `None` where it was not written whole.
pub fn unsealed(file: &[u8]) -> Option<&[u8]> {
    let end = memchr::memchr(b'\n', file)?;
    let (length, told) = std::str::from_utf8(&file[..end]).ok()?.split_once(' ')?; // not written by us
    let bytes = file[end + 1..].get(..length.parse().ok()?)?; // the same
    (sum(bytes) == told).then_some(bytes)
}

fn sum(bytes: &[u8]) -> String {
    let sum = blake3::hash(bytes).to_hex();
    sum[..16].to_owned()
}
