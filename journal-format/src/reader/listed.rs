//! One segment file of a journal, as listed.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ReadError;
use super::lost_nonce::find_nonce;
use super::waypoints::Waypoints;
use crate::scan::Window;
use crate::segment::{HeaderFault, Predecessor, SegmentHeader, SegmentName};
use crate::storage::{OpenHow, Storage};
use crate::units::{Chain, JournalId, Offset, SegmentNumber, Sequence};

/// Whether a segment file can be walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Sound,
    /// Neither copy of its header holds, but a whole frame told its nonce again: it is walked,
    /// in the place that its name gives it.
    HeaderRebuilt,
    /// Neither copy of its header holds, nor any frame by which its nonce could be found: none
    /// can be checked.
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
        let page = storage.header_page(path).map_err(io("opened"))?;
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
        let mut rebuilt = None;
        if let (None, Some(name)) = (header, name) {
            let file = storage.open(path, OpenHow::Read).map_err(io("opened"))?;
            let mut window = Window::new(&file).map_err(io("read"))?;
            let nonce = find_nonce(&mut window).map_err(io("read"))?;
            rebuilt = nonce.map(|nonce| rebuild(name, nonce));
        }
        let standing = match (told, name) {
            (None, _) if rebuilt.is_some() => Standing::HeaderRebuilt,
            (None, _) => Standing::HeaderDamaged,
            (Some(told), Some(name)) if told != name => Standing::Foreign,
            _ => Standing::Sound,
        };
        Ok(Self {
            path: path.into(),
            name: name.or(told).unwrap_or(nameless),
            standing,
            header: header.or(rebuilt),
            copies_sound: SegmentHeader::copies_sound(&page),
            waypoints: Arc::default(),
        })
    }

    /// A segment of which the disk gives nothing.
    pub fn unread(path: PathBuf, name: SegmentName) -> Self {
        Self {
            path,
            name,
            standing: Standing::HeaderDamaged,
            header: None,
            copies_sound: [false; 2],
            waypoints: Arc::default(),
        }
    }

    /// Its header as it stands in the file, if the segment can be walked.
    pub fn sound(&self) -> Option<&SegmentHeader> {
        self.header.as_ref().filter(|_| self.standing == Standing::Sound)
    }

    /// Its header, if it can be walked; what precedes it may not be known.
    pub fn walkable(&self) -> Option<&SegmentHeader> {
        let walkable = [Standing::Sound, Standing::HeaderRebuilt].contains(&self.standing);
        self.header.as_ref().filter(|_| walkable)
    }

    pub fn summary(&self) -> SegmentSummary {
        SegmentSummary {
            path: self.path.clone(),
            number: self.name.number,
            first_sequence: self.name.first_sequence,
            standing: self.standing,
            header: self.header.filter(|_| self.standing != Standing::HeaderRebuilt),
            copies_sound: self.copies_sound,
        }
    }
}

/// What a segment's name and a nonce found again tell of its header.
fn rebuild(name: SegmentName, nonce: [u8; 16]) -> SegmentHeader {
    let before = Sequence(name.first_sequence.0.saturating_sub(1));
    SegmentHeader {
        journal: JournalId::default(),
        number: name.number,
        first_sequence: name.first_sequence,
        nonce,
        previous: Predecessor { sequence: before, end: Offset(0), chain: Chain::default() },
    }
}
