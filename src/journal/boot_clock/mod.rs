//! What the wall clock should read, by what it read before in this boot.
//!
//! `.annals/clock` has the boot, how long the machine had been up and what the clock read then. It is
//! written when a boot's first call is recorded and where the clock was set since; whatever else lies
//! there says nothing, and then nothing is expected.

#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use crate::event::Sequence;
use crate::journal::time_guard::{Around, EARLIEST_MS};
use crate::journal::{Project, boot, derived_file};

const FILE: &str = "clock";
/// More than the file ever holds.
const BYTES_MAX: u64 = 256;
/// A clock that drifts by less was not set.
const SET_MS_MIN: u64 = 60_000;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Anchor {
    boot: String,
    up_ms: u64,
    wall_ms: u64,
}

/// What a reading of the clock is held against in one project.
pub(crate) struct BootClock<'p> {
    project: &'p Project,
    /// `None` before the file was read.
    anchor: Option<Option<Anchor>>,
    is_noted: bool,
}

impl<'p> BootClock<'p> {
    pub fn new(project: &'p Project) -> Self {
        Self { project, anchor: None, is_noted: false }
    }

    /// Keeps what the clock reads, where this boot has nothing of it yet or it was set since; looks
    /// once. Without the file nothing is expected, and readings are taken.
    pub fn note(&mut self, wall_ms: u64) {
        if self.is_noted || wall_ms < EARLIEST_MS {
            return;
        }
        self.is_noted = true;
        let expected = self.expected_ms();
        if expected.is_some_and(|expected| expected.abs_diff(wall_ms) < SET_MS_MIN) {
            return;
        }
        let (Some(boot), Some(up_ms)) = (boot(), up_ms()) else { return };
        let text = format!("{boot} {up_ms} {wall_ms}\n");
        self.anchor = Some(Some(Anchor { boot: boot.to_owned(), up_ms, wall_ms }));
        drop(derived_file::replace(&self.path(), text.as_bytes()));
    }

    fn path(&self) -> PathBuf {
        self.project.annals_dir().join(FILE)
    }
}

impl Around for BootClock<'_> {
    fn expected_ms(&mut self) -> Option<u64> {
        if self.anchor.is_none() {
            let read = derived_file::read(&self.path(), BYTES_MAX);
            let anchor = read.and_then(|bytes| Anchor::parse(std::str::from_utf8(&bytes).ok()?));
            self.anchor = Some(anchor.filter(|it| Some(it.boot.as_str()) == boot()));
        }
        let anchor = self.anchor.as_ref()?.as_ref()?;
        Some(anchor.wall_ms.saturating_add(up_ms()?.checked_sub(anchor.up_ms)?))
    }

    fn journal_ms(&mut self) -> Option<u64> {
        // A journal that cannot be read has no say; whoever appends to it will tell.
        let reader = self.project.reader().ok()?;
        let last: Sequence = reader.mark().sequence;
        Some(reader.get(last).ok()??.event.envelope.at_ms)
    }
}

impl Anchor {
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let boot = words.next()?.to_owned();
        let (up_ms, wall_ms) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        words.next().is_none().then_some(Self { boot, up_ms, wall_ms })
    }
}

/// How long the machine has been up, its sleep included.
fn up_ms() -> Option<u64> {
    let text = fs::read_to_string(Path::new("/proc/uptime")).ok()?; // none there
    let seconds: f64 = text.split_ascii_whitespace().next()?.parse().ok()?;
    Some((seconds * 1000.0) as u64)
}
