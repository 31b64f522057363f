//! What a round took beside its time: processor time, and where it is asked for system calls and flushes.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::BenchError;
use crate::leash::Leash;

static COUNTS_CALLS: AtomicBool = AtomicBool::new(false);

/// Has every contest go one more round in which system calls are counted: a tracer slows it too much for it
/// to count as another.
pub fn count_calls() {
    COUNTS_CALLS.store(true, Ordering::Relaxed);
}

/// Processor time of this process, and of its children that have ended.
#[allow(unsafe_code)] // no crate has a safe form of this call
pub fn processor_time() -> Duration {
    let used = |who| {
        // SAFETY: zeros are a value of it, and the call writes no more than that.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: as above. It fails only where `who` is none of the two.
        unsafe { libc::getrusage(who, &raw mut usage) };
        let of = |time: libc::timeval| {
            Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
        };
        of(usage.ru_utime) + of(usage.ru_stime)
    };
    used(libc::RUSAGE_SELF) + used(libc::RUSAGE_CHILDREN)
}

/// How often the system was called in a round, preparation and all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Calls {
    pub all: u64,
    /// `fsync`, `fdatasync` and their like: what waits for a disk.
    pub flushes: u64,
}

impl Calls {
    /// Of one round; `None` where they are not counted: not asked for, or no `strace` that may.
    pub fn of(
        work: impl FnOnce() -> Result<Duration, BenchError>,
    ) -> Result<Option<Self>, BenchError> {
        if !COUNTS_CALLS.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let Some(mut tracer) = attach() else { return Ok(None) };
        work()?;
        let id = tracer.id().to_string();
        let told = Command::new("kill").args(["-INT", &id]).status();
        told.map_err(BenchError::io("ending strace"))?;
        let mut summary = Vec::new();
        if let Some(stderr) = tracer.stderr.take() {
            let lines = BufReader::new(stderr).lines();
            summary = lines.map_while(Result::ok).collect();
        }
        tracer.wait().map_err(BenchError::io("ending strace"))?;
        Ok(Some(Self::read(&summary)))
    }

    /// Of the table that `strace -c` prints: share, seconds, each, calls, perhaps errors, name.
    fn read(summary: &[String]) -> Self {
        let mut calls = Self::default();
        for line in summary {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (Some(count), Some(name)) = (words.get(3), words.last()) else { continue };
            let Ok(count) = count.parse::<u64>() else { continue };
            match *name {
                "total" => {}
                "fsync" | "fdatasync" | "msync" | "sync" | "syncfs" => {
                    calls.all += count;
                    calls.flushes += count;
                }
                _ => calls.all += count,
            }
        }
        calls
    }
}

/// A tracer of this process and of those that it starts, once it has it.
fn attach() -> Option<Leash> {
    let own = std::process::id().to_string();
    let tracer = Command::new("strace")
        .args(["-f", "-c", "-p", &own])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let mut tracer = Leash::of(tracer.ok()?); // not there: then nothing is counted
    is_attached(&mut tracer).then_some(tracer)
}

fn is_attached(tracer: &mut Child) -> bool {
    let Some(stderr) = &mut tracer.stderr else { return false };
    // One byte at a time: what comes later is the summary.
    let mut reader = BufReader::with_capacity(1, stderr);
    let mut line = String::new();
    reader.read_line(&mut line).is_ok() && line.contains("attached")
}
