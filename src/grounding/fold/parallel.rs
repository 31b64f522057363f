//! Several sessions that are folded side by side.

use std::mem::swap;

use super::{Grounding, GroundingRules};
use crate::event::{Recorded, SessionId};

impl Grounding {
    /// Of a session that nothing is known of, where this one's fold stands.
    pub fn beside(&self, session: SessionId) -> Self {
        let fresh = Self::new(session);
        Self { through: self.through, root: self.root.clone(), ..fresh }
    }

    /// Takes an event of its session. `all` is the fold of every event before it, and takes it as well: what
    /// all sessions have in common is kept there alone.
    pub fn apply_beside(&mut self, all: &mut Self, recorded: &Recorded, rules: &GroundingRules) {
        if recorded.sequence.0 <= self.through {
            return all.apply(recorded, rules);
        }
        self.swap_common(all);
        self.apply(recorded, rules);
        self.swap_common(all);
        all.through = all.through.max(self.through);
    }

    fn swap_common(&mut self, all: &mut Self) {
        swap(&mut self.ordinals, &mut all.ordinals);
        swap(&mut self.own, &mut all.own);
        swap(&mut self.is_own_ignored, &mut all.is_own_ignored);
    }
}
