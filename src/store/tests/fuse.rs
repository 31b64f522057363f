//! Writes that stop after so many, in the middle of one: as if the program had been killed there.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write};

thread_local! {
    /// Changes that are still done.
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Lets so many changes be done, and none after them.
pub fn light(changes: u32) {
    LEFT.set(Some(changes));
}

/// Lets all be done again.
pub fn put_out() {
    LEFT.set(None);
}

/// Before a change of names or lengths.
pub fn step() -> io::Result<()> {
    match LEFT.get() {
        Some(0) => Err(io::Error::other("killed")),
        Some(left) => {
            LEFT.set(Some(left - 1));
            Ok(())
        }
        None => Ok(()),
    }
}

/// Writes bytes; half of them where it is the last that is done.
pub fn write(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let half = LEFT.get() == Some(1);
    step()?;
    match half {
        true => {
            LEFT.set(Some(0));
            file.write_all(&bytes[..bytes.len() / 2])?;
            Err(io::Error::other("killed"))
        }
        false => file.write_all(bytes),
    }
}

/// Nothing: who is killed loses nothing that was written, and tests lose no power.
pub fn sync(_file: &File) -> io::Result<()> {
    Ok(())
}
