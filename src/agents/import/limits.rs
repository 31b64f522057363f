//! Every size the importer may take, on one page.

use std::time::Duration;

/// A line above this is reported and skipped without being held.
pub const LINE_BYTES_MAX: usize = 32 << 20;
/// Records looked for in one line that does not parse whole.
pub const PIECES_MAX: usize = 256;
/// Places in one damaged line at which a record is tried.
pub const RESTARTS_MAX: usize = 64;
/// Unreadable lines and other findings that are named; the rest is only counted.
pub const FINDINGS_MAX: usize = 1_000;
/// Unreadable lines of one file that are recorded; the rest is recorded as a number.
pub const FLAWS_MAX: u64 = 100;
/// Record ids kept so that a later title finds its session.
pub const LEAVES_MAX: usize = 57_000;
/// Titles kept until the record they name turns up.
pub const TITLES_MAX: usize = 4_096;
/// Calls without result that are held while the command reads on.
pub const OPEN_CALLS_MAX: usize = 65_536;
/// Results without call that are held, in case a later file has the call.
pub const LOOSE_RESULTS_MAX: usize = 256;
/// Bytes of such results together.
pub const LOOSE_BYTES_MAX: usize = 4 << 20;
/// Hashes of prompts seen in one command.
pub const PROMPTS_MAX: usize = 262_144;
/// Sessions one command keeps apart; further ones are still recorded, without their title.
pub const SESSIONS_MAX: usize = 65_536;
/// Subagents whose task is remembered.
pub const ACTORS_MAX: usize = 65_536;
/// Files one command reads.
pub const FILES_MAX: usize = 100_000;
/// Folders below the named one that are entered.
pub const FOLDER_DEPTH_MAX: usize = 8;
/// What a person reads first of a failure.
pub const ERROR_BYTES_MAX: usize = 4 << 10;
/// Records that are looked through for a time, where a file begins with one that cannot be.
pub const NEIGHBOURS_MAX: usize = 256;
/// Bytes of a file that are looked at to tell its format.
pub const SNIFF_BYTES_MAX: usize = 64 << 10;
/// Of transcripts that are read ahead of the recorder, what is handed over at once.
pub const AHEAD_ITEMS_MAX: usize = 256;
pub const AHEAD_BYTES_MAX: u64 = 256 << 10;
/// Events handed to the recorder at once.
pub const BATCH_EVENTS_MAX: usize = 512;
/// Bytes of text in one such batch.
pub const BATCH_BYTES_MAX: usize = 1 << 20;
/// Records of one transcript that salvage keeps in mind (about 100 bytes each).
pub const SALVAGE_RECORDS_MAX: usize = 8_000_000;

const _: () = assert!(SNIFF_BYTES_MAX < LINE_BYTES_MAX);
const _: () = assert!(ERROR_BYTES_MAX < BATCH_BYTES_MAX);
/// Bytes of text that a compressed transcript may hold; what follows is not read.
pub const UNPACKED_BYTES_MAX: u64 = 8 << 30;
/// The window a compressed transcript may ask for, as a power of two: 16 MiB, twice what the
/// strongest ordinary level needs.
pub const WINDOW_LOG_MAX: u32 = 24;
/// Calls of one rollout that are told apart from those only events know.
pub const ROLLOUT_CALLS_MAX: usize = 65_536;
/// What events told of calls whose items are still to come.
pub const HELD_MAX: usize = 64;
/// Bytes of that together.
pub const HELD_BYTES_MAX: usize = 4 << 20;
/// Processes of one rollout whose end is waited for, and calls that ask for one.
pub const RUNNING_MAX: usize = 16;
/// Bytes kept of what one such process printed; the calls that asked for it keep all of theirs.
pub const RUNNING_BYTES_MAX: usize = 256 << 10;
/// Messages that may be prompts, held until it is known.
pub const CANDIDATES_MAX: usize = 8;
/// A copy of another session's history is written within this time of a fork's beginning.
pub const COPY_MS_MAX: u64 = 2_000;
/// Files that one patch names.
pub const PATCH_FILES_MAX: usize = 1_000;
/// Calls whose repetition in one command is noticed without asking the recorder.
pub const SEEN_CALLS_MAX: usize = 900_000;
/// Messages of one transcript that may go on at once, and what is held meanwhile.
pub const GROWING_MAX: usize = 32;
pub const GROWING_RECORDS_MAX: usize = 1_024;
pub const GROWING_BYTES_MAX: usize = 8 << 20;
/// What a hook reads of a transcript's growth at once; an agent waits for it.
pub const GROWTH_BYTES_MAX: u64 = 32 << 20;
pub const GROWTH_TIME_MAX: Duration = Duration::from_secs(2);
/// Transcripts of one session, its subagents' among them, of which it is known where they were read to.
pub const READ_MARKS_MAX: usize = 64;
/// Subagents' files that are read at once beside their session's.
pub const BESIDE_MAX: usize = 16;
