//! `annals phases show`: one node, with its plan and its logs.

use crate::cli::opened::Opened;
use crate::cli::{CliError, Context, Exit, catch_up};
use crate::output::{escape, wire};
use crate::phases;
use crate::phases::fold::log_place;
use crate::phases::{NodeStory, PhaseTold, Stories};

/// Of each log, so much of its beginning and of its end is shown.
const HEAD_BYTES: usize = 4 << 10;
const TAIL_BYTES: usize = 12 << 10;

/// Show a node: what it was for, how its phases went, its commands and its logs
///
/// Of a long log the beginning and the end are shown, and where all of it lies; --json has all of it. `annals
/// show REFERENCE` shows a command.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The node's name
    #[arg(value_name = "NODE")]
    node: String,
    /// Its run [default: the last that has such a node]
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    for one in catch_up::open_all(context)? {
        let stories = phases::stories(&one.journal, one.reading(), one.at)?;
        if let Some(story) = stories.find(args.run.as_deref(), &args.node) {
            let detail = detail(&stories, story, &one)?;
            return shown(&detail, story, context);
        }
    }
    Err(CliError::NoNode { node: args.node })
}

fn detail(
    stories: &Stories,
    story: &NodeStory,
    one: &Opened,
) -> Result<wire::NodeDetail, CliError> {
    let artifacts = stories.artifacts(story)?;
    let artifacts = artifacts.map(|json| serde_json::from_str(&json)).transpose();
    let logs = story.phases.iter().map(|phase| stories.log(phase));
    Ok(wire::NodeDetail {
        node: crate::cli::phases::node(story, one),
        plots: story.plots.clone(),
        artifacts: artifacts.map_err(|source| CliError::StoredJson { source })?,
        logs: logs.collect::<Result<_, _>>()?,
        commands: story.phases.iter().map(references).collect(),
        notes: story.notes.clone(),
    })
}

fn references(phase: &PhaseTold) -> Vec<String> {
    phase.executions.iter().map(ToString::to_string).collect()
}

fn shown(
    detail: &wire::NodeDetail,
    story: &NodeStory,
    context: &mut Context,
) -> Result<Exit, CliError> {
    if context.output.is_json() {
        context.output.json(detail)?;
        return Ok(Exit::Fine);
    }
    let node = &detail.node;
    let mut pairs = vec![
        ("node", node.node.clone()),
        ("run", node.run.clone()),
        ("experiment", node.experiment.clone()),
        ("task", node.task.clone()),
        ("stage", node.stage.clone()),
        ("parent", node.parent.clone().unwrap_or_else(|| "none".to_owned())),
        ("state", node.state.to_owned()),
    ];
    let more = [("metric", &node.metric), ("error", &node.error), ("plots", &detail.plots)];
    pairs.extend(more.into_iter().filter_map(|(name, it)| Some((name, it.clone()?))));
    pairs.extend(detail.notes.iter().map(|note| ("not done", note.clone())));
    for (name, value) in pairs {
        context.output.line(format_args!("{name:<11} {}", escape::line(&value)))?;
    }
    for (phase, log) in story.phases.iter().zip(&detail.logs) {
        context.output.blank()?;
        let how = if phase.error.is_none() { "ok" } else { "failed" };
        let (name, ms) = (phase.phase.as_str(), phase.duration_ms);
        context.output.line(format_args!("{name} ({how}, {ms} ms)"))?;
        for reference in references(phase) {
            context.output.line(format_args!("  command {reference}"))?;
        }
        let Some((head, left_out, tail)) = ends(log) else {
            lines(log, context)?;
            continue;
        };
        lines(head, context)?;
        let all = match log_place(&story.place, phase.phase) {
            Some(file) => escape::line(&format!(".annals/experiments/{file}")).into_owned(),
            None => "annals phases show --json".to_owned(),
        };
        context.output.line(format_args!("  … {left_out} bytes left out; all of it: {all}"))?;
        lines(tail, context)?;
    }
    Ok(Exit::Fine)
}

fn lines(text: &str, context: &mut Context) -> Result<(), CliError> {
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
