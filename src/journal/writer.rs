//! Appending events.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use annals_journal_format::frame::Carried;
use annals_journal_format::storage::{FsStorage, Storage};
use annals_journal_format::writer::{AppendError, Doomed, Record, Redacted, Writer, WriterOptions};
use annals_journal_format::{JournalId, Sequence as FormatSequence, writer};

use super::trust::seen::SeenFile;
use super::{Appended, Blobs, Bookmark, Durability, JournalError, Mark, Recovery, Testimony};
use crate::event;
use crate::event::{Event, Sequence};

/// The journal, held against every other process while it lives.
pub type Hold = writer::Hold<<FsStorage as Storage>::File>;

/// A journal open for appending; shared by the threads of a process.
pub struct Journal {
    writer: Writer<FsStorage>,
    dir: PathBuf,
    /// Where it is remembered how far it goes; not set where that is not to be.
    seen: OnceLock<SeenFile>,
}

impl Journal {
    /// Makes an empty journal in a folder that holds none.
    ///
    /// `entropy` gives the journal its id and its salts: 48 random bytes.
    pub fn create(
        dir: &Path,
        entropy: &[u8; 48],
        options: JournalOptions,
    ) -> Result<Self, JournalError> {
        let mut id = [0; 16];
        id.copy_from_slice(&entropy[..16]);
        let options = writer_options(options, entropy);
        let writer = Writer::create(FsStorage, dir, JournalId(id), options)
            .map_err(|source| JournalError::Open { dir: dir.to_owned(), source })?;
        Ok(Self { writer, dir: dir.to_owned(), seen: OnceLock::new() })
    }

    /// Opens a journal; what had to be mended at its tail is for the caller to record.
    pub fn open(
        dir: &Path,
        entropy: &[u8; 48],
        options: JournalOptions,
    ) -> Result<(Self, Vec<Recovery>), JournalError> {
        let (writer, recoveries) =
            Writer::open(FsStorage, dir, writer_options(options, entropy))
                .map_err(|source| JournalError::Open { dir: dir.to_owned(), source })?;
        Ok((Self { writer, dir: dir.to_owned(), seen: OnceLock::new() }, recoveries))
    }

    /// Remembers from here on, in the user's own state, how far it goes on disk.
    pub(super) fn keep_seen(&self) {
        if let Some(file) = SeenFile::of(&self.dir, &self.id()) {
            self.seen.get_or_init(|| file);
            self.note_seen();
        }
    }

    /// What is not noted by this call is by the next, or by who reads.
    fn note_seen(&self) {
        let Some(file) = self.seen.get() else { return };
        if let Some(proven) = self.writer.proven().map(Bookmark::from)
            && proven.mark.sequence > Sequence(0)
        {
            drop(file.note(&proven)); // as above
        }
    }

    pub fn id(&self) -> [u8; 16] {
        self.writer.id().0
    }

    /// Appends events as one commit: all or nothing, durable as the options say.
    pub fn append(&self, events: &[Event], recorded_ms: u64) -> Result<Appended, JournalError> {
        self.with_records(events, recorded_ms, |records| self.writer.append(records))
    }

    /// As [`Self::append`], where the journal still ends at `last`; else
    /// `JournalError::overtaken` says where it ends now.
    pub fn append_after(
        &self,
        last: Sequence,
        events: &[Event],
        recorded_ms: u64,
    ) -> Result<Appended, JournalError> {
        let last = FormatSequence(last.0);
        self.with_records(events, recorded_ms, |records| self.writer.append_after(last, records))
    }

    /// As [`Self::append_after`], in as many commits as the events need, durable with the next
    /// [`Self::sync`].
    pub fn write_after(
        &self,
        last: Sequence,
        events: &[Event],
        recorded_ms: u64,
    ) -> Result<Appended, JournalError> {
        let last = FormatSequence(last.0);
        self.with_records(events, recorded_ms, |records| self.writer.write_after(last, records))
    }

    /// Keeps every other process from appending until the answer is dropped: for one whose appends
    /// were overtaken too often.
    pub fn hold(&self) -> Result<Hold, JournalError> {
        self.writer.hold().map_err(|source| self.failed(source))
    }

    fn with_records(
        &self,
        events: &[Event],
        recorded_ms: u64,
        append: impl FnOnce(&[Record<'_>]) -> Result<writer::Appended, AppendError>,
    ) -> Result<Appended, JournalError> {
        with_payloads(events, |payloads| {
            let records: Vec<_> = records(events, payloads, recorded_ms).collect();
            let appended = append(&records).map_err(|source| self.failed(source))?;
            self.note_seen();
            Ok(appended.into())
        })
    }

    /// As [`Self::append_after`]: one event, and in its commit behind it records of other journals as they are there.
    pub(super) fn carry(
        &self,
        last: Sequence,
        event: &Event,
        recorded_ms: u64,
        carried: &[Carried],
    ) -> Result<Appended, JournalError> {
        let last = FormatSequence(last.0);
        self.with_records(std::slice::from_ref(event), recorded_ms, |records| match records {
            [first] => self.writer.append_carried(last, first, carried),
            _ => Err(AppendError::Empty),
        })
    }

    /// Takes events into the current batch, which is written as one commit when it is full or at
    /// [`Self::flush`]; until then they are in memory only, and not one commit together.
    pub fn stage(&self, events: &[Event], recorded_ms: u64) -> Result<(), JournalError> {
        with_payloads(events, |payloads| {
            self.writer
                .stage_each(records(events, payloads, recorded_ms))
                .map_err(|source| self.failed(source))
        })
    }

    /// Writes what was staged: it survives the process, not the machine.
    pub fn flush(&self) -> Result<Option<Appended>, JournalError> {
        let flushed = self.writer.flush().map_err(|source| self.failed(source))?;
        Ok(flushed.map(Appended::from))
    }

    /// Flushes and makes everything durable; stores may be fed up to what it gives.
    pub fn sync(&self) -> Result<Mark, JournalError> {
        let mark = self.writer.sync().map_err(|source| self.failed(source))?;
        self.note_seen();
        Ok(mark.into())
    }

    /// Seals the segment that is appended to, where the journal still ends at `last`, with the root over all its
    /// records; answers its number, and `None` where it holds nothing.
    pub(super) fn seal(
        &self,
        last: Sequence,
        size: u64,
        root: [u8; 32],
    ) -> Result<Option<u64>, JournalError> {
        let seal = writer::Seal { last: FormatSequence(last.0), size, root };
        let sealed = self.writer.seal(&seal).map_err(|source| self.failed(source))?;
        Ok(sealed.map(|number| number.0))
    }

    /// Destroys payloads on disk: what an event that is there orders.
    pub(super) fn redact(&self, doomed: &[Doomed]) -> Result<Redacted, JournalError> {
        self.writer.redact(doomed).map_err(|source| self.failed(source))
    }

    pub fn watermark(&self) -> Mark {
        self.writer.watermark().into()
    }

    /// What had to be mended since opening or the last call: a dead writer's fragment, say.
    pub fn take_recoveries(&self) -> Vec<Recovery> {
        self.writer.take_recoveries()
    }

    pub fn blobs(&self) -> Blobs {
        Blobs::beside(&self.dir)
    }

    fn failed(&self, source: AppendError) -> JournalError {
        JournalError::Append { dir: self.dir.clone(), source }
    }
}

fn writer_options(options: JournalOptions, entropy: &[u8; 48]) -> WriterOptions {
    let mut seed = [0; 32];
    seed.copy_from_slice(&entropy[16..]);
    WriterOptions {
        durability: options.durability,
        compress_bytes_min: options.compress_bytes_min,
        segment_bytes_max: options.segment_bytes_max,
        lock_wait_ms_max: options.lock_wait_ms_max,
        is_thorough: options.is_thorough,
        witness: options.testimony.lock.map(|witness| witness.0),
        seen: options.testimony.seen.map(Into::into),
        seed,
    }
}

#[derive(Default)]
struct Payloads {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// Room that a thread keeps for its next append.
const KEPT_BYTES_MAX: usize = 1 << 20;

thread_local! {
    /// To make room anew for every append costs more than encoding does.
    static PAYLOADS: RefCell<Payloads> = RefCell::default();
}

fn with_payloads<T>(
    events: &[Event],
    work: impl FnOnce(&Payloads) -> Result<T, JournalError>,
) -> Result<T, JournalError> {
    let mut payloads = PAYLOADS.take();
    payloads.bytes.clear();
    payloads.ends.clear();
    let done = encode(events, &mut payloads).and_then(|()| work(&payloads));
    if payloads.bytes.capacity() <= KEPT_BYTES_MAX {
        PAYLOADS.set(payloads);
    }
    done
}

fn encode(events: &[Event], payloads: &mut Payloads) -> Result<(), JournalError> {
    for (at, event) in events.iter().enumerate() {
        let name = event.body.name();
        let encoded = event::encode(event, &mut payloads.bytes);
        encoded.map_err(|source| JournalError::Event { at, name, source })?;
        payloads.ends.push(payloads.bytes.len());
    }
    Ok(())
}

fn records<'a>(
    events: &'a [Event],
    payloads: &'a Payloads,
    recorded_ms: u64,
) -> impl Iterator<Item = Record<'a>> {
    let mut start = 0;
    events.iter().zip(&payloads.ends).map(move |(event, end)| {
        let payload = &payloads.bytes[start..*end];
        start = *end;
        Record {
            kind: event.body.kind().0,
            version: event.body.schema(),
            time_ms: recorded_ms,
            skippable: event.body.is_skippable(),
            payload,
        }
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalOptions {
    pub durability: Durability,
    /// Payloads of at least this many bytes are compressed where it pays.
    pub compress_bytes_min: Option<usize>,
    /// A segment rolls when the next commit would pass this.
    pub segment_bytes_max: u64,
    /// How long a lock that another process holds is waited for, each time, milliseconds.
    pub lock_wait_ms_max: u64,
    /// All of the space behind the last commit is read when it is opened: for those who mend.
    pub is_thorough: bool,
    pub testimony: Testimony,
}

impl Default for JournalOptions {
    fn default() -> Self {
        Self {
            durability: Durability::Group,
            compress_bytes_min: Some(256),
            segment_bytes_max: annals_journal_format::limits::SEGMENT_BYTES_MAX,
            lock_wait_ms_max: annals_journal_format::limits::LOCK_WAIT_MS_MAX,
            is_thorough: false,
            testimony: Testimony::default(),
        }
    }
}
