//! Every size of an operation on branch memory, on one page.

/// The name of a branch, a node or a run.
pub const NAME_BYTES_MAX: usize = 256;
/// A kind of event, a phase.
pub const KIND_BYTES_MAX: usize = 256;
// What is given as a kind is held to be a name.
const _: () = assert!(NAME_BYTES_MAX <= KIND_BYTES_MAX);
/// A core key, by whichever door it comes.
pub const KEY_BYTES_MAX: usize = crate::parse::reply::limits::NAME_BYTES_MAX;
/// Labels of a namespace, each as long as a key.
pub const LABELS_MAX: usize = 32;
/// One text that is given: a value, a summary, a record.
pub const TEXT_BYTES_MAX: usize = 4 << 20;
/// What a row holds of a text; all of a longer one lies in the journal. An event's plain texts are
/// cut at 64 KiB.
pub const ROW_BYTES_MAX: usize = 60 << 10;
/// Characters that a record may have at least, whatever the settings say: else a text would become
/// thousands of them.
pub const RECORD_CHARS_MIN: usize = 256;
/// Tags of one record.
pub const TAGS_MAX: usize = 1_100;
/// One tag.
pub const TAG_BYTES_MAX: usize = 1 << 10;
/// Branches of which a model's judgement is kept.
pub const JUDGED_MAX: usize = 64;
/// Ancestors that a fork may name.
pub const ANCESTORS_MAX: usize = 1_000;
/// Records that a fork from the past may copy.
pub const COPIED_RECORDS_MAX: u64 = 10_000;
/// Bytes of the texts that a fork from the past may copy: they are one commit.
pub const COPIED_BYTES_MAX: usize = 12 << 20;
/// Results of one search.
pub const RESULTS_MAX: u64 = 1_000;
/// Events of one eviction or consolidation.
pub const MOVED_EVENTS_MAX: usize = 10_000;
/// What one commit takes of several operations before it is written, bytes, about.
pub const COMMIT_BYTES_MAX: usize = 4 << 20;

/// Events that one commit takes of several operations before it is written, about.
pub const COMMIT_EVENTS_MAX: usize = 16_384;

const _: () = assert!(ROW_BYTES_MAX < 64 << 10);
const _: () = assert!(COPIED_BYTES_MAX < 16 << 20);
