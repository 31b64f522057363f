//! Rows of a repository's memory, as they are written. Times are Unix milliseconds.

/// What a repository's hash was made of.
#[derive(Clone, Copy, Debug)]
pub struct IdentityRow<'a> {
    pub path: &'a str,
    pub remote: Option<&'a str>,
    pub branch: Option<&'a str>,
    pub seq: u64,
}

/// A convention. A time that is `None` is the event's own; for when it was made, the first one's.
#[derive(Clone, Copy, Debug)]
pub struct ConventionRow<'a> {
    pub repo: u64,
    pub id: &'a str,
    pub title: &'a str,
    pub content: &'a str,
    /// A JSON array of texts.
    pub tags: &'a str,
    pub created_ms: Option<i64>,
    pub updated_ms: Option<i64>,
    pub at_ms: i64,
    pub seq: u64,
}

/// A decision.
#[derive(Clone, Copy, Debug)]
pub struct DecisionRow<'a> {
    pub repo: u64,
    pub id: &'a str,
    pub summary: &'a str,
    pub rationale: &'a str,
    /// A JSON array of texts.
    pub impacted_paths: &'a str,
    pub created_ms: Option<i64>,
    pub at_ms: i64,
    pub seq: u64,
}

/// A note.
#[derive(Clone, Copy, Debug)]
pub struct NoteRow<'a> {
    pub repo: u64,
    pub id: &'a str,
    pub content: &'a str,
    pub source: &'a str,
    pub created_ms: Option<i64>,
    pub at_ms: i64,
    pub seq: u64,
}

/// What a step came to.
#[derive(Clone, Copy, Debug)]
pub struct SummaryRow<'a> {
    pub seq: u64,
    pub repo: u64,
    pub run_id: &'a str,
    pub step_id: &'a str,
    pub summary: &'a str,
    pub made_by: &'a str,
    pub step: Option<u64>,
    pub created_ms: i64,
}

/// An index of a repository's tree; it takes the place of the one before.
#[derive(Clone, Copy, Debug)]
pub struct RepoIndexRow<'a> {
    pub repo: u64,
    pub kind: &'a str,
    pub content: &'a str,
    pub files: i64,
    pub inputs: &'a [u8; 32],
    pub at_ms: i64,
    pub seq: u64,
}
