//! Playing a script on a writer, and what it was told at which operation of the disk.

use std::path::Path;

use annals_journal_format::JournalId;
use annals_journal_format::storage::Storage;
use annals_journal_format::storage::sim::SimStorage;
use annals_journal_format::writer::{AppendError, Durability, Record, Writer, WriterOptions};

use crate::script::{Step, payload};

const PROJECT: &str = "/project";
pub const FOLDER: &str = "/project/journal";
pub const ID: JournalId = JournalId([7; 16]);

/// What a writer's caller knows of one commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Written: it survives the death of the process.
    Written,
    /// On disk.
    Durable,
    /// Certainly not in the journal.
    NotRecorded,
    /// Perhaps in the journal.
    Unknown,
}

/// One commit: its records' numbers, and what its caller was told when.
#[derive(Clone, Debug)]
pub struct Commit {
    pub numbers: Vec<u64>,
    /// Operations of the disk done when it was first handed over.
    pub submitted_at: u64,
    /// (operations done, what was told), in order.
    pub told: Vec<(u64, Told)>,
}

impl Commit {
    /// What the caller knew when this many operations were done; `None` while it waited.
    pub fn told_at(&self, operations: u64) -> Option<Told> {
        self.told.iter().rev().find(|(at, _)| *at <= operations).map(|(_, told)| *told)
    }
}

/// Everything that was handed over, in order.
#[derive(Clone, Debug, Default)]
pub struct History {
    pub commits: Vec<Commit>,
    /// (operations done, the writer's watermark), after each call.
    pub watermarks: Vec<(u64, u64)>,
    /// The writer writes without flushing.
    pub buffered: bool,
}

pub fn options(durability: Durability, segment_bytes_max: u64, seed: u64) -> WriterOptions {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    WriterOptions {
        durability,
        compress_bytes_min: (seed % 2 == 1).then_some(1024),
        segment_bytes_max,
        ..WriterOptions::new(bytes)
    }
}

/// The records with these numbers; `payloads` holds what they borrow.
pub fn records<'a>(numbers: &[u64], payloads: &'a [Vec<u8>]) -> Vec<Record<'a>> {
    let record = |(number, payload): (&u64, &'a Vec<u8>)| Record {
        kind: 0x0401,
        version: 1,
        time_ms: *number,
        skippable: false,
        payload,
    };
    numbers.iter().zip(payloads).map(record).collect()
}

/// Appends these records as one commit.
pub fn append<S: Storage>(writer: &Writer<S>, numbers: &[u64]) -> Result<(), AppendError> {
    let payloads: Vec<_> = numbers.iter().map(|number| payload(*number)).collect();
    writer.append(&records(numbers, &payloads)).map(|_| ())
}

impl History {
    /// Plays the script to its end, whatever fails.
    pub fn play(
        &mut self,
        disk: &SimStorage,
        writer: &Writer<SimStorage>,
        durability: Durability,
        steps: &[Step],
    ) {
        self.buffered = durability == Durability::Buffered;
        let mut staged: Vec<usize> = Vec::new();
        for step in steps {
            match step {
                Step::Append(numbers) => {
                    // An append flushes what is staged before it.
                    let at = self.submit(disk, numbers);
                    let told = told(append(writer, numbers), durability);
                    // Of what was staged a later call would have told; it may be there or not.
                    let recorded = matches!(told, Told::Written | Told::Durable);
                    self.tell_all(disk, &mut staged, if recorded { told } else { Told::Unknown });
                    self.tell(disk, at, told);
                }
                Step::Stage(numbers) => {
                    let at = self.submit(disk, numbers);
                    let payloads: Vec<_> = numbers.iter().map(|it| payload(*it)).collect();
                    match writer.stage(&records(numbers, &payloads)) {
                        Ok(()) => staged.push(at),
                        Err(_) => {
                            // The error may be that of records staged before.
                            self.tell_all(disk, &mut staged, Told::Unknown);
                            self.tell(disk, at, Told::NotRecorded);
                        }
                    }
                }
                Step::Flush => {
                    let answer = writer.flush().map(|_| ());
                    let told = told(answer, Durability::Buffered);
                    self.tell_all(disk, &mut staged, told);
                }
                Step::Sync => {
                    let answer = writer.sync().map(|_| ());
                    let synced = answer.is_ok();
                    let told = told(answer, Durability::Buffered);
                    self.tell_all(disk, &mut staged, told);
                    if synced {
                        self.all_written_are_durable(disk);
                    }
                }
            }
            self.watermarks.push((disk.operations(), writer.watermark().sequence.0));
        }
    }

    /// The highest watermark told when this many operations were done.
    pub fn watermark_at(&self, operations: u64) -> u64 {
        let told = self.watermarks.iter().filter(|(at, _)| *at <= operations);
        told.map(|(_, sequence)| *sequence).max().unwrap_or(0)
    }

    pub fn submit(&mut self, disk: &SimStorage, numbers: &[u64]) -> usize {
        self.commits.push(Commit {
            numbers: numbers.to_vec(),
            submitted_at: disk.operations(),
            told: Vec::new(),
        });
        self.commits.len() - 1
    }

    pub fn tell(&mut self, disk: &SimStorage, commit: usize, told: Told) {
        self.commits[commit].told.push((disk.operations(), told));
    }

    fn tell_all(&mut self, disk: &SimStorage, commits: &mut Vec<usize>, told: Told) {
        commits.drain(..).for_each(|commit| self.tell(disk, commit, told));
    }

    pub fn all_written_are_durable(&mut self, disk: &SimStorage) {
        let now = disk.operations();
        for commit in &mut self.commits {
            if commit.told_at(now) == Some(Told::Written) {
                commit.told.push((now, Told::Durable));
            }
        }
    }
}

/// What an answer tells.
pub fn told(answer: Result<(), AppendError>, durability: Durability) -> Told {
    match answer {
        Ok(()) if durability == Durability::Buffered => Told::Written,
        Ok(()) => Told::Durable,
        Err(AppendError::Unknown { .. }) => Told::Unknown,
        Err(_) => Told::NotRecorded,
    }
}

/// A new journal in a project's folder that was there before.
pub fn create(disk: &SimStorage, options: WriterOptions) -> Writer<SimStorage> {
    disk.create_folder(Path::new(PROJECT)).unwrap();
    disk.sync_folder(Path::new("/")).unwrap();
    Writer::create(disk.clone(), Path::new(FOLDER), ID, options).unwrap()
}
