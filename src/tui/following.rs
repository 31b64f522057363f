//! Whether what is shown goes on.

/// Whether what is shown goes on with the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Following {
    Live,
    /// By key: nothing moves until it is let go.
    Paused,
    /// As of then (`--at`), or a copy: it never goes on.
    Standing {
        why: String,
    },
}

impl Following {
    pub fn word(&self) -> &str {
        match self {
            Self::Live => "live",
            Self::Paused => "PAUSED",
            Self::Standing { why } => why,
        }
    }
}
