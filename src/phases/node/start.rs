//! What must hold before a node is begun, and what it begins with: nobody else runs it, its branch of
//! memory, its research idea, its parent's program.

use std::path::Path;
use std::time::Duration;

use super::{NodeGiven, PhasesError, Remembered, Result};
use crate::event::PhaseName;
use crate::journal::owner::Held;
use crate::parse::reply::Updates;
use crate::phases::artifacts::{PhaseArtifacts, PlannedFile, extract_phase_artifacts};
use crate::phases::limits::fenced;
use crate::phases::prompt::{PromptContext, Task};
use crate::phases::{NodeStory, Stories};

/// How long whoever begins a node is waited for.
const BEGIN: Duration = Duration::from_secs(30);
/// A look at the lock takes it for a moment.
const LOOK: Duration = Duration::from_millis(200);

/// Keeps every other process from running a node.
pub fn own(owners: &Path, run: &str, node: &str) -> Result<Held> {
    let running = || PhasesError::Running { node: node.to_owned(), run: run.to_owned() };
    take(owners, &name(run, node), LOOK)?.ok_or_else(running)
}

/// Keeps every other process from beginning a node: two that are begun at once are not given one
/// branch.
pub fn begin(owners: &Path) -> Result<Held> {
    take(owners, "nodes", BEGIN)?.ok_or(PhasesError::Beginning)
}

/// Whether somebody runs a node now.
pub fn is_running(owners: &Path, story: &NodeStory) -> bool {
    Held::is_held(owners, &name(&story.place.experiment.run, &story.place.node))
}

fn take(owners: &Path, name: &str, within: Duration) -> Result<Option<Held>> {
    let failed = |source| PhasesError::Lock { path: owners.to_owned(), source };
    Held::take(owners, name, within).map_err(failed)
}

/// No two nodes have one.
fn name(run: &str, node: &str) -> String {
    let both = format!("{}/{run}{node}", run.len());
    format!("node-{}", &blake3::hash(both.as_bytes()).to_hex()[..32])
}

/// The tag of the archived record that holds it.
pub const IDEA_TAG: &str = "IDEA_MD";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Idea {
    /// Empty where there is none.
    pub text: String,
    /// It was given now, and is not what the branch inherits.
    is_new: bool,
}

impl Idea {
    /// What was given, else what the node's branch or the nearest above it remembers.
    pub fn of(
        stories: &Stories,
        given: &NodeGiven,
        branch: &str,
        parent: Option<&str>,
    ) -> Result<Self> {
        let known = stories.branch(branch).or(parent);
        let known = known.map(|name| stories.idea(name)).transpose()?.flatten();
        Ok(match (given.idea.trim().is_empty(), known) {
            (true, known) => Self { text: known.unwrap_or_default(), is_new: false },
            (false, known) => {
                let is_new = known.is_none_or(|known| known.trim() != given.idea.trim());
                Self { text: given.idea.clone(), is_new }
            }
        })
    }

    /// What is to be archived of it, for its children.
    pub fn archived(&self) -> Option<Remembered> {
        let (text, tags) = (self.text.clone(), vec![IDEA_TAG.to_owned()]);
        self.is_new.then_some(Remembered::Archival { text, tags })
    }
}

// Which branch of memory a node has: of its own name, or `RUN/NODE` where another run's node has that;
// with `/2` and so on where it was begun before.

/// The branch of a node that is to be run. An attempt that was cut short keeps what it remembered on
/// its own branch: nothing of it is carried into the next.
pub fn branch_of(stories: &Stories, given: &NodeGiven) -> Result<String> {
    let (node, run) = (&given.node, &given.experiment.run);
    let is_taken = |branch: &str| stories.nodes().iter().any(|it| it.place.branch == branch);
    let long = format!("{run}/{node}");
    let branch = match stories.find(Some(run), node) {
        Some(before) => {
            let first = if before.place.branch.starts_with(&long) { &long } else { node };
            let is_free = |branch: &String| !is_taken(branch) && !stories.has_branch(branch);
            let next = (2_u64..).map(|attempt| format!("{first}/{attempt}")).find(is_free);
            next.unwrap_or_default()
        }
        None if !is_taken(node) => return Ok(node.clone()),
        None if is_taken(&long) => {
            return Err(PhasesError::BranchTaken { node: node.clone(), branch: long });
        }
        None => long,
    };
    if branch.len() > 256 {
        return Err(PhasesError::BranchTaken { node: node.clone(), branch });
    }
    Ok(branch)
}

/// The branch of a node of the same run; a name that is none of its nodes is a branch's own.
pub fn branch_named(stories: &Stories, run: &str, name: &str) -> String {
    let story = stories.find(Some(run), name);
    story.map_or_else(|| name.to_owned(), |story| story.place.branch.clone())
}

/// A reply that was given, read before anything is recorded.
pub fn proposed(
    given: &NodeGiven,
    has_model: bool,
) -> Result<Option<(Option<Updates>, PhaseArtifacts)>> {
    match &given.proposal {
        None if !has_model => Err(PhasesError::NoModel),
        None => Ok(None),
        Some(reply) => {
            extract_phase_artifacts(reply, false).map(Some).map_err(PhasesError::Artifacts)
        }
    }
}

/// Holds that the run has no result of the node yet, and that its parent is one there is.
pub fn check_new(stories: &Stories, given: &NodeGiven) -> Result<()> {
    let (node, run) = (given.node.clone(), given.experiment.run.clone());
    let is_there = |it: &&String| stories.find(Some(&run), it).is_some() || stories.has_branch(it);
    if let Some(parent) = given.parent.as_ref().filter(|it| !is_there(it)) {
        return Err(PhasesError::UnknownParent { parent: parent.clone(), run });
    }
    match stories.find(Some(&run), &node) {
        Some(story) if story.state.has_result() => Err(PhasesError::Done { node, run }),
        // It was cut short: it is begun again.
        _ => Ok(()),
    }
}

/// What the prompts of a node are put together from.
pub fn context(stories: &Stories, given: &NodeGiven, idea: &Idea) -> Result<PromptContext> {
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
    context.time_feedback = story.exec_time_ms.filter(|ms| *ms > 0).map(|ms| {
        let seconds = ms as f64 / 1_000.0;
        format!("The run took {seconds:.3} s.")
    });
    Ok(context)
}

/// The files of a node, each in a block of its own; `None` where it has none.
fn program(stories: &Stories, story: &NodeStory) -> Result<Option<String>> {
    let Some(json) = stories.artifacts(story)? else { return Ok(None) };
    // What was accepted can be read; what was redacted since may no longer be a plan.
    let Ok(value) = serde_json::from_str(&json) else { return Ok(None) };
    let Ok(artifacts) = PhaseArtifacts::of(&value) else { return Ok(None) };
    let shown = |file: &PlannedFile| {
        let language = file.path.rsplit_once('.').map_or("", |(_, language)| language);
        let language = if language.chars().all(char::is_alphanumeric) { language } else { "" };
        format!("{}\n\n{}", file.path, fenced(&file.content, language))
    };
    let files: Vec<String> = artifacts.coding.files.iter().map(shown).collect();
    Ok(Some(files.join("\n\n")))
}

/// What the last phase that printed something printed, and why it failed.
fn output(stories: &Stories, story: &NodeStory) -> Result<String> {
    let printing = story.phases.iter().rev().find(|phase| phase.phase != PhaseName::Coding);
    let mut text = printing.map(|phase| stories.log(phase)).transpose()?.unwrap_or_default();
    if let Some(error) = &story.error {
        text.push_str(&format!("\n{error}\n"));
    }
    Ok(text)
}
