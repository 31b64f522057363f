//! A transcript's growth: a hook reads on where the one before it stopped, within bounds.
//!
//! `.annals/sessions/{session}.read` says where that was. It is derived: without it, or where the file is
//! another or the journal has less than it had then, the transcript is read from its beginning, and what is
//! on record is not recorded again.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::hash;
use super::item::Item;
use super::limits::{GROWTH_TIME_MAX, READ_MARKS_MAX};
use super::lines::Opened;
use super::rests::Rest;
use super::transcript::{Dialect, Transcript};
use crate::event::{Sequence, SessionId};
use crate::journal::enclosure::OpenHow;
use crate::journal::{Project, enclosure};

/// Where a transcript was read to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadMark {
    /// The file: a digest of its path, its device and inode.
    path: String,
    dev: u64,
    ino: u64,
    /// The first byte that is still to be read, the number of the line before it, and a digest of the bytes
    /// before it: a file that was written anew is another.
    pub offset: u64,
    pub line: u64,
    before: String,
    /// What the dialect must know there, and which model spoke last.
    pub state: Option<String>,
    pub model: Option<String>,
    journal: String,
    sequence: u64,
}

/// The reading of one transcript's growth.
#[derive(Debug)]
pub struct Growth {
    path: PathBuf,
    pub mark: ReadMark,
    /// The file goes on: an unfinished line is left for the next time.
    pub ongoing: bool,
    until: Instant,
    bytes_max: u64,
    /// Where lines begin of which something is still held.
    starts: VecDeque<(u64, u64)>,
    /// The bounds were met before the end.
    pub is_left: bool,
}

/// Bytes before a mark that tell whether the file is the same.
const BEFORE_BYTES: u64 = 256;
/// A file of marks is never larger.
const BYTES_MAX: u64 = 256 << 10;

impl Growth {
    /// Reads on from where this session's transcript was read to, about so many bytes; no file but a regular one is
    /// opened.
    pub fn of(
        project: &Project,
        session: SessionId,
        path: &Path,
        (ongoing, bytes_max): (bool, u64),
    ) -> Self {
        let mark = marks(project, session).into_iter().find(|mark| mark.holds(project, path));
        let until = Instant::now() + GROWTH_TIME_MAX;
        let (path, mark) = (path.to_owned(), mark.unwrap_or_default());
        let (starts, is_left) = (VecDeque::new(), false);
        Self { path, mark, ongoing, until, bytes_max, starts, is_left }
    }

    /// Whether the line that begins here is left for the next time.
    pub fn is_spent(&mut self, from: u64, offset: u64) -> bool {
        self.is_left = offset - from >= self.bytes_max || Instant::now() >= self.until;
        self.is_left
    }

    pub fn begin(&mut self, line: u64, offset: u64) {
        self.starts.push_back((line, offset));
    }

    /// A line was read, up to `offset`: what is held decides from where it is read on. A dialect with a state
    /// rests only where nothing is held.
    pub fn rest(
        &mut self,
        (line, offset): (u64, u64),
        held_from: Option<u64>,
        state: Option<Option<String>>,
    ) {
        match (held_from, state) {
            (None, state) => {
                self.starts.clear();
                (self.mark.line, self.mark.offset) = (line, offset);
                self.mark.state = state.flatten();
            }
            (Some(held), None) => {
                while self.starts.front().is_some_and(|(line, _)| *line < held) {
                    self.starts.pop_front();
                }
                if let Some((line, offset)) = self.starts.front() {
                    (self.mark.line, self.mark.offset) = (line - 1, *offset);
                }
            }
            (Some(_), Some(_)) => (),
        }
    }

    /// How many bytes are still to be read.
    pub fn left_bytes(&self) -> u64 {
        let bytes = std::fs::metadata(&self.path).map_or(0, |it| it.len());
        bytes.saturating_sub(self.mark.offset)
    }

    /// Keeps the mark: what stands before it is in the journal, up to this event.
    pub fn save(
        mut self,
        project: &Project,
        session: SessionId,
        journal: [u8; 16],
        through: Sequence,
    ) -> io::Result<()> {
        let file = open(&self.path)?;
        let about = file.metadata()?;
        self.mark.path = digest(self.path.as_os_str().as_encoded_bytes());
        (self.mark.dev, self.mark.ino) = (about.dev(), about.ino());
        self.mark.before = before(file, self.mark.offset)?;
        self.mark.journal = digest(&journal);
        self.mark.sequence = through.0;
        // What stands in a transcript may be a secret.
        let redactor = project.redactor();
        for text in [&mut self.mark.model, &mut self.mark.state].into_iter().flatten() {
            *text = redactor.redact_text(text);
        }
        let mut all = marks(project, session);
        all.retain(|mark| mark.path != self.mark.path);
        all.push(self.mark);
        let over = all.len().saturating_sub(READ_MARKS_MAX);
        all.drain(..over);
        enclosure::make_folder(&project.sessions_dir())?;
        let path = place(project, session);
        let temporary = path.with_extension("read-tmp");
        let mut file = enclosure::open(&temporary, OpenHow::ReadWriteOrCreate)?;
        file.set_len(0)?;
        file.write_all(&serde_json::to_vec(&all)?)?;
        enclosure::rename(&temporary, &path)
    }
}

impl ReadMark {
    /// Whether it is of this file as it is now, and the journal has what was read of it.
    fn holds(&self, project: &Project, path: &Path) -> bool {
        let is_same = || -> io::Result<bool> {
            let file = open(path)?;
            let about = file.metadata()?;
            Ok((about.dev(), about.ino()) == (self.dev, self.ino)
                && about.len() >= self.offset
                && before(file, self.offset)? == self.before)
        };
        let is_on_record = || {
            project.reader().is_ok_and(|reader| {
                digest(&reader.id()) == self.journal && reader.mark().sequence.0 >= self.sequence
            })
        };
        self.path == digest(path.as_os_str().as_encoded_bytes())
            && is_same().unwrap_or(false)
            && is_on_record()
    }
}

impl Transcript<Opened> {
    /// Reads on from a mark.
    pub fn grown(
        mut reader: Opened,
        dialect: Box<dyn Dialect>,
        growth: Growth,
    ) -> io::Result<Self> {
        let is_there = reader.skip_to(growth.mark.offset)?;
        let mut transcript = Self::new(reader, dialect);
        if is_there {
            let ReadMark { line: lines, offset, state, .. } = growth.mark.clone();
            transcript.read_on(&Rest { lines, offset, state, ..Rest::default() });
            transcript.growth = Some(Box::new(growth));
        }
        Ok(transcript)
    }
}

impl<R> Transcript<R> {
    /// Notes from where it is read on, now that a line was read.
    pub(super) fn rest(&mut self) {
        let Some(growth) = &mut self.growth else { return };
        let (dialect, place) = (&self.dialect, (self.lines.number, self.lines.offset));
        let held_from = dialect.held_from();
        let state =
            dialect.has_state().then(|| held_from.is_none().then(|| dialect.state()).flatten());
        growth.rest(place, held_from, state);
    }

    pub(super) fn end(&mut self) {
        let mut left = Vec::new();
        self.dialect.end(&mut left);
        self.ready.extend(left.into_iter().map(|record| Item::Record(Box::new(record))));
    }
}

/// Opens a transcript that anybody may have named; nothing is waited for, should it be a pipe.
pub fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let file = File::options().read(true).custom_flags(flags).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")),
    }
}

fn place(project: &Project, session: SessionId) -> PathBuf {
    project.sessions_dir().join(format!("{session}.read"))
}

/// None where the file is missing or no such file: then transcripts are read from their beginning.
fn marks(project: &Project, session: SessionId) -> Vec<ReadMark> {
    let bytes = enclosure::read(&place(project, session), BYTES_MAX).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn before(mut file: File, offset: u64) -> io::Result<String> {
    let from = offset.saturating_sub(BEFORE_BYTES);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(offset - from).read_to_end(&mut bytes)?;
    Ok(digest(&bytes))
}

fn digest(bytes: &[u8]) -> String {
    format!("{:032x}", hash(&[bytes]))
}
