//! What operations on debug memory come to.

use serde::Serialize;

use super::DebugSimilar;
use crate::debug as done;
use crate::debug::infer;
use crate::event::{DebugDocument, Fix, Sequence};
use crate::output::time;

/// What an operation on a debug session came to.
#[derive(Clone, Debug, Serialize)]
pub struct DebugDone {
    pub session_id: String,
    /// The last event that it recorded; `null` where nothing changed.
    pub sequence: Option<u64>,
    /// The session as it is now, as the contract's schema has it.
    pub document: DebugDocument,
}

/// What an attempt came to.
#[derive(Clone, Debug, Serialize)]
pub struct DebugAttempt {
    pub session_id: String,
    /// The attempt's number, from 1.
    pub attempt: u32,
    /// So many may fail before the session is escalated.
    pub attempts_max: u32,
    /// Whether the session was opened for it.
    pub opened: bool,
    /// How the session stands after it.
    pub status: &'static str,
    /// So many attempts of the session failed, this one among them.
    pub failed: u64,
    /// Failures that are counted and not kept: only so many are, and only what was told.
    pub left_out: u64,
    /// What it said of the fix before it.
    pub verified: Option<DebugVerified>,
    /// What other sessions had that looks like this, the likest first.
    pub similar: Vec<DebugSimilar>,
    /// The fix that is proposed from a known template.
    pub proposed: Option<DebugProposed>,
    pub hooks: Vec<DebugHook>,
    pub sequence: Option<u64>,
    pub document: DebugDocument,
}

/// A fix that is proposed, and the template that it is made from.
#[derive(Clone, Debug, Serialize)]
pub struct DebugProposed {
    pub fix: Fix,
    /// The session that the template was learnt in, and the pattern that it belongs to.
    pub session_id: String,
    pub pattern: String,
}

/// What the end of a session came to.
#[derive(Clone, Debug, Serialize)]
pub struct DebugClosed {
    pub session_id: String,
    /// The last event; `null` where nothing changed.
    pub sequence: Option<u64>,
    /// What ran, where it was escalated.
    pub hooks: Vec<DebugHook>,
    pub document: DebugDocument,
}

/// A document that was checked against the contract's schema.
#[derive(Clone, Debug, Serialize)]
pub struct DebugValidated {
    pub file: String,
    /// Its place in its file, from 1.
    pub document: usize,
    /// What it calls itself; `null` where that is no text.
    pub session_id: Option<String>,
    pub valid: bool,
    pub faults: Vec<DebugFault>,
    /// Members that the schema does not name, and allows, as JSON pointers.
    pub unnamed: Vec<String>,
    /// What the schema takes and import refuses.
    pub unkept: Vec<DebugFault>,
}

/// What is wrong with a document.
#[derive(Clone, Debug, Serialize)]
pub struct DebugFault {
    /// A JSON pointer; empty: the document itself.
    pub at: String,
    pub why: String,
}

/// Whether a fix helped.
#[derive(Clone, Debug, Serialize)]
pub struct DebugVerified {
    /// The attempt that the fix followed.
    pub attempt: u32,
    /// `passed` or `failed`.
    pub verification: &'static str,
}

/// What a hook of the contract's schema did.
#[derive(Clone, Debug, Serialize)]
pub struct DebugHook {
    /// `on_failure.check_similar_past_issues`
    pub hook: String,
    pub outcome: String,
    /// Why what the settings name for it failed; `null` where it did not.
    pub failed: Option<String>,
}

/// What an import of documents came to.
#[derive(Clone, Debug, Serialize)]
pub struct DebugImported {
    pub file: String,
    /// The last event; `null` where everything was there already.
    pub sequence: Option<u64>,
    pub sessions: Vec<DebugImportedSession>,
}

/// A document that was imported.
#[derive(Clone, Debug, Serialize)]
pub struct DebugImportedSession {
    pub session_id: String,
    /// What the document called itself, where that was no UUID.
    pub native_id: Option<String>,
    /// Whether it was there already, just so.
    pub known: bool,
    /// Members that the schema does not name: they stay in the journal only.
    pub unnamed: Vec<String>,
    /// What else is to be said of it, a sentence each.
    pub notes: Vec<String>,
}

/// A session that was kept as long as the rules say.
#[derive(Clone, Debug, Serialize)]
pub struct DebugExpired {
    pub session_id: String,
    pub file_path: String,
    pub updated_at: Option<String>,
    /// So many were to pass since.
    pub days: u32,
    /// The file that it was archived in first, or would be.
    pub archived: Option<String>,
    /// The file that its escalation left, which stays.
    pub left: Option<String>,
    /// Whether it is gone; not where it was only asked.
    pub expired: bool,
}

/// A debug session that was worked out of an agent's.
#[derive(Clone, Debug, Serialize)]
pub struct DebugInferred {
    pub session_id: String,
    /// The agent's session.
    pub session: String,
    pub file_path: String,
    /// What ran the tests.
    pub command: String,
    pub status: &'static str,
    /// Recorded now, or to be recorded where it was only asked.
    pub attempts: u32,
    pub fixes: u32,
    /// Attempts that it has altogether.
    pub attempts_all: u32,
    pub sequence: Option<u64>,
}

impl DebugDone {
    pub fn of(done: done::DebugDone) -> Self {
        Self {
            session_id: done.session.to_string(),
            sequence: number(done.sequence),
            document: done.document,
        }
    }
}

impl DebugAttempt {
    pub fn of(it: done::AttemptDone) -> Self {
        let verified = it.verified.map(|(attempt, verification)| DebugVerified {
            attempt,
            verification: verification.as_str(),
        });
        Self {
            session_id: it.done.session.to_string(),
            attempt: it.attempt,
            attempts_max: it.attempts_max,
            opened: it.opened,
            status: it.status.as_str(),
            failed: it.failed,
            left_out: it.left_out,
            verified,
            similar: it.similar.into_iter().map(|it| DebugSimilar::of(it, None)).collect(),
            proposed: it.proposed.map(|(fix, template)| DebugProposed {
                fix,
                session_id: template.session.to_string(),
                pattern: template.pattern,
            }),
            hooks: it.hooks.into_iter().map(DebugHook::of).collect(),
            sequence: number(it.done.sequence),
            document: it.done.document,
        }
    }
}

impl DebugHook {
    pub fn of(it: done::HookTold) -> Self {
        Self { hook: it.hook, outcome: it.outcome, failed: it.failed }
    }
}

impl DebugClosed {
    pub fn of(it: done::CloseDone) -> Self {
        Self {
            session_id: it.done.session.to_string(),
            sequence: number(it.done.sequence),
            hooks: it.hooks.into_iter().map(DebugHook::of).collect(),
            document: it.done.document,
        }
    }
}

impl DebugValidated {
    pub fn of(file: &str, it: done::DocumentChecked) -> Self {
        Self {
            file: file.to_owned(),
            document: it.document,
            session_id: it.session_id.clone(),
            valid: it.is_valid(),
            faults: it.faults.into_iter().map(DebugFault::of).collect(),
            unnamed: it.unnamed,
            unkept: it.unkept.into_iter().map(DebugFault::of).collect(),
        }
    }
}

impl DebugFault {
    fn of(it: done::SchemaFault) -> Self {
        Self { at: it.at, why: it.why }
    }
}

impl DebugImported {
    pub fn of(file: String, done: done::ImportDone) -> Self {
        let session = |it: done::ImportedSession| DebugImportedSession {
            session_id: it.session.to_string(),
            native_id: it.native_id,
            known: it.is_known,
            unnamed: it.unnamed,
            notes: it.notes,
        };
        let sequence = number(done.sequence);
        Self { file, sequence, sessions: done.sessions.into_iter().map(session).collect() }
    }
}

impl DebugExpired {
    pub fn of(it: done::ExpiredSession, expired: bool) -> Self {
        Self {
            session_id: it.session.to_string(),
            file_path: it.file_path,
            updated_at: time::utc(it.updated_ms),
            days: it.days,
            archived: it.archived,
            left: it.left,
            expired,
        }
    }
}

impl DebugInferred {
    pub fn of(it: infer::Inferred) -> Self {
        Self {
            session_id: it.session.to_string(),
            session: it.of.to_string(),
            file_path: it.file_path,
            command: it.command,
            status: it.status.as_str(),
            attempts: it.attempts,
            fixes: it.fixes,
            attempts_all: it.attempts_all,
            sequence: number(it.sequence),
        }
    }
}

fn number(sequence: Option<Sequence>) -> Option<u64> {
    sequence.map(|sequence| sequence.0)
}
