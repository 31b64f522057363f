//! What stands above memory's functions: a model's updates, and memory in a prompt.

use serde_json::Value;

use super::{BRANCH, branch};
use crate::memory::RenderGiven;
use crate::parse::reply::{Updates, extract_memory_updates};
use crate::pipe::remember::with_origin;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Remember, Run, Told};

const HINT: Argument = Argument::maybe(
    "task_hint",
    "text",
    "what the prompt is for: records that have its words first",
);
const BUDGET: Argument = Argument::maybe("budget_chars", "number", "else what the settings say");
const NO_LIMIT: Argument = Argument::maybe("no_limit", "true or false", "everything");

pub const OPS: &[Op] = &[
    Op {
        name: "apply_llm_memory_updates",
        about: "do what a model's <memory_update> asks for, in one commit",
        args: with_origin![
            BRANCH,
            Argument::maybe("updates", "object", "what is in the block"),
            Argument::maybe("reply", "text", "or the model's whole reply"),
            Argument::maybe("node_id", "text", "the node, where the request names none"),
        ],
        run: Run::Memory(apply),
    },
    Op {
        name: "render_for_prompt",
        about: "what a branch sees, as text for a prompt",
        args: with_origin![BRANCH, HINT, BUDGET, NO_LIMIT],
        run: Run::Memory(render),
    },
    Op {
        name: "render_for_prompt_with_log",
        about: "the same, with what is in the text",
        args: with_origin![BRANCH, HINT, BUDGET, NO_LIMIT],
        run: Run::Memory(render_with_log),
    },
];

fn apply(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let branch = branch(&mut args)?;
    let node: Option<String> = args.take("node_id")?;
    let reply: Option<String> = args.take("reply")?;
    let updates = match (args.take::<Value>("updates")?, reply) {
        (Some(updates), None) => Updates::of(&updates)?,
        (None, Some(reply)) => extract_memory_updates(&reply, true)?.updates.unwrap_or_default(),
        _ => return Err(PipeError::argument("updates", "give them, or a reply: one of the two")),
    };
    if updates.consolidate {
        pipe.memory(|memory| memory.judge(&branch, None))?;
    }
    Remember::new(caller, &mut args, move |operation| {
        let done =
            operation.apply_llm_memory_updates(&branch, &updates, node.as_deref(), None, None)?;
        Ok(Told::of(&done))
    })
}

fn given(args: &mut Args) -> Result<RenderGiven, PipeError> {
    Ok(RenderGiven {
        task_hint: args.take("task_hint")?,
        budget_chars: args.take("budget_chars")?,
        no_limit: args.take("no_limit")?.unwrap_or(false),
        prompt: None,
    })
}

fn render(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let (branch, given) = (branch(&mut args)?, given(&mut args)?);
    Remember::new(caller, &mut args, move |operation| {
        Ok(Told::of(&operation.render_for_prompt(&branch, &given)?))
    })
}

fn render_with_log(
    _: &mut Pipe<'_>,
    caller: &Caller,
    mut args: Args,
) -> Result<Remember, PipeError> {
    let (branch, given) = (branch(&mut args)?, given(&mut args)?);
    Remember::new(caller, &mut args, move |operation| {
        let found = operation.render_for_prompt_with_log(&branch, &given)?;
        Ok(Told::of(&found))
    })
}
