//! When calls were made, and of which tools.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Bounded;
use super::limits::{BUCKETS_MAX, SLOW_MAX, TOOLS_MAX};
use crate::event::{Ordered, Outcome, wire};
use crate::execution::query::{ExecutionSummary, Slow};

/// Calls over time. Pauses are left out of it, so that a night between two prompts takes no room.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Activity {
    /// What each of the buckets spans, without pauses.
    pub bucket_ms: u64,
    pub buckets: Vec<Bucket>,
    /// Longer times without a call.
    pub pauses: Vec<Pause>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Bucket {
    /// Of its first call.
    #[serde(rename = "began", serialize_with = "wire::utc_or_null")]
    pub began_ms: Option<u64>,
    pub ok: u64,
    pub failed: u64,
    /// Refused, interrupted, redacted, and those that are open.
    pub other: u64,
}

impl Bucket {
    pub fn count(&self) -> u64 {
        self.ok + self.failed + self.other
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pause {
    /// It lies within this bucket, or at its end.
    pub bucket: usize,
    pub ms: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ToolUse {
    pub tool: String,
    pub calls: u64,
    pub failed: u64,
    pub refused: u64,
    /// As far as it is known.
    pub duration_ms: u64,
}

/// A longer time without a call is a pause.
const PAUSE_MS: u64 = 10 * 60_000;

#[derive(Debug, Default)]
pub struct Counting {
    moments: Vec<(u64, Option<Outcome>)>,
    tools: BTreeMap<String, ToolUse>,
    slow: Vec<Slow>,
}

impl Counting {
    pub fn take(&mut self, call: &ExecutionSummary) {
        self.moments.push((call.at_ms, call.outcome));
        let of = self.tools.entry(call.tool.clone()).or_default();
        of.calls += 1;
        of.failed += u64::from(call.outcome == Some(Outcome::Failed));
        of.refused += u64::from(call.outcome == Some(Outcome::Refused));
        let Some(took) = call.duration_ms else { return };
        of.duration_ms = of.duration_ms.saturating_add(took);
        let is_among =
            self.slow.len() < SLOW_MAX || self.slow.last().is_some_and(|it| it.duration_ms < took);
        if took > 0 && is_among {
            let what = call.target.clone().unwrap_or_else(|| call.tool.clone());
            let at = self.slow.partition_point(|it| it.duration_ms >= took);
            self.slow.insert(at, Slow { reference: call.reference(), what, duration_ms: took });
            self.slow.truncate(SLOW_MAX);
        }
    }

    pub fn end(mut self) -> (Activity, Bounded<ToolUse>, Vec<Slow>) {
        self.moments.order_by_key(|it| it.0);
        let named = self.tools.into_iter().map(|(tool, it)| ToolUse { tool, ..it });
        let mut tools: Vec<_> = named.collect();
        tools.order_by_key(|it| std::cmp::Reverse(it.calls));
        (activity(&self.moments), Bounded::first(tools, TOOLS_MAX), self.slow)
    }
}

fn activity(moments: &[(u64, Option<Outcome>)]) -> Activity {
    let gaps = moments.windows(2).map(|pair| pair[1].0 - pair[0].0);
    let active: u64 = gaps.filter(|gap| *gap <= PAUSE_MS).sum();
    let bucket_ms = active.div_ceil(BUCKETS_MAX).max(1_000);
    let mut all = Activity { bucket_ms, ..Activity::default() };
    let (mut at, mut before) = (0_u64, None);
    for (at_ms, outcome) in moments {
        let gap = before.map_or(0, |before| at_ms - before);
        before = Some(*at_ms);
        let last = all.buckets.len().saturating_sub(1);
        match gap > PAUSE_MS {
            true => all.pauses.push(Pause { bucket: last, ms: gap }),
            false => at += gap,
        }
        let bucket =
            usize::try_from(at / bucket_ms).unwrap_or(usize::MAX).min(BUCKETS_MAX as usize);
        while all.buckets.len() <= bucket {
            all.buckets.push(Bucket::default());
        }
        let bucket = &mut all.buckets[bucket];
        bucket.began_ms.get_or_insert(*at_ms);
        *match outcome {
            Some(Outcome::Ok) => &mut bucket.ok,
            Some(Outcome::Failed) => &mut bucket.failed,
            _ => &mut bucket.other,
        } += 1;
    }
    all
}
