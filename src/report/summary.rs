//! What a person wants to know first.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::config::Prices;
use crate::event::{Ordered, Outcome, wire};
use crate::execution::query::diff::Diff;
use crate::execution::query::{Cost, ExecutionSummary, Totals};

#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// The first and the last event of the span.
    #[serde(rename = "began", serialize_with = "wire::utc_or_null")]
    pub began_ms: Option<u64>,
    #[serde(rename = "ended", serialize_with = "wire::utc_or_null")]
    pub ended_ms: Option<u64>,
    pub first_sequence: Option<u64>,
    pub last_sequence: Option<u64>,
    pub agents: Vec<String>,
    /// Who spoke, the most messages first.
    pub models: Vec<ModelUse>,
    pub totals: Totals,
    pub ok: u64,
    pub interrupted: u64,
    /// Calls of which the end is redacted: nobody knows how they ended.
    pub redacted: u64,
    pub open: u64,
    pub files_changed: u64,
    pub lines_added: u64,
    pub lines_removed: u64,
    /// Of the files those of which not every changed line is known.
    pub files_uncounted: u64,
    /// Checks that ran, and those whose last run failed.
    pub checks: u64,
    pub checks_failing: u64,
    /// Failures that ended, and those that did not: alike ones as one.
    pub failures_mended: u64,
    pub failures_pending: u64,
    /// By the user's own prices, where there are any.
    pub cost: Option<Cost>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ModelUse {
    pub model: String,
    #[serde(flatten)]
    pub totals: Totals,
}

impl Summary {
    pub fn count(&mut self, call: &ExecutionSummary) {
        match call.outcome {
            _ if call.is_redacted() => self.redacted += 1,
            Some(Outcome::Ok) => self.ok += 1,
            Some(Outcome::Interrupted) => self.interrupted += 1,
            None => self.open += 1,
            Some(Outcome::Failed | Outcome::Refused) => {}
        }
    }

    pub fn take_models(&mut self, models: BTreeMap<String, Totals>, prices: &Prices) {
        self.cost = Cost::of(&models, prices);
        let spoke = models.into_iter().filter(|(_, totals)| totals.messages > 0);
        self.models = spoke.map(|(model, totals)| ModelUse { model, totals }).collect();
        self.models.order_by_key(|it| std::cmp::Reverse(it.totals.messages));
    }

    pub fn take_diff(&mut self, diff: &Diff) {
        self.files_changed = (diff.files.len() + diff.left_out) as u64;
        self.files_uncounted = diff.files.iter().filter(|it| !it.is_counted).count() as u64;
        let sum = |of: fn(&crate::execution::query::diff::FileDiff) -> usize| {
            diff.files.iter().map(|it| of(it) as u64).sum()
        };
        (self.lines_added, self.lines_removed) = (sum(|it| it.added), sum(|it| it.removed));
    }
}
