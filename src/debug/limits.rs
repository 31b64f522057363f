//! Every size of an operation on debug memory, on one page.

use crate::event::limits::{INLINE_BYTES_MAX, PAYLOAD_BYTES_MAX};

/// All that is kept of one attempt's failures, as JSON.
pub const ATTEMPT_FAILURES_BYTES_MAX: usize = 1 << 20;
pub use crate::parse::check::runner::failures::{
    FAILURES_MAX, MESSAGE_BYTES_MAX, NAME_BYTES_MAX, STACK_BYTES_MAX, VALUE_BYTES_MAX,
};
pub const PATH_BYTES_MAX: usize = 4 << 10;
/// An agent's name, a task's id, a code hash, a word about the environment.
pub const WORD_BYTES_MAX: usize = 256;
/// A root cause, a strategy, a description, a template, a note.
pub const TEXT_BYTES_MAX: usize = 16 << 10;
pub const DIFF_BYTES_MAX: usize = 60 << 10;
/// What else is told of the environment, as JSON.
pub const ADDITIONAL_BYTES_MAX: usize = 16 << 10;
/// Files, related failures, patterns, recommendations: each list of one event.
pub const LIST_LEN_MAX: usize = 200;
pub const SNAPSHOT_BYTES_MAX: usize = 1 << 20;
pub const DOCUMENT_BYTES_MAX: usize = 4 << 20;
/// A file of documents: more than one of ours comes to.
pub const IMPORT_BYTES_MAX: u64 = 16 << 20;
/// Of it, what may be YAML's scalars: their readers are slow.
pub const YAML_BYTES_MAX: usize = 4 << 20;
pub const IMPORT_LEN_MAX: usize = 1_000;
/// Similar issues that are told of one attempt.
pub const SIMILAR_MAX: usize = 5;
/// A root cause and a strategy have at least so many characters (the schema's `minLength`).
pub const REASON_CHARS_MIN: usize = 20;
/// How long a hook's command may take at most, whatever the settings say, seconds.
pub const HOOK_WITHIN_S_MAX: u64 = 3_600;

// An attempt with everything at its largest fits one payload; the code goes to a blob.
const _: () = assert!(
    ATTEMPT_FAILURES_BYTES_MAX + ADDITIONAL_BYTES_MAX + INLINE_BYTES_MAX < PAYLOAD_BYTES_MAX
);
const _: () = assert!(DOCUMENT_BYTES_MAX < PAYLOAD_BYTES_MAX);
