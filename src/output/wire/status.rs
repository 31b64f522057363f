//! The state of a project, as `status` prints it.

use serde::Serialize;

use crate::store::Quarantined;

/// The state of a project.
#[derive(Debug, Serialize)]
pub struct Status {
    pub root: String,
    /// Its name among several; `null` where one was asked.
    pub name: Option<String>,
    /// Nothing of it is written, and no lock taken.
    pub evidence: bool,
    /// As of which event, with `--at`.
    pub at: Option<u64>,
    pub journal: JournalHealth,
    pub stores: Vec<Store>,
    /// Of evidence: the stores that lie in the copy.
    pub found: Vec<FoundStore>,
    /// Stores that were set aside; `null` where there is no project.
    pub quarantine: Option<Quarantine>,
    /// What lies where annals has a folder and is none.
    pub in_the_way: Vec<String>,
    /// The agents that are used here; none of evidence.
    pub agents: Vec<super::Agent>,
    /// Sessions with open calls whose agent cannot be looked at from here; none of evidence.
    pub unseen: Vec<Unseen>,
    /// `null` where the stores cannot be read.
    pub counts: Option<Counts>,
    /// The last ones.
    pub anomalies: Vec<Anomaly>,
    /// What was acknowledged and is lost, as events of the journal tell for ever: the last ones.
    pub losses: Vec<Anomaly>,
    /// Whether nothing needs a person's eye.
    pub fine: bool,
    /// What to run next.
    pub next: String,
}

/// Open calls of a session whose agent cannot be looked at from here: nobody closes them unasked.
#[derive(Debug, Serialize)]
pub struct Unseen {
    /// The agent's own name of it.
    pub session: String,
    pub agent: String,
    pub calls: u64,
    /// The command that closes them, once the agent is gone.
    pub close: String,
}

/// The journal's health.
#[derive(Debug, Serialize)]
pub struct JournalHealth {
    pub path: String,
    /// Its id; `null` where it cannot be read.
    pub journal: Option<String>,
    /// Its last event.
    pub sequence: Option<u64>,
    pub segments: u64,
    /// Of the segments, the space filled ahead included.
    pub bytes: u64,
    /// What was cut or replaced and is kept.
    pub quarantined: u64,
    pub quarantined_bytes: u64,
    /// What was durable and is lost or changed, by every byte that changed since it was last looked
    /// at.
    pub damage: Vec<String>,
    /// What does not hold though nothing is lost by it.
    pub flaws: Vec<String>,
    /// What is wrong with its `LOCK`; none of evidence, which needs none.
    pub lock: Option<String>,
    /// Why nothing may be appended to its newest segment; none of evidence.
    pub segment: Option<String>,
    /// Why it cannot be read.
    pub problem: Option<String>,
}

/// Stores that were set aside; a folder counts as one file.
#[derive(Debug, Serialize)]
pub struct Quarantine {
    /// What is dropped, oldest first, where there is too much.
    pub files: u64,
    pub bytes: u64,
    /// What never is: it says something that the journal does not.
    pub evidence_files: u64,
    pub evidence_bytes: u64,
}

impl From<Quarantined> for Quarantine {
    fn from(found: Quarantined) -> Self {
        let Quarantined { files, bytes, evidence_files, evidence_bytes } = found;
        Self { files, bytes, evidence_files, evidence_bytes }
    }
}

/// A derived store.
#[derive(Debug, Serialize)]
pub struct Store {
    pub store: String,
    pub path: String,
    /// The last event in it.
    pub sequence: Option<u64>,
    /// Events it does not have yet; `null` where it must be rebuilt.
    pub lag: Option<u64>,
    /// Why it lags, or cannot be read.
    pub problem: Option<String>,
    /// blake3 of its logical content, with `--digest`.
    pub digest: Option<String>,
}

/// A store that lies in a copy, held against what the journal says.
#[derive(Debug, Serialize)]
pub struct FoundStore {
    pub store: String,
    pub path: String,
    /// The last event in it, by its own account.
    pub sequence: Option<u64>,
    /// blake3 of its logical content.
    pub digest: Option<String>,
    /// `same`, `differs`, `wrong` (of another journal's making), `absent` or `unreadable`.
    pub verdict: String,
    /// The verdict in words.
    pub why: String,
    /// Whether it says something other than the journal.
    pub differs: bool,
}

/// How many of everything there are. A corrected execution counts by its correction alone.
#[derive(Debug, Serialize)]
pub struct Counts {
    pub sessions: u64,
    pub prompts: u64,
    /// Executions, open ones included.
    pub calls: u64,
    /// Of them, those whose result was seen: ok, failed or refused.
    pub results: u64,
    /// Results that were not ok: failed or refused.
    pub errors: u64,
    pub ok: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
    pub open: u64,
    /// Executions that count by their correction.
    pub corrected: u64,
    pub anomalies: u64,
    /// Of them, transcript lines that could not be read.
    pub unreadable_lines: u64,
    /// Of them, results whose call no transcript has.
    pub results_without_call: u64,
}

/// An event that a store could not take, or that contradicts another.
#[derive(Debug, Serialize)]
pub struct Anomaly {
    pub sequence: u64,
    pub kind: String,
    pub execution: Option<String>,
    pub message: String,
}
