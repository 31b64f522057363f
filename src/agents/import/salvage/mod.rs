//! Writes a damaged transcript anew, so that its agent can resume it.
//!
//! Every whole record is written on a line of its own, in order, byte for byte. One thing may
//! change: the `parentUuid` of a record whose parent was lost. No result is invented: the agent
//! itself leaves a call without result out when it resumes, and a result whose call was lost is
//! kept where no other record follows on it.

mod chain;

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::Flaw;
use super::limits::{SALVAGE_RECORDS_MAX, SNIFF_BYTES_MAX};
use super::lines::Lines;
use super::loose::parsed;
use super::transcript::{Piece, pieces};
use crate::agents::claude_code;
use crate::fault::{Class, Fault, Sorted};
use crate::journal::fault;
use chain::{Chain, Link, NewParent};

pub use chain::{Relinked, TranscriptSalvage, Unpaired};

/// Writes what is whole in the transcript `src` to the new file `dst`. `src` is only read; `dst`
/// appears whole or not at all, and nothing is overwritten.
pub fn salvage_transcript(src: &Path, dst: &Path) -> Result<TranscriptSalvage, SalvageError> {
    let read = |source| SalvageError::Read { path: src.to_owned(), source };
    let write = |source| SalvageError::Write { path: dst.to_owned(), source };
    if fs::symlink_metadata(dst).is_ok() {
        return Err(SalvageError::Exists { path: dst.to_owned() });
    }
    if !fs::metadata(src).map_err(read)?.is_file() {
        return Err(SalvageError::NotAFile { path: src.to_owned() });
    }
    let mut file = File::open(src).map_err(read)?;
    // What an agent appends meanwhile is the next salvage's.
    let bytes = file.metadata().map_err(read)?.len();
    let mut head = Vec::new();
    (&mut file).take(SNIFF_BYTES_MAX as u64).read_to_end(&mut head).map_err(read)?;
    if !claude_code::is_transcript(&head) {
        return Err(SalvageError::NotATranscript { path: src.to_owned() });
    }
    let mut report = TranscriptSalvage { bytes_read: bytes, ..TranscriptSalvage::default() };
    file.rewind().map_err(read)?;
    let chain = survey(BufReader::new((&mut file).take(bytes)), &mut report).map_err(read)?;
    let Some(chain) = chain else {
        let (path, records_max) = (src.to_owned(), SALVAGE_RECORDS_MAX);
        return Err(SalvageError::TooManyRecords { path, records_max });
    };
    file.rewind().map_err(read)?;
    let unfinished = Unfinished::create(dst).map_err(write)?;
    let mut out = BufWriter::new(&unfinished.file);
    rewrite(BufReader::new(file.take(bytes)), &chain, &mut report, &mut out).map_err(write)?;
    out.flush().map_err(write)?;
    drop(out);
    unfinished.publish(dst).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => SalvageError::Exists { path: dst.to_owned() },
        _ => write(source),
    })?;
    Ok(report)
}

pub fn salvage_bytes(src: &[u8], out: &mut impl Write) -> io::Result<TranscriptSalvage> {
    let bytes_read = src.len() as u64;
    let mut report = TranscriptSalvage { bytes_read, ..TranscriptSalvage::default() };
    let chain = survey(src, &mut report)?.ok_or(io::ErrorKind::OutOfMemory)?;
    rewrite(src, &chain, &mut report, out)?;
    Ok(report)
}

/// Reads the whole file once: what is lost, and how the rest hangs together. `None` above the
/// limit of records.
fn survey(src: impl BufRead, report: &mut TranscriptSalvage) -> io::Result<Option<Chain>> {
    let mut chain = Chain::default();
    let mut lines = Lines::new(src);
    while let Some(line) = lines.next_line()? {
        report.lines = line.number;
        let Some(bytes) = line.bytes else {
            report.lose(line.number, line.len, Flaw::TooLong { bytes: line.len });
            continue;
        };
        let mut records = 0;
        for piece in pieces(bytes, &claude_code::GRAMMAR) {
            match piece {
                Piece::Lost(range, flaw) => report.lose(line.number, range.len() as u64, flaw),
                Piece::Record(range) => {
                    records += 1;
                    chain.push(line.number, &bytes[range], report.lost_total);
                }
            }
        }
        report.glued_lines += u64::from(records > 1);
        if chain.len() > SALVAGE_RECORDS_MAX {
            return Ok(None);
        }
    }
    let [calls, results] = chain
        .unpaired()
        .map(|unpaired| unpaired.into_iter().map(|(line, call)| Unpaired { line, call }).collect());
    (report.calls_without_result, report.results_without_call) = (calls, results);
    Ok(Some(chain))
}

fn rewrite(
    src: impl BufRead,
    chain: &Chain,
    report: &mut TranscriptSalvage,
    out: &mut impl Write,
) -> io::Result<()> {
    let new_parents = chain.new_parents();
    let mut lines = Lines::new(src);
    let mut number = 0;
    while let Some(line) = lines.next_line()? {
        let bytes = line.bytes.unwrap_or_default();
        for piece in pieces(bytes, &claude_code::GRAMMAR) {
            let Piece::Record(range) = piece else { continue };
            let record = &bytes[range];
            let written = match new_parents.get(&number) {
                Some(new) => write_relinked(line.number, record, new, report, out)?,
                None => {
                    out.write_all(record)?;
                    record.len()
                }
            };
            out.write_all(b"\n")?;
            report.records += 1;
            report.bytes_written += written as u64 + 1;
            number += 1;
        }
    }
    Ok(())
}

/// Writes a record with another parent; every other byte stays.
fn write_relinked(
    line: u64,
    record: &[u8],
    new: &NewParent,
    report: &mut TranscriptSalvage,
    out: &mut impl Write,
) -> io::Result<usize> {
    let link: Link<'_> = parsed(record).unwrap_or_default();
    let Some(parent) = link.parent_uuid.map(|raw| raw.get().as_bytes()) else {
        out.write_all(record)?;
        return Ok(record.len());
    };
    // The raw value is a slice of the record, so its address tells its place.
    let from = parent.as_ptr() as usize - record.as_ptr() as usize;
    let to = match &new.to {
        Some(uuid) => serde_json::to_string(uuid)?,
        None => "null".to_owned(),
    };
    out.write_all(&record[..from])?;
    out.write_all(to.as_bytes())?;
    out.write_all(&record[from + parent.len()..])?;
    let uuid = link.uuid.to_text();
    report.relink(Relinked { line, uuid, from: new.from.clone(), to: new.to.clone() });
    Ok(record.len() - parent.len() + to.len())
}

/// The new file before it has its name; gone again if it never gets it.
struct Unfinished {
    file: File,
    path: PathBuf,
}

impl Unfinished {
    fn create(dst: &Path) -> io::Result<Self> {
        let name = dst.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.unfinished", std::process::id()));
        let path = dst.with_file_name(hidden);
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(&path)?;
        Ok(Self { file, path })
    }

    /// Gives the file its name: a hard link fails where the name is taken, a rename would not.
    fn publish(self, dst: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        match fs::hard_link(&self.path, dst) {
            Ok(()) => {}
            Err(taken) if taken.kind() == io::ErrorKind::AlreadyExists => return Err(taken),
            // Some file systems know no hard links.
            Err(_) if fs::symlink_metadata(dst).is_err() => fs::rename(&self.path, dst)?,
            Err(failed) => return Err(failed),
        }
        let folder = dst.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Left behind, it is in nobody's way: its name is hidden and says what it is.
        let _ = fs::remove_file(&self.path);
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SalvageError {
    #[error("{} cannot be read", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is no Claude Code transcript: nothing in it reads as a record", path.display())]
    NotATranscript { path: PathBuf },
    #[error("{} is not a regular file", path.display())]
    NotAFile { path: PathBuf },
    #[error("{} exists already; salvage overwrites nothing: name a new file", path.display())]
    Exists { path: PathBuf },
    #[error("{} cannot be written", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} has more than {records_max} records", path.display())]
    TooManyRecords { path: PathBuf, records_max: usize },
}

impl Fault for SalvageError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Read { source, .. } | Self::Write { source, .. } => fault::of_io(source),
            _ => Class::Refused.alone(),
        }
    }
}

#[cfg(test)]
mod tests;
