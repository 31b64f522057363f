//! What the gate said of a call, and what its agent should have read.

use crate::event::GateMode;
use crate::grounding::gate::Refusal;
use crate::grounding::timeline::TimelineBlock;

/// What the gate said of a call, and what its agent should have read.
#[derive(Clone, Debug, PartialEq)]
pub struct GateNotice {
    pub refusal: Refusal,
    /// Under [`GateMode::Enforce`] the call did not run.
    pub mode: GateMode,
    /// The timeline; given to the agent unless the gate only observes.
    pub block: TimelineBlock,
}
