//! How much a report holds at most. What is beyond is counted, and said.

/// Of all turns, and calls and words of one.
pub const TURNS_MAX: usize = 300;
pub const TURN_ITEMS_MAX: usize = 600;
/// Calls, and what was said between them, over all turns.
pub const CALLS_MAX: usize = 2_500;
pub const WORDS_MAX: usize = 1_000;
pub const SESSIONS_MAX: usize = 200;
/// Prompts and answers.
pub const PROMPT_CHARS_MAX: usize = 4_000;
pub const SAID_CHARS_MAX: usize = 2_000;
/// All prompts and answers together.
pub const WORDS_CHARS_MAX: usize = 800_000;
/// Of a target, a reason, a value in a list.
pub const LINE_CHARS_MAX: usize = 300;
pub const TURN_FILES_MAX: usize = 12;

pub const CHECKS_MAX: usize = 40;
/// Runs of one check, the newest.
pub const CHECK_MARKS_MAX: usize = 160;
pub const FAILURES_MAX: usize = 200;
/// Failures that are followed, and changes between a failure and what ended it.
pub const FOLLOWED_MAX: usize = 50_000;
pub const CHANGES_MAX: usize = 3;

pub const DIFF_FILES_MAX: usize = 150;
pub const DIFF_FILE_BYTES_MAX: usize = 24 << 10;
pub const DIFF_BYTES_MAX: usize = 1 << 20;

pub const GATE_MAX: usize = 200;
pub const MEMORY_OPS_MAX: usize = 200;
pub const DESTROYED_MAX: usize = 200;
pub const CHECKPOINTS_MAX: usize = 20;
pub const FINDINGS_MAX: usize = 50;
pub const TOOLS_MAX: usize = 12;
pub const SLOW_MAX: usize = 6;
pub const BUCKETS_MAX: u64 = 60;

/// Moments that the stores are shown as of.
pub const REPORT_STEPS_MAX: usize = 1_000;
/// Core values that are shown, and the characters of each.
pub const CORE_KEYS_MAX: usize = 100;
pub const CORE_CHARS_MAX: usize = 160;
/// Changes of them over all steps.
pub const CORE_CHANGES_MAX: usize = 3_000;
