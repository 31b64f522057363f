//! `annals stats loop`: what was given to agents, and how often they used it.

use super::super::{Context, Exit, Result};
use crate::execution::replay::{Walk, Window};
use crate::journal::Reading;
use crate::output::table::Table;

pub fn run(context: &mut Context) -> Result<Exit> {
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
