//! The file in which a session's fold is kept between two calls of a hook.
//!
//! `.annals/sessions/{session}.fold`, derived from the journal: one that is missing, foreign, ahead
//! of the journal or broken is folded anew. Written over in place and never synced, under a sum: what is
//! cut short or lost with the power is read again from the journal.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::index::{seed, usable_index};
use super::sealed_file;
use super::{GateError, Result};
use crate::event::derived::{self, BYTES_MAX, Decode, Encode, EncodeError};
use crate::event::{Body, CallKey, Sequence, SessionId};
use crate::grounding::fold::{Grounding, GroundingRules, Hex};
use crate::journal::enclosure::OpenHow;
use crate::journal::{Bookmark, Mark, Project, ReplayItem, clock, enclosure, since};

/// A session's fold, its file locked until this is dropped.
pub struct SessionFile<'p> {
    project: &'p Project,
    path: PathBuf,
    /// `None` where somebody held it for too long: then nothing is written.
    lock: Option<File>,
    rules: GroundingRules,
    grounding: Grounding,
    /// Where the journal was read to; `None` before the first commit that was read.
    bookmark: Option<Bookmark>,
    /// The journal's last event that is known of.
    through: Sequence,
    /// Where the last append that was overtaken found the journal's end.
    met: Option<Sequence>,
    /// What the file holds; another one is to be written.
    saved: Option<Bookmark>,
}

/// How long a call waits for another one of its session: longer than any takes.
const WAIT_MAX: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(1);

impl<'p> SessionFile<'p> {
    /// Opens a session's fold, caught up with the journal. Calls of one session come one after the
    /// other: the next waits until this is dropped.
    pub fn open(project: &'p Project, session: SessionId) -> Result<Self> {
        let folder = project.sessions_dir();
        let failed = |did| {
            let path = folder.clone();
            move |source| GateError::File { path, did, source }
        };
        enclosure::make_folder(&folder).map_err(failed("made"))?;
        let lock = lock(&folder.join(format!("{session}.lock"))).map_err(failed("locked"))?;
        let path = folder.join(format!("{session}.fold"));
        let bytes = read(&path).map_err(failed("read"))?;
        Self::of(project, session, path, lock, bytes)
    }

    /// As [`Self::open`] where the file cannot be had: folded anew each time, and kept nowhere.
    pub fn unkept(project: &'p Project, session: SessionId) -> Result<Self> {
        Self::of(project, session, PathBuf::new(), None, None)
    }

    fn of(
        project: &'p Project,
        session: SessionId,
        path: PathBuf,
        lock: Option<File>,
        bytes: Option<Vec<u8>>,
    ) -> Result<Self> {
        let rules = GroundingRules::default();
        let stored = bytes.and_then(|bytes| decode(&bytes, session, &rules, clock::now_ms()));
        let (grounding, bookmark) = match stored {
            // Consent was given, or taken back: then other checks count.
            Some((grounding, bookmark)) if grounding.is_declared_by(|| !project.is_believed()) => {
                (grounding, Some(bookmark))
            }
            _ => (Grounding::new(session), None),
        };
        let saved = bookmark.clone();
        let through = bookmark.as_ref().map_or(Sequence(0), |it| it.mark.sequence);
        let met = None;
        let mut file =
            Self { project, path, lock, rules, grounding, bookmark, through, met, saved };
        file.catch_up()?;
        Ok(file)
    }

    pub fn grounding(&self) -> &Grounding {
        &self.grounding
    }

    /// Whether a call of the session has ended: of one that lies further back than its fold remembers,
    /// as far as the index tells. Where it tells nothing the call is taken for a new one.
    pub fn call_is_closed(&self, call: &CallKey) -> bool {
        let in_index = || -> Option<bool> {
            let (index, _) = usable_index(self.project, &self.project.reader().ok()?)?;
            Some(index.execution_by_call(call).ok()??.outcome.is_some()) // as above
        };
        self.grounding.call_is_closed(call)
            || self.grounding.has_forgotten_calls() && in_index().unwrap_or(false)
    }

    /// The journal's last event that is known of: what is decided by this holds only where the
    /// journal still ends there.
    pub fn through(&self) -> Sequence {
        self.through
    }

    /// Takes what others appended, up to `last` at least: where an append that was overtaken found
    /// the journal's end.
    pub fn read_on(&mut self, last: Sequence) -> Result<()> {
        let is_met_again = self.met.replace(last) == Some(last);
        self.catch_up()?;
        // What lies there and was not told cannot be read. And an end that is met twice is the end,
        // whatever was read behind it before it was cut.
        self.through = if is_met_again { last } else { self.through.max(last) };
        Ok(())
    }

    pub fn catch_up(&mut self) -> Result<()> {
        let journal = self.project.journal_dir();
        let tail = match &self.bookmark {
            Some(bookmark) => since(&journal, bookmark)?,
            None => None,
        };
        let replay = match tail {
            Some(replay) => replay,
            None => {
                // Nothing to go on from, or nothing of this journal's.
                let session = self.grounding.session();
                let reader = self.project.reader()?;
                let seeded = seed(self.project, &reader, session, &mut self.rules);
                self.grounding = seeded.unwrap_or_else(|| Grounding::new(session));
                self.bookmark = None;
                // Up to there the index has read for us: there may be nothing behind it.
                self.through = self.grounding.through();
                reader.replay(Sequence(self.through.0.saturating_add(1)), None)
            }
        };
        let mut replay = replay;
        while let Some(item) = replay.next() {
            match item? {
                ReplayItem::Event(recorded) => {
                    if matches!(recorded.event.body, Body::ChecksDeclared(_)) {
                        self.rules.is_foreign = !self.project.is_believed();
                    }
                    self.grounding.apply(&recorded, &self.rules);
                }
                ReplayItem::CommitEnd(mark) => {
                    self.through = self.through.max(mark.sequence);
                    self.bookmark = replay.bookmark().or(self.bookmark.take());
                }
                // What cannot be read says nothing here; `verify` names it.
                ReplayItem::Lost(_)
                | ReplayItem::Undecodable { .. }
                | ReplayItem::Skipped { .. } => {}
            }
        }
        Ok(())
    }

    /// Writes the file where it says less than is known; not synced.
    pub fn save(&mut self) -> Result<()> {
        let Some(bookmark) = self.bookmark.clone().filter(|_| self.lock.is_some()) else {
            return Ok(());
        };
        if self.saved.as_ref() == Some(&bookmark) {
            return Ok(());
        }
        let failed = |source| GateError::File { path: self.path.clone(), did: "written", source };
        let bytes = encode(&self.grounding, &bookmark, &self.rules);
        let bytes = bytes.map_err(|error| failed(io::Error::other(error)))?;
        sealed_file::write(&self.path, &bytes).map_err(failed)?;
        self.saved = Some(bookmark);
        Ok(())
    }
}

impl Drop for SessionFile<'_> {
    fn drop(&mut self) {
        if let Some(lock) = &self.lock {
            // Explicit, since a child may hold the descriptor; closing lets go as well.
            drop(fs2::FileExt::unlock(lock));
        }
    }
}

/// The lock; `None` where somebody held it for too long.
fn lock(path: &Path) -> io::Result<Option<File>> {
    let file = enclosure::open(path, OpenHow::ReadWriteOrCreate)?;
    let began = Instant::now();
    loop {
        match fs2::FileExt::try_lock_exclusive(&file) {
            Ok(()) => return Ok(Some(file)),
            Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error),
            Err(_) if began.elapsed() >= WAIT_MAX => return Ok(None),
            Err(_) => std::thread::sleep(PAUSE),
        }
    }
}

/// What the file holds, if that can be a fold: whatever else lies there is written over, but for what is
/// another user's.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match enclosure::read(path, BYTES_MAX as u64 + 1) {
        Err(error) if enclosure::is_foreign(&error) => Err(error),
        // Whatever is wrong with it, it is made anew.
        Ok(bytes) if bytes.len() <= BYTES_MAX => Ok(Some(bytes)),
        _ => Ok(None),
    }
}

#[derive(Encode, Decode)]
pub struct KeptFold<G> {
    pub version: u32,
    /// What the fold was told of the project's settings.
    pub rules: Hex,
    pub journal: [u8; 16],
    pub segment: u64,
    /// Where the last commit that was folded ends in it, bytes.
    pub end: u64,
    pub sequence: u64,
    /// The chain there.
    pub chain: [u8; 32],
    pub grounding: G,
}

/// Another number where the shape became another.
const VERSION: u32 = 3;
/// How far a time may lie ahead: of two clocks one is late. Further ahead, a read would open the
/// gate for as long.
const AHEAD_MS_MAX: u64 = 60_000;

/// What a file says; `None` where it is none of ours, or another session's or fold's.
/// `now_ms` bounds the times that it may tell of.
fn decode(
    file: &[u8],
    session: SessionId,
    rules: &GroundingRules,
    now_ms: u64,
) -> Option<(Grounding, Bookmark)> {
    let shape = derived::decode::<KeptFold<Grounding>>(sealed_file::unsealed(file)?)?;
    let KeptFold { version, journal, segment, end, sequence, chain, grounding, .. } = shape;
    let usable = version == VERSION
        && shape.rules == rules.digest()
        && grounding.session() == session
        && grounding.through().0 <= sequence
        && grounding.is_bounded(now_ms.saturating_add(AHEAD_MS_MAX));
    let mark = Mark { sequence: Sequence(sequence), chain };
    let bookmark = Bookmark { journal, segment, end, mark };
    usable.then_some((grounding, bookmark))
}

fn encode(
    grounding: &Grounding,
    bookmark: &Bookmark,
    rules: &GroundingRules,
) -> Result<Vec<u8>, EncodeError> {
    let Bookmark { journal, segment, end, mark } = *bookmark;
    let (sequence, chain) = (mark.sequence.0, mark.chain);
    let rules = rules.digest();
    derived::encode(&KeptFold {
        version: VERSION,
        rules,
        journal,
        segment,
        end,
        sequence,
        chain,
        grounding,
    })
}
