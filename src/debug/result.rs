//! What an operation on debug memory came to, and how that is printed as JSON.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::debug::query::Similar;
use crate::event::wire::OfJournal;
use crate::event::{
    DebugDocument, DebugSessionId, DebugStatus, Fix, Sequence, TemplateRef, Verification, wire,
};

#[derive(Clone, Debug, PartialEq)]
pub struct AttemptDone {
    pub done: DebugDone,
    /// The attempt's number, from 1.
    pub attempt: u32,
    /// So many may fail before the session is escalated.
    pub attempts_max: u32,
    pub opened: bool,
    pub status: DebugStatus,
    /// So many attempts of the session failed, this one among them.
    pub failed: u64,
    /// Failures that were told, or that the results count besides those told, and are not kept.
    pub left_out: u64,
    /// What it said of the fix before it: the attempt that the fix followed, and whether it helped.
    pub verified: Option<(u32, Verification)>,
    /// What other sessions had that looks like this attempt's failures, the likest first.
    pub similar: Vec<Similar>,
    /// The fix that annals proposes from a known template, and which.
    pub proposed: Option<(Fix, TemplateRef)>,
    /// What the hooks did, in the order in which they ran. None where they were not to run.
    pub hooks: Vec<HookTold>,
}

#[derive(Clone, Debug, Serialize)]
pub struct OfFile<T> {
    pub file: String,
    #[serde(flatten)]
    pub it: T,
}

#[derive(Clone, Debug, Serialize)]
pub struct DebugShown {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<String>,
    #[serde(flatten)]
    pub document: DebugDocument,
}

#[derive(Clone, Debug, Serialize)]
pub struct DebugExpired {
    #[serde(flatten)]
    pub it: ExpiredSession,
    /// Whether it is gone; not where it was only asked.
    pub expired: bool,
}

impl Serialize for AttemptDone {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Verified {
            attempt: u32,
            verification: Verification,
        }
        #[derive(Serialize)]
        struct Proposed<'a> {
            fix: &'a Fix,
            session_id: DebugSessionId,
            pattern: &'a str,
        }
        let verified = self.verified;
        let verified = verified.map(|(attempt, verification)| Verified { attempt, verification });
        let proposed = self.proposed.as_ref().map(|(fix, template)| Proposed {
            fix,
            session_id: template.session,
            pattern: &template.pattern,
        });
        let similar: Vec<_> = self.similar.iter().map(OfJournal::only).collect();
        let mut it = to.serialize_struct("AttemptDone", 13)?;
        it.serialize_field("session_id", &self.done.session)?;
        it.serialize_field("attempt", &self.attempt)?;
        it.serialize_field("attempts_max", &self.attempts_max)?;
        it.serialize_field("opened", &self.opened)?;
        it.serialize_field("status", &self.status)?;
        it.serialize_field("failed", &self.failed)?;
        it.serialize_field("left_out", &self.left_out)?;
        it.serialize_field("verified", &verified)?;
        it.serialize_field("similar", &similar)?;
        it.serialize_field("proposed", &proposed)?;
        it.serialize_field("hooks", &self.hooks)?;
        it.serialize_field("sequence", &self.done.sequence)?;
        it.serialize_field("document", &self.done.document)?;
        it.end()
    }
}

/// A debug session with everything that it rests on: to be read without this journal, and checked
/// against it.
#[derive(Clone, Debug, Serialize)]
pub struct DebugExport {
    /// `annals/debug-export/v1`
    pub format: &'static str,
    /// UTC, RFC 3339.
    pub exported_at: String,
    pub document: DebugDocument,
    /// Trials of the templates, beside the document, which has no place for them.
    pub effectiveness: serde_json::Value,
    /// The recorded executions of the attempts, with what they printed.
    pub executions: Vec<serde_json::Value>,
    /// Which journal it comes from: its `id`, the `chain` at its `sequence` then, and the sequences of
    /// the session's `first` and `last` events.
    pub journal: serde_json::Value,
}

/// A session that was kept as long as the rules say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExpiredSession {
    #[serde(rename = "session_id")]
    pub session: DebugSessionId,
    pub file_path: String,
    #[serde(rename = "updated_at", serialize_with = "wire::utc")]
    pub updated_ms: u64,
    /// So many were to pass since.
    pub days: u32,
    /// The file that it was archived in first, or would be.
    pub archived: Option<String>,
    /// The file that its escalation left, which stays: `.annals/debug-exports/ID.json`.
    pub left: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportedSession {
    #[serde(rename = "session_id")]
    pub session: DebugSessionId,
    /// What the document called itself, where that was no UUID.
    pub native_id: Option<String>,
    /// Whether it was there already, just so.
    #[serde(rename = "known")]
    pub is_known: bool,
    /// Members that the schema does not name (`/executions/0/mood`): they stay in the journal only.
    pub unnamed: Vec<String>,
    /// What else is to be said of it, a sentence each: times that cannot be.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ImportDone {
    /// The last event; `None` where everything was there already.
    pub sequence: Option<Sequence>,
    pub sessions: Vec<ImportedSession>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DebugDone {
    #[serde(rename = "session_id")]
    pub session: DebugSessionId,
    /// The operation's last event; `None` where nothing changed.
    pub sequence: Option<Sequence>,
    pub document: DebugDocument,
}

/// What a hook of the contract's schema did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HookTold {
    /// `on_failure.check_similar_past_issues`
    pub hook: String,
    /// What it came to, one line. The same as in the journal's HookRan.
    pub outcome: String,
    /// Why what the settings name for it failed; the recording stands.
    pub failed: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CloseDone {
    pub done: DebugDone,
    /// What the hooks did, where it was escalated.
    pub hooks: Vec<HookTold>,
}

impl Serialize for CloseDone {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut it = to.serialize_struct("CloseDone", 4)?;
        it.serialize_field("session_id", &self.done.session)?;
        it.serialize_field("sequence", &self.done.sequence)?;
        it.serialize_field("hooks", &self.hooks)?;
        it.serialize_field("document", &self.done.document)?;
        it.end()
    }
}
