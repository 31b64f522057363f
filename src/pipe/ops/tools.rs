//! The tools themselves, behind the gate and recorded (spec 001).

use crate::cli::tool::is_here;
use crate::cli::with_causes;
use crate::event::{GateRule, tool};
use crate::execution::query::Identity;
use crate::grounding::gate::Refusal;
use crate::grounding::tools::{Invocation, Step, TOOLS, ToolError, ToolLayer};
use crate::journal::clock;
use crate::output::wire;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};
use crate::stores::StorePlaces;

const TOOL: Argument = Argument::needed("tool", "text", "the tool: `tools` lists them");
const ARGUMENTS: Argument = Argument::maybe("arguments", "object", "what it is told");

pub const OPS: &[Op] = &[
    Op {
        name: "tools",
        about: "the tools there are, and what each takes",
        args: &[],
        run: Run::Do(list),
    },
    Op {
        name: "invoke_tool",
        about: "do a step, whatever was read before it, and record it",
        args: &[TOOL, ARGUMENTS],
        run: Run::Do(invoke),
    },
    Op {
        name: "invoke_tool_with_grounding",
        about: "do a step if it changes nothing, or the timeline was read in the last ten seconds",
        args: &[
            TOOL,
            ARGUMENTS,
            Argument::maybe("last_query_time", "number", "when it was read, Unix milliseconds"),
        ],
        run: Run::Do(with_grounding),
    },
    Op {
        name: "invoke_tool_grounded",
        about: "the same by what is recorded of the session's reads (memory_query), and its policy",
        args: &[TOOL, ARGUMENTS],
        run: Run::Do(grounded),
    },
];

/// How long a read that the caller tells of holds, milliseconds, inclusive (ruling 6).
const GROUNDING_WINDOW_MS: u64 = 10_000;

fn list(_: &mut Pipe<'_>, _: &Caller, _: Args) -> Result<Told, PipeError> {
    let told = TOOLS.iter().map(|spec| wire::Tool::of(spec, is_here(spec)));
    Told::of(&told.collect::<Vec<_>>())
}

fn invoke(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let step = step(&mut args)?;
    pipe.introduce(caller)?;
    let invocation = ToolLayer::new(pipe.project, caller.id())?.run(&step, None);
    ended(invocation, pipe)
}

fn grounded(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let step = step(&mut args)?;
    pipe.introduce(caller)?;
    let invocation = ToolLayer::new(pipe.project, caller.id())?.invoke(&step);
    ended(invocation, pipe)
}

fn with_grounding(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let step = step(&mut args)?;
    let read_ms = args.time("last_query_time")?;
    pipe.introduce(caller)?;
    let layer = ToolLayer::new(pipe.project, caller.id())?;
    let now_ms = clock::now_ms();
    let is_stale = |read: u64| now_ms.saturating_sub(read) > GROUNDING_WINDOW_MS;
    let invocation = match tool::is_mutation(&step.tool) && read_ms.is_none_or(is_stale) {
        false => layer.run(&step, None),
        true => layer.invoke_refused(
            &step,
            Refusal {
                rule: GateRule::NoGrounding,
                tool: step.tool.clone(),
                target: None,
                reason: Refusal::NO_GROUNDING.to_owned(),
                required_query: Refusal::TIMELINE_QUERY.to_owned(),
            },
        )?,
    };
    ended(invocation, pipe)
}

fn step(args: &mut Args) -> Result<Step, PipeError> {
    Ok(Step { tool: args.need("tool")?, arguments: args.object("arguments")? })
}

/// What became of a step: the contract's errors where it was not done.
fn ended(invocation: Invocation, pipe: &mut Pipe<'_>) -> Result<Told, PipeError> {
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
    Ok(Told::of(&wire::ToolCalled::of(&invocation, no))?.at(sequence))
}

/// Its number in `annals log`; `None` where a store lags, which was told already.
fn ordinal(pipe: &Pipe<'_>, invocation: &Invocation) -> Option<u64> {
    let places = StorePlaces::of(pipe.project.root());
    let identity = Identity::open(&places.index).ok()?; // told already
    identity.execution_by_id(invocation.execution).ok()??.ordinal // told already
}
