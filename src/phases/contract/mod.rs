//! The phases of a node, under the contract's names ("Phase 1-4: Execution Phases").
//!
//! What Python keeps in an agent's attributes is a `NodeRun`: a node with its model, its executor, its
//! workspace and its branch of memory.
//!
//! A prompt's function fails where a text cannot be read; one of a run where the model gives no reply that can be
//! used, or where what happened cannot be recorded.

#[cfg(test)]
mod tests;

use crate::parse::reply::ReadResults;
use crate::phases::artifacts::PhaseArtifacts;
use crate::phases::prompt::{
    Prompt, PromptContext, PromptError, Prompts, Task, inject_split_phase_context, task_prompt,
};
use crate::phases::{AskFailure, NodeRun, PhasesError};

pub use crate::parse::reply::{
    MissingMemoryUpdateError, extract_memory_updates, parse_phase1_iterative_response,
};
pub use crate::phases::artifacts::extract_phase_artifacts;
pub use crate::phases::{apply_workspace_plan, run_commands_with_logging};

macro_rules! text {
    ($path:literal) => {
        include_str!(concat!("../prompt/", $path))
    };
}

/// `prompt/agent/parallel/tasks/draft/introduction.txt`, as it is built in.
pub const DRAFT_INTRO: &str = text!("agent/parallel/tasks/draft/introduction.txt");
/// `prompt/agent/parallel/tasks/draft/introduction_with_memory.txt`.
pub const DRAFT_INTRO_WITH_MEMORY: &str =
    text!("agent/parallel/tasks/draft/introduction_with_memory.txt");
/// `prompt/config/phases/phase1_installer.txt`.
pub const PHASE1_ITERATIVE_INSTALLER_PROMPT: &str = text!("config/phases/phase1_installer.txt");
/// `prompt/config/phases/phase1_installer_with_memory.txt`.
pub const PHASE1_ITERATIVE_INSTALLER_PROMPT_WITH_MEMORY: &str =
    text!("config/phases/phase1_installer_with_memory.txt");
/// What a node's reply must look like where memory is enabled.
pub const RESPONSE_FORMAT_SPLIT_PHASE_WITH_MEMORY: &str =
    text!("agent/parallel/response_format/execution_split_with_memory.txt");

/// Whether a `<memory_update>` read something: then the model is asked again.
pub fn _has_memory_read_results(results: &ReadResults) -> bool {
    !results.is_empty()
}

/// The prompt of a draft.
pub fn _generate_draft_prompt(
    texts: &Prompts,
    context: &PromptContext,
) -> Result<Prompt, PromptError> {
    task_prompt(Task::Draft, texts, context)
}

/// The prompt of a correction.
pub fn _generate_debug_prompt(
    texts: &Prompts,
    context: &PromptContext,
) -> Result<Prompt, PromptError> {
    task_prompt(Task::Debug, texts, context)
}

/// The prompt of an improvement.
pub fn _generate_improve_prompt(
    texts: &Prompts,
    context: &PromptContext,
) -> Result<Prompt, PromptError> {
    task_prompt(Task::Improve, texts, context)
}

/// The prompt of a parameter study.
pub fn _generate_hyperparam_prompt(
    texts: &Prompts,
    context: &PromptContext,
) -> Result<Prompt, PromptError> {
    task_prompt(Task::Hyperparam, texts, context)
}

/// The prompt of an ablation.
pub fn _generate_ablation_prompt(
    texts: &Prompts,
    context: &PromptContext,
) -> Result<Prompt, PromptError> {
    task_prompt(Task::Ablation, texts, context)
}

/// System, Domain, Environment, Resources, Phase 0 plan.
pub fn _inject_split_phase_context(
    prompt: &mut Prompt,
    texts: &Prompts,
    context: &PromptContext,
) -> Result<(), PromptError> {
    inject_split_phase_context(prompt, texts, context)
}

/// Puts what the node's branch sees into a prompt, and what a model can do about it.
pub fn _inject_memory(
    run: &mut NodeRun<'_>,
    prompt: &mut Prompt,
    task_hint: &str,
) -> Result<(), PhasesError> {
    let place = run.prompt_place(task_hint, 1, 0);
    run.inject_memory(prompt, task_hint, &place)
}

/// Asks the model and applies what it writes, until it reads no more; answers the rest of its last
/// reply.
pub fn _run_memory_update_phase(
    run: &mut NodeRun<'_>,
    prompt: Prompt,
    label: &str,
    task_hint: &str,
) -> Result<String, AskFailure> {
    run.run_memory_update_phase(prompt, label, task_hint)
}

/// Asks the model what to do: its plan, read and found sound.
pub fn generate_phase_artifacts(run: &mut NodeRun<'_>) -> Result<PhaseArtifacts, AskFailure> {
    run.generate_phase_artifacts()
}

/// Asks for one command after the other, and runs it, until the model is done; answers why it failed.
pub fn phase1_iterative_driver(
    run: &mut NodeRun<'_>,
    artifacts: &PhaseArtifacts,
) -> Result<Option<String>, PhasesError> {
    run.phase1_iterative_driver(artifacts)
}
