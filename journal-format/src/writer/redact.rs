//! Destroying payloads in segments that are closed (FORMAT.md §6).
//!
//! The segment that is appended to is rolled first: what was written and not flushed is proven by that, and whoever
//! appends goes on in the next one, as with any roll. Of a closed segment a copy is written, every byte at its offset,
//! without what goes and without what lies behind its bound; flushed; renamed over it; the folder flushed. Who has the
//! old file open or mapped reads it to its end: it has lost its name, and nothing is ever written to it any more.

use std::io;
use std::ops::Range;

use super::active::{self, segments};
use super::batch::Batch;
use super::tail::{State, Tail};
use super::{AppendError, Writer};
use crate::frame::{CrcSeed, Flags, FrameView, kind, layout, leaf};
use crate::recover::quarantine;
use crate::redaction::{frame_at, header_of, redacted};
use crate::segment::SegmentName;
use crate::storage::{OpenHow, Storage, StorageFile, read_full, write_full};
use crate::units::{Offset, Position, Sequence};

const STRIDE_BYTES: usize = 1 << 20;
/// More than any ROLL or SEAL commit takes.
const CONTROL_BYTES_MAX: usize = 1 << 10;

/// A frame whose payload is to be destroyed, and what vouches for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doomed {
    pub at: Position,
    pub sequence: Sequence,
    pub leaf: [u8; 32],
}

/// What became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redacted {
    /// Destroyed now, in order of their places; what was destroyed before is not among them.
    pub records: Vec<Sequence>,
    /// Where something else stands, or nothing that holds: left as it is.
    pub others: Vec<Sequence>,
    /// Segments that were written anew.
    pub segments: u64,
}

impl<S: Storage> Writer<S> {
    /// Destroys payloads, under the lock, and what lies behind the bounds of closed segments: nothing counts that
    /// stands there, and it may be a copy. On disk when it returns. Twice is once.
    ///
    /// # Errors
    /// What was done by then stays done; nothing is half done.
    pub fn redact(&self, doomed: &[Doomed]) -> Result<Redacted, AppendError> {
        let mut tail = self.tail();
        let done = tail.redact(doomed);
        let proven = tail.proven.mark;
        drop(tail);
        self.know_proven(proven);
        done
    }
}

impl<S: Storage> Tail<S> {
    fn redact(&mut self, doomed: &[Doomed]) -> Result<Redacted, AppendError> {
        if self.state != State::Sound {
            return Err(AppendError::Fenced { segment: self.active.number() });
        }
        self.state = State::Moving;
        let done = self.acquire().and_then(|held| {
            self.catch_up(held.fresh())?;
            let done = self.redact_held(doomed);
            drop(held);
            done
        });
        if self.state == State::Moving {
            self.state = State::Sound;
        }
        done
    }

    fn redact_held(&mut self, doomed: &[Doomed]) -> Result<Redacted, AppendError> {
        let number = self.active.number();
        if doomed.iter().any(|it| it.at.segment == number) {
            self.roll(&mut Batch::default())?;
        }
        let names = segments(&self.storage, &self.folder).map_err(|it| self.not_recorded(it))?;
        let mut done = Redacted::default();
        for (at, name) in names.iter().enumerate() {
            if name.number >= self.active.number() {
                break;
            }
            let mut own: Vec<_> =
                doomed.iter().filter(|it| it.at.segment == name.number).copied().collect();
            own.sort_by_key(|it| it.at.offset);
            let next = names.get(at + 1).filter(|next| next.number.0 == name.number.0 + 1);
            self.rewrite(*name, next.copied(), &own, &mut done)
                .map_err(|source| self.not_recorded(source))?;
        }
        self.clear_unfinished().map_err(|source| self.not_recorded(source))?;
        Ok(done)
    }

    /// Removes segments that somebody died in the making of: they may hold copies. Under the lock nobody makes one.
    fn clear_unfinished(&self) -> io::Result<()> {
        let names = self.storage.list(&self.folder)?;
        let is_left = |name: &str| {
            name.strip_suffix(".tmp").is_some_and(|it| SegmentName::parse(it).is_some())
        };
        for name in names.iter().filter(|name| is_left(name)) {
            self.storage.remove(&self.folder.join(name))?;
        }
        Ok(())
    }

    /// Writes a closed segment anew, where anything of it goes.
    fn rewrite(
        &self,
        name: SegmentName,
        next: Option<SegmentName>,
        doomed: &[Doomed],
        done: &mut Redacted,
    ) -> io::Result<()> {
        let path = self.folder.join(name.to_string());
        let file = self.storage.open(&path, OpenHow::Read)?;
        let header = match header_of(&file) {
            Ok(header) => header,
            // Without it no frame of the segment can be told from another.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                done.others.extend(doomed.iter().map(|it| it.sequence));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let seed = CrcSeed::new(&header.nonce);
        let bound = match next {
            Some(next) => {
                self.bound(next)?.filter(|_| header.journal == self.active.header.journal)
            }
            None => None,
        };
        let len = file.len()?;
        let end = match bound {
            Some(bound) => end_behind(&file, &seed, bound, len)?,
            None => len,
        };
        let mut frames = Vec::new();
        for it in doomed {
            match frame_at(&file, &seed, it.at.offset.0) {
                Ok(frame) if is_same(&frame, &seed, it) => {
                    if !Flags(frame[layout::FLAGS_AT]).has(Flags::REDACTED) {
                        frames.push(it);
                    }
                }
                Ok(_) => done.others.push(it.sequence),
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    done.others.push(it.sequence);
                }
                Err(error) => return Err(error),
            }
        }
        if frames.is_empty() && is_blank(&file, end..len)? {
            return Ok(());
        }
        let temporary = active::temporary(&self.folder, name);
        let copy = || -> io::Result<()> {
            let to = quarantine::create_afresh(&self.storage, &temporary)?;
            let mut at = 0;
            for it in &frames {
                let frame = redacted(&file, &seed, it.at.offset.0)?;
                copy(&file, &to, at..it.at.offset.0)?;
                write_full(&to, &frame, it.at.offset.0)?;
                at = it.at.offset.0 + frame.len() as u64;
            }
            copy(&file, &to, at..end)?;
            to.sync_data()?;
            self.storage.take_mode(&path, &temporary)?;
            self.storage.rename(&temporary, &path)?;
            self.storage.sync_folder(&self.folder)
        };
        copy()?;
        done.records.extend(frames.iter().map(|it| it.sequence));
        done.segments += 1;
        Ok(())
    }

    /// Where a segment's header says that the one before it ends.
    fn bound(&self, next: SegmentName) -> io::Result<Option<Offset>> {
        let file = self.storage.open(&self.folder.join(next.to_string()), OpenHow::Read)?;
        let header = match header_of(&file) {
            Ok(header) => header,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(None),
            Err(error) => return Err(error),
        };
        let is_own = header.number == next.number && header.journal == self.active.header.journal;
        Ok(is_own.then_some(header.previous.end))
    }
}

/// Whether a frame is the record that an order names.
fn is_same(frame: &[u8], seed: &CrcSeed, doomed: &Doomed) -> bool {
    let parsed = FrameView::parse(frame, seed, doomed.at.offset);
    parsed.is_ok_and(|it| it.header.sequence == doomed.sequence) && leaf(frame) == doomed.leaf
}

/// Where a segment's bytes end that count: behind the ROLL or SEAL that stands at its bound, if one does.
fn end_behind(file: &impl StorageFile, seed: &CrcSeed, bound: Offset, len: u64) -> io::Result<u64> {
    if bound.0 >= len {
        return Ok(len);
    }
    let mut bytes = vec![0; CONTROL_BYTES_MAX];
    let read = read_full(file, &mut bytes, bound.0)?;
    let control = FrameView::parse(&bytes[..read], seed, bound).ok();
    let control = control.filter(|frame| frame.header.is_control());
    let footer =
        control.filter(|it| it.header.kind == kind::SEAL).and_then(|it| it.stored.get(40..48));
    if footer.is_some_and(|at| at.iter().any(|byte| *byte != 0)) {
        return Ok(len);
    }
    Ok(bound.0 + control.map_or(0, |frame| frame.frame_bytes() as u64))
}

fn is_blank(file: &impl StorageFile, range: Range<u64>) -> io::Result<bool> {
    let mut buffer = vec![0; STRIDE_BYTES.min((range.end - range.start) as usize)];
    let mut at = range.start;
    while at < range.end {
        let want = ((range.end - at) as usize).min(buffer.len());
        let read = read_full(file, &mut buffer[..want], at)?;
        if read == 0 {
            break;
        }
        if buffer[..read].iter().any(|byte| *byte != 0) {
            return Ok(false);
        }
        at += read as u64;
    }
    Ok(true)
}

fn copy<F: StorageFile>(from: &F, to: &F, range: Range<u64>) -> io::Result<()> {
    let mut at = range.start;
    let mut buffer = vec![0; STRIDE_BYTES.min((range.end - at) as usize)];
    while at < range.end {
        let want = ((range.end - at) as usize).min(buffer.len());
        let read = read_full(from, &mut buffer[..want], at)?;
        if read < want {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        write_full(to, &buffer[..read], at)?;
        at += read as u64;
    }
    Ok(())
}
