//! A project's tools: behind the gate, and recorded.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::invocation::closing;
use super::{
    Bench, GateNotice, Given, Invocation, Result, Step, TOOLS, ToolError, ToolSpec, Workspace,
};
use crate::event::limits::JSON_BYTES_MAX;
use crate::event::{Body, Envelope, Event, GateMode, SessionId, Source};
use crate::execution::live_recorder;
use crate::execution::{Around, ToolCall, infer, record_around_with};
use crate::grounding::fold::Grounding;
use crate::grounding::gate::{
    Cited, Claim, Door, Proposal, Refusal, SessionFile, judge, judge_claim, refusal_alone, refused,
};
use crate::grounding::timeline::TimelineBlock;
use crate::journal::{Project, RecordError, RecordReport, clock, id};

pub struct ToolLayer<'p> {
    project: &'p Project,
    workspace: Workspace,
    session: SessionId,
    stop: Arc<AtomicBool>,
}

impl<'p> ToolLayer<'p> {
    pub fn new(project: &'p Project, session: SessionId) -> Result<Self> {
        let workspace = Workspace::open(project.root())?;
        Ok(Self { project, workspace, session, stop: Arc::default() })
    }

    /// The same; what runs is ended once that is set.
    #[must_use]
    pub fn stopped_by(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..self }
    }

    /// What the gate's verdicts do here: the project's setting, else they are enforced (spec 001).
    pub fn mode(&self) -> GateMode {
        self.project.config().gate.unwrap_or(GateMode::Enforce)
    }

    /// Judges a step by what is recorded of the session's reads, and does it, or not.
    pub fn invoke(&self, step: &Step) -> Invocation {
        let policy = &self.project.config().policy;
        if !self.proposal(step).is_mutation() && policy.refuse_repeated_within_s == 0 {
            return self.run(step, None);
        }
        match self.verdict(step) {
            Ok((None, _)) => self.run(step, None),
            Ok((Some(refusal), grounding)) => self.noticed(step, refusal, &grounding),
            // Who cannot judge lets nothing through that would have to be.
            Err(error) if self.mode() == GateMode::Enforce => {
                self.recorded(step, self.call(step), None, || Err(error))
            }
            Err(_) => self.run(step, None),
        }
    }

    pub fn invoke_refused(&self, step: &Step, refusal: Refusal) -> Result<Invocation> {
        let grounding = self.grounding()?;
        Ok(self.noticed(step, refusal, &grounding))
    }

    pub fn run(&self, step: &Step, gate: Option<GateNotice>) -> Invocation {
        self.recorded(step, self.call(step), gate, || self.done(step))
    }

    fn done(&self, step: &Step) -> Result<Given> {
        let bench = Bench {
            workspace: &self.workspace,
            project: Some(self.project),
            session: Some(self.session),
            stop: &self.stop,
        };
        self.spec(step)?.call(&step.arguments, &bench)
    }

    fn spec(&self, step: &Step) -> Result<&'static ToolSpec> {
        let known = TOOLS.iter().find(|spec| spec.name == step.tool);
        let spec = known.ok_or_else(|| ToolError::Unknown { name: step.tool.clone() })?;
        match step.arguments.len() > JSON_BYTES_MAX {
            true => Err(ToolError::Meaning {
                tool: spec.name,
                what: format!("the arguments are longer than {JSON_BYTES_MAX} bytes"),
            }),
            false => Ok(spec),
        }
    }

    fn verdict(&self, step: &Step) -> Result<(Option<Refusal>, Grounding)> {
        let grounding = self.grounding()?;
        let policy = &self.project.config().policy;
        Ok((judge(policy, &grounding, &self.proposal(step), clock::now_ms()), grounding))
    }

    fn proposal(&self, step: &Step) -> Proposal {
        let edits = infer::edits(self.project, &step.tool, &step.arguments, None, None);
        Proposal {
            edits: !edits.is_empty(),
            ..Proposal::new(&step.tool, &step.arguments, self.session, Door::Library)
        }
    }

    fn grounding(&self) -> Result<Grounding> {
        let mut file = SessionFile::open(self.project, self.session)?;
        // What could not be kept is folded again.
        drop(file.save());
        Ok(file.grounding().clone())
    }

    /// Records what the gate said, and does the step unless that is enforced.
    fn noticed(&self, step: &Step, refusal: Refusal, grounding: &Grounding) -> Invocation {
        let (execution, mode) = (Some(id::execution(clock::now_ms())), self.mode());
        let bodies = refused(&refusal, grounding, mode, execution, None);
        let call = ToolCall { execution, ..self.call(step) };
        let notice = GateNotice { refusal, mode, block: TimelineBlock::of(grounding) };
        if mode == GateMode::Enforce {
            let result = || Err(ToolError::Grounding(notice.refusal.clone()));
            let around = record_around_with(Some(self.project), call, result, closing, |_| bodies);
            return invocation(step, Some(notice), around);
        }
        let told = self.record(bodies);
        let mut invocation = self.recorded(step, call, Some(notice), || self.done(step));
        invocation.log = told.and(invocation.log);
        invocation
    }

    fn recorded(
        &self,
        step: &Step,
        call: ToolCall,
        gate: Option<GateNotice>,
        run: impl FnOnce() -> Result<Given>,
    ) -> Invocation {
        let also = |result: &Result<Given>| {
            result.as_ref().map(|given| given.events.clone()).unwrap_or_default()
        };
        invocation(step, gate, record_around_with(Some(self.project), call, run, closing, also))
    }

    fn call(&self, step: &Step) -> ToolCall {
        ToolCall {
            tool: step.tool.clone(),
            arguments: step.arguments.clone(),
            session: Some(self.session),
            cwd: Some(self.project.root().to_string_lossy().into_owned()),
            ..ToolCall::default()
        }
    }

    /// Holds a claim against what the journal has of the session, and records what became of it.
    pub fn claim(&self, text: &str) -> Result<Claim> {
        let grounding = self.grounding()?;
        let cited = Cited::new(self.project);
        let claim = judge_claim(&grounding, text, |citation| cited.find(citation))?;
        let refusal = claim.refusal.iter();
        let refused = refusal.map(|refusal| refusal_alone(refusal, self.mode(), None, None));
        let bodies = [claim.body()].into_iter().chain(refused).collect();
        self.record(bodies).map_err(|source| ToolError::Record { source })?;
        Ok(claim)
    }

    fn record(&self, bodies: Vec<Body>) -> Result<RecordReport, RecordError> {
        let now_ms = clock::now_ms();
        let envelope = || Envelope::new(Some(self.session), Source::Live, now_ms);
        let events = bodies.into_iter().map(|body| Event { envelope: envelope(), body });
        live_recorder(self.project).record(events.collect())
    }
}

fn invocation(step: &Step, gate: Option<GateNotice>, around: Around<Result<Given>>) -> Invocation {
    Invocation {
        tool: step.tool.clone(),
        execution: around.execution,
        at_ms: around.at_ms,
        duration_ms: around.duration_ms,
        result: around.result,
        gate,
        log: around.log,
    }
}
