//! Every size of a model's reply, on one page.

/// Of a reply, bytes; what is more is not read.
pub const REPLY_BYTES_MAX: usize = 8 << 20;
/// Of the text of one `<memory_update>`, bytes.
pub const UPDATE_BYTES_MAX: usize = 1 << 20;
/// Entries of one operation: keys set, records written, tags of one record.
pub const ITEMS_MAX: usize = 1_000;
/// Of a key, a kind or a tag, bytes.
pub const NAME_BYTES_MAX: usize = 1_024;
/// Results that one search may ask for.
pub const SEARCH_RESULTS_MAX: u64 = 100;
/// How many `{` are tried for the beginning of an object.
pub const OBJECTS_TRIED_MAX: usize = 64;
/// Of what a model is told of its reads, characters; and of one text in it.
pub const RESULTS_CHARS_MAX: usize = 16_000;
pub const RESULT_CHARS_MAX: usize = 2_000;
/// What is told of a key, bytes.
pub const KEY_TOLD_BYTES_MAX: usize = 80;
/// Names of unknown keys that are told.
pub const UNKNOWN_TOLD_MAX: usize = 20;

const _: () = assert!(UPDATE_BYTES_MAX <= crate::event::limits::JSON_BYTES_MAX);
const _: () = assert!(UPDATE_BYTES_MAX <= REPLY_BYTES_MAX);
const _: () = assert!(REPLY_BYTES_MAX <= crate::event::limits::CONTENT_BYTES_MAX);
const _: () = assert!(RESULT_CHARS_MAX <= RESULTS_CHARS_MAX);
