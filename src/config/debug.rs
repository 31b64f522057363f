//! `[debug]`: debug memory (spec 002).

use serde::Deserialize;
use serde::de::{Deserializer, Error};

/// A session takes no more attempts.
pub const ATTEMPTS_MAX: u32 = 1_000;

/// `[debug]`: debug memory.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DebugConfig {
    /// So many failed attempts, and a session is escalated: from 1 to [`ATTEMPTS_MAX`].
    #[serde(deserialize_with = "attempts")]
    pub attempts_max: u32,
    /// Days that a document is kept after its last change; the longest that applies counts.
    pub retention_days: u32,
    /// Where the session was escalated.
    pub retention_escalated_days: u32,
    /// Where a pattern was learnt.
    pub retention_learned_days: u32,
    /// The folder that a document is copied to before it expires; relative to the project unless
    /// absolute or below `~/`. `None`: the journal's events are all that stays.
    pub archive: Option<String>,
    /// Whether `debug run` keeps the file's code with each attempt.
    pub snapshot: bool,
    pub hooks: DebugHooksConfig,
}

impl Default for DebugConfig {
    fn default() -> Self {
        Self {
            attempts_max: 3,
            retention_days: 30,
            retention_escalated_days: 90,
            retention_learned_days: 60,
            archive: None,
            snapshot: false,
            hooks: DebugHooksConfig::default(),
        }
    }
}

/// `[debug.hooks]`: a command of the user's behind each hook of the schema, besides what annals does
/// itself. JSON on its input; what it does never changes what was recorded.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DebugHooksConfig {
    /// How long one command may take, seconds.
    pub timeout_s: u64,
    /// On failure.
    pub check_similar_past_issues: Option<String>,
    /// On failure, where a template is known: the only one that is meant to edit code.
    pub apply_known_fix_template: Option<String>,
    /// On success.
    pub update_fix_effectiveness: Option<String>,
    /// On success.
    pub extract_learnings: Option<String>,
    /// On escalation: the context pack on its input.
    pub notify_human: Option<String>,
    /// On escalation: the export on its input.
    pub preserve_full_context: Option<String>,
}

impl Default for DebugHooksConfig {
    fn default() -> Self {
        Self {
            timeout_s: 60,
            check_similar_past_issues: None,
            apply_known_fix_template: None,
            update_fix_effectiveness: None,
            extract_learnings: None,
            notify_human: None,
            preserve_full_context: None,
        }
    }
}

fn attempts<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let given = u32::deserialize(from)?;
    match (1..=ATTEMPTS_MAX).contains(&given) {
        true => Ok(given),
        false => {
            let why = format_args!("attempts_max is {given}; it must be from 1 to {ATTEMPTS_MAX}");
            Err(D::Error::custom(why))
        }
    }
}
