//! A disk that has nothing left to do.

use std::process::Command;

use crate::BenchError;

/// Waits until what earlier contenders wrote has reached the disk, so that none pays for another.
pub fn settle() -> Result<(), BenchError> {
    let status = Command::new("sync").status().map_err(BenchError::io("running sync"))?;
    if !status.success() {
        return Err(BenchError::Child { command: "sync".into(), status: status.to_string() });
    }
    Ok(())
}
