//! Schedules that broke simpler designs, one rule of the design a file.

mod append;
mod failed_sync;
mod folder;
mod lock;
mod roll;
mod verdict;
mod watermark;

use std::path::Path;
use std::sync::{Arc, Mutex};

use annals_journal_format::storage::sim::{Crash, NamesLeft, SimStorage, Tail};
use annals_journal_format::writer::{AppendError, Durability, Writer, WriterOptions};

use crate::history::{FOLDER, History, Told, append, options, told};
use crate::image::{Moment, check_recovery, read};

pub type Shared = Arc<Writer<SimStorage>>;

/// Two processes with a writer each on one journal, and what their callers were told.
pub struct Two {
    pub disk: SimStorage,
    pub other: SimStorage,
    pub first: Shared,
    pub second: Shared,
    pub durability: Durability,
    pub options: WriterOptions,
    pub history: Arc<Mutex<History>>,
}

impl Two {
    pub fn new(durability: Durability, segment_bytes_max: u64) -> Self {
        Self::seeded(durability, segment_bytes_max, 1)
    }

    /// The same on a disk with another seed.
    pub fn seeded(durability: Durability, segment_bytes_max: u64, seed: u64) -> Self {
        let disk = SimStorage::new(seed);
        let other = disk.process();
        let options = options(durability, segment_bytes_max, 2);
        let first = crate::history::create(&disk, options.clone());
        let seed = [9; 32];
        let second_options = WriterOptions { seed, ..options.clone() };
        let (second, _) = Writer::open(other.clone(), Path::new(FOLDER), second_options).unwrap();
        let (first, second) = (Arc::new(first), Arc::new(second));
        let buffered = durability == Durability::Buffered;
        let history = Arc::new(Mutex::new(History { buffered, ..History::default() }));
        Self { disk, other, first, second, durability, options, history }
    }

    /// Appends one record by this writer and notes what it was told.
    pub fn append(&self, writer: &Shared, number: u64) -> Result<(), AppendError> {
        let noted = Noted {
            disk: self.disk.clone(),
            history: Arc::clone(&self.history),
            durability: self.durability,
        };
        noted.append(writer, number)
    }

    /// What an interposed act needs to append and note what it was told.
    pub fn noted(&self) -> Noted {
        Noted {
            disk: self.disk.clone(),
            history: Arc::clone(&self.history),
            durability: self.durability,
        }
    }

    /// Checks what readers see now, and what every kind of power loss and a kill leave.
    pub fn check(&self, caches_dropped: bool) {
        let history = self.history.lock().unwrap().clone();
        let operations = self.disk.operations();
        let snapshot = self.disk.snapshot();
        let alive = Moment { history: &history, operations, power_lost: caches_dropped };
        alive.check(&read(&self.disk.process(), Path::new(FOLDER)).entries);
        check_recovery(&snapshot.kill(3), alive, &self.options);
        let lost = Moment { power_lost: true, ..alive };
        for (index, tail) in Tail::ALL.into_iter().enumerate() {
            let names = NamesLeft::ALL[index % 4];
            let crash = Crash { tail, names, seed: index as u64 };
            let case = || format!("{crash:?}");
            crate::case::named(case, || {
                check_recovery(&snapshot.crash(crash), lost, &self.options);
            });
        }
    }

    /// Operations of the disk that this act takes.
    pub fn operations_of(&self, act: impl FnOnce()) -> u64 {
        let before = self.disk.operations();
        act();
        self.disk.operations() - before
    }
}

/// An appender that notes what it was told.
#[derive(Clone)]
pub struct Noted {
    disk: SimStorage,
    history: Arc<Mutex<History>>,
    durability: Durability,
}

impl Noted {
    pub fn append(&self, writer: &Shared, number: u64) -> Result<(), AppendError> {
        // Two calls may be under way at once: their order in the journal is the journal's.
        let mut alone = History::default();
        let at = alone.submit(&self.disk, &[number]);
        let answer = append(writer, &[number]);
        alone.tell(&self.disk, at, told(answer.clone(), self.durability));
        self.history.lock().unwrap().commits.append(&mut alone.commits);
        answer
    }
}

/// Whether the last answer noted is a refusal.
pub fn last_told(two: &Two) -> Option<Told> {
    two.history.lock().unwrap().commits.last().and_then(|it| it.told_at(u64::MAX))
}
