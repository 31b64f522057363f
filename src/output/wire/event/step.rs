//! Events of steps in JSON.

use serde::Serialize;

use crate::event;

/// The fields of one kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Step<'a> {
    Begun {
        title: Option<&'a str>,
    },
    /// `began_sequence`: the event that began the step.
    Ended {
        began_sequence: Option<u64>,
        executions: u64,
        failed: u64,
        refused: u64,
        mutations: u64,
        checks_passed: u64,
        changed: &'a [String],
        follow_up: &'a [String],
        summary: &'a str,
    },
}

pub fn ended(b: &event::StepEnded) -> Step<'_> {
    Step::Ended {
        began_sequence: b.began,
        executions: b.executions,
        failed: b.failed,
        refused: b.refused,
        mutations: b.mutations,
        checks_passed: b.checks_passed,
        changed: &b.changed,
        follow_up: &b.follow_up,
        summary: &b.summary,
    }
}
