//! `annals phases list` and `show`: the nodes that were run, and one with its plan and its logs.

use serde::Serialize;
use serde_json::Value;

use crate::cli::journals::Opened;
use crate::cli::{CliError, Context, Exit, Result, catch_up, rows};
use crate::output::escape;
use crate::output::stream::Colour;
use crate::output::wire::OfJournal;
use crate::phases::fold::log_place;
use crate::phases::{NodeState, NodeStory, PhaseEnded, Stories, is_running};

/// Of each log, so much of its beginning and of its end is shown.
const HEAD_BYTES: usize = 4 << 10;
const TAIL_BYTES: usize = 12 << 10;

/// List the nodes, in the order they began
#[derive(clap::Args, Debug)]
pub struct ListArgs {
    /// Only this run's
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
}

/// Show a node: its purpose, phases, commands and logs
///
/// Of a long log the beginning and the end are shown, and where all of it lies; --json has all of it. `annals
/// show REFERENCE` shows a command.
#[derive(clap::Args, Debug)]
pub struct ShowArgs {
    /// The node's name
    node: String,
    /// Its run [default: the last that has such a node]
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
}

#[derive(Debug, Serialize)]
struct NodeDetail {
    #[serde(flatten)]
    node: OfJournal<NodeStory>,
    plots: Option<String>,
    /// `{"constraints", "phase_artifacts"}`; `null` where it has none.
    artifacts: Option<Value>,
    /// Each phase's log, in the order of `phases`.
    logs: Vec<String>,
    /// The references of each phase's commands, for `annals show`.
    commands: Vec<Vec<String>>,
    notes: Vec<String>,
}

/// A node as it stands: of one without a result it is looked whether anybody runs it now, but for the
/// past and for journals that lie elsewhere.
fn told(story: &NodeStory, one: &Opened) -> OfJournal<NodeStory> {
    let mut row = story.clone();
    let owners = one.journal.parent().map(|folder| folder.join("owners"));
    let owners = owners.filter(|it| it.is_dir() && !one.evidence && one.at.is_none());
    if let (NodeState::Open, Some(owners)) = (row.state, owners) {
        row.state = match is_running(&owners, story) {
            true => NodeState::Running,
            false => NodeState::Abandoned,
        };
    }
    OfJournal { journal: one.name.clone(), row }
}

pub fn list(args: ListArgs, context: &mut Context) -> Result<Exit> {
    let mut nodes = Vec::new();
    let opened = catch_up::open_all(context)?;
    for one in &opened {
        let stories = Stories::of(&one.journal, one.reading(), one.at)?;
        let of_run = |run: &str| args.run.as_deref().is_none_or(|asked| asked == run);
        let of_run = stories.nodes().iter().filter(|it| of_run(&it.place.experiment.run));
        nodes.extend(of_run.map(|story| told(story, one)));
    }
    let none = match &args.run {
        Some(run) => format!("Run {} has no nodes. Next: annals phases list", escape::line(run)),
        None => "No node was run yet. Next: annals phases run --help".to_owned(),
    };
    let titles = ["run", "node", "task", "parent", "state", ">metric", "phases", "error"];
    let cells = |node: NodeStory, _: &Context| {
        let cells = [
            node.place.experiment.run,
            node.place.node,
            node.task,
            node.parent.unwrap_or_default(),
            node.state.as_str().to_owned(),
            node.metric.unwrap_or_default(),
            marks(&node.phases),
            rows::short(node.error.as_deref().unwrap_or_default()),
        ];
        ((node.state == NodeState::Buggy).then_some(Colour::Red), cells)
    };
    rows::listed(nodes, &titles, &none, cells, context)
}

/// `download coding compile! run`: the one that failed is marked.
fn marks(phases: &[PhaseEnded]) -> String {
    let mark = |phase: &PhaseEnded| {
        let failed = if phase.success { "" } else { "!" };
        format!("{}{failed}", phase.phase.as_str())
    };
    phases.iter().map(mark).collect::<Vec<_>>().join(" ")
}

pub fn show(args: ShowArgs, context: &mut Context) -> Result<Exit> {
    for one in catch_up::open_all(context)? {
        let stories = Stories::of(&one.journal, one.reading(), one.at)?;
        if let Some(story) = stories.find(args.run.as_deref(), &args.node) {
            let detail = detail(&stories, story, &one)?;
            return shown(&detail, context);
        }
    }
    Err(CliError::NoNode { node: args.node })
}

fn detail(stories: &Stories, story: &NodeStory, one: &Opened) -> Result<NodeDetail> {
    let artifacts = stories.artifacts(story)?;
    let artifacts = artifacts.map(|json| serde_json::from_str(&json)).transpose();
    let logs = story.phases.iter().map(|phase| stories.log(phase));
    let references =
        |phase: &PhaseEnded| phase.executions.iter().map(ToString::to_string).collect();
    Ok(NodeDetail {
        node: told(story, one),
        plots: story.plots.clone(),
        artifacts: artifacts.map_err(|source| CliError::StoredJson { source })?,
        logs: logs.collect::<Result<_, _>>()?,
        commands: story.phases.iter().map(references).collect(),
        notes: story.notes.clone(),
    })
}

fn shown(detail: &NodeDetail, context: &mut Context) -> Result<Exit> {
    if context.output.as_json(detail)? {
        return Ok(Exit::Fine);
    }
    let node = &detail.node.row;
    let mut pairs = vec![
        ("node", node.place.node.clone()),
        ("run", node.place.experiment.run.clone()),
        ("experiment", node.place.experiment.name.clone()),
        ("task", node.task.clone()),
        ("stage", node.stage.clone()),
        ("parent", node.parent.clone().unwrap_or_else(|| "none".to_owned())),
        ("state", node.state.as_str().to_owned()),
    ];
    let more = [("metric", &node.metric), ("error", &node.error), ("plots", &detail.plots)];
    pairs.extend(more.into_iter().filter_map(|(name, it)| Some((name, it.clone()?))));
    pairs.extend(detail.notes.iter().map(|note| ("not done", note.clone())));
    for (name, value) in pairs {
        context.output.line(format_args!("{name:<11} {}", escape::line(&value)))?;
    }
    for ((phase, log), commands) in node.phases.iter().zip(&detail.logs).zip(&detail.commands) {
        context.output.blank()?;
        let how = if phase.success { "ok" } else { "failed" };
        let (name, ms) = (phase.phase.as_str(), phase.duration_ms);
        context.output.line(format_args!("{name} ({how}, {ms} ms)"))?;
        for reference in commands {
            context.output.line(format_args!("  command {reference}"))?;
        }
        let Some((head, left_out, tail)) = ends(log) else {
            lines(log, context)?;
            continue;
        };
        lines(head, context)?;
        let all = match log_place(&node.place, phase.phase) {
            Some(file) => escape::line(&format!(".annals/experiments/{file}")).into_owned(),
            None => "annals phases show --json".to_owned(),
        };
        context.output.line(format_args!("  … {left_out} bytes left out; all of it: {all}"))?;
        lines(tail, context)?;
    }
    Ok(Exit::Fine)
}

fn lines(text: &str, context: &mut Context) -> Result<()> {
    for line in text.lines() {
        context.output.line(format_args!("  {}", escape::line(line)))?;
    }
    Ok(())
}

/// A long log's beginning, the bytes between, and its end; `None` for one that is not long.
fn ends(log: &str) -> Option<(&str, usize, &str)> {
    let left_out = log.len().checked_sub(HEAD_BYTES + TAIL_BYTES).filter(|bytes| *bytes > 0)?;
    let head = log.floor_char_boundary(HEAD_BYTES);
    let tail = log.ceil_char_boundary(HEAD_BYTES + left_out);
    Some((&log[..head], tail - head, &log[tail..]))
}
