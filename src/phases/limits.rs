//! Every size of what a model proposes to do, and of what is told of it, on one page; and texts cut to
//! such a size.

use crate::parse::reply::ReplyError;
use crate::parse::reply::field::Field;

/// Files, and folders, of one workspace plan.
pub const FILES_MAX: usize = 1_000;
/// Commands of one phase.
pub const COMMANDS_MAX: usize = 200;
/// Of one command, bytes.
pub const COMMAND_BYTES_MAX: usize = 64 << 10;
/// Words of one command that is a list; flags of a build plan.
pub const WORDS_MAX: usize = 1_000;
/// Of one file of a prompt folder, or of an idea, bytes.
pub const PROMPT_FILE_BYTES_MAX: usize = 1 << 20;
/// Of one command's output in a phase's log, bytes of its beginning and of its end.
pub const LOG_HEAD_BYTES: usize = 256 << 10;
pub const LOG_TAIL_BYTES: usize = 256 << 10;
/// Of the log of one phase, bytes from which on outputs are kept by their ends only.
pub const LOG_BYTES_MAX: usize = 16 << 20;
/// Of an output in a prompt, characters of its end.
pub const OUTPUT_CHARS_MAX: usize = 8_000;
/// Of the code of an earlier node in a prompt, characters.
pub const CODE_CHARS_MAX: usize = 60_000;
/// Of an error in an event and in memory, characters.
pub const ERROR_CHARS_MAX: usize = 2_000;
/// Names of files in a summary.
pub const FILES_TOLD_MAX: usize = 20;
/// Steps of the download phase that a prompt tells, the newest.
pub const HISTORY_STEPS_MAX: usize = 10;
/// Replies of one script.
pub const SCRIPT_REPLIES_MAX: usize = 10_000;
/// Of a script, bytes.
pub const SCRIPT_BYTES_MAX: u64 = 256 << 20;

const _: () = assert!(
    LOG_BYTES_MAX
        + COMMANDS_MAX * (COMMAND_BYTES_MAX + 4 * (LOG_HEAD_BYTES + LOG_TAIL_BYTES) / 256)
        < crate::event::limits::CONTENT_BYTES_MAX
);

pub fn too_many(field: &Field<'_>, count: usize, of: &'static str, max: usize) -> ReplyError {
    ReplyError::TooMany { at: field.at.clone(), count, of, max }
}

/// The beginning of a text, and how much more there is.
pub fn beginning_of(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        None => text.to_owned(),
        Some((at, _)) => {
            let more = text[at..].chars().count();
            format!("{} … ({more} more characters)", &text[..at])
        }
    }
}

/// The end of a text: what a failing program says last matters most.
pub fn end_of(text: &str, chars_max: usize) -> String {
    let chars = text.chars().count();
    match chars.checked_sub(chars_max) {
        None | Some(0) => text.to_owned(),
        Some(left_out) => {
            let end: String = text.chars().skip(left_out).collect();
            format!("({left_out} characters before) … {end}")
        }
    }
}

/// A text as one block that nothing in it can end.
pub fn fenced(text: &str, language: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", text.trim_end_matches('\n'))
}
