//! A row of `execution_artifacts`.

/// What an artifact is. At most one of each per execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArtifactType {
    Stdout,
    Stderr,
    Diagnostics,
}

impl ArtifactType {
    /// The contract's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
            Self::Diagnostics => "diagnostics",
        }
    }
}

/// A row of `execution_artifacts`; its id is given by the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArtifactRow<'a> {
    pub artifact_type: ArtifactType,
    /// Valid JSON: `{"text": …}` for stdout and stderr, an array for diagnostics.
    pub content_json: &'a str,
}
