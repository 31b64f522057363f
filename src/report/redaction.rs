//! What was taken out, before it was recorded and after.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Bounded;
use super::limits::DESTROYED_MAX;
use crate::event::{Body, OrderId, Ordered, Recorded, wire};

#[derive(Clone, Debug, Default, Serialize)]
pub struct Redactions {
    /// Secrets that were never recorded, by the rule that found them.
    pub taken_out: Vec<TakenOut>,
    /// Payloads that were recorded and destroyed later.
    pub destroyed: Bounded<Destroyed>,
    /// Records of the span whose payload is gone.
    pub gone: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TakenOut {
    pub rule: String,
    pub count: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Destroyed {
    /// The event that tells of it.
    pub sequence: u64,
    pub order: OrderId,
    /// How many records it names, and the first of them.
    pub records: u64,
    pub first: u64,
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub at_ms: u64,
    pub reason: String,
    pub by: String,
    /// The rule that found them, if one did.
    pub rule: Option<String>,
}

/// Counts while the journal is walked.
#[derive(Debug, Default)]
pub struct Counting {
    rules: BTreeMap<String, u64>,
    destroyed: Bounded<Destroyed>,
    pub gone: u64,
}

impl Counting {
    pub fn note(&mut self, recorded: &Recorded) {
        for it in &recorded.event.envelope.redactions {
            *self.rules.entry(it.rule.clone()).or_default() += u64::from(it.count);
        }
        let Body::PayloadRedacted(it) = &recorded.event.body else { return };
        // One that only says what stays.
        if it.records.is_empty() {
            return;
        }
        let destroyed = Destroyed {
            sequence: recorded.sequence.0,
            order: it.order,
            records: it.records.len() as u64,
            first: it.records.first().map_or(0, |it| it.sequence),
            at_ms: recorded.event.envelope.at_ms,
            reason: it.reason.clone(),
            by: it.by.clone(),
            rule: it.rule.clone(),
        };
        self.destroyed.push(destroyed, DESTROYED_MAX);
    }

    pub fn end(self) -> Redactions {
        let taken_out = self.rules.into_iter().map(|(rule, count)| TakenOut { rule, count });
        let mut taken_out: Vec<_> = taken_out.collect();
        taken_out.order_by_key(|it| std::cmp::Reverse(it.count));
        Redactions { taken_out, destroyed: self.destroyed, gone: self.gone }
    }
}
