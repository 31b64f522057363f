//! One node of a search tree, from its branch of memory to its result (spec 003, "Phase 1-4 Execution
//! Flow"): branch, prompt, memory, model, phases, result.

mod ask;
mod book;
mod download;
mod end;
mod error;
mod ground;
mod parent;
mod proposed;
mod request;
mod run;
mod side;
mod steps;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::event::{NodePlace, PhaseName, PromptPlace};
use crate::journal::owner::Held;
use crate::memory::RenderGiven;
use crate::phases::prompt::Prompt;
use crate::phases::{NodeStory, Stories};
use book::remember;

pub use ask::AskFailure;
pub use book::Remembered;
pub use error::PhasesError;
pub use request::{NodeGiven, Proposal};
pub use run::NodeRun;

/// How long whoever begins a node is waited for.
const BEGIN: Duration = Duration::from_secs(30);
/// A look at the lock takes it for a moment.
const LOOK: Duration = Duration::from_millis(200);

/// Keeps every other process from running a node.
pub fn own(owners: &Path, run: &str, node: &str) -> Result<Held, PhasesError> {
    let running = || PhasesError::Running { node: node.to_owned(), run: run.to_owned() };
    take(owners, &name(run, node), LOOK)?.ok_or_else(running)
}

/// Keeps every other process from beginning a node: two that are begun at once are not given one
/// branch.
pub fn begin(owners: &Path) -> Result<Held, PhasesError> {
    take(owners, "nodes", BEGIN)?.ok_or(PhasesError::Beginning)
}

/// Whether somebody runs a node now.
pub fn is_running(owners: &Path, story: &NodeStory) -> bool {
    Held::is_held(owners, &name(&story.place.experiment.run, &story.place.node))
}

fn take(owners: &Path, name: &str, within: Duration) -> Result<Option<Held>, PhasesError> {
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

/// The research idea of a node.
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
    ) -> Result<Self, PhasesError> {
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

// Memory in a prompt (spec 003, "Memory Injection").

impl NodeRun<'_> {
    /// Puts what the node's branch sees into a prompt, and what a model can do about it; remembers
    /// that it did. Without memory nothing.
    pub fn inject_memory(
        &mut self,
        prompt: &mut Prompt,
        hint: &str,
        place: &PromptPlace,
    ) -> Result<(), PhasesError> {
        let budget = self.book.project().config().memory.phase_prompt_budget_chars;
        let given = RenderGiven {
            task_hint: Some(hint.to_owned()),
            budget_chars: Some(budget),
            no_limit: false,
            prompt: Some(place.clone()),
        };
        let (node, stage) = (self.book.place.clone(), self.book.stage.clone());
        // The same words each time: the window is for what happened, not for how often this did.
        let summary = format!("Memory context injected for {hint}");
        let injected = Remembered::Recall { kind: "memory_context_injected", summary };
        let rendered = self.book.with_memory(|operation| {
            let rendered = operation.render_for_prompt(&node.branch, &given)?;
            remember(operation, &node, &stage, &injected)?;
            Ok(rendered)
        })?;
        if let Some(rendered) = rendered {
            let operations = self.texts.text("prompt/config/memory/operations.txt")?;
            prompt.set("Memory", format!("{}\n\n{operations}", rendered.trim_end()));
        }
        Ok(())
    }
}

// Which branch of memory a node has: of its own name, or `RUN/NODE` where another run's node has that;
// with `/2` and so on where it was begun before.

/// The branch of a node that is to be run. An attempt that was cut short keeps what it remembered on
/// its own branch: nothing of it is carried into the next.
pub fn branch_of(stories: &Stories, given: &NodeGiven) -> Result<String, PhasesError> {
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

/// What came of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeOutcome {
    pub place: NodePlace,
    pub parent: Option<String>,
    pub task: &'static str,
    pub stage: String,
    pub workspace: PathBuf,
    /// How often a model was asked.
    pub queries: u64,
    pub phases: Vec<PhaseEnded>,
    pub is_buggy: bool,
    /// The number it reached, as it was printed.
    pub metric: Option<String>,
    /// How long its run took.
    pub exec_time_ms: u64,
    pub error: Option<String>,
    /// What was asked for and could not be done, and what else a person wants to know; a line each.
    pub notes: Vec<String>,
}

/// How a phase ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseEnded {
    pub phase: PhaseName,
    pub duration_ms: u64,
    pub executions: u64,
    pub error: Option<String>,
}

/// The last line that says `metric: NUMBER`, or is a JSON object with a number under `metric`: the
/// number as it stands there.
pub fn metric_of(printed: &str) -> Option<String> {
    printed.lines().rev().find_map(|line| of_line(line.trim()))
}

fn of_line(line: &str) -> Option<String> {
    if line.starts_with('{') {
        // A line in braces that is no JSON says nothing.
        let value: Value = serde_json::from_str(line).ok()?;
        return value.get("metric").filter(|metric| metric.is_number()).map(Value::to_string);
    }
    let (name, rest) = line.split_at_checked("metric".len())?;
    let rest = rest.trim_start();
    let number = rest.strip_prefix(':').or_else(|| rest.strip_prefix('='))?.trim();
    let is_one = name.eq_ignore_ascii_case("metric") && number.len() <= 64;
    // `inf` and `nan` are numbers to the parser and no result to anybody.
    let finite = number.parse::<f64>().is_ok_and(f64::is_finite);
    (is_one && finite).then(|| number.to_owned())
}

/// A name as one that can be a folder's: letters, digits, `-`, `_` and dots stay, everything else is
/// told by a hash behind it, so that no two names are one folder.
pub fn component(name: &str) -> String {
    const BYTES_MAX: usize = 100;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_fine =
        (1..=BYTES_MAX).contains(&name.len()) && name.chars().all(plain) && !name.starts_with('.');
    if is_fine {
        return name.to_owned();
    }
    let kept: String = name.chars().filter(|c| plain(*c) && *c != '.').take(60).collect();
    let hash = blake3::hash(name.as_bytes()).to_hex();
    format!("{kept}-{}", &hash[..16])
}

#[cfg(test)]
mod tests;
