//! How the prompts of spec 003 are put together ("Detailed Flow by Node Type").

use serde_json::Value;

use super::{Prompt, PromptContext, PromptError, Prompts, SideTask, Task, text_path};
use crate::phases::limits::{CODE_CHARS_MAX, OUTPUT_CHARS_MAX};
use crate::phases::text::{beginning_of, end_of, fenced};

/// What the texts call the workspace, as JSON.
const WORKSPACE: &str = "\"/workspace\"";
const RESPONSE_FORMAT: &str = "agent/parallel/response_format/execution_split";

/// The prompt of a node.
pub fn task_prompt(
    task: Task,
    texts: &Prompts,
    context: &PromptContext,
) -> Result<Prompt, PromptError> {
    match task {
        Task::Draft => draft_prompt(texts, context),
        Task::Debug => debug_prompt(texts, context),
        Task::Improve => improve_prompt(texts, context),
        Task::Hyperparam => hyperparam_prompt(texts, context),
        Task::Ablation => ablation_prompt(texts, context),
    }
}

/// Introduction, Research idea, Instructions.
pub fn draft_prompt(texts: &Prompts, context: &PromptContext) -> Result<Prompt, PromptError> {
    finish(begun(Task::Draft, texts, context)?, Task::Draft, "Implementation", texts, context)
}

/// Introduction, Research idea, Code, Execution output, Plot feedback, Instructions.
pub fn debug_prompt(texts: &Prompts, context: &PromptContext) -> Result<Prompt, PromptError> {
    let mut prompt = begun(Task::Debug, texts, context)?;
    code(&mut prompt, "Code", context);
    if !context.output.is_empty() {
        prompt.set("Execution output", fenced(&end_of(&context.output, OUTPUT_CHARS_MAX), ""));
    }
    feedback(&mut prompt, "Plot feedback", context.plot_feedback.as_deref());
    finish(prompt, Task::Debug, "Debug", texts, context)
}

/// Introduction, Research idea, Code, Plot feedback, Time feedback, Instructions.
pub fn improve_prompt(texts: &Prompts, context: &PromptContext) -> Result<Prompt, PromptError> {
    let mut prompt = begun(Task::Improve, texts, context)?;
    code(&mut prompt, "Code", context);
    feedback(&mut prompt, "Plot feedback", context.plot_feedback.as_deref());
    feedback(&mut prompt, "Time feedback", context.time_feedback.as_deref());
    finish(prompt, Task::Improve, "Improve", texts, context)
}

/// Introduction, Research idea, Base code, Hyperparam idea, Instructions.
pub fn hyperparam_prompt(texts: &Prompts, context: &PromptContext) -> Result<Prompt, PromptError> {
    varied(Task::Hyperparam, "Hyperparam idea", "Hyperparam", texts, context)
}

/// Introduction, Research idea, Base code, Ablation idea, Instructions.
pub fn ablation_prompt(texts: &Prompts, context: &PromptContext) -> Result<Prompt, PromptError> {
    varied(Task::Ablation, "Ablation idea", "Ablation", texts, context)
}

/// The prompt of one step of the download phase: what the commands so far came to is its history.
pub fn phase1_prompt(
    texts: &Prompts,
    context: &PromptContext,
    history: &[String],
) -> Result<Prompt, PromptError> {
    let mut prompt = Prompt::default();
    let intro = text_path("config/phases/phase1_installer", context.memory);
    prompt.set("Introduction", texts.text(&intro)?);
    feedback(&mut prompt, "Research idea", Some(&context.idea));
    feedback(&mut prompt, "Phase 0 plan", context.phase0_plan.as_deref());
    let steps = match history {
        [] => "Nothing was run yet.".to_owned(),
        steps => steps.join("\n\n"),
    };
    prompt.set("Progress", steps);
    environment(&mut prompt, texts, context)?;
    Ok(prompt)
}

/// The prompt of something else that is asked about a node: what there is to look at, by name.
pub fn side_prompt(
    side: SideTask,
    texts: &Prompts,
    context: &PromptContext,
) -> Result<Prompt, PromptError> {
    let mut prompt = Prompt::default();
    prompt.set("Introduction", texts.text(&text_path(side.base(), context.memory))?);
    feedback(&mut prompt, "Research idea", Some(&context.idea));
    if side != SideTask::ParseMetrics {
        code(&mut prompt, "Code", context);
    }
    if !context.output.is_empty() {
        prompt.set("Execution output", fenced(&end_of(&context.output, OUTPUT_CHARS_MAX), ""));
    }
    if side != SideTask::VlmAnalysis {
        feedback(&mut prompt, "Plot feedback", context.plot_feedback.as_deref());
    }
    Ok(prompt)
}

/// System, Domain, Environment, Resources, Phase 0 plan.
pub fn inject_split_phase_context(
    prompt: &mut Prompt,
    texts: &Prompts,
    context: &PromptContext,
) -> Result<(), PromptError> {
    prompt.set("System", texts.text("prompt/base_system.txt")?);
    prompt.set("Domain", texts.text("prompt/domain_neutral.txt")?);
    environment(prompt, texts, context)?;
    prompt.set("Resources", texts.text("prompt/config/environment/resources_injection.txt")?);
    feedback(prompt, "Phase 0 plan", context.phase0_plan.as_deref());
    Ok(())
}

fn environment(
    prompt: &mut Prompt,
    texts: &Prompts,
    context: &PromptContext,
) -> Result<(), PromptError> {
    let mut text = texts.text("prompt/config/environment/injection.txt")?;
    for fact in &context.environment {
        text.push_str(&format!("\n- {fact}"));
    }
    prompt.set("Environment", text);
    Ok(())
}

fn begun(task: Task, texts: &Prompts, context: &PromptContext) -> Result<Prompt, PromptError> {
    let mut prompt = Prompt::default();
    let intro = text_path(&format!("{}/introduction", task.folder()), context.memory);
    prompt.set("Introduction", texts.text(&intro)?);
    prompt.set("Research idea", context.idea.clone());
    Ok(prompt)
}

fn varied(
    task: Task,
    idea: &str,
    guidelines: &str,
    texts: &Prompts,
    context: &PromptContext,
) -> Result<Prompt, PromptError> {
    let mut prompt = begun(task, texts, context)?;
    code(&mut prompt, "Base code", context);
    prompt.set(idea, context.variation.clone());
    finish(prompt, task, guidelines, texts, context)
}

fn code(prompt: &mut Prompt, name: &str, context: &PromptContext) {
    if !context.code.is_empty() {
        prompt.set(name, beginning_of(&context.code, CODE_CHARS_MAX));
    }
}

fn feedback(prompt: &mut Prompt, name: &str, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
        prompt.set(name, text);
    }
}

/// Instructions, and what every such prompt has behind them.
fn finish(
    mut prompt: Prompt,
    task: Task,
    guidelines: &str,
    texts: &Prompts,
    context: &PromptContext,
) -> Result<Prompt, PromptError> {
    let format = texts.text(&text_path(RESPONSE_FORMAT, context.memory))?;
    let format = match context.workspace.as_str() {
        "" => format,
        name => format.replace(WORKSPACE, &Value::from(name).to_string()),
    };
    let told = texts.text(&format!("prompt/{}/instructions.txt", task.folder()))?;
    let parts = vec![("Response format".to_owned(), format), (guidelines.to_owned(), told)];
    prompt.set_parts("Instructions", parts);
    inject_split_phase_context(&mut prompt, texts, context)?;
    Ok(prompt)
}
