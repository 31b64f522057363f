//! The research idea of a node: its own, or the nearest that its branch inherits.

use super::book::Remembered;
use super::{NodeGiven, PhasesError};
use crate::phases::Stories;

/// The tag of the archived record that holds it.
pub const IDEA_TAG: &str = "IDEA_MD";

/// The research idea of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Idea {
    /// Empty where there is none.
    pub text: String,
    /// It was given now, and is not what the branch inherits.
    is_new: bool,
}

impl Idea {
    /// What was given, else what the node's branch or the nearest above it remembers.
    ///
    /// # Errors
    /// Where what it remembers cannot be read.
    pub fn of(
        stories: &Stories,
        given: &NodeGiven,
        branch: &str,
        parent: Option<&str>,
    ) -> Result<Self, PhasesError> {
        let known = stories.branch(branch).or(parent);
        let known = known.map(|name| stories.idea(name)).transpose()?.flatten();
        Ok(match (given.idea.trim().is_empty(), known) {
            (true, known) => Self { text: known.unwrap_or_default(), is_new: false },
            (false, known) => {
                let is_new = known.is_none_or(|known| known.trim() != given.idea.trim());
                Self { text: given.idea.clone(), is_new }
            }
        })
    }

    /// What is to be archived of it, for its children.
    pub fn archived(&self) -> Option<Remembered> {
        let (text, tags) = (self.text.clone(), vec![IDEA_TAG.to_owned()]);
        self.is_new.then_some(Remembered::Archival { text, tags })
    }
}
