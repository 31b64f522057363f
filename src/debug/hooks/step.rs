//! One hook, on its way.

use super::command::HookCommand;
use crate::debug::HookTold;
use crate::event::Body;

/// One hook, on its way.
#[derive(Debug)]
pub(super) struct Step {
    pub hook: &'static str,
    /// What it came to, one line.
    pub outcome: String,
    /// Why its command failed.
    pub failed: Option<String>,
    /// What it found, to be recorded.
    pub bodies: Vec<Body>,
    /// What is to be run besides.
    pub command: Option<HookCommand>,
    /// Whether it is recorded that it ran.
    pub is_recorded: bool,
}

impl Step {
    pub(super) fn new(hook: &'static str, outcome: String) -> Self {
        let (bodies, is_recorded) = (Vec::new(), false);
        Self { hook, outcome, failed: None, bodies, command: None, is_recorded }
    }

    /// The same, with this to be recorded.
    pub(super) fn recording(self, bodies: impl IntoIterator<Item = Body>) -> Self {
        Self { bodies: bodies.into_iter().collect(), ..self }
    }

    /// The same, with this to be run.
    pub(super) fn running(self, command: Option<HookCommand>) -> Self {
        Self { command, ..self }
    }

    pub(super) fn clone_told(&self) -> HookTold {
        let (outcome, failed) = (self.outcome.clone(), self.failed.clone());
        HookTold { hook: self.hook.to_owned(), outcome, failed }
    }

    /// What it came to, and whether that is recorded.
    pub(super) fn told(self) -> (HookTold, bool) {
        (self.clone_told(), self.is_recorded)
    }
}
