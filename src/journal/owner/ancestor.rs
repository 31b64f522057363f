//! Processes, as `/proc` tells of them: a number and when it began, since numbers come again.

use std::fmt;
use std::fs::{self, File};
use std::io::Read;

use crate::journal::boot;

/// More ancestors than a hook has.
const ANCESTORS_MAX: usize = 24;
const WORDS_BYTES_MAX: u64 = 4 << 10;
/// A second, in the ticks that Linux tells of.
const SECOND: u64 = 100;

/// A process of this boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    pid: u32,
    /// Clock ticks after the boot.
    began: u64,
}

struct Look {
    process: Process,
    parent: u32,
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

/// Where numbers of processes mean what they mean here: machine, boot and namespace.
pub fn place() -> Option<String> {
    let machine = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let machine = Some(machine.trim()).filter(|it| !it.is_empty() && !it.contains(' '));
    let namespace = fs::read_link("/proc/self/ns/pid").ok()?; // none there: no word on processes
    Some(format!("{} {} {}", machine.unwrap_or("-"), boot()?, namespace.to_str()?))
}

impl Process {
    pub fn own() -> Option<Self> {
        Some(look(std::process::id())?.process)
    }

    pub fn pid(self) -> u32 {
        self.pid
    }

    /// Whether it began a second before another one.
    pub fn is_older_than(self, other: Self) -> bool {
        self.began.saturating_add(SECOND) <= other.began
    }

    /// The words of its command line; of many, the first.
    pub fn words(self) -> Vec<String> {
        let mut bytes = Vec::new();
        let file = File::open(format!("/proc/{}/cmdline", self.pid));
        // One that is not shown has none.
        drop(file.and_then(|file| file.take(WORDS_BYTES_MAX).read_to_end(&mut bytes)));
        let words = bytes.split(|byte| *byte == 0);
        words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
    }

    pub fn is_named(self, name: &str) -> bool {
        let told = fs::read_to_string(format!("/proc/{}/comm", self.pid));
        told.is_ok_and(|told| told.trim_end() == name)
    }

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
