//! `annals phases`: nodes of a search tree, run phase by phase.

mod list;
mod prompts;
mod run;
mod show;

use super::{CliError, Context, Exit};
use crate::cli::opened::Opened;
use crate::cli::shown;
use crate::output::stream::Colour;
use crate::output::{escape, time, wire};
use crate::phases;
use crate::phases::{NodeOutcome, NodeStory, PhaseEnded};

/// Run a node of a search tree: ask a model, install, write, compile, run, and remember
///
/// Each node has a branch of memory that sees what its parents remember. What happens is recorded:
/// prompts, replies, commands with their output, the logs of the phases, the result.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    Run(Box<run::Args>),
    List(list::Args),
    Show(show::Args),
    Prompts(prompts::Args),
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    match args.what {
        What::Run(args) => run::run(*args, context),
        What::List(args) => list::run(args, context),
        What::Show(args) => show::run(args, context),
        What::Prompts(args) => prompts::run(args, context),
    }
}

/// A node in a list, as JSON.
pub fn node(story: &NodeStory, one: &Opened) -> wire::Node {
    let result = story.result.as_ref();
    let phase = |it: &crate::phases::PhaseTold| wire::NodePhase {
        phase: it.phase.as_str(),
        success: it.error.is_none(),
        duration_ms: it.duration_ms,
        executions: it.executions.len() as u64,
        error: it.error.clone(),
    };
    wire::Node {
        journal: one.name.clone(),
        run: story.place.experiment.run.clone(),
        experiment: story.place.experiment.name.clone(),
        node: story.place.node.clone(),
        branch: story.place.branch.clone(),
        parent: story.parent.clone(),
        task: story.task.clone(),
        stage: story.stage.clone(),
        sequence: story.created.0,
        at: time::utc(story.created_ms),
        state: match result {
            None => unfinished(story, one),
            Some(result) if result.is_buggy => "buggy",
            Some(_) => "ok",
        },
        metric: result.and_then(|result| result.metric.clone()),
        exec_time_ms: result.map(|result| result.exec_time_ms),
        error: result.and_then(|result| result.error.clone()),
        queries: story.queries,
        phases: story.phases.iter().map(phase).collect(),
    }
}

/// Of a node without a result: `running`, or `abandoned` where nobody runs it now; `open` where that
/// cannot be told, of the past and of journals that lie elsewhere.
fn unfinished(story: &NodeStory, one: &Opened) -> &'static str {
    let owners = one.journal.parent().map(|folder| folder.join("owners"));
    let owners = owners.filter(|it| it.is_dir() && !one.evidence && one.at.is_none());
    match owners {
        None => "open",
        Some(owners) if phases::is_running(&owners, story) => "running",
        Some(_) => "abandoned",
    }
}

/// `download coding compile! run`: the one that failed is marked.
pub fn marks(phases: &[wire::NodePhase]) -> String {
    let mark = |phase: &wire::NodePhase| {
        let failed = if phase.success { "" } else { "!" };
        format!("{}{failed}", phase.phase)
    };
    phases.iter().map(mark).collect::<Vec<_>>().join(" ")
}

/// A state's colour.
pub fn colour(state: &str) -> Option<Colour> {
    (state == "buggy").then_some(Colour::Red)
}

/// What came of a node that was run.
pub fn outcome(outcome: &NodeOutcome, context: &mut Context) -> Result<(), CliError> {
    for note in &outcome.notes {
        context.output.note(escape::line(note));
    }
    let phase = |it: &PhaseEnded| wire::NodePhase {
        phase: it.phase.as_str(),
        success: it.error.is_none(),
        duration_ms: it.duration_ms,
        executions: it.executions,
        error: it.error.clone(),
    };
    if context.output.is_json() {
        let experiment = &outcome.place.experiment;
        context.output.json(&wire::NodeRan {
            run: experiment.run.clone(),
            experiment: experiment.name.clone(),
            node: outcome.place.node.clone(),
            branch: outcome.place.branch.clone(),
            parent: outcome.parent.clone(),
            task: outcome.task,
            stage: outcome.stage.clone(),
            workspace: outcome.workspace.to_string_lossy().into_owned(),
            is_buggy: outcome.is_buggy,
            metric: outcome.metric.clone(),
            exec_time_ms: outcome.exec_time_ms,
            error: outcome.error.clone(),
            queries: outcome.queries,
            phases: outcome.phases.iter().map(phase).collect(),
            notes: outcome.notes.clone(),
        })?;
        return Ok(());
    }
    for phase in &outcome.phases {
        let how = match &phase.error {
            None => "ok".to_owned(),
            Some(error) => format!("failed: {}", escape::line(error)),
        };
        let (name, ms) = (phase.phase.as_str(), phase.duration_ms);
        context.output.line(format_args!("{name:<9} {ms:>7} ms  {how}"))?;
    }
    let node = escape::line(&outcome.place.node).into_owned();
    match (&outcome.error, &outcome.metric) {
        (Some(error), _) => {
            context.output.line(format_args!("{node} is buggy: {}", escape::line(error)))?;
        }
        (None, Some(metric)) => {
            context.output.line(format_args!("{node} reached {}", escape::line(metric)))?;
        }
        (None, None) => context.output.line(format_args!("{node} ran; it printed no metric"))?,
    }
    context.output.line(format_args!("workspace {}", shown(&outcome.workspace)))?;
    Ok(())
}
