//! Every size of what a model proposes to do, and of what is told of it, on one page.

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
