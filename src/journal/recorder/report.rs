//! What one call of a recorder did.

use crate::journal::Appended;

/// What one call of a recorder did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordReport {
    /// Where the commit lies; `None` where it was staged, or where there was nothing new.
    pub appended: Option<Appended>,
    /// Events taken, declarations of tools among them.
    pub recorded: u64,
    /// Events that the journal holds already.
    pub duplicates: u64,
    /// Tools declared on the way.
    pub declared: Vec<String>,
    /// Times moved to keep their session in order.
    pub clamped: u64,
    /// Late results turned into corrections.
    pub corrected: u64,
    /// Places that redaction took out.
    pub redacted: u64,
    /// Contents, JSON texts, texts and lists that were cut to their limits.
    pub truncated: u64,
}

impl RecordReport {
    /// The last event that it recorded; `None` where there was nothing new.
    pub fn last_sequence(&self) -> Option<u64> {
        self.appended.map(|appended| appended.last.0)
    }

    /// Adds what another call did.
    pub fn add(&mut self, other: &Self) {
        self.appended = other.appended.or(self.appended);
        self.recorded += other.recorded;
        self.duplicates += other.duplicates;
        self.declared.extend_from_slice(&other.declared);
        self.clamped += other.clamped;
        self.corrected += other.corrected;
        self.redacted += other.redacted;
        self.truncated += other.truncated;
    }
}
