//! A command run to its end, with how long it took and the most memory it had.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::BenchError;
use crate::leash::Leash;

/// How a command went.
#[derive(Clone, Copy, Debug)]
pub struct Watched {
    pub took: Duration,
    /// The kernel's VmHWM as it stood two milliseconds or less before the end. Not getrusage's
    /// maxrss: a child inherits that from its parent.
    pub peak_bytes: u64,
}

/// Runs a command whose output nobody needs. Exit codes in `fine` are success.
pub fn watched(command: &mut Command, fine: &[i32]) -> Result<Watched, BenchError> {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(Leash::of)
        .map_err(BenchError::io("starting a command"))?;
    let status_file = format!("/proc/{}/status", child.id());
    let (mut peak_bytes, mut pause) = (0, Duration::from_micros(20));
    loop {
        if let Some(status) = child.try_wait().map_err(BenchError::io("waiting for a command"))? {
            let took = start.elapsed();
            if status.code().is_some_and(|code| fine.contains(&code)) {
                return Ok(Watched { took, peak_bytes });
            }
            return Err(BenchError::Child {
                command: format!("{command:?}"),
                status: status.to_string(),
            });
        }
        // Gone between the two looks: the last reading stands.
        peak_bytes = peak_of(&status_file).unwrap_or(0).max(peak_bytes);
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(2));
    }
}

fn peak_of(status_file: &str) -> Option<u64> {
    let status = fs::read_to_string(status_file).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kib| kib * 1024)
}
