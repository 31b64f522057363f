//! What the gate said, and what was claimed.

use serde::Serialize;

use super::limits::LINE_CHARS_MAX;
use super::text::line;
use crate::event::{Body, wire, words};

words! {
    /// What of the gate an event tells.
    pub enum GateWord {
        Refused = "refused",
        /// What had been refused ran all the same.
        Bypassed = "bypassed",
        ClaimAccepted = "claim accepted",
        ClaimRefused = "claim refused",
        PlanRefused = "plan refused",
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct GateFact {
    pub sequence: u64,
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub at_ms: u64,
    pub word: GateWord,
    /// `observe`: nothing came of it; `advise`, `enforce`.
    pub mode: Option<&'static str>,
    pub rule: Option<&'static str>,
    /// The tool and its target; of a claim what was said.
    pub about: String,
    pub reason: Option<String>,
}

impl GateFact {
    pub fn of(sequence: u64, at_ms: u64, body: &Body) -> Option<Self> {
        let fact = |word, about: &str| Self {
            sequence,
            at_ms,
            word,
            mode: None,
            rule: None,
            about: line(about, LINE_CHARS_MAX),
            reason: None,
        };
        Some(match body {
            Body::GateRefused(it) => {
                let target = it.target.as_deref().unwrap_or_default();
                Self {
                    mode: Some(it.mode.as_str()),
                    rule: Some(it.rule.as_str()),
                    reason: Some(line(&it.reason, LINE_CHARS_MAX)),
                    ..fact(GateWord::Refused, &format!("{} {target}", it.tool))
                }
            }
            Body::GateBypassed(it) => fact(GateWord::Bypassed, &it.tool),
            Body::SuccessClaimed(it) => {
                let word = match it.accepted {
                    true => GateWord::ClaimAccepted,
                    false => GateWord::ClaimRefused,
                };
                let reason = it.reason.as_deref().map(|it| line(it, LINE_CHARS_MAX));
                Self { reason, ..fact(word, &it.claim) }
            }
            Body::PlanChecked(it) if !it.accepted => {
                let reason = it.faults.first().map(|it| line(&it.reason, LINE_CHARS_MAX));
                let about = format!("a plan of {} steps", it.steps);
                Self { reason, ..fact(GateWord::PlanRefused, &about) }
            }
            _ => return None,
        })
    }
}
