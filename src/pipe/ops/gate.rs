//! The gate – may this call be made, does this plan read first, is this success – and the tools behind
//! it (spec 001).

use serde_json::value::RawValue;

use crate::cli::gate::PlanTold;
use crate::cli::grounded::{self, Grounded};
use crate::cli::step;
use crate::cli::step::BegunStep;
use crate::cli::tool::is_here;
use crate::cli::with_causes;
use crate::event::{Body, GateRule, Json, StepBegun, tool};
use crate::execution::query::Identity;
use crate::grounding::gate::{Door, JudgedCall, Refusal, Statement, check_plan, refusal_alone};
use crate::grounding::tools::{Invocation, Step, TOOLS, ToolError, ToolLayer};
use crate::journal::clock;
use crate::output::wire;
use crate::pipe::{
    Answer, Answered, Argument, Pipe, PipeError, Time, Value, arguments, operations,
};

operations! { OPS:
    act gate_check = "whether a call may be made now; a refusal of a named session is recorded" {
        tool: String = "the contract's name of it, or the agent's",
        arguments: Json = "what it is to be called with",
        mode: Option<String> = "observe, advise or enforce; else the settings'",
        hook: bool = "a read holds until the next failure",
    } => |pipe| {
        let mode = mode.map(|word| grounded::mode(&word)).transpose();
        let mode =
            mode.map_err(|words| PipeError::argument("mode", format_args!("must be {words}")))?;
        let mode = mode.unwrap_or_else(|| grounded::configured(pipe.project));
        let door = if hook { Door::Hook } else { Door::Library };
        let (proposal, refusal) = grounded(pipe)?.check(&tool, &arguments.0, door);
        let refusal = refusal.as_ref();
        let sequence = match refusal.filter(|_| pipe.caller.session.is_some()) {
            Some(refusal) => record(pipe, vec![refusal_alone(refusal, mode, None, None)])?,
            None => None,
        };
        Ok(Answer::of(&JudgedCall::of(&proposal, refusal, mode))?.at(sequence))
    };

    act gate_plan = "whether a plan reads before it edits; of a named session it is recorded" {
        plan: Plan = r#"each {"tool": …, "arguments": {…}}"#,
    } => |pipe| {
        let grounded = grounded(pipe)?;
        let is_declared = |tool: &str| grounded.file.grounding().is_declared(tool);
        let verdict = check_plan(is_declared, &plan.0);
        let fault = |error| PipeError::argument("plan", format_args!("must be a plan: {error}"));
        let verdict = verdict.map_err(fault)?;
        drop(grounded);
        let mut sequence = None;
        if pipe.caller.session.is_some() {
            sequence = record(pipe, vec![Body::PlanChecked(verdict.clone())])?;
        }
        Ok(Answer::of(&PlanTold::from(&verdict))?.at(sequence))
    };

    act declare_success = "claim success, in words; what became of the claim is recorded" {
        text | claim: String = "the claim; #142 cites an execution",
    } => |pipe| {
        let grounded = grounded(pipe)?;
        let statement = Statement::claimed(pipe.project, grounded.file.grounding(), &text)?;
        drop(grounded);
        let mode = grounded::configured(pipe.project);
        let refusal = statement.claim().and_then(|claim| claim.refusal.as_ref());
        let refused = refusal.map(|refusal| refusal_alone(refusal, mode, None, None));
        let sequence = record(pipe, statement.body().into_iter().chain(refused).collect())?;
        if let Some(refusal) = refusal {
            let kind = match refusal.rule {
                GateRule::UnknownExecution => "unknown_execution",
                _ => "unverified_success",
            };
            let error = PipeError::new(kind, refusal.reason.clone());
            return Err(error.with_hint(refusal.required_query.clone()));
        }
        let told = match &statement {
            Statement::Nothing => Answer::of(&())?,
            statement => Answer::of(&statement.told(&text))?,
        };
        Ok(told.at(sequence))
    };

    act step_begin = "a step of the session begins" {
        title: Option<String> = "what it is about",
    } => |pipe| {
        let sequence = record(pipe, vec![Body::StepBegun(StepBegun { title: title.clone() })])?;
        let step = grounded(pipe)?.file.grounding().step_number();
        let session = pipe.caller.id().to_string();
        Ok(Answer::of(&BegunStep { session, step, sequence, title })?.at(sequence))
    };

    act step_end
        = "the step ends: what ran, failed and changed in it, and what is still to be done"
        {} => |pipe| {
            pipe.introduce()?;
            let ended = step::end_step(pipe.project, Some(pipe.caller.name()), pipe.context)?;
            pipe.others_recorded();
            Ok(Answer::of(&ended.told())?.at(ended.report.last_sequence()))
        };
}

operations! { TOOL_OPS:
    act tools = "the tools there are, and what each takes"
        {} => |_pipe| Answer::list(TOOLS.iter().map(|spec| wire::Tool::of(spec, is_here(spec))));

    act invoke_tool = "do a step, whatever was read before it, and record it"
        (Invoke) => |step, pipe| {
            let invocation = layer(pipe)?.run(&step.into(), None);
            ended(invocation, pipe)
        };

    act invoke_tool_with_grounding
        = "do a step if it changes nothing, or the timeline was read in the last ten seconds"
    {
        step: Invoke,
        last_query_time: Option<Time> as "number" = "when it was read, Unix milliseconds",
    } => |pipe| {
        let step = Step::from(step);
        let layer = layer(pipe)?;
        let now_ms = clock::now_ms();
        let is_stale = |read: Time| now_ms.saturating_sub(read.0) > GROUNDING_WINDOW_MS;
        let invocation =
            match tool::is_mutation(&step.tool) && last_query_time.is_none_or(is_stale) {
                false => layer.run(&step, None),
                true => layer.invoke_refused(&step, Refusal::no_grounding(&step.tool))?,
            };
        ended(invocation, pipe)
    };

    act invoke_tool_grounded
        = "the same by what is recorded of the session's reads (memory_query), and its policy"
        (Invoke) => |step, pipe| {
            let invocation = layer(pipe)?.invoke(&step.into());
            ended(invocation, pipe)
        };
}

arguments! {
    struct Invoke {
        tool: String = "the tool: `tools` lists them",
        arguments: Json = "what it is told",
    }
}

struct Plan(String);

impl Value for Plan {
    const KIND: &'static str = "list of steps";

    fn read(_: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        Ok(Self(raw.get().to_owned()))
    }
}

fn grounded<'p>(pipe: &Pipe<'p>) -> Result<Grounded<'p>, PipeError> {
    Ok(Grounded::open(pipe.project, Some(pipe.caller.name()), pipe.context)?)
}

/// Records facts of the caller's session; gives the last one's event.
fn record(pipe: &mut Pipe<'_>, bodies: Vec<Body>) -> Result<Option<u64>, PipeError> {
    pipe.introduce()?;
    let report = grounded(pipe)?.record(bodies, pipe.context)?;
    pipe.others_recorded();
    Ok(report.last_sequence())
}

/// How long a read that the caller tells of holds, milliseconds, inclusive (ruling 6).
const GROUNDING_WINDOW_MS: u64 = 10_000;

impl From<Invoke> for Step {
    fn from(Invoke { tool, arguments }: Invoke) -> Self {
        Self { tool, arguments: arguments.0 }
    }
}

fn layer<'p>(pipe: &mut Pipe<'p>) -> Result<ToolLayer<'p>, PipeError> {
    pipe.introduce()?;
    Ok(ToolLayer::new(pipe.project, pipe.caller.id())?)
}

/// What became of a step: the contract's errors where it was not done.
fn ended(invocation: Invocation, pipe: &mut Pipe<'_>) -> Answered {
    pipe.others_recorded();
    match &invocation.result {
        Err(ToolError::Grounding(refusal)) => {
            let kind = match refusal.rule {
                GateRule::NoGrounding => "grounding_required",
                _ => "refused",
            };
            let error = PipeError::new(kind, refusal.reason.clone());
            return Err(error.with_hint(refusal.required_query.clone()));
        }
        Err(error @ ToolError::Unknown { .. }) => {
            let error = PipeError::new("tool_not_found", error.to_string());
            return Err(error.with_hint(r#"{"op":"tools"} lists them"#));
        }
        Err(error) if error.is_refusal() => {
            return Err(PipeError::new("not_run", error.to_string()));
        }
        _ => {}
    }
    let sequence = match &invocation.log {
        Ok(report) => report.last_sequence(),
        Err(error) => {
            let why = with_causes(error);
            pipe.context.output.note(format_args!("not recorded: {why}"));
            None
        }
    };
    pipe.catch_up();
    let no = ordinal(pipe, &invocation);
    Ok(Answer::of(&invocation.told(no, clock::now_ms()))?.at(sequence))
}

/// Its number in `annals log`; `None` where a store lags, which was told already.
fn ordinal(pipe: &Pipe<'_>, invocation: &Invocation) -> Option<u64> {
    let places = crate::stores::places(pipe.project.root());
    let identity = Identity::open(places.index()).ok()?; // told already
    identity.execution_by_id(invocation.execution).ok()??.ordinal // told already
}
