//! Frames of a segment's file, read to be redacted (FORMAT.md §6).

use std::io;

use crate::frame::{CrcSeed, FrameHeader, FrameView, layout, redact};
use crate::segment::SegmentHeader;
use crate::storage::{StorageFile, read_full};
use crate::units::Offset;

/// The bytes of a valid frame at an offset.
pub(crate) fn frame_at(file: &impl StorageFile, seed: &CrcSeed, at: u64) -> io::Result<Vec<u8>> {
    let changed = || io::Error::new(io::ErrorKind::InvalidData, "a frame of it has changed");
    let mut frame = vec![0; layout::HEADER_BYTES];
    read_full(file, &mut frame, at)?;
    let header = FrameHeader::parse(&frame, seed, Offset(at)).ok_or_else(changed)?;
    frame.resize(header.frame_bytes(), 0);
    read_full(file, &mut frame, at)?;
    FrameView::parse(&frame, seed, Offset(at)).map_err(|_| changed())?;
    Ok(frame)
}

/// The same, redacted.
pub(crate) fn redacted(file: &impl StorageFile, seed: &CrcSeed, at: u64) -> io::Result<Vec<u8>> {
    let mut frame = frame_at(file, seed, at)?;
    redact(&mut frame, seed, Offset(at));
    Ok(frame)
}

/// The header of a segment's file, by whichever copy of it holds.
pub(crate) fn header_of(file: &impl StorageFile) -> io::Result<SegmentHeader> {
    let mut page = vec![0; crate::limits::HEADER_PAGE_BYTES as usize];
    let read = read_full(file, &mut page, 0)?;
    let header = SegmentHeader::parse(&page[..read]);
    header.map_err(|fault| io::Error::new(io::ErrorKind::InvalidData, fault))
}

/// What the sums of a segment's frames begin with.
pub(crate) fn seed_of(file: &impl StorageFile) -> io::Result<CrcSeed> {
    Ok(CrcSeed::new(&header_of(file)?.nonce))
}
