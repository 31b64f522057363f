//! The fold into `index.db`.

mod closings;
mod debug;
mod facts;
mod memory;
mod repo;
mod starts;

use std::collections::{BTreeMap, BTreeSet};

use crate::debug::fold::Slots;
use crate::event::{
    Body, CallKey, ExecutionId, GateBypassed, GateRefused, PlanChecked, PlanFault, Recorded,
    StepEnded, SuccessClaimed, TimelineQueried,
};
use crate::execution::closed::{Closed, signed};
use crate::execution::index::{GroundingEvent, Index, Operations, StepRow, VerdictRow};
use crate::execution::log::CONTRACT_TOOLS;
use crate::parse::diagnostic::cut;
use crate::store::{Anomaly, AnomalyKind, Cursor, Position, Projector, Rows, StoreError};

/// The fold into `index.db`. Needs no starts: its own rows have what a closing event lacks.
#[derive(Debug)]
pub struct IndexProjector {
    store: Index,
    anomalies: Vec<Anomaly>,
    /// The sessions met in this transaction: number, last sequence, last time.
    sessions: BTreeMap<[u8; 16], Touched>,
    /// What agents call which tool, as far as it was met: spares a look-up an event.
    native_tools: BTreeSet<(String, String)>,
    debug: Slots,
}

#[derive(Clone, Copy, Debug)]
struct Touched {
    number: u64,
    last_seq: u64,
    last_ms: i64,
}

/// Sessions remembered before they are written back.
const SESSIONS_MAX: usize = 4096;
/// Names of tools remembered; the rest are looked up.
const NATIVE_TOOLS_MAX: usize = 256;

impl IndexProjector {
    /// A fold into this store.
    pub fn new(store: Index) -> Self {
        let (anomalies, sessions) = (Vec::new(), BTreeMap::new());
        let (native_tools, debug) = (BTreeSet::new(), Slots::default());
        Self { store, anomalies, sessions, native_tools, debug }
    }

    /// Whether `execution_log.db` takes rows of this tool.
    fn in_force(&self, tool: &str) -> bool {
        CONTRACT_TOOLS.contains(&tool) || self.store.declared().iter().any(|known| known == tool)
    }

    fn anomaly(
        &mut self,
        recorded: &Recorded,
        kind: AnomalyKind,
        execution: Option<ExecutionId>,
        message: String,
    ) -> Result<(), StoreError> {
        self.keep(Anomaly { sequence: recorded.sequence, kind, execution, message })
    }

    fn keep(&mut self, anomaly: Anomaly) -> Result<(), StoreError> {
        let execution = anomaly.execution.map(|id| id.to_string());
        let kind = anomaly.kind.as_str();
        let seq = anomaly.sequence.0;
        self.store.add_anomaly(seq, kind, execution.as_deref(), &anomaly.message)?;
        self.anomalies.push(anomaly);
        Ok(())
    }

    fn name_tool(&mut self, native_tool: Option<&str>, tool: &str) -> Result<(), StoreError> {
        let Some(native_tool) = native_tool else { return Ok(()) };
        let known = |(native, named): &(String, String)| native == native_tool && named == tool;
        if self.native_tools.iter().any(known) {
            return Ok(());
        }
        if self.native_tools.len() < NATIVE_TOOLS_MAX {
            self.native_tools.insert((native_tool.to_owned(), tool.to_owned()));
        }
        self.store.name_tool(native_tool, tool)
    }

    fn write_sessions(&mut self) -> Result<(), StoreError> {
        for touched in std::mem::take(&mut self.sessions).into_values() {
            self.store.touch_session(touched.number, touched.last_seq, touched.last_ms)?;
        }
        Ok(())
    }
}

impl Projector for IndexProjector {
    fn begin(&mut self) -> Result<(), StoreError> {
        self.store.begin()
    }

    fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        self.store.cursor()
    }

    fn found_rows(&self) -> Result<Rows, StoreError> {
        self.store.found_rows()
    }

    fn apply(
        &mut self,
        recorded: &Recorded,
        _started: Option<&Recorded>,
    ) -> Result<(), StoreError> {
        let session = self.touch(recorded)?;
        self.contents(recorded)?;
        if let Some(closed) = Closed::of(recorded) {
            return self.close(recorded, closed, session);
        }
        match &recorded.event.body {
            Body::ExecutionStarted(started) => self.start(recorded, started, session),
            Body::ToolsDeclared(declared) => self.declare(recorded, declared),
            body => match (body.memory_branch(), body.memory_origin(), body.node_place()) {
                (Some(branch), Some(origin), _) => self.memory(recorded, branch, origin, session),
                (_, _, Some(place)) => self.phase(recorded, place, body.phase(), session),
                _ => self.fact(recorded, body, session),
            },
        }
    }

    fn note(&mut self, anomaly: Anomaly) -> Result<(), StoreError> {
        self.keep(anomaly)
    }

    fn wants_starts(&self) -> bool {
        false
    }

    fn wants_content(&self) -> bool {
        true
    }

    fn take_anomalies(&mut self) -> Vec<Anomaly> {
        std::mem::take(&mut self.anomalies)
    }

    fn commit(&mut self, position: Position) -> Result<(), StoreError> {
        self.write_sessions()?;
        self.settle_debug()?;
        self.store.commit(position)
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        self.sessions.clear();
        self.native_tools.clear();
        self.debug.forget();
        self.anomalies.clear();
        self.store.rollback()
    }

    fn operations(&self) -> Result<Option<Operations>, StoreError> {
        self.store.operations().map(Some)
    }

    fn finish(self: Box<Self>) -> Result<(), StoreError> {
        self.store.finish().map(drop)
    }
}

/// Of a text that says why, the index keeps this much.
const TEXT_BYTES_MAX: usize = 1 << 10;
/// Of a list, this many; the journal has them all.
const LIST_MAX: usize = 1_000;

impl IndexProjector {
    fn grounding(
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
