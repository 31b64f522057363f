//! What `index.db` has of grounding and steps (spec 001).

use rusqlite::params;

use crate::event::{
    Body, CallKey, GateBypassed, GateRefused, PlanChecked, PlanFault, Recorded, StepEnded,
    SuccessClaimed, TimelineQueried,
};
use crate::execution::closed::signed;
use crate::execution::index::{Index, IndexPart, scopes};
use crate::parse::check::diagnostic::cut;
use crate::store::Result;
use crate::store::columns::insert;

/// Of a text that says why, the index keeps this much.
const TEXT_BYTES_MAX: usize = 1 << 10;
/// Of a list, this many; the journal has them all.
const LIST_MAX: usize = 1_000;

/// Grounding's rows in the index.
#[derive(Clone, Copy, Debug)]
pub struct GroundingRows;

/// An event that has a row: its sequence, session and time.
#[derive(Clone, Copy, Debug)]
struct Event {
    seq: u64,
    session: Option<u64>,
    at_ms: i64,
}

impl IndexPart for GroundingRows {
    fn apply(
        &mut self,
        index: &mut Index,
        recorded: &Recorded,
        session: Option<u64>,
    ) -> Result<()> {
        let at_ms = signed(recorded.event.envelope.at_ms);
        let event = Event { seq: recorded.sequence.0, session, at_ms };
        match &recorded.event.body {
            Body::TimelineQueried(queried) => event.read(index, queried),
            Body::GateRefused(refused) => event.refused(index, refused),
            Body::GateBypassed(bypassed) => event.bypassed(index, bypassed),
            Body::SuccessClaimed(claimed) => event.claimed(index, claimed),
            Body::PlanChecked(checked) => event.planned(index, checked),
            Body::TimelineCheckpoint(given) => insert!(
                index,
                checkpoints {
                    seq: event.seq,
                    session,
                    at_ms,
                    through: signed(given.through_sequence),
                    executions: signed(given.total_executions),
                    step: signed(given.current_step),
                }
            )
            .map(drop),
            Body::StepBegun(begun) => event.begun(index, begun.title.as_deref()),
            Body::StepEnded(ended) => event.ended(index, ended),
            _ => Ok(()),
        }
    }
}

impl Event {
    fn read(self, index: &Index, queried: &TimelineQueried) -> Result<()> {
        let Self { seq, session, at_ms } = self;
        insert!(
            index,
            reads {
                seq,
                session,
                at_ms,
                query: kept(&queried.query),
                read_by: queried.by.as_str(),
                through: signed(queried.through_sequence),
                returned: signed(queried.returned),
            }
        )?;
        for scope in scopes(session) {
            let sql = "INSERT INTO standings (session, reads, last_read_ms) VALUES (?1, 1, ?2) \
                       ON CONFLICT (session) DO UPDATE SET reads = reads + 1, \
                       last_read_ms = max(coalesce(last_read_ms, excluded.last_read_ms), \
                       excluded.last_read_ms)";
            index.write("counting a read", sql, params![scope, at_ms])?;
        }
        Ok(())
    }

    fn refused(self, index: &Index, refused: &GateRefused) -> Result<()> {
        let Self { seq, session, at_ms } = self;
        insert!(
            index,
            verdicts {
                seq,
                session,
                at_ms,
                execution: refused.execution.map(|id| id.to_string()),
                call_key: refused.call.as_ref().map(CallKey::to_text),
                tool: refused.tool,
                target: refused.target.as_deref().map(kept),
                rule: refused.rule.as_str(),
                reason: kept(&refused.reason),
                required_query: kept(&refused.required_query),
                mode: refused.mode.as_str(),
            }
        )
        .map(drop)
    }

    fn bypassed(self, index: &Index, ran: &GateBypassed) -> Result<()> {
        let Self { seq, session, at_ms } = self;
        insert!(
            index,
            bypasses {
                seq,
                session,
                at_ms,
                execution: ran.execution.to_string(),
                call_key: ran.call.as_ref().map(CallKey::to_text),
                tool: ran.tool,
                verdict: ran.refused.map(signed),
            }
        )
        .map(drop)
    }

    fn claimed(self, index: &Index, said: &SuccessClaimed) -> Result<()> {
        let Self { seq, session, at_ms } = self;
        insert!(
            index,
            claims {
                seq,
                session,
                at_ms,
                claim: kept(&said.claim),
                accepted: said.accepted,
                verified_by: said.verified_by.map(|id| id.to_string()),
                cited: json_texts(said.cited.iter().map(|id| id.to_string())),
                reason: said.reason.as_deref().map(kept),
            }
        )
        .map(drop)
    }

    fn planned(self, index: &Index, plan: &PlanChecked) -> Result<()> {
        let Self { seq, session, at_ms } = self;
        let fault = |fault: &PlanFault| {
            let PlanFault { step, tool, reason } = fault;
            serde_json::json!({ "step": step, "tool": tool, "reason": kept(reason) })
        };
        let faults: Vec<_> = plan.faults.iter().take(LIST_MAX).map(fault).collect();
        insert!(
            index,
            plans {
                seq,
                session,
                at_ms,
                digest: plan.digest,
                steps: signed(plan.steps),
                accepted: plan.accepted,
                faults: serde_json::Value::from(faults).to_string(),
            }
        )
        .map(drop)
    }

    fn begun(self, index: &Index, title: Option<&str>) -> Result<()> {
        let Self { seq, session, at_ms } = self;
        insert!(index, steps { seq, session, began_ms: at_ms, title: title.map(kept) })?;
        for scope in scopes(session) {
            let sql = "INSERT INTO standings (session, steps) VALUES (?1, 1) \
                       ON CONFLICT (session) DO UPDATE SET steps = steps + 1";
            index.write("counting a step", sql, [scope])?;
        }
        Ok(())
    }

    /// A step that nobody saw begin, or that ended before, is a row of its own.
    fn ended(self, index: &Index, ended: &StepEnded) -> Result<()> {
        let began = signed(ended.began.unwrap_or(self.seq));
        let sql = "SELECT 1 FROM steps WHERE seq = ?1 AND ended_seq IS NULL";
        let is_open = index.find("looking a step up", sql, [began], |_| Ok(()))?.is_some();
        let (seq, sql) = match is_open {
            false => (signed(self.seq), "INSERT INTO steps (seq, session) VALUES (?1, ?2)"),
            true => (began, "UPDATE steps SET session = coalesce(session, ?2) WHERE seq = ?1"),
        };
        index.write("ending a step", sql, params![seq, self.session])?;
        let texts = |texts: &[String]| json_texts(texts.iter().map(|text| kept(text).to_owned()));
        index
            .write(
                "ending a step",
                "UPDATE steps SET ended_seq = ?2, ended_ms = ?3, executions = ?4, failed = ?5, \
                 refused = ?6, mutations = ?7, checks_passed = ?8, changed = ?9, follow_up = ?10, \
                 summary = ?11 WHERE seq = ?1",
                params![
                    seq,
                    self.seq,
                    self.at_ms,
                    signed(ended.executions),
                    signed(ended.failed),
                    signed(ended.refused),
                    signed(ended.mutations),
                    signed(ended.checks_passed),
                    texts(&ended.changed),
                    texts(&ended.follow_up),
                    cut(&ended.summary, 4 * TEXT_BYTES_MAX)
                ],
            )
            .map(drop)
    }
}

fn kept(text: &str) -> &str {
    cut(text, TEXT_BYTES_MAX)
}

fn json_texts(texts: impl Iterator<Item = String>) -> String {
    let texts: Vec<serde_json::Value> = texts.take(LIST_MAX).map(Into::into).collect();
    serde_json::Value::from(texts).to_string()
}
