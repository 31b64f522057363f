//! Makes the agent's shells say whose session they belong to.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

use crate::event::SessionId;

/// A longer one is not looked through.
const BYTES_MAX: u64 = 1 << 20;

/// Appends `export ANNALS_SESSION=…` to the file that the agent's shells read first; once.
pub fn export(path: &Path, session: SessionId) -> io::Result<()> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0);
    let mut options = OpenOptions::new();
    let mut file = options.read(true).append(true).create(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut before = Vec::new();
    (&file).take(BYTES_MAX).read_to_end(&mut before)?;
    // A UUID's letters and digits mean nothing to any shell.
    let line = format!("export ANNALS_SESSION='{session}'");
    let last =
        before.split(|byte| *byte == b'\n').rfind(|it| it.starts_with(b"export ANNALS_SESSION="));
    if last == Some(line.as_bytes()) {
        return Ok(());
    }
    let newline = if before.last().is_none_or(|byte| *byte == b'\n') { "" } else { "\n" };
    file.write_all(format!("{newline}{line}\n").as_bytes())
}
