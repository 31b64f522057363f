//! A project's tools: behind the gate, and recorded.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{
    Bench, GateNotice, Given, Invocation, Step, TOOLS, ToolError, ToolSpec, Workspace, outcome,
};
use crate::event::limits::JSON_BYTES_MAX;
use crate::event::{Body, Closing, Content, Envelope, Event, GateMode, SessionId, Source};
use crate::execution::{Around, ToolCall, record_around_with};
use crate::grounding::fold::Grounding;
use crate::grounding::gate;
use crate::grounding::gate::{Door, Proposal, Refusal, SessionFile, Verdict, judge, refused};
use crate::journal::{Project, RecordError, RecordReport, Recorder, clock, id};
use crate::parse::diagnostics;

/// A project's tools: behind the gate, and recorded.
pub struct ToolLayer<'p> {
    project: &'p Project,
    workspace: Workspace,
    session: SessionId,
    stop: Arc<AtomicBool>,
}

impl<'p> ToolLayer<'p> {
    /// The tools of a project, for a session.
    pub fn new(project: &'p Project, session: SessionId) -> Result<Self, ToolError> {
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
        let is_mutation = gate::is_mutation(policy, &step.tool, &step.arguments);
        if !is_mutation && policy.refuse_repeated_within_s == 0 {
            return self.run(step, None);
        }
        match self.verdict(step) {
            Ok((Verdict::Pass, _)) => self.run(step, None),
            Ok((Verdict::Refused(refusal), grounding)) => {
                let block = gate::block(&grounding);
                let notice = GateNotice { refusal, mode: self.mode(), block };
                self.noticed(step, notice, &grounding)
            }
            // Who cannot judge lets nothing through that would have to be.
            Err(error) if self.mode() == GateMode::Enforce => self.unrun(step, error),
            Err(_) => self.run(step, None),
        }
    }

    /// Does a step, or not, by a verdict that the caller made.
    pub fn invoke_refused(&self, step: &Step, refusal: Refusal) -> Result<Invocation, ToolError> {
        let grounding = self.grounding()?;
        let notice = GateNotice { refusal, mode: self.mode(), block: gate::block(&grounding) };
        Ok(self.noticed(step, notice, &grounding))
    }

    /// Does a step, whatever was read before it.
    pub fn run(&self, step: &Step, gate: Option<GateNotice>) -> Invocation {
        let run = || self.spec(step).and_then(|spec| spec.call(&step.arguments, &self.bench()));
        self.recorded(step, gate, run)
    }

    fn bench(&self) -> Bench<'_> {
        Bench {
            workspace: &self.workspace,
            project: Some(self.project),
            session: Some(self.session),
            stop: &self.stop,
        }
    }

    fn spec(&self, step: &Step) -> Result<&'static ToolSpec, ToolError> {
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

    fn verdict(&self, step: &Step) -> Result<(Verdict, Grounding), ToolError> {
        let grounding = self.grounding()?;
        let proposal = Proposal::new(&step.tool, &step.arguments, self.session, Door::Library);
        let policy = &self.project.config().policy;
        Ok((judge(policy, &grounding, &proposal, clock::now_ms()), grounding))
    }

    pub(super) fn grounding(&self) -> Result<Grounding, ToolError> {
        let mut file = SessionFile::open(self.project, self.session)?;
        // What could not be kept is folded again.
        drop(file.save());
        Ok(file.grounding().clone())
    }

    /// Records what the gate said, and does the step unless that is enforced.
    fn noticed(&self, step: &Step, notice: GateNotice, grounding: &Grounding) -> Invocation {
        let execution = id::execution(clock::now_ms());
        let mode = notice.mode;
        let bodies = refused(&notice.refusal, grounding, mode, Some(execution), None);
        if mode == GateMode::Enforce {
            let call = ToolCall { execution: Some(execution), ..self.call(step) };
            let result = || Err(ToolError::Grounding(notice.refusal.clone()));
            let around = record_around_with(Some(self.project), call, result, closing, |_| bodies);
            return invocation(step, Some(notice), around);
        }
        let told = self.record(bodies);
        let call = ToolCall { execution: Some(execution), ..self.call(step) };
        let mut invocation = self.recorded_as(step, call, Some(notice), || {
            self.spec(step).and_then(|spec| spec.call(&step.arguments, &self.bench()))
        });
        invocation.log = told.and(invocation.log);
        invocation
    }

    /// A step that was not done, for a reason that is not the gate's.
    fn unrun(&self, step: &Step, error: ToolError) -> Invocation {
        self.recorded(step, None, || Err(error))
    }

    fn recorded(
        &self,
        step: &Step,
        gate: Option<GateNotice>,
        run: impl FnOnce() -> Result<Given, ToolError>,
    ) -> Invocation {
        self.recorded_as(step, self.call(step), gate, run)
    }

    fn recorded_as(
        &self,
        step: &Step,
        call: ToolCall,
        gate: Option<GateNotice>,
        run: impl FnOnce() -> Result<Given, ToolError>,
    ) -> Invocation {
        let also = |result: &Result<Given, ToolError>| match result {
            Ok(given) => given.events.clone(),
            Err(_) => Vec::new(),
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

    pub(super) fn project(&self) -> &'p Project {
        self.project
    }

    pub(super) fn record(&self, bodies: Vec<Body>) -> Result<RecordReport, RecordError> {
        let now_ms = clock::now_ms();
        let envelope = || Envelope::new(Some(self.session), Source::Live, now_ms);
        let events = bodies.into_iter().map(|body| Event { envelope: envelope(), body });
        Recorder::live(self.project)?.record(events.collect())
    }
}

fn invocation(
    step: &Step,
    gate: Option<GateNotice>,
    around: Around<Result<Given, ToolError>>,
) -> Invocation {
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

/// How a tool's call is recorded to have ended.
fn closing(result: &Result<Given, ToolError>) -> Closing {
    let mut closing = Closing {
        outcome: outcome(result),
        exit_code: None,
        duration_ms: None,
        error: None,
        stdout: None,
        stderr: None,
        diagnostics: None,
        paths: Vec::new(),
        symbols: Vec::new(),
        changed: Vec::new(),
    };
    let given = match result {
        Ok(given) => given,
        Err(error) => {
            closing.error = Some(error.to_string());
            return closing;
        }
    };
    let printed = |bytes: &[u8]| Some(bytes.to_vec()).filter(|it| !it.is_empty());
    closing.exit_code = given.exit_code;
    closing.error = given.failed.clone();
    closing.stdout = printed(given.text.as_bytes()).map(Content::Inline);
    closing.stderr = given.stderr.clone().map(Content::Inline);
    // Serialization of these types has no way to fail; without it the text is still there.
    closing.diagnostics = diagnostics::to_json(&given.diagnostics).unwrap_or_default();
    closing.paths = given.paths.clone();
    closing.symbols = given.symbols.clone();
    closing.changed = given.changed.clone();
    closing
}
