//! The gate: may this call be made, does this plan read first, is this success (spec 001).

use serde_json::value::RawValue;

use crate::cli::grounded;
use crate::cli::grounded::Grounded;
use crate::cli::step_end::end_step;
use crate::event::{Body, GateRule, StepBegun, tool};
use crate::execution::infer;
use crate::grounding::gate::{
    Door, Proposal, Statement, Verdict, check_plan, judge, refusal_alone,
};
use crate::journal::clock;
use crate::output::wire;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};

pub const OPS: &[Op] = &[
    Op {
        name: "gate_check",
        about: "whether a call may be made now; a refusal of a named session is recorded",
        args: &[
            Argument::needed("tool", "text", "the contract's name of it, or the agent's"),
            Argument::maybe("arguments", "object", "what it is to be called with"),
            Argument::maybe("mode", "text", "observe, advise or enforce; else the settings'"),
            Argument::maybe("hook", "true or false", "a read holds until the next failure"),
        ],
        run: Run::Do(check),
    },
    Op {
        name: "gate_plan",
        about: "whether a plan reads before it edits; of a named session it is recorded",
        args: &[Argument::needed("plan", "list of steps", r#"each {"tool": …, "arguments": {…}}"#)],
        run: Run::Do(plan),
    },
    Op {
        name: "declare_success",
        about: "claim success, in words; what became of the claim is recorded",
        args: &[
            Argument::needed("text", "text", "the claim; #142 cites an execution").or(&["claim"])
        ],
        run: Run::Do(claim),
    },
    Op {
        name: "step_begin",
        about: "a step of the session begins",
        args: &[Argument::maybe("title", "text", "what it is about")],
        run: Run::Do(step_begin),
    },
    Op {
        name: "step_end",
        about: "the step ends: what ran, failed and changed in it, and what is still to be done",
        args: &[],
        run: Run::Do(step_end),
    },
];

/// Records facts of the caller's session; gives the last one's event.
fn record(
    pipe: &mut Pipe<'_>,
    caller: &Caller,
    bodies: Vec<Body>,
) -> Result<Option<u64>, PipeError> {
    pipe.introduce(caller)?;
    let project = pipe.project;
    let report =
        Grounded::open(project, Some(caller.name()), pipe.context)?.record(bodies, pipe.context)?;
    pipe.others_recorded();
    Ok(report.last_sequence())
}

fn check(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let native: String = args.need("tool")?;
    let arguments = args.object("arguments")?;
    let mode = args.take::<String>("mode")?.map(|word| grounded::mode(&word)).transpose();
    let mode =
        mode.map_err(|words| PipeError::argument("mode", format_args!("must be {words}")))?;
    let mode = mode.unwrap_or_else(|| grounded::configured(pipe.project));
    let door = if args.take("hook")?.unwrap_or(false) { Door::Hook } else { Door::Library };
    let tool = tool::of_claude_code(&native).unwrap_or(&native);
    let mut proposal = Proposal::new(tool, &arguments, caller.id(), door);
    let targets = infer::targets(tool, &arguments, pipe.project.root());
    (proposal.paths, proposal.symbols) = (targets.paths, targets.symbols);
    proposal.native_tool = Some(native.clone()).filter(|native| native != tool);
    let policy = &pipe.project.config().policy;
    let verdict = {
        let grounded = Grounded::open(pipe.project, Some(caller.name()), pipe.context)?;
        judge(policy, grounded.file.grounding(), &proposal, clock::now_ms())
    };
    let mut sequence = None;
    if let Verdict::Refused(refusal) = &verdict
        && caller.session.is_some()
    {
        sequence = record(pipe, caller, vec![refusal_alone(refusal, mode, None, None)])?;
    }
    let refusal = verdict.refusal();
    let told = Told::of(&wire::GateVerdict {
        session: proposal.session.to_string(),
        verdict: if refusal.is_some() { "refused" } else { "pass" }.to_owned(),
        mode: mode.as_str().to_owned(),
        tool: proposal.tool.clone(),
        target: proposal.target().map(|target| target.shown),
        rule: refusal.map(|it| it.rule.as_str().to_owned()),
        reason: refusal.map(|it| it.reason.clone()),
        required_query: refusal.map(|it| it.required_query.clone()),
    })?;
    Ok(told.at(sequence))
}

fn plan(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let plan: Option<Box<RawValue>> = args.take_raw("plan");
    let text = plan.as_deref().map_or("[]", RawValue::get);
    let verdict = {
        let grounded = Grounded::open(pipe.project, Some(caller.name()), pipe.context)?;
        let is_declared = |tool: &str| grounded.file.grounding().is_declared(tool);
        check_plan(&pipe.project.config().policy, is_declared, text)
            .map_err(|error| PipeError::argument("plan", format_args!("must be a plan: {error}")))?
    };
    let mut sequence = None;
    if caller.session.is_some() {
        sequence = record(pipe, caller, vec![verdict.body()])?;
    }
    let fault = |fault: &crate::event::PlanFault| wire::PlanFault {
        step: fault.step,
        tool: fault.tool.clone(),
        reason: fault.reason.clone(),
    };
    let told = Told::of(&wire::PlanVerdict {
        accepted: verdict.is_accepted(),
        steps: verdict.steps,
        faults: verdict.faults.iter().map(fault).collect(),
    })?;
    Ok(told.at(sequence))
}

fn claim(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let text: String = args.need("text")?;
    let statement = {
        let grounded = Grounded::open(pipe.project, Some(caller.name()), pipe.context)?;
        Statement::claimed(pipe.project, grounded.file.grounding(), &text)?
    };
    let mode = grounded::configured(pipe.project);
    let refusal = statement.claim().and_then(|claim| claim.refusal.as_ref());
    let refused = refusal.map(|refusal| refusal_alone(refusal, mode, None, None));
    let bodies = statement.body().into_iter().chain(refused).collect();
    let sequence = record(pipe, caller, bodies)?;
    if let Some(refusal) = refusal {
        let kind = match refusal.rule {
            GateRule::UnknownExecution => "unknown_execution",
            _ => "unverified_success",
        };
        let error = PipeError::new(kind, refusal.reason.clone());
        return Err(error.with_hint(refusal.required_query.clone()));
    }
    let told = match &statement {
        Statement::Claimed(claim) => wire::Claim::of(claim),
        Statement::Honest(reported) => wire::Claim::of_report(reported),
        Statement::Nothing => return Ok(Told::of(&serde_json::Value::Null)?.at(sequence)),
    };
    Ok(Told::of(&told)?.at(sequence))
}

fn step_begin(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let title: Option<String> = args.take("title")?;
    let sequence = record(pipe, caller, vec![Body::StepBegun(StepBegun { title: title.clone() })])?;
    let step = Grounded::open(pipe.project, Some(caller.name()), pipe.context)?
        .file
        .grounding()
        .step_number();
    let told =
        Told::of(&wire::StepBegun { session: caller.id().to_string(), step, sequence, title })?;
    Ok(told.at(sequence))
}

fn step_end(pipe: &mut Pipe<'_>, caller: &Caller, _: Args) -> Result<Told, PipeError> {
    pipe.introduce(caller)?;
    let ended = end_step(pipe.project, Some(caller.name()), pipe.context)?;
    pipe.others_recorded();
    Ok(Told::of(&ended.wire())?.at(ended.report.last_sequence()))
}
