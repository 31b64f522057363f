//! Why a check that ended well bears nothing out.

use serde::{Deserialize, Serialize};

/// Why a check that ended well bears nothing out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unproven {
    /// It found nothing to run.
    RanNothing,
    /// What it printed, or its exit code, tells a failure.
    Failed,
    /// Something else had the last word, and what it printed does not say that it passed.
    Unknown,
}
