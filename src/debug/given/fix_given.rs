//! What is given of a fix.

use crate::event::{Fix, TemplateRef};

/// What is given of a fix. Its verification is pending where nothing is said.
#[derive(Clone, Debug, PartialEq)]
pub struct FixGiven {
    pub fix: Fix,
    /// The template that it was made from. `None`: where annals had proposed one for the same attempt,
    /// and the fix has the same description, that one.
    pub template: Option<TemplateRef>,
}
