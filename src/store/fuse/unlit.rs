//! Writes as they are; the twin beside this file lets tests stop a program between any two.

use std::fs::File;
use std::io::{self, Write};

/// Before a change of names or lengths.
pub fn step() -> io::Result<()> {
    Ok(())
}

/// Writes bytes.
pub fn write(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)
}

/// Makes a file's bytes durable.
pub fn sync(file: &File) -> io::Result<()> {
    file.sync_data()
}
