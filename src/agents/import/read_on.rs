//! Where an import stopped reading a transcript: the next one reads on from there.
//!
//! `.annals/sessions/{digest of the path}.stop` is derived: without it, or where the file's beginning is not what
//! was read, the journal has less than it had then, or other settings or another build would record something
//! else, the transcript is read from its beginning, and what is on record is not recorded again.

use std::fs::Metadata;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::growth::open;
use super::hash;
use super::ledger::Carried;
use super::rests::{Rest, Rests};
use super::source_file::SourceFile;
use crate::config::environment;
use crate::event::Sequence;
use crate::event::wire::hex_text;
use crate::journal::{JournalReader, Mark, Project, derived_file};

/// A file of ours is never larger.
const BYTES_MAX: u64 = 4 << 20;

/// What is kept of one transcript.
#[derive(Serialize, Deserialize)]
pub struct Stop {
    /// What would record something else: this program, and what it is told to record.
    made_by: String,
    path: String,
    dev: u64,
    ino: u64,
    pub rest: Rest,
    /// A digest of the bytes before it.
    before: String,
    pub carried: Carried,
    journal: String,
    sequence: u64,
    chain: String,
}

/// What tells a file from what it becomes when it is written to.
pub type Look = (u64, u64, u64, (i64, i64), (i64, i64));

fn look(about: &Metadata) -> Look {
    let changed = (about.ctime(), about.ctime_nsec());
    (about.dev(), about.ino(), about.len(), (about.mtime(), about.mtime_nsec()), changed)
}

/// The transcripts of one import.
pub struct Stops<'p> {
    project: &'p Project,
    made_by: String,
    reader: Option<JournalReader>,
    /// What was read by now, to be kept once the journal has it.
    read: Mutex<Vec<(PathBuf, Look, Rest, Carried)>>,
}

impl<'p> Stops<'p> {
    pub fn of(project: &'p Project) -> Self {
        let record = format!("{:?}", project.config().record);
        let made_by = digest(&[environment::build().as_bytes(), record.as_bytes()]);
        // A journal that cannot be read is told by who records.
        Self { project, made_by, reader: project.reader().ok(), read: Mutex::default() }
    }

    /// How a file is now: asked before it is read.
    pub fn look(file: &SourceFile) -> Option<Look> {
        // One that cannot be opened is told by who reads it.
        open(&file.path).and_then(|it| it.metadata()).ok().as_ref().map(look)
    }

    /// Where it was read to.
    pub fn find(&self, file: &SourceFile) -> Option<Stop> {
        let bytes = derived_file::read(&place(self.project, &file.path), BYTES_MAX)?;
        let stop: Stop = serde_json::from_slice(&bytes).ok()?; // none of ours: it is read whole
        let is_ours = stop.made_by == self.made_by && stop.path == path_digest(&file.path);
        // What cannot be read is told by who reads it.
        (is_ours && self.has(&stop) && stop.is_of(&file.path).unwrap_or(false)).then_some(stop)
    }

    fn has(&self, stop: &Stop) -> bool {
        let Some(reader) = &self.reader else { return false };
        let mark = reader.mark_at(Sequence(stop.sequence)).ok().flatten(); // not there: as if another
        stop.journal == hex_text(&reader.id())
            && mark.is_some_and(|mark| hex_text(&mark.chain) == stop.chain)
    }

    /// A file was read; `open_line` is the first line with a call whose result is not known.
    pub fn note(
        &self,
        file: &SourceFile,
        look: Look,
        rests: &Rests,
        open_line: Option<u64>,
        carried: Option<&Carried>,
    ) {
        let rest = rests.last(open_line).filter(|rest| file.rest.as_ref() != Some(rest));
        if let (Some(rest), Some(carried)) = (rest, carried) {
            let read = (file.path.clone(), look, rest.clone(), carried.clone());
            self.read.lock().unwrap_or_else(PoisonError::into_inner).push(read);
        }
    }

    /// Keeps where the files were read to: the journal has that, up to this mark.
    pub fn save(&self, mark: Mark) {
        let Some(reader) = &self.reader else { return };
        let all = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        for (path, read, rest, carried) in all.iter() {
            let stop = self.stop(reader, path, *read, (rest, carried), mark);
            let text = stop.and_then(|stop| Ok(serde_json::to_vec(&stop)?));
            // What is not kept is read whole the next time.
            drop(text.and_then(|text| derived_file::replace(&place(self.project, path), &text)));
        }
    }

    fn stop(
        &self,
        reader: &JournalReader,
        path: &Path,
        read: Look,
        (rest, carried): (&Rest, &Carried),
        mark: Mark,
    ) -> io::Result<Stop> {
        let file = open(path)?;
        let before = before(&file, rest.offset)?;
        // Who wrote to it meanwhile may have written it anew.
        if look(&file.metadata()?) != read {
            return Err(io::ErrorKind::InvalidData.into());
        }
        // What stands in a transcript may be a secret.
        let redactor = self.project.redactor();
        let (mut rest, mut carried) = (rest.clone(), carried.clone());
        let of_rest = [&mut rest.state, &mut rest.model].into_iter().flatten();
        carried.texts().chain(of_rest).for_each(|text| *text = redactor.redact_text(text));
        Ok(Stop {
            made_by: self.made_by.clone(),
            path: path_digest(path),
            dev: read.0,
            ino: read.1,
            rest,
            before,
            carried,
            journal: hex_text(&reader.id()),
            sequence: mark.sequence.0,
            chain: hex_text(&mark.chain),
        })
    }
}

impl Stop {
    /// Whether the file begins as it did.
    fn is_of(&self, path: &Path) -> io::Result<bool> {
        let file = open(path)?;
        let about = file.metadata()?;
        Ok((about.dev(), about.ino()) == (self.dev, self.ino)
            && about.len() >= self.rest.offset
            && before(&file, self.rest.offset)? == self.before)
    }
}

fn place(project: &Project, path: &Path) -> PathBuf {
    project.sessions_dir().join(format!("{}.stop", path_digest(path)))
}

fn path_digest(path: &Path) -> String {
    // One that cannot be looked up is known by its name.
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    digest(&[whole.as_os_str().as_encoded_bytes()])
}

fn digest(parts: &[&[u8]]) -> String {
    format!("{:032x}", hash(parts))
}

/// A digest of a file's first bytes.
fn before(mut file: &std::fs::File, bytes: u64) -> io::Result<String> {
    let (mut hasher, mut buffer) = (blake3::Hasher::new(), vec![0; 256 << 10]);
    let mut left = bytes;
    while left > 0 {
        let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        match file.read(&mut buffer[..most])? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                hasher.update(&buffer[..read]);
                left -= read as u64;
            }
        }
    }
    Ok(hasher.finalize().to_hex().to_string())
}
