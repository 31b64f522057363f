//! `annals phases list`: the nodes that were run.

use crate::cli::{CliError, Context, Exit, catch_up, rows};
use crate::output::escape;
use crate::output::table::Table;
use crate::phases;

/// List the nodes that were run, in the order they began
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Only this run's
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let mut nodes = Vec::new();
    let opened = catch_up::open_all(context)?;
    for one in &opened {
        let stories = phases::stories(&one.journal, one.reading(), one.at)?;
        let of_run = |run: &str| args.run.as_deref().is_none_or(|asked| asked == run);
        let of_run = stories.nodes().iter().filter(|it| of_run(&it.place.experiment.run));
        nodes.extend(of_run.map(|story| crate::cli::phases::node(story, one)));
    }
    if context.output.is_json() {
        context.output.json_list(&nodes)?;
        return Ok(Exit::Fine);
    }
    if let (true, Some(run)) = (nodes.is_empty(), &args.run) {
        let run = escape::line(run);
        context.output.line(format_args!("Run {run} has no nodes. Next: annals phases list"))?;
        return Ok(Exit::Fine);
    }
    if nodes.is_empty() {
        context.output.line("No node was run yet. Next: annals phases run --help")?;
        return Ok(Exit::Fine);
    }
    let mut titles = vec!["run", "node", "task", "parent", "state", ">metric", "phases", "error"];
    if opened.len() > 1 {
        titles.insert(0, rows::JOURNAL);
    }
    let mut table = Table::new(&titles);
    for node in nodes {
        let cells = [
            node.run.clone(),
            node.node.clone(),
            node.task.clone(),
            node.parent.clone().unwrap_or_default(),
            node.state.to_owned(),
            node.metric.clone().unwrap_or_default(),
            crate::cli::phases::marks(&node.phases),
            rows::short(node.error.as_deref().unwrap_or_default()),
        ];
        let cells: Vec<String> = node.journal.into_iter().chain(cells).collect();
        table.row(crate::cli::phases::colour(node.state), &cells);
    }
    table.print(&mut context.output)?;
    Ok(Exit::Fine)
}
