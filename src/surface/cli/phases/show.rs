//! `annals phases show`: one node, with its plan and its logs.

use super::print;
use crate::command::phases::{self, NodeStory, Stories};
use crate::surface::cli::opened::Opened;
use crate::surface::cli::{CliError, Context, Exit, feed};
use crate::surface::{escape, wire};

/// Show a node: what it was for, how its phases went, its plan and its logs
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
    for one in feed::open_all(context)? {
        let stories = phases::stories(&one.journal, one.reading(), one.at)?;
        if let Some(story) = stories.find(args.run.as_deref(), &args.node) {
            let detail = detail(&stories, story, &one)?;
            return shown(&detail, context);
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
        node: print::node(story, one),
        plots: story.plots.clone(),
        artifacts: artifacts.map_err(|source| CliError::StoredJson { source })?,
        logs: logs.collect::<Result<_, _>>()?,
    })
}

fn shown(detail: &wire::NodeDetail, context: &mut Context) -> Result<Exit, CliError> {
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
    for (name, value) in pairs {
        context.output.line(format_args!("{name:<11} {}", escape::line(&value)))?;
    }
    for (phase, log) in node.phases.iter().zip(&detail.logs) {
        context.output.blank()?;
        let how = if phase.success { "ok" } else { "failed" };
        context.output.line(format_args!("{} ({how}, {} ms)", phase.phase, phase.duration_ms))?;
        for line in log.lines() {
            context.output.line(format_args!("  {}", escape::line(line)))?;
        }
    }
    Ok(Exit::Fine)
}
