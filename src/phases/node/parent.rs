//! What a node goes on with: its parent's program, and what it came to.

use super::{Idea, NodeGiven, PhasesError};
use crate::event::PhaseName;
use crate::phases::artifacts::PhaseArtifacts;
use crate::phases::prompt::{PromptContext, Task};
use crate::phases::text::fenced;
use crate::phases::{NodeStory, Stories};

/// Holds that the run has no result of the node yet, and that its parent is one there is.
pub fn check_new(stories: &Stories, given: &NodeGiven) -> Result<(), PhasesError> {
    let (node, run) = (given.node.clone(), given.experiment.run.clone());
    let is_there = |it: &&String| stories.find(Some(&run), it).is_some() || stories.has_branch(it);
    if let Some(parent) = given.parent.as_ref().filter(|it| !is_there(it)) {
        return Err(PhasesError::UnknownParent { parent: parent.clone(), run });
    }
    match stories.find(Some(&run), &node) {
        Some(story) if story.result.is_some() => Err(PhasesError::Done { node, run }),
        // It was cut short: it is begun again.
        _ => Ok(()),
    }
}

/// What the prompts of a node are put together from.
pub fn context(
    stories: &Stories,
    given: &NodeGiven,
    idea: &Idea,
) -> Result<PromptContext, PhasesError> {
    let mut context = PromptContext {
        idea: idea.text.clone(),
        variation: given.variation.clone(),
        phase0_plan: given.phase0_plan.clone(),
        ..PromptContext::default()
    };
    if given.task == Task::Draft {
        return Ok(context);
    }
    let task = given.task.as_str();
    let Some(parent) = &given.parent else { return Err(PhasesError::NoParent { task }) };
    let run = &given.experiment.run;
    let no_program = || PhasesError::NoProgram { parent: parent.clone(), run: run.clone() };
    let story = stories.find(Some(run), parent).ok_or_else(no_program)?;
    context.code = program(stories, story)?.ok_or_else(no_program)?;
    context.output = output(stories, story)?;
    context.plot_feedback = story.plots.clone();
    context.time_feedback = story.result.as_ref().filter(|it| it.exec_time_ms > 0).map(|it| {
        let seconds = it.exec_time_ms as f64 / 1_000.0;
        format!("The run took {seconds:.3} s.")
    });
    Ok(context)
}

/// The files of a node, each in a block of its own; `None` where it has none.
fn program(stories: &Stories, story: &NodeStory) -> Result<Option<String>, PhasesError> {
    let Some(json) = stories.artifacts(story)? else { return Ok(None) };
    // What was accepted can be read; what was redacted since may no longer be a plan.
    let Ok(value) = serde_json::from_str(&json) else { return Ok(None) };
    let Ok(artifacts) = PhaseArtifacts::of(&value) else { return Ok(None) };
    let shown = |file: &crate::phases::artifacts::PlannedFile| {
        let language = file.path.rsplit_once('.').map_or("", |(_, language)| language);
        let language = if language.chars().all(char::is_alphanumeric) { language } else { "" };
        format!("{}\n\n{}", file.path, fenced(&file.content, language))
    };
    let files: Vec<String> = artifacts.coding.files.iter().map(shown).collect();
    Ok(Some(files.join("\n\n")))
}

/// What the last phase that printed something printed, and why it failed.
fn output(stories: &Stories, story: &NodeStory) -> Result<String, PhasesError> {
    let printing = story.phases.iter().rev().find(|phase| phase.phase != PhaseName::Coding);
    let mut text = printing.map(|phase| stories.log(phase)).transpose()?.unwrap_or_default();
    if let Some(error) = story.result.as_ref().and_then(|result| result.error.as_ref()) {
        text.push_str(&format!("\n{error}\n"));
    }
    Ok(text)
}
