//! Declares a project's own checks: those of the settings as they are, and those that a person names.

use super::{RecordError, RecordReport, Recorder};
use crate::event::{Body, CheckList, ChecksDeclared, DeclaredCheck, Envelope, Event};
use crate::journal::clock;
use crate::parse::check::command::check_fault;
use crate::parse::check::matcher::pattern_fault;

impl Recorder<'_> {
    /// The project's own checks in force: the settings' are, once anything is recorded.
    pub fn checks(&mut self) -> Result<CheckList, RecordError> {
        let list = self.facts()?.checks().clone();
        Ok(self.project.settings().checks_beside(&list).unwrap_or(list))
    }

    /// Puts another list of checks in force.
    pub fn declare_checks(
        &mut self,
        list: CheckList,
        by: &str,
    ) -> Result<RecordReport, RecordError> {
        let body = Body::ChecksDeclared(ChecksDeclared { list, by: by.to_owned() });
        let envelope = Envelope::new(None, self.mode.source(), clock::now_ms());
        self.record(vec![Event { envelope, body }])
    }

    /// What the settings say of checks and the journal does not yet.
    pub(super) fn settings_checks(&mut self) -> Result<Option<Event>, RecordError> {
        let source = self.mode.source();
        let list = self.project.settings().checks_beside(self.facts()?.checks());
        Ok(list.map(|list| {
            let by = DeclaredCheck::SETTINGS.to_owned();
            let envelope = Envelope::new(None, source, clock::now_ms());
            Event { envelope, body: Body::ChecksDeclared(ChecksDeclared { list, by }) }
        }))
    }
}

/// Holds that a list may be declared.
pub(super) fn judge(list: &CheckList) -> Result<(), RecordError> {
    let of_check = |it: &DeclaredCheck| {
        let reason = check_fault(&it.command)?;
        Some(format!("`{}` cannot be a check: {reason}", it.command))
    };
    let of_matcher = || {
        let mut faults = list.matchers.iter().map(|it| (&it.name, pattern_fault(&it.lines)));
        faults.find_map(|(name, fault)| Some(format!("the matcher {name}: {}", fault?)))
    };
    let fault = list.excess().or_else(|| list.checks.iter().find_map(of_check));
    match fault.or_else(of_matcher) {
        Some(reason) => Err(RecordError::Checks { reason }),
        None => Ok(()),
    }
}
