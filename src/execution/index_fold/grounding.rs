//! Grounding and steps: reads, refusals, claims, plans, checkpoints.

use super::IndexProjector;
use crate::event::{
    Body, CallKey, GateBypassed, GateRefused, PlanChecked, PlanFault, Recorded, StepEnded,
    SuccessClaimed, TimelineQueried,
};
use crate::execution::closed::signed;
use crate::execution::index::{GroundingEvent, StepRow, VerdictRow};
use crate::parse::diagnostic::cut;
use crate::store::StoreError;

/// Of a text that says why, the index keeps this much.
const TEXT_BYTES_MAX: usize = 1 << 10;
/// Of a list, this many; the journal has them all.
const LIST_MAX: usize = 1_000;

impl IndexProjector {
    pub(super) fn grounding(
        &mut self,
        recorded: &Recorded,
        body: &Body,
        session: Option<u64>,
    ) -> Result<(), StoreError> {
        let at_ms = signed(recorded.event.envelope.at_ms);
        let event = GroundingEvent { seq: recorded.sequence.0, session, at_ms };
        match body {
            Body::TimelineQueried(queried) => self.read(event, queried),
            Body::GateRefused(refused) => self.refused(event, refused),
            Body::GateBypassed(bypassed) => self.bypassed(event, bypassed),
            Body::SuccessClaimed(claimed) => self.claimed(event, claimed),
            Body::PlanChecked(checked) => self.planned(event, checked),
            Body::TimelineCheckpoint(given) => {
                let (executions, step) = (given.total_executions, given.current_step);
                self.store.add_checkpoint(event, given.through_sequence, executions, step)
            }
            Body::StepBegun(begun) => {
                self.store.begin_step(event, begun.title.as_deref().map(kept))
            }
            Body::StepEnded(ended) => self.step_ended(event, ended),
            _ => self.repo(recorded, body),
        }
    }

    fn read(&mut self, event: GroundingEvent, queried: &TimelineQueried) -> Result<(), StoreError> {
        let TimelineQueried { query, by, through_sequence, returned } = queried;
        self.store.add_read(event, kept(query), by.as_str(), *through_sequence, *returned)
    }

    fn refused(&mut self, event: GroundingEvent, refused: &GateRefused) -> Result<(), StoreError> {
        let execution = refused.execution.map(|id| id.to_string());
        let call_key = refused.call.as_ref().map(CallKey::to_text);
        let row = VerdictRow {
            execution: execution.as_deref(),
            call_key: call_key.as_deref(),
            tool: &refused.tool,
            target: refused.target.as_deref().map(kept),
            rule: refused.rule.as_str(),
            reason: kept(&refused.reason),
            required_query: kept(&refused.required_query),
            mode: refused.mode.as_str(),
        };
        self.store.add_verdict(event, &row)
    }

    fn bypassed(&mut self, event: GroundingEvent, ran: &GateBypassed) -> Result<(), StoreError> {
        let call_key = ran.call.as_ref().map(CallKey::to_text);
        let execution = ran.execution.to_string();
        self.store.add_bypass(event, &execution, call_key.as_deref(), &ran.tool, ran.refused)
    }

    fn claimed(&mut self, event: GroundingEvent, said: &SuccessClaimed) -> Result<(), StoreError> {
        let verified_by = said.verified_by.map(|id| id.to_string());
        let cited = json_texts(said.cited.iter().map(|id| id.to_string()));
        let reason = said.reason.as_deref().map(kept);
        let claim = kept(&said.claim);
        self.store.add_claim(event, claim, said.accepted, verified_by.as_deref(), &cited, reason)
    }

    fn planned(&mut self, event: GroundingEvent, plan: &PlanChecked) -> Result<(), StoreError> {
        let fault = |fault: &PlanFault| {
            let PlanFault { step, tool, reason } = fault;
            serde_json::json!({ "step": step, "tool": tool, "reason": kept(reason) })
        };
        let faults: Vec<_> = plan.faults.iter().take(LIST_MAX).map(fault).collect();
        let faults = serde_json::Value::from(faults).to_string();
        self.store.add_plan(event, &plan.digest, plan.steps, plan.accepted, &faults)
    }

    fn step_ended(&mut self, event: GroundingEvent, ended: &StepEnded) -> Result<(), StoreError> {
        let texts = |texts: &[String]| json_texts(texts.iter().map(|text| kept(text).to_owned()));
        let row = StepRow {
            seq: event.seq,
            session: event.session,
            at_ms: event.at_ms,
            began: ended.began,
            executions: ended.executions,
            failed: ended.failed,
            refused: ended.refused,
            mutations: ended.mutations,
            checks_passed: ended.checks_passed,
            changed: &texts(&ended.changed),
            follow_up: &texts(&ended.follow_up),
            summary: cut(&ended.summary, 4 * TEXT_BYTES_MAX),
        };
        self.store.end_step(&row)
    }
}

fn kept(text: &str) -> &str {
    cut(text, TEXT_BYTES_MAX)
}

fn json_texts(texts: impl Iterator<Item = String>) -> String {
    let texts: Vec<serde_json::Value> = texts.take(LIST_MAX).map(Into::into).collect();
    serde_json::Value::from(texts).to_string()
}
