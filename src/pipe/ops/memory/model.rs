//! A model's replies and updates, memory in its prompt, how full memory is, and putting it in order.

use serde_json::{Map, Value, json};

use super::{BRANCH, Branch};
use crate::event::PressureLevel;
use crate::memory::RenderGiven;
use crate::memory::query::Pressure;
use crate::output::wire::OfJournal;
use crate::parse::reply::{self, Updates};
use crate::phases::artifacts;
use crate::pipe::{Answer, Pipe, PipeError, arguments, operations};

operations! { MODEL_OPS:
    remember apply_llm_memory_updates
        = "do what a model's <memory_update> asks for, in one commit"
        (Apply) by updates => |(branch, updates, node), op|
            op.apply_llm_memory_updates(&branch, &updates, node.as_deref(), None, None);

    remember render_for_prompt = "what a branch sees, as text for a prompt"
        (Render) => |asked, op| op.render_for_prompt(&asked.branch, &asked.given());

    remember render_for_prompt_with_log = "the same, with what is in the text"
        (Render) => |asked, op| op.render_for_prompt_with_log(&asked.branch, &asked.given());
}

operations! { OPS:
    remember check_memory_pressure = "how full a branch's memory is, and what would help"
        (Branch) => |of, op| {
            let found = op.check_memory_pressure(&of.branch)?;
            Ok(OfJournal::only(Pressure { branch: of.branch, ..found }))
        };

    remember auto_consolidate_memory
        = "put a branch's memory in order for a pressure; without one, for what it is under"
        (Consolidate) by consolidate_judged => |of, op| {
            let Consolidate { branch, pressure_level, task_hint } = of;
            match pressure_level {
                Some(level) => op.auto_consolidate_memory(&branch, level, task_hint.as_deref()),
                None => op.consolidate_memory(&branch, task_hint.as_deref()),
            }
        };

    remember consolidate_recall_events
        = "put events of the branch's own beyond the window into summaries"
        (Branch) => |of, op| op.consolidate_recall_events(&of.branch);

    remember consolidate_inherited_memory
        = "the same of what it inherits: its ancestors keep them"
        (Branch) => |of, op| op.consolidate_inherited_memory(&of.branch);

    remember evaluate_importance_with_llm
        = "have a branch's keys judged by the model of the settings, else by what is stored"
        (Hinted) by importance_judged => |of, op|
            op.evaluate_importance_with_llm(&of.branch, of.task_hint.as_deref());
}

const REPLY: &str = "what the model answered";
const REQUIRED: &str = "it is an error where there is none";

operations! { REPLIES:
    act extract_memory_updates
        = "the first <memory_update> of a reply, and what is left without it"
    {
        reply: String = REPLY,
        required: bool = REQUIRED,
    } => |_pipe| {
        let found = reply::extract_memory_updates(&reply, required)?;
        let (updates, rest) = (&found.updates, &found.rest);
        let reads = found.updates.as_ref().is_some_and(|updates| updates.has_reads());
        Answer::of(&json!({ "updates": updates, "rest": rest, "has_reads": reads }))
    };

    act extract_phase_artifacts
        = "a whole reply: its <memory_update>, and what it proposes to do"
    {
        reply: String = REPLY,
        require_memory_update: bool = REQUIRED,
    } => |_pipe| {
        let (updates, found) = artifacts::extract_phase_artifacts(&reply, require_memory_update)?;
        // What was read as JSON is JSON.
        let mut told: Map<String, Value> = serde_json::from_str(&found.json).unwrap_or_default();
        told.insert("memory_update".to_owned(), json!(updates));
        Answer::of(&told)
    };

    act parse_phase1_iterative_response
        = "the next command of the download phase: command, done, notes"
    {
        reply: String = REPLY,
    } => |_pipe| {
        let step = reply::parse_phase1_iterative_response(&reply)?;
        let (command, done, notes) = (step.command, step.done, step.notes);
        Answer::of(&json!({ "command": command, "done": done, "notes": notes }))
    };
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

impl Render {
    fn given(&self) -> RenderGiven {
        let (task_hint, budget_chars) = (self.task_hint.clone(), self.budget_chars);
        RenderGiven { task_hint, budget_chars, no_limit: self.no_limit, prompt: None }
    }
}

/// What is to be applied: to which branch, and for which node.
fn updates(
    pipe: &mut Pipe<'_>,
    Apply { branch, updates, reply, node_id }: Apply,
) -> Result<(String, Updates, Option<String>), PipeError> {
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
    Ok((branch, updates, node_id))
}

fn consolidate_judged(pipe: &mut Pipe<'_>, of: Consolidate) -> Result<Consolidate, PipeError> {
    pipe.memory(|memory| memory.judge(&of.branch, of.task_hint.as_deref()))?;
    Ok(of)
}

fn importance_judged(pipe: &mut Pipe<'_>, of: Hinted) -> Result<Hinted, PipeError> {
    pipe.memory(|memory| memory.judge(&of.branch, of.task_hint.as_deref()))?;
    Ok(of)
}
