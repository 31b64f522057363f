//! A stand-in of the journal crate's API over one flat file, until the crate's writer and reader
//! are here. No crash safety.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Mutex;

pub use annals_journal_format::storage::FsStorage;
pub use annals_journal_format::{Chain, JournalId, Mark, Sequence};

pub struct Record<'a> {
    pub kind: u16,
    pub version: u8,
    pub time_ms: u64,
    pub skippable: bool,
    pub payload: &'a [u8],
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Durability {
    Buffered,
    #[default]
    Group,
    Strict,
}
pub struct WriterOptions {
    pub durability: Durability,
    pub compress_bytes_min: Option<usize>,
    pub segment_bytes_max: u64,
    pub seed: [u8; 32],
}
pub struct Appended {
    pub first: Sequence,
    pub last: Sequence,
    pub mark: Mark,
}
#[derive(Debug)]
pub struct Recovery {
    pub segment: u64,
    pub offset: u64,
    pub verdict: String,
    pub bytes_cut: u64,
    pub quarantined: Option<String>,
}
#[derive(Debug, thiserror::Error)]
#[error("interim journal")]
pub struct OpenError(#[from] std::io::Error);
pub type AppendError = OpenError;
pub type ReadError = OpenError;

struct State {
    file: File,
    mark: Mark,
    staged: Vec<u8>,
    staged_count: u64,
}
pub struct Writer<S> {
    state: Mutex<State>,
    id: JournalId,
    _s: PhantomData<S>,
}
fn chain(previous: Chain, bytes: &[u8]) -> Chain {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&previous.0).update(bytes);
    Chain(*hasher.finalize().as_bytes())
}
fn put(out: &mut Vec<u8>, records: &[Record<'_>]) {
    for r in records {
        out.extend(r.kind.to_le_bytes());
        out.push(r.version);
        out.extend(r.time_ms.to_le_bytes());
        out.extend((r.payload.len() as u32).to_le_bytes());
        out.extend(r.payload);
    }
}
impl<S> Writer<S> {
    pub fn create(_: S, dir: &Path, id: JournalId, _: WriterOptions) -> Result<Self, OpenError> {
        std::fs::create_dir_all(dir)?;
        let mut file =
            OpenOptions::new().create_new(true).append(true).open(dir.join("interim.log"))?;
        file.write_all(&id.0)?;
        let mark = Mark { sequence: Sequence(0), chain: Chain::default() };
        let state = State { file, mark, staged: Vec::new(), staged_count: 0 };
        Ok(Self { state: Mutex::new(state), id, _s: PhantomData })
    }
    pub fn open(s: S, dir: &Path, _: WriterOptions) -> Result<(Self, Vec<Recovery>), OpenError> {
        let reader = Reader::open(s, dir)?;
        let file = OpenOptions::new().append(true).open(dir.join("interim.log"))?;
        let state = State { file, mark: reader.mark(), staged: Vec::new(), staged_count: 0 };
        Ok((Self { state: Mutex::new(state), id: reader.id, _s: PhantomData }, Vec::new()))
    }
    pub fn id(&self) -> JournalId {
        self.id
    }
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }
    fn write(state: &mut State, bytes: &[u8], count: u64) -> Result<Appended, AppendError> {
        let mut out = Vec::new();
        out.extend((count as u32).to_le_bytes());
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend(bytes);
        state.file.write_all(&out)?;
        let first = Sequence(state.mark.sequence.0 + 1);
        let last = Sequence(state.mark.sequence.0 + count);
        state.mark = Mark { sequence: last, chain: chain(state.mark.chain, bytes) };
        Ok(Appended { first, last, mark: state.mark })
    }
    pub fn append(&self, records: &[Record<'_>]) -> Result<Appended, AppendError> {
        self.flush()?;
        let mut bytes = Vec::new();
        put(&mut bytes, records);
        Self::write(&mut self.lock(), &bytes, records.len() as u64)
    }
    pub fn stage(&self, records: &[Record<'_>]) -> Result<(), AppendError> {
        let mut state = self.lock();
        put(&mut state.staged, records);
        state.staged_count += records.len() as u64;
        let full = state.staged.len() > 256 << 10;
        drop(state);
        if full {
            self.flush()?;
        }
        Ok(())
    }
    pub fn flush(&self) -> Result<Option<Appended>, AppendError> {
        let mut state = self.lock();
        if state.staged_count == 0 {
            return Ok(None);
        }
        let bytes = std::mem::take(&mut state.staged);
        let count = std::mem::take(&mut state.staged_count);
        Self::write(&mut state, &bytes, count).map(Some)
    }
    pub fn sync(&self) -> Result<Mark, AppendError> {
        self.flush()?;
        self.lock().file.sync_data()?;
        Ok(self.lock().mark)
    }
    pub fn watermark(&self) -> Mark {
        self.lock().mark
    }
}

#[derive(Debug, Clone)]
pub struct Finding {
    pub what: String,
}
pub struct Entry<'a> {
    pub sequence: Sequence,
    pub kind: u16,
    pub version: u8,
    pub time_ms: u64,
    pub payload: Cow<'a, [u8]>,
    pub commit_whole: bool,
}
pub struct CommitEnd {
    pub mark: Mark,
    pub first: Sequence,
    pub chain_ok: bool,
}
pub enum Item<'a> {
    Entry(Entry<'a>),
    Commit(CommitEnd),
    Finding(Finding),
}
pub struct OwnedEntry {
    pub sequence: Sequence,
    pub kind: u16,
    pub version: u8,
    pub time_ms: u64,
    pub payload: Vec<u8>,
}
enum Stored {
    Entry(OwnedEntry),
    Commit(Mark, Sequence),
}
pub struct Reader<S> {
    id: JournalId,
    items: Vec<Stored>,
    mark: Mark,
    _s: PhantomData<S>,
}
impl<S> Reader<S> {
    pub fn open(_: S, dir: &Path) -> Result<Self, ReadError> {
        let bytes = std::fs::read(dir.join("interim.log"))?;
        let mut id = [0; 16];
        id.copy_from_slice(&bytes[..16]);
        let (mut at, mut items) = (16, Vec::new());
        let mut mark = Mark { sequence: Sequence(0), chain: Chain::default() };
        let word = |at: usize| {
            let mut four = [0; 4];
            four.copy_from_slice(&bytes[at..at + 4]);
            u32::from_le_bytes(four) as usize
        };
        while at < bytes.len() {
            let (count, len) = (word(at), word(at + 4));
            at += 8;
            let body = &bytes[at..at + len];
            let first = Sequence(mark.sequence.0 + 1);
            mark.chain = chain(mark.chain, body);
            for _ in 0..count {
                mark.sequence.0 += 1;
                let mut eight = [0; 8];
                eight.copy_from_slice(&bytes[at + 3..at + 11]);
                let size = word(at + 11);
                items.push(Stored::Entry(OwnedEntry {
                    sequence: mark.sequence,
                    kind: u16::from_le_bytes([bytes[at], bytes[at + 1]]),
                    version: bytes[at + 2],
                    time_ms: u64::from_le_bytes(eight),
                    payload: bytes[at + 15..at + 15 + size].to_vec(),
                }));
                at += 15 + size;
            }
            items.push(Stored::Commit(mark, first));
        }
        Ok(Self { id: JournalId(id), items, mark, _s: PhantomData })
    }
    pub fn id(&self) -> JournalId {
        self.id
    }
    pub fn mark(&self) -> Mark {
        self.mark
    }
    pub fn entries(&self, from: Sequence) -> Entries<'_, S> {
        let at = self.items.iter().position(|item| match item {
            Stored::Entry(entry) => entry.sequence >= from,
            Stored::Commit(mark, _) => mark.sequence >= from,
        });
        Entries { reader: self, at: at.unwrap_or(self.items.len()) }
    }
    pub fn get(&self, at: Sequence) -> Result<Option<OwnedEntry>, ReadError> {
        Ok(self.items.iter().find_map(|item| match item {
            Stored::Entry(e) if e.sequence == at => Some(OwnedEntry {
                sequence: e.sequence,
                kind: e.kind,
                version: e.version,
                time_ms: e.time_ms,
                payload: e.payload.clone(),
            }),
            _ => None,
        }))
    }
}
pub struct Entries<'a, S> {
    reader: &'a Reader<S>,
    at: usize,
}
impl<S> Entries<'_, S> {
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<Result<Item<'_>, ReadError>> {
        let item = self.reader.items.get(self.at)?;
        self.at += 1;
        Some(Ok(match item {
            Stored::Entry(e) => Item::Entry(Entry {
                sequence: e.sequence,
                kind: e.kind,
                version: e.version,
                time_ms: e.time_ms,
                payload: Cow::Borrowed(&e.payload),
                commit_whole: true,
            }),
            Stored::Commit(mark, first) => {
                Item::Commit(CommitEnd { mark: *mark, first: *first, chain_ok: true })
            }
        }))
    }
}
