//! What `enable` and `disable` did, or would do.

use serde::Serialize;

use super::TrustSetting;
use crate::agents::import::ImportReport;

/// What `enable` did; what it would do, where `done` is false.
#[derive(Debug, Serialize)]
pub struct Enabled {
    pub root: String,
    /// There was no journal before.
    pub created: bool,
    /// Transcripts of past sessions that were found.
    pub past_files: u64,
    pub past_bytes: u64,
    /// `null` where nothing was imported.
    pub import: Option<ImportReport>,
    /// Settings that count only with consent, and do not have it.
    pub withheld: Vec<TrustSetting>,
    pub hooks: Vec<EnabledHooks>,
    /// All hooks are in place.
    pub done: bool,
}

/// One agent's hooks.
#[derive(Debug, Serialize)]
pub struct EnabledHooks {
    pub agent: String,
    pub path: String,
    /// `local`, `shared` or `user`.
    pub scope: String,
    /// `advise` or `enforce`.
    pub mode: String,
    pub command: String,
    /// Events that got a hook.
    pub added: Vec<String>,
    /// Events whose hook got another mode.
    pub changed: Vec<String>,
    /// What is written into the file.
    pub lines: Vec<String>,
    pub done: bool,
    /// The file as it was; `null` where there was none, or nothing was changed.
    pub backup: Option<String>,
    /// What the person must still do.
    pub notes: Vec<String>,
}

/// What `disable` did; what it would do, where `done` is false.
#[derive(Debug, Serialize)]
pub struct Disabled {
    pub root: String,
    pub files: Vec<DisabledFile>,
    pub done: bool,
}

/// One settings file.
#[derive(Debug, Serialize)]
pub struct DisabledFile {
    pub agent: String,
    pub path: String,
    /// Events whose hooks were ours.
    pub removed: Vec<String>,
    /// Whether the file is again what it was before, to the byte.
    pub restored: bool,
    /// Whether it was made by `enable`, and has gone again.
    pub deleted: bool,
    pub done: bool,
}
