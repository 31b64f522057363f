//! What stays in a journal's folder of a segment that was moved.

use std::io;
use std::path::{Path, PathBuf};

use super::read::MANIFEST_BYTES_MAX;
use super::{ArchiveFault, ArchivedFile, Manifest, address};
use crate::segment::SegmentName;
use crate::storage::enclosure;

/// Behind the segment's name.
pub const NOTE_SUFFIX: &str = ".archived";
const FIRST_LINE: &str = "annals archived 1";
/// Room for all lines of a note up to the blocks.
pub(super) const HEAD_BYTES_MAX: u64 = 8 << 10;
pub(super) const NOTE_BYTES_MAX: u64 = MANIFEST_BYTES_MAX + HEAD_BYTES_MAX;

/// Says where a segment lies that is not in its journal's folder, and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The folder that has the segment and its manifest, or an address.
    pub folder: PathBuf,
    /// The event that says so.
    pub event: u64,
    pub manifest: Manifest,
}

impl Note {
    pub fn to_text(&self) -> String {
        let (folder, event) = (self.folder.display(), self.event);
        format!("{FIRST_LINE}\nin {folder}\nevent {event}\n{}", self.manifest.to_text())
    }

    pub fn parse(text: &str) -> Option<Self> {
        let (folder, event, rest) = lines(text)?;
        Some(Self { folder, event, manifest: Manifest::parse(rest)? })
    }

    /// Its lines up to the blocks, of its beginning.
    pub(super) fn head(text: &str) -> Option<Self> {
        let (folder, event, rest) = lines(text)?;
        Some(Self { folder, event, manifest: Manifest::head(rest)?.0 })
    }

    /// Whether a folder's name, or an address, can stand in a note.
    pub fn takes(folder: &Path) -> bool {
        let fits = |text: &str| text.len() < 4096 && !text.contains(['\n', '\r']);
        (folder.is_absolute() || address(folder).is_some()) && folder.to_str().is_some_and(fits)
    }
}

fn lines(text: &str) -> Option<(PathBuf, u64, &str)> {
    let rest = text.strip_prefix(FIRST_LINE)?.strip_prefix("\nin ")?;
    let (folder, rest) = rest.split_once("\nevent ")?;
    let (event, rest) = rest.split_once('\n')?;
    let folder = PathBuf::from(folder);
    Note::takes(&folder).then_some((folder, event.parse().ok()?, rest)) // no number: no note
}

/// What the compressed segment is called in an archive.
pub fn data_name(name: &SegmentName) -> String {
    format!("{name}.zst")
}

/// What its manifest is called.
pub fn manifest_name(name: &SegmentName) -> String {
    format!("{name}.manifest")
}

impl Note {
    /// The note of a segment, given its path; `None` where there is none.
    ///
    /// # Errors
    /// Where what lies there is no note of it, or cannot be read.
    pub fn of(segment: &Path) -> io::Result<Option<Self>> {
        Self::read(segment, NOTE_BYTES_MAX, Self::parse)
    }

    /// Its first page, by its note alone.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub(crate) fn header_page(segment: &Path) -> io::Result<Option<Vec<u8>>> {
        let note = Self::read(segment, HEAD_BYTES_MAX, Self::head)?;
        Ok(note.map(|note| note.manifest.header_page()))
    }

    fn read(
        segment: &Path,
        bytes_max: u64,
        parse: impl FnOnce(&str) -> Option<Self>,
    ) -> io::Result<Option<Self>> {
        let Some(name) = segment.file_name().and_then(|it| it.to_str()) else { return Ok(None) };
        let Some(of) = SegmentName::parse(name) else { return Ok(None) };
        let path = segment.with_file_name(format!("{name}{NOTE_SUFFIX}"));
        let bytes = match enclosure::read(&path, bytes_max) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes?,
        };
        // Its beginning may end within a character only where it is no note.
        let note = std::str::from_utf8(&bytes).ok().and_then(parse); // as above
        let wrong = || ArchiveFault::wrong(&path, "does not say where the segment was moved to");
        Ok(Some(note.filter(|note| note.manifest.name == of).ok_or_else(wrong)?))
    }

    /// The segment, where it was moved to.
    ///
    /// # Errors
    /// As [`ArchivedFile::open`].
    pub fn open(self) -> io::Result<ArchivedFile> {
        ArchivedFile::open(&self.folder.join(data_name(&self.manifest.name)), self.manifest)
    }
}

/// The segment that a note in a journal's folder is of, by its name.
pub fn noted(name: &str) -> Option<SegmentName> {
    SegmentName::parse(name.strip_suffix(NOTE_SUFFIX)?)
}
