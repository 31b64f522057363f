//! How the prompts of spec 003 are put together ("Detailed Flow by Node Type").

use serde_json::Value;

use super::{Prompt, PromptContext, Prompts, Result, SideTask, Task, text_path};
use crate::phases::limits::{CODE_CHARS_MAX, OUTPUT_CHARS_MAX, beginning_of, end_of, fenced};

/// What the texts call the workspace, as JSON.
const WORKSPACE: &str = "\"/workspace\"";
const RESPONSE_FORMAT: &str = "agent/parallel/response_format/execution_split";

/// The prompt of a node. Its sections, in order: Introduction, Research idea; the parent's program and
/// what came of it, as far as the task goes on with it; Instructions, and what every prompt has behind
/// them.
pub fn task_prompt(task: Task, texts: &Prompts, context: &PromptContext) -> Result<Prompt> {
    let mut prompt = Prompt::default();
    let intro = text_path(&format!("{}/introduction", task.folder()), context.memory);
    prompt.set("Introduction", texts.text(&intro)?);
    prompt.set("Research idea", context.idea.clone());
    let guidelines = match task {
        Task::Draft => "Implementation",
        Task::Debug => {
            code(&mut prompt, "Code", context);
            output(&mut prompt, context);
            feedback(&mut prompt, "Plot feedback", context.plot_feedback.as_deref());
            "Debug"
        }
        Task::Improve => {
            code(&mut prompt, "Code", context);
            feedback(&mut prompt, "Plot feedback", context.plot_feedback.as_deref());
            feedback(&mut prompt, "Time feedback", context.time_feedback.as_deref());
            "Improve"
        }
        Task::Hyperparam => {
            code(&mut prompt, "Base code", context);
            prompt.set("Hyperparam idea", context.variation.clone());
            "Hyperparam"
        }
        Task::Ablation => {
            code(&mut prompt, "Base code", context);
            prompt.set("Ablation idea", context.variation.clone());
            "Ablation"
        }
    };
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

/// The prompt of one step of the download phase: what the commands so far came to is its history.
pub fn phase1_prompt(
    texts: &Prompts,
    context: &PromptContext,
    history: &[String],
) -> Result<Prompt> {
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
pub fn side_prompt(side: SideTask, texts: &Prompts, context: &PromptContext) -> Result<Prompt> {
    let mut prompt = Prompt::default();
    prompt.set("Introduction", texts.text(&text_path(side.base(), context.memory))?);
    feedback(&mut prompt, "Research idea", Some(&context.idea));
    if side != SideTask::ParseMetrics {
        code(&mut prompt, "Code", context);
    }
    output(&mut prompt, context);
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
) -> Result<()> {
    prompt.set("System", texts.text("prompt/base_system.txt")?);
    prompt.set("Domain", texts.text("prompt/domain_neutral.txt")?);
    environment(prompt, texts, context)?;
    prompt.set("Resources", texts.text("prompt/config/environment/resources_injection.txt")?);
    feedback(prompt, "Phase 0 plan", context.phase0_plan.as_deref());
    Ok(())
}

fn environment(prompt: &mut Prompt, texts: &Prompts, context: &PromptContext) -> Result<()> {
    let mut text = texts.text("prompt/config/environment/injection.txt")?;
    for fact in &context.environment {
        text.push_str(&format!("\n- {fact}"));
    }
    prompt.set("Environment", text);
    Ok(())
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

fn output(prompt: &mut Prompt, context: &PromptContext) {
    if !context.output.is_empty() {
        prompt.set("Execution output", fenced(&end_of(&context.output, OUTPUT_CHARS_MAX), ""));
    }
}
