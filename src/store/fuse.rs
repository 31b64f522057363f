//! Writes as they are; the twin in `tests/` lets tests stop a program between any two.

use std::fs::File;
use std::io::{self, Write};

pub fn step() -> io::Result<()> {
    Ok(())
}

pub fn write(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)
}

pub fn sync(file: &File) -> io::Result<()> {
    file.sync_data()
}
