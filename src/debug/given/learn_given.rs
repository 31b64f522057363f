//! What is given of what was learnt.

use crate::event::{Learnings, TemplateTally};

/// What is given of what was learnt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LearnGiven {
    pub learnings: Learnings,
    /// How often templates were tried before, by the names of their patterns.
    pub tallies: Vec<TemplateTally>,
}
