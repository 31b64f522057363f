//! What `status` looks at.

use crate::output::wire;
use crate::store::JournalHealth;

/// What was looked at, not yet put together.
pub struct Looked {
    pub journal: JournalHealth,
    pub stores: Vec<wire::Store>,
    pub counts: Option<wire::Counts>,
    /// Open calls that a repair would close.
    pub left_open: u64,
    pub unseen: Vec<wire::Unseen>,
    pub anomalies: Vec<wire::Anomaly>,
    pub losses: Vec<wire::Anomaly>,
    pub found: Vec<wire::FoundStore>,
    pub in_the_way: Vec<String>,
    pub agents: Vec<wire::Agent>,
}

impl Looked {
    /// What is known where only the journal was looked at.
    pub fn of(journal: JournalHealth) -> Self {
        let (stores, found, agents) = (Vec::new(), Vec::new(), Vec::new());
        let (anomalies, losses, in_the_way) = (Vec::new(), Vec::new(), Vec::new());
        let (counts, left_open, unseen) = (None, 0, Vec::new());
        Self {
            journal,
            stores,
            counts,
            left_open,
            unseen,
            anomalies,
            losses,
            found,
            in_the_way,
            agents,
        }
    }
}
