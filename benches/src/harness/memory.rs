//! A process's peak of memory, and a disk that has nothing left to do.

use std::fs;
use std::process::Command;

use crate::BenchError;

/// The most memory this process ever had resident, in bytes. The kernel's VmHWM and not
/// getrusage's maxrss, which a child inherits from its parent through fork.
pub fn peak_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

/// Waits until what earlier contenders wrote has reached the disk, so that none pays for another.
pub fn settle() -> Result<(), BenchError> {
    let status = Command::new("sync").status().map_err(BenchError::io("running sync"))?;
    if !status.success() {
        return Err(BenchError::Child { command: "sync".into(), status: status.to_string() });
    }
    Ok(())
}
