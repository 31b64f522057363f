//! One segment file of a journal, as listed.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ReadError;
use super::waypoints::Waypoints;
use crate::limits::HEADER_PAGE_BYTES;
use crate::segment::{HeaderFault, SegmentHeader, SegmentName};
use crate::storage::{OpenHow, Storage, read_full};
use crate::units::{SegmentNumber, Sequence};

/// Whether a segment file can be walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Sound,
    /// Neither copy of its header holds: without its nonce no frame can be checked.
    HeaderDamaged,
    /// Its header names another journal, or contradicts its name or another segment.
    Foreign,
}

/// What is known of a segment file without walking it.
#[derive(Clone, Debug)]
pub struct SegmentSummary {
    pub path: PathBuf,
    pub number: SegmentNumber,
    pub first_sequence: Sequence,
    pub standing: Standing,
    /// `None` where no copy of it holds.
    pub header: Option<SegmentHeader>,
    /// Which of the header page's two copies hold.
    pub copies_sound: [bool; 2],
}

/// A segment file: its name, its header, and the places known in it.
#[derive(Clone, Debug)]
pub struct Listed {
    pub path: PathBuf,
    pub name: SegmentName,
    pub standing: Standing,
    pub header: Option<SegmentHeader>,
    pub copies_sound: [bool; 2],
    pub waypoints: Arc<Waypoints>,
}

impl Listed {
    /// Reads a segment's header page. `name` is what its file name says; `None` for a file that
    /// was given by itself under any name.
    pub fn read<S: Storage>(
        storage: &S,
        path: &Path,
        name: Option<SegmentName>,
    ) -> Result<Self, ReadError> {
        let io = |did| move |source: io::Error| ReadError::Io { path: path.into(), did, source };
        let file = storage.open(path, OpenHow::Read).map_err(io("opened"))?;
        let mut page = vec![0; HEADER_PAGE_BYTES as usize];
        let read = read_full(&file, &mut page, 0).map_err(io("read"))?;
        page.truncate(read);
        let header = match SegmentHeader::parse(&page) {
            Ok(header) => Some(header),
            Err(HeaderFault::NotASegment | HeaderFault::Damaged) if name.is_some() => None,
            Err(source) => return Err(ReadError::Header { path: path.into(), source }),
        };
        let told = header.map(|header| SegmentName {
            number: header.number,
            first_sequence: header.first_sequence,
        });
        let nameless = SegmentName { number: SegmentNumber(0), first_sequence: Sequence(1) };
        let standing = match (told, name) {
            (None, _) => Standing::HeaderDamaged,
            (Some(told), Some(name)) if told != name => Standing::Foreign,
            _ => Standing::Sound,
        };
        Ok(Self {
            path: path.into(),
            name: name.or(told).unwrap_or(nameless),
            standing,
            header,
            copies_sound: SegmentHeader::copies_sound(&page),
            waypoints: Arc::default(),
        })
    }

    /// Its header, if it can be walked.
    pub fn sound(&self) -> Option<&SegmentHeader> {
        self.header.as_ref().filter(|_| self.standing == Standing::Sound)
    }

    pub fn summary(&self) -> SegmentSummary {
        SegmentSummary {
            path: self.path.clone(),
            number: self.name.number,
            first_sequence: self.name.first_sequence,
            standing: self.standing,
            header: self.header,
            copies_sound: self.copies_sound,
        }
    }
}
