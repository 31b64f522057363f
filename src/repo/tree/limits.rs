//! Every bound of the map of a tree, in one place.

/// A larger file is only counted, bytes.
pub const FILE_BYTES_MAX: u64 = 1 << 20;
/// Of a file this much is looked at to tell whether it is text, bytes.
pub const TEXT_SAMPLE_BYTES: usize = 8 << 10;
/// A longer line defines nothing: it was made by a program, bytes.
pub const LINE_BYTES_MAX: usize = 400;
/// Of one file, as it is kept between two scans.
pub const DEFINITIONS_MAX: usize = 64;
/// Of one file, as a map tells it.
pub const TOLD_DEFINITIONS_MAX: usize = 16;
/// A name is cut here, characters.
pub const NAME_CHARS_MAX: usize = 80;
/// What lies under a longer path is only counted, bytes.
pub const PATH_BYTES_MAX: usize = 512;
/// A tree of more is refused.
pub const FILES_MAX: usize = 2_000_000;
/// Folders within folders that are gone into.
pub const DEPTH_MAX: usize = 128;
/// Of an index as it is stored, bytes of JSON.
pub const INDEX_BYTES_MAX: usize = 64 << 10;
/// Of that, folders get at most this.
pub const FOLDERS_BYTES_MAX: usize = 16 << 10;
/// Languages told of a folder.
pub const LANGUAGES_MAX: usize = 4;
/// Entry points that are told before the files that define most.
pub const ENTRIES_MAX: usize = 24;
/// What is remembered between two scans, bytes; of a larger file nothing is believed.
pub const CACHE_BYTES_MAX: u64 = 512 << 20;
/// A file that changed this shortly before the scan is read again at the next: its time may not tell
/// what it is written with afterwards. Milliseconds.
pub const RACY_MS: u64 = 2_000;

const _: () = {
    assert!(FOLDERS_BYTES_MAX < INDEX_BYTES_MAX);
    assert!(TOLD_DEFINITIONS_MAX <= DEFINITIONS_MAX);
    assert!(TOLD_DEFINITIONS_MAX * NAME_CHARS_MAX * 4 < INDEX_BYTES_MAX);
};
