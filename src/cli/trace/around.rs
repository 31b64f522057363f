//! Everything around an execution, printed.

use super::chain;
use crate::cli::{Context, Result, rows};
use crate::execution::query::{Around, ExecutionSummary, Link};
use crate::output::stream::Colour;
use crate::output::{escape, time};

/// Edges that are shown; the rest is counted.
const LINKS_SHOWN: usize = 12;

pub fn print(found: &Around, context: &mut Context) -> Result<()> {
    if context.output.is_json() {
        return Ok(context.output.json(found)?);
    }
    list("", std::slice::from_ref(&found.execution), context)?;
    if let Some(prompt) = &found.prompt {
        title("asked for by", context)?;
        let at = time::local(prompt.at_ms, &context.zone);
        let text = escape::line(&rows::short(&prompt.text)).into_owned();
        context.output.line(format_args!("@{}  {at}  {text}", prompt.sequence))?;
    }
    links(&found.links, context)?;
    list("inside", found.parent.as_slice(), context)?;
    let more = if found.children_more { "ran inside it, the first" } else { "ran inside it" };
    list(more, &found.children, context)?;
    list("corrects", found.corrects.as_slice(), context)?;
    list("corrected by", found.corrected_by.as_slice(), context)?;
    list("before it in its session", &found.before, context)?;
    list("after it in its session", &found.after, context)?;
    for file in &found.files {
        let path = escape::line(&file.path).into_owned();
        list(&format!("before it on {path}"), &file.before, context)?;
        list(&format!("after it on {path}"), &file.after, context)?;
    }
    if let Some(file) = found.files.first() {
        let path = crate::cli::quote::word(&escape::line(&file.path));
        context.output.coloured(Colour::Dim, format_args!("Next: annals trace {path}"))?;
    }
    Ok(())
}

fn title(text: &str, context: &mut Context) -> Result<()> {
    context.output.blank()?;
    Ok(context.output.coloured(Colour::Dim, text)?)
}

fn list(name: &str, list: &[ExecutionSummary], context: &mut Context) -> Result<()> {
    if list.is_empty() {
        return Ok(());
    }
    let several = list.iter().any(|row| row.journal.is_some());
    let table = rows::table(several, list, &context.zone);
    if name.is_empty() {
        return Ok(table.print(&mut context.output)?);
    }
    title(name, context)?;
    Ok(table.print_rows(&mut context.output)?)
}

fn links(links: &[Link], context: &mut Context) -> Result<()> {
    if links.is_empty() {
        return Ok(());
    }
    title("in the graph", context)?;
    for link in links.iter().take(LINKS_SHOWN) {
        context.output.line(escape::line(&chain::linked(link)))?;
    }
    if links.len() > LINKS_SHOWN {
        context.output.line(format_args!("and {} more", links.len() - LINKS_SHOWN))?;
    }
    Ok(())
}
