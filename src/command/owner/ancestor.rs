//! Processes, as `/proc` tells of them: a number and when it began, since numbers come again.

use std::fmt;
use std::fs::{self, File};
use std::io::Read;

use crate::command::boot_clock::boot_id;

/// More ancestors than a hook has.
const ANCESTORS_MAX: usize = 24;
/// A second, in the ticks that Linux tells of.
const SECOND: u64 = 100;

/// A process of this boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    pid: u32,
    /// Clock ticks after the boot.
    began: u64,
}

/// What one look at a process shows.
struct Look {
    process: Process,
    parent: u32,
    /// It ended, and nobody has asked how.
    is_dead: bool,
}

/// The ancestors of this process, nearest first, as they are asked for; none outside Linux. The first
/// process of all is nobody's agent.
pub fn ancestors() -> impl Iterator<Item = Process> {
    let mut next = std::os::unix::process::parent_id();
    let ancestors = std::iter::from_fn(move || {
        let Look { process, parent, .. } = look(next).filter(|_| next > 1)?;
        next = parent;
        Some(process)
    });
    ancestors.take(ANCESTORS_MAX)
}

/// The first of some processes that began a second before this one: no shell that was started for it.
pub fn older_than_this(processes: &[Process]) -> Option<Process> {
    let own = look(std::process::id())?.process.began;
    processes.iter().copied().find(|it| it.began.saturating_add(SECOND) <= own)
}

/// Where numbers of processes mean what they mean here: machine, boot and namespace.
pub fn place() -> Option<String> {
    let machine = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let machine = Some(machine.trim()).filter(|it| !it.is_empty() && !it.contains(' '));
    let namespace = fs::read_link("/proc/self/ns/pid").ok()?; // none there: no word on processes
    Some(format!("{} {} {}", machine.unwrap_or("-"), boot_id()?, namespace.to_str()?))
}

impl Process {
    /// Whether it runs. One that cannot be looked at runs: nothing may be closed on a guess.
    pub fn lives(self) -> bool {
        match look(self.pid) {
            Some(look) => look.process == self && !look.is_dead,
            None => {
                let pid = i32::try_from(self.pid).ok().and_then(rustix::process::Pid::from_raw);
                let asked = pid.map(rustix::process::test_kill_process);
                asked.is_some_and(|asked| asked != Err(rustix::io::Errno::SRCH))
            }
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        let (pid, began) = text.split_once(' ')?;
        Some(Self { pid: pid.parse().ok()?, began: began.parse().ok()? })
    }
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.pid, self.began)
    }
}

fn look(pid: u32) -> Option<Look> {
    // One read tells all of it, and a hook pays for each.
    let mut bytes = [0; 1024];
    let len = File::open(format!("/proc/{pid}/stat")).ok()?.read(&mut bytes).ok()?; // no such process
    let stat = bytes.get(..len)?;
    // The name before it may hold anything, a parenthesis too.
    let behind = stat.get(stat.iter().rposition(|byte| *byte == b')')? + 1..)?;
    let words: Vec<&str> = std::str::from_utf8(behind).ok()?.split_ascii_whitespace().collect();
    let process = Process { pid, began: words.get(19)?.parse().ok()? };
    let is_dead = matches!(*words.first()?, "Z" | "X");
    Some(Look { process, parent: words.get(1)?.parse().ok()?, is_dead })
}
