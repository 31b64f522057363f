//! A model's replies and updates, memory in its prompt, how full memory is, and putting it in order.

use serde_json::{Map, Value};

use super::{BRANCH, Branch};
use crate::event::{Importance, PressureLevel};
use crate::memory::query::{Pressure, Rendered};
use crate::memory::{
    Applied, Consolidated, MemoryConsolidation, MemoryError, Operation, RenderGiven,
};
use crate::output::wire::OfJournal;
use crate::parse::reply::{self, Updates};
use crate::phases::artifacts;
use crate::pipe::{Answer, Answered, Pipe, PipeError, arguments, operations};

operations! { MODEL_OPS:
    remember apply_llm_memory_updates(Apply) by updates
        = "do what a model's <memory_update> asks for, in one commit";
    remember render_for_prompt(Render) = "what a branch sees, as text for a prompt";
    remember render_for_prompt_with_log(Render) = "the same, with what is in the text";
}

operations! { OPS:
    remember check_memory_pressure(Branch) = "how full a branch's memory is, and what would help";
    remember auto_consolidate_memory(Consolidate) by consolidate_judged
        = "put a branch's memory in order for a pressure; without one, for what it is under";
    remember consolidate_recall_events(Branch)
        = "put events of the branch's own beyond the window into summaries";
    remember consolidate_inherited_memory(Branch)
        = "the same of what it inherits: its ancestors keep them";
    remember evaluate_importance_with_llm(Hinted) by importance_judged
        = "have a branch's keys judged by the model of the settings, else by what is stored";
}

const HINT: &str = "what memory is wanted for";

arguments! {
    struct Apply {
        branch | branch_id: String = BRANCH,
        updates: Option<serde_json::Value> = "what is in the block",
        reply: Option<String> = "or the model's whole reply",
        node_id: Option<String> = "the node, where the request names none",
    }

    struct Render {
        branch | branch_id: String = BRANCH,
        task_hint: Option<String> = "what the prompt is for: records that have its words first",
        budget_chars: Option<u64> = "else what the settings say",
        no_limit: bool = "everything",
    }

    struct Consolidate {
        branch | branch_id: String = BRANCH,
        pressure_level: Option<PressureLevel> = "low, medium, high or critical",
        task_hint: Option<String> = HINT,
    }

    struct Hinted {
        branch | branch_id: String = BRANCH,
        task_hint: Option<String> = HINT,
    }
}

type Found<T> = Result<T, MemoryError>;

/// What is to be applied.
struct Applying {
    branch: String,
    updates: Updates,
    node: Option<String>,
}

fn updates(pipe: &mut Pipe<'_>, given: Apply) -> Result<Applying, PipeError> {
    let Apply { branch, updates, reply, node_id: node } = given;
    let updates = match (updates, reply) {
        (Some(updates), None) => Updates::of(&updates)?,
        (None, Some(reply)) => {
            reply::extract_memory_updates(&reply, true)?.updates.unwrap_or_default()
        }
        _ => return Err(PipeError::argument("updates", "give them, or a reply: one of the two")),
    };
    if updates.consolidate {
        pipe.memory(|memory| memory.judge(&branch, None))?;
    }
    Ok(Applying { branch, updates, node })
}

fn apply_llm_memory_updates(
    Applying { branch, updates, node }: Applying,
    operation: &mut Operation<'_>,
) -> Found<Applied> {
    operation.apply_llm_memory_updates(&branch, &updates, node.as_deref(), None, None)
}

impl Render {
    fn split(self) -> (String, RenderGiven) {
        let Self { branch, task_hint, budget_chars, no_limit } = self;
        (branch, RenderGiven { task_hint, budget_chars, no_limit, prompt: None })
    }
}

fn render_for_prompt(asked: Render, operation: &mut Operation<'_>) -> Found<String> {
    let (branch, given) = asked.split();
    operation.render_for_prompt(&branch, &given)
}

fn render_for_prompt_with_log(asked: Render, operation: &mut Operation<'_>) -> Found<Rendered> {
    let (branch, given) = asked.split();
    operation.render_for_prompt_with_log(&branch, &given)
}

fn check_memory_pressure(of: Branch, operation: &mut Operation<'_>) -> Found<OfJournal<Pressure>> {
    let found = operation.check_memory_pressure(&of.branch)?;
    Ok(OfJournal::only(Pressure { branch: of.branch, ..found }))
}

fn consolidate_judged(pipe: &mut Pipe<'_>, of: Consolidate) -> Result<Consolidate, PipeError> {
    pipe.memory(|memory| memory.judge(&of.branch, of.task_hint.as_deref()))?;
    Ok(of)
}

fn auto_consolidate_memory(
    of: Consolidate,
    operation: &mut Operation<'_>,
) -> Found<MemoryConsolidation> {
    let hint = of.task_hint.as_deref();
    match of.pressure_level {
        Some(level) => operation.auto_consolidate_memory(&of.branch, level, hint),
        None => operation.consolidate_memory(&of.branch, hint),
    }
}

fn consolidate_recall_events(
    of: Branch,
    operation: &mut Operation<'_>,
) -> Found<Option<Consolidated>> {
    operation.consolidate_recall_events(&of.branch)
}

fn consolidate_inherited_memory(
    of: Branch,
    operation: &mut Operation<'_>,
) -> Found<Option<Consolidated>> {
    operation.consolidate_inherited_memory(&of.branch)
}

fn importance_judged(pipe: &mut Pipe<'_>, of: Hinted) -> Result<Hinted, PipeError> {
    pipe.memory(|memory| memory.judge(&of.branch, of.task_hint.as_deref()))?;
    Ok(of)
}

fn evaluate_importance_with_llm(
    of: Hinted,
    operation: &mut Operation<'_>,
) -> Found<Vec<Importance>> {
    operation.evaluate_importance_with_llm(&of.branch, of.task_hint.as_deref())
}

const REPLY: &str = "what the model answered";
const REQUIRED: &str = "it is an error where there is none";

operations! { REPLIES:
    act extract_memory_updates(Reply)
        = "the first <memory_update> of a reply, and what is left without it";
    act extract_phase_artifacts(Artifacts)
        = "a whole reply: its <memory_update>, and what it proposes to do";
    act parse_phase1_iterative_response(Phase1)
        = "the next command of the download phase: command, done, notes";
}

arguments! {
    struct Reply {
        reply: String = REPLY,
        required: bool = REQUIRED,
    }

    struct Artifacts {
        reply: String = REPLY,
        require_memory_update: bool = REQUIRED,
    }

    struct Phase1 {
        reply: String = REPLY,
    }
}

fn extract_memory_updates(_: &mut Pipe<'_>, of: Reply) -> Answered {
    let found = reply::extract_memory_updates(&of.reply, of.required)?;
    let (updates, rest) = (&found.updates, &found.rest);
    let reads = found.updates.as_ref().is_some_and(|updates| updates.has_reads());
    Answer::of(&serde_json::json!({ "updates": updates, "rest": rest, "has_reads": reads }))
}

fn extract_phase_artifacts(_: &mut Pipe<'_>, of: Artifacts) -> Answered {
    let (updates, found) = artifacts::extract_phase_artifacts(&of.reply, of.require_memory_update)?;
    // What was read as JSON is JSON.
    let mut told: Map<String, Value> = serde_json::from_str(&found.json).unwrap_or_default();
    told.insert("memory_update".to_owned(), serde_json::json!(updates));
    Answer::of(&told)
}

fn parse_phase1_iterative_response(_: &mut Pipe<'_>, of: Phase1) -> Answered {
    let step = reply::parse_phase1_iterative_response(&of.reply)?;
    let (command, done, notes) = (step.command, step.done, step.notes);
    Answer::of(&serde_json::json!({ "command": command, "done": done, "notes": notes }))
}
