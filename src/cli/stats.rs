//! `annals stats`: what the record says of its own use.

use super::{Context, Exit, Result};
use crate::execution::replay::{Walk, Window};
use crate::journal::Reading;
use crate::output::table::Table;

/// What was given to agents, and how often they used it
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: Stats,
}

#[derive(clap::Subcommand, Debug)]
enum Stats {
    /// How often a fix, a file or a pack that a hook gave was followed by its use
    ///
    /// followed: of those that named files, after which the same session changed one of them. The texts
    /// themselves: annals replay.
    Loop,
}

pub fn run(Args { what: Stats::Loop }: Args, context: &mut Context) -> Result<Exit> {
    let mut all = Vec::new();
    for source in context.sources()? {
        let reading = if context.evidence { Reading::Evidence } else { Reading::Live };
        let walk = Walk::events(&source.journal, reading, Window::default())?;
        all.extend(walk.given()?);
    }
    if context.output.as_json_list(&all)? {
        return Ok(Exit::Fine);
    }
    if all.is_empty() {
        context.output.line("Nothing was given to an agent yet. Next: annals enable")?;
        return Ok(Exit::Fine);
    }
    let mut table =
        Table::new(&["what", ">given", ">with files", ">followed", ">files", ">changed"]);
    for it in &all {
        let numbers = [it.given, it.named, it.followed, it.files, it.files_changed];
        let numbers = numbers.map(|it| it.to_string());
        table.row(None, &[vec![it.what.clone()], numbers.to_vec()].concat());
    }
    table.print(&mut context.output)?;
    Ok(Exit::Fine)
}
