//! Every size of an operation on a repository's memory, on one page. Characters are Unicode scalar
//! values.

/// One file of git's.
pub const GIT_FILE_BYTES_MAX: u64 = 1 << 20;
/// The URL of a remote, or the name of a branch.
pub const GIT_NAME_BYTES_MAX: usize = 4 << 10;

/// An entry's id.
pub const ID_CHARS_MAX: usize = 128;
/// A convention's title.
pub const TITLE_CHARS_MAX: usize = 200;
/// A decision's summary.
pub const DECISION_CHARS_MAX: usize = 500;
/// A convention's or a note's content, a decision's rationale.
pub const TEXT_BYTES_MAX: usize = 16 << 10;
/// Tags of one convention.
pub const TAGS_MAX: usize = 32;
/// One tag.
pub const TAG_CHARS_MAX: usize = 64;
/// Paths of one decision.
pub const PATHS_MAX: usize = 64;
/// One path.
pub const PATH_BYTES_MAX: usize = 1 << 10;
/// The name of a run or of a step.
pub const RUN_CHARS_MAX: usize = 256;
/// A summary as it is given; the settings say what is kept of it.
pub const SUMMARY_BYTES_MAX: usize = 1 << 20;
/// Characters that are kept of a summary at least, whatever the settings say.
pub const SUMMARY_CHARS_MIN: usize = 200;
