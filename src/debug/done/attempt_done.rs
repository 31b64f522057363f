//! What an attempt came to.

use super::{DebugDone, HookTold};
use crate::debug::query::Similar;
use crate::event::{DebugStatus, Fix, TemplateRef, Verification};

/// What an attempt came to.
#[derive(Clone, Debug, PartialEq)]
pub struct AttemptDone {
    pub done: DebugDone,
    /// The attempt's number, from 1.
    pub attempt: u32,
    /// So many may fail before the session is escalated.
    pub attempts_max: u32,
    /// Whether the session was opened for it.
    pub opened: bool,
    /// How the session stands after it.
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
