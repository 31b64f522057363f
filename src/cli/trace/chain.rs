//! A chain, printed.

use serde::Serialize;

use super::{Args, Asked};
use crate::cli::journals::Opened;
use crate::cli::{Context, Result, counted, quote, rows};
use crate::event::{Ordered, Outcome};
use crate::execution::query::{EdgeType, GraphDiagnostic, Link, TraceStep};
use crate::output::stream::{Colour, Format};
use crate::output::table::Table;
use crate::output::{escape, time};

/// Diagnostics of one step that are shown; the rest is counted.
const DIAGNOSTICS_SHOWN: usize = 3;

#[derive(Serialize)]
struct Chain<'a> {
    /// `file` or `symbol`.
    kind: &'static str,
    /// What was asked about.
    name: &'a str,
    before: Option<GraphDiagnostic>,
    steps: Vec<TraceStep>,
    /// What to give `--after` for the older steps; `null` where there are none, or several journals were
    /// asked.
    next: Option<String>,
}

pub fn print(asked: &Asked, args: &Args, opened: &[Opened], context: &mut Context) -> Result<()> {
    let (mut steps, mut next, mut before, mut known) = (Vec::new(), None, None, false);
    for one in opened {
        let path = crate::cli::trace::path(one, &asked.name);
        let chain = crate::cli::trace::question(&one.stores, &path, asked, args)?;
        let trace = one.stores.trace(&chain)?;
        steps.extend(trace.steps);
        next = trace.next.or(next);
        before = trace.before.or(before);
        known |= trace.known;
    }
    if opened.len() > 1 {
        steps.order_by_key(|step| (step.execution.at_ms, step.execution.sequence));
        let surplus = steps.len().saturating_sub(args.number.unwrap_or(super::STEPS));
        steps.drain(..surplus);
        next = None;
    }
    if context.output.is_json() {
        if context.output.format == Format::Jsonl {
            return Ok(context.output.json_list(&steps)?);
        }
        let kind = if asked.is_symbol { "symbol" } else { "file" };
        let next = next.map(|next| next.to_string());
        let chain = Chain { kind, name: &asked.name, before, steps, next };
        return Ok(context.output.json(&chain)?);
    }
    if let Some(before) = &before {
        let line = format!("before {}", shown(before));
        context.output.coloured(Colour::Dim, escape::line(&line))?;
    }
    if steps.is_empty() {
        return Ok(context.output.line(nothing(asked, args, known))?);
    }
    table(&steps, opened.len() > 1, asked, context)?;
    let name = quote::word(&escape::line(&asked.name));
    if let Some(next) = next {
        let mut again = format!("annals trace {name}");
        for (flag, value) in [
            ("--file", args.file.clone()),
            ("--before", args.before.clone()),
            ("-n", args.number.map(|number| number.to_string())),
            ("--after", Some(next.to_string())),
        ] {
            if let Some(value) = value {
                again += &format!(" {flag} {}", quote::word(&escape::line(&value)));
            }
        }
        if asked.is_symbol && args.file.is_none() {
            again += " --symbol";
        }
        let hint = format!("There are earlier ones: {again}");
        context.output.coloured(Colour::Dim, &hint)?;
    }
    // The newest failure, else the newest step, is what a person looks at next.
    let failed = steps.iter().rev().find(|step| !step.succeeded());
    if let Some(step) = failed.or(steps.last()) {
        let no = no(step);
        let hint = format!("Next: annals trace {no} for what lies around it, annals show {no}");
        context.output.coloured(Colour::Dim, &hint)?;
    }
    Ok(())
}

fn table(steps: &[TraceStep], several: bool, asked: &Asked, context: &mut Context) -> Result<()> {
    let titles = [">no", "time", "tool", "operation", "outcome", "what came of it"];
    let mut table = Table::of_journals(several, &titles);
    for step in steps {
        let row = &step.execution;
        let cells = [
            no(step),
            time::local(row.at_ms, &context.zone),
            row.tool.clone(),
            operation(step, asked),
            row.outcome.map_or("open", Outcome::as_str).to_owned(),
            came_of_it(step, asked),
        ];
        table.row_of(row.journal.clone(), rows::colour(row.outcome), cells);
    }
    Ok(table.print(&mut context.output)?)
}

fn no(step: &TraceStep) -> String {
    match step.is_indexed() {
        true => step.execution.reference(),
        false => step.execution.id.to_string().chars().take(8).collect(),
    }
}

/// What was done on it: the words of its edges to what was asked about.
fn operation(step: &TraceStep, asked: &Asked) -> String {
    let wanted = if asked.is_symbol { EdgeType::Referenced } else { EdgeType::ExecutedOn };
    let of = |edge: EdgeType| {
        let mut words = step.links.iter().filter(|link| link.edge == edge);
        words.find_map(|link| link.word.clone())
    };
    of(wanted).or_else(|| of(EdgeType::ExecutedOn)).unwrap_or_else(|| match step.links.is_empty() {
        // In the chain for what it no longer showed.
        true => "check".to_owned(),
        false => String::new(),
    })
}

/// What it changed, what it found, what it no longer found, or why it failed.
pub fn came_of_it(step: &TraceStep, asked: &Asked) -> String {
    let mut told = Vec::new();
    for link in step.links.iter().filter(|link| link.edge == EdgeType::Affected) {
        let word = link.word.as_deref().unwrap_or("changed");
        told.push(match asked.is_symbol || !is_it(link, asked) {
            true => format!("{word} {}", link.to.name),
            false => word.to_owned(),
        });
    }
    if !asked.is_symbol {
        let symbols = step.links.iter().filter(|link| link.edge == EdgeType::Referenced);
        told.extend(symbols.map(|link| link.to.name.clone()));
    }
    let found: Vec<_> = step.links.iter().filter_map(|link| link.diagnostic.as_ref()).collect();
    told.extend(found.iter().take(DIAGNOSTICS_SHOWN).map(|one| shown(one)));
    if found.len() > DIAGNOSTICS_SHOWN {
        let more = (found.len() - DIAGNOSTICS_SHOWN) as u64;
        told.push(format!("and {}", counted(more, "more diagnostic")));
    }
    if !step.cleared.is_empty() {
        told.push(format!("{} no longer shown", step.cleared.join(", ")));
    }
    if found.is_empty() && !step.succeeded() {
        told.extend(step.execution.error.as_deref().map(rows::short));
    }
    told.join("; ")
}

/// Whether an edge leads to the file that was asked about.
fn is_it(link: &Link, asked: &Asked) -> bool {
    let name = asked.name.trim_start_matches("./");
    link.to.name.trim_start_matches("./").ends_with(name) || name.ends_with(&link.to.name)
}

/// `error[E0425] src/lib.rs:11: cannot find value`
pub fn shown(found: &GraphDiagnostic) -> String {
    let code = found.code.as_ref().map(|code| format!("[{code}]")).unwrap_or_default();
    let line = found.line_start.map(|line| format!(":{line}")).unwrap_or_default();
    let file = found.file_name.as_ref().map(|file| format!(" {file}{line}")).unwrap_or_default();
    format!("{}{code}{file}: {}", found.level, rows::short(&found.message))
}

/// `PRODUCED    error[E0425] src/lib.rs:11: cannot find value`
pub fn linked(link: &Link) -> String {
    let to = match (&link.diagnostic, &link.word) {
        (Some(found), _) => shown(found),
        (None, Some(word)) => format!("{} ({word})", link.to.name),
        (None, None) => link.to.name.clone(),
    };
    format!("{:<11} {to}", link.edge.as_str())
}

fn nothing(asked: &Asked, args: &Args, known: bool) -> String {
    let name = escape::line(&asked.name).into_owned();
    let is_bounded = args.before.is_some() || args.after.is_some();
    match (known, asked.is_symbol) {
        (true, _) if is_bounded => {
            let word = quote::word(&name);
            format!("Nothing that is linked to {name} lies before that. Next: annals trace {word}")
        }
        (true, _) => format!("Nothing that was recorded is linked to {name}. Next: annals log"),
        (false, true) => format!(
            "The graph knows no symbol {name}, and nothing recorded named one so. Next: annals log"
        ),
        (false, false) => format!(
            "The graph knows no file {name}, and nothing recorded named one so. Next: annals log \
             --path {}",
            quote::word(&name)
        ),
    }
}
