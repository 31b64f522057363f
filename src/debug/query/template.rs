//! A pattern that was learnt, with what helps against it.

use crate::event::{DebugSessionId, TemplateRef};

/// The least effectiveness that makes a template worth offering: it must be above.
pub const TEMPLATE_EFFECTIVENESS: f64 = 0.7;

/// A pattern that was learnt, with what helps against it.
#[derive(Clone, Debug, PartialEq)]
pub struct FixTemplate {
    /// Where it was learnt.
    pub session: DebugSessionId,
    /// That session's file.
    pub file_path: String,
    pub pattern: String,
    pub category: Option<String>,
    /// How often it was seen, from 1.
    pub frequency: u64,
    pub fix_template: Option<String>,
    /// 0 to 1.
    pub effectiveness: Option<f64>,
    /// Of so many trials of the template so many worked; `None` where nobody counted them.
    pub tally: Option<(u64, u64)>,
    /// When that session changed last, Unix milliseconds.
    pub updated_ms: u64,
}

impl FixTemplate {
    /// What a fix that is made from it refers to.
    pub fn template_ref(&self) -> TemplateRef {
        TemplateRef { session: self.session, pattern: self.pattern.clone() }
    }
}
