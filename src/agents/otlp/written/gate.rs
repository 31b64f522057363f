//! What the gate judged: moments that no convention has a name for.

use super::span::{self, Span, Value};
use super::{Telling, names};
use crate::event::{Body, Recorded};

impl Telling<'_> {
    pub(super) fn gate(&self, recorded: &Recorded) -> Option<Span> {
        let envelope = &recorded.event.envelope;
        let id = span::event_span(&self.journal, recorded.sequence);
        let at = |name: String| self.beneath(envelope.session, id, name, envelope.at_ms);
        let mut told = match &recorded.event.body {
            Body::GateRefused(b) => {
                let mut told = at(format!("gate {}", b.tool));
                told.text(names::GATE_VERDICT, "refused");
                told.text(names::CONTRACT_TOOL, b.tool.as_str());
                told.text(names::GATE_RULE, b.rule.as_str());
                told.text(names::GATE_MODE, b.mode.as_str());
                told.text(names::GATE_REASON, b.reason.as_str());
                told.told(names::GATE_TARGET, b.target.as_deref());
                told.told(names::EXECUTION, b.execution.map(|it| it.to_string()).as_deref());
                told
            }
            Body::GateBypassed(b) => {
                let mut told = at(format!("gate {}", b.tool));
                told.text(names::GATE_VERDICT, "bypassed");
                told.text(names::CONTRACT_TOOL, b.tool.as_str());
                told.text(names::EXECUTION, b.execution.to_string());
                told
            }
            Body::SuccessClaimed(b) => {
                let mut told = at("gate claim".to_owned());
                told.text(names::GATE_VERDICT, "claim");
                told.attributes.push(("annals.gate.accepted", Value::Flag(b.accepted)));
                told.told(names::GATE_REASON, b.reason.as_deref());
                told.told(names::EXECUTION, b.verified_by.map(|it| it.to_string()).as_deref());
                if self.which.content {
                    told.text(names::GATE_CLAIM, b.claim.as_str());
                }
                told
            }
            _ => return None,
        };
        told.count(names::SEQUENCE, Some(recorded.sequence.0));
        Some(told)
    }
}
