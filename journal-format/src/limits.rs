//! Every limit of the format, on one page, checked against each other when this compiles.

use crate::frame::layout;

/// Bytes in a disk sector: what is assumed to be written whole or not at all.
pub const SECTOR_BYTES: u64 = 512;
/// The header page at the start of every segment.
pub const HEADER_PAGE_BYTES: u64 = 4096;
/// Stored bytes of one frame's payload.
pub const PAYLOAD_BYTES_MAX: u64 = 12 << 20;
/// Bytes of one commit: what a reader may have to hold at once.
pub const COMMIT_BYTES_MAX: u64 = 16 << 20;
/// Frames of one commit.
pub const COMMIT_FRAMES_MAX: usize = 65_536;
/// A segment rolls when the next commit would pass this.
pub const SEGMENT_BYTES_MAX: u64 = 64 << 20;
/// A buffered writer writes its batch when it reaches this.
pub const BATCH_BYTES_MAX: usize = 256 << 10;
/// The first step of zero-filled space, doubled up to the last.
pub const SPACE_STEP_BYTES_MIN: u64 = 256 << 10;
/// The largest step of zero-filled space.
pub const SPACE_STEP_BYTES_MAX: u64 = 4 << 20;
/// Kept free at the end of a segment for its ROLL or SEAL commit.
pub const ROLL_ROOM_BYTES: u64 = 4096;
/// A run of zeros this long could hold a whole zero sector, counting the zeros around it.
pub const ZERO_RUN_BYTES_MAX: usize = 480;
/// A writer waits this long for a lock that another process holds.
pub const LOCK_WAIT_MS_MAX: u64 = 10_000;
/// Files in a journal's folder that are looked at.
pub const SEGMENTS_MAX: usize = 1 << 20;
/// Blobs in a bundle.
pub const BUNDLE_BLOBS_MAX: usize = 1 << 20;
/// Commits with redacted events that one report keeps.
pub const REDACTED_COMMITS_MAX: usize = 1 << 18;
/// Bytes of a segment that an archive compresses at a time.
pub const ARCHIVE_BLOCK_BYTES: u64 = 256 << 10;
/// Blocks of one archived segment.
pub const ARCHIVE_BLOCKS_MAX: u64 = 1 << 16;
/// Findings that one report keeps; all are counted.
pub const FINDINGS_MAX: usize = 10_000;

const _: () = {
    assert!(COMMIT_BYTES_MAX > PAYLOAD_BYTES_MAX + layout::FRAME_BYTES_MIN as u64);
    assert!(SEGMENT_BYTES_MAX > HEADER_PAGE_BYTES + COMMIT_BYTES_MAX + ROLL_ROOM_BYTES);
    assert!(PAYLOAD_BYTES_MAX < u32::MAX as u64);
    assert!(ROLL_ROOM_BYTES as usize >= layout::FRAME_BYTES_MIN + 256);
    assert!(SPACE_STEP_BYTES_MIN.is_multiple_of(SECTOR_BYTES));
    assert!(HEADER_PAGE_BYTES.is_multiple_of(SECTOR_BYTES));
    // Padding (7), the trailer's fields and the end word cannot bridge the rest of a sector.
    assert!(ZERO_RUN_BYTES_MAX + 32 <= SECTOR_BYTES as usize);
};
