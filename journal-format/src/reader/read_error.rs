//! Why a journal could not be read at all.

use std::io;
use std::path::PathBuf;

use crate::limits::SEGMENTS_MAX;
use crate::segment::HeaderFault;

/// Why a journal could not be read. Damage is not among these: it comes as findings.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("{} could not be {did}", path.display())]
    Io { path: PathBuf, did: &'static str, source: io::Error },
    #[error("{} could not be read at byte {offset}; copy it with `salvage` to keep the rest", path.display())]
    Segment { path: PathBuf, offset: u64, source: io::Error },
    #[error("{} holds no segment of a journal; name the folder with the .seg files", folder.display())]
    NoSegments { folder: PathBuf },
    #[error("{} holds more than {SEGMENTS_MAX} segments", folder.display())]
    TooManySegments { folder: PathBuf },
    #[error("{} is not a segment this build can read", path.display())]
    Header { path: PathBuf, source: HeaderFault },
}
