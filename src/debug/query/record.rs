//! A debug session with all that is known of it.

use super::DebugSession;
use crate::event::{
    DebugAuthor, DebugBeside, DebugDocument, DebugSessionId, Fix, FixOrigin, TemplateRef,
    Verification,
};

/// A debug session with all that is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct DebugRecord {
    pub session: DebugSession,
    /// The contract's document.
    pub document: DebugDocument,
    /// What that has no member for.
    pub beside: DebugBeside,
}

/// A fix that nobody has verified.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingFix {
    pub session: DebugSessionId,
    /// The attempt that it follows.
    pub attempt: u32,
    pub by: DebugAuthor,
    pub fix: Fix,
    /// The template that it was made from.
    pub template: Option<TemplateRef>,
}

/// A template that a fix was made from, whose trial is not counted yet, or was with another verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncountedTemplate {
    pub session: DebugSessionId,
    /// The attempt that the fix follows.
    pub attempt: u32,
    pub template: TemplateRef,
    /// What became of the fix.
    pub verification: Option<Verification>,
}

impl DebugRecord {
    /// The last fix, where it is pending.
    pub fn pending_fix(&self) -> Option<PendingFix> {
        let mut executions = self.document.executions.iter().rev();
        let fixed = executions.find(|execution| execution.fix_applied.is_some())?;
        let fix = fixed.fix_applied.clone()?;
        if fix.verification != Some(Verification::Pending) {
            return None;
        }
        let origin = self.beside.fixes.get(&fixed.attempt);
        Some(PendingFix {
            session: self.session.id,
            attempt: fixed.attempt,
            by: origin.map_or(DebugAuthor::Caller, |origin| origin.by),
            fix,
            template: origin.and_then(|origin| origin.template.clone()),
        })
    }

    /// The templates of its fixes whose trials are not counted yet, or were before the fix was verified
    /// otherwise, in order of attempts.
    pub fn uncounted_templates(&self) -> Vec<UncountedTemplate> {
        let fix = |attempt: u32| {
            let mut executions = self.document.executions.iter();
            executions.find(|execution| execution.attempt == attempt)?.fix_applied.as_ref()
        };
        let of_fix = |(attempt, origin): (&u32, &FixOrigin)| {
            let verification = fix(*attempt)?.verification;
            let worked = match verification? {
                Verification::Passed => Some(true),
                Verification::Failed => Some(false),
                Verification::Pending => None,
            };
            let is_other = origin.worked.zip(worked).is_some_and(|(one, other)| one != other);
            let template = origin.template.clone().filter(|_| !origin.tried || is_other)?;
            let (session, attempt) = (self.session.id, *attempt);
            Some(UncountedTemplate { session, attempt, template, verification })
        };
        self.beside.fixes.iter().filter_map(of_fix).collect()
    }

    /// Whether a caller has told what is wrong with the code of an attempt.
    pub fn is_analysed_by_caller(&self, attempt: u32) -> bool {
        self.beside.analyses_told.contains(&attempt)
    }
}
