//! `annals query resolving` and `annals query resolutions`: after what a diagnostic was gone.

use std::path::{Path, PathBuf};

use super::list::{self, hint, place};
use crate::cli::narrow::{NarrowArgs, narrowed};
use crate::cli::{Context, Exit, Result, catch_up, journals, quote, rows};
use crate::execution::query::{Candidate, Resolution};
use crate::output::stream::Colour;
use crate::output::{escape, time};

/// Checks after which a diagnostic was gone, and what changed before
///
/// A check counts when it would have shown the diagnostic: it looks at the same code. What changed between the two may be the cause: the order in time is evidence, not
/// proof.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The code (E0425, unused_variables); of diagnostics without one, the level (error, warning)
    code: String,
    /// Only where the diagnostic was in this file
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// Only this tool, by the contract's name or the agent's
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,
    #[command(flatten)]
    narrow: NarrowArgs,
}

/// Passing checks after which a diagnostic was gone
#[derive(clap::Args, Debug)]
pub struct SuccessfulArgs {
    /// Only what ran in this folder or below it
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    #[command(flatten)]
    args: Args,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    ask(&args, false, None, context)
}

pub fn run_successful(args: SuccessfulArgs, context: &mut Context) -> Result<Exit> {
    // Without a working folder the path is as good as any.
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    ask(&args.args, true, args.repo.map(absolute).as_deref(), context)
}

fn ask(
    args: &Args,
    successful: bool,
    repository: Option<&Path>,
    context: &mut Context,
) -> Result<Exit> {
    let narrow = args.narrow.resolved(context)?;
    let opened = catch_up::open_all(context)?;
    let file = args.file.as_deref().map(|file| list::from_root(file, context));
    let at = |one: &Resolution| place(&one.last_seen);
    let limit = args.narrow.number;
    let found =
        journals::newest(&opened, limit, args.narrow.before, at, |stores, limit, after| {
            let mut query = narrowed!(stores.executions_resolving_error(&args.code), narrow);
            if let Some(tool) = &args.tool {
                query = query.with_tool(tool);
            }
            if successful {
                query = query.with_success(true);
            }
            if let Some(folder) = repository {
                query = query.in_repository(folder);
            }
            if let Some(file) = &file {
                query = query.with_file(file);
            }
            query.page(limit, after).fetch()
        })?;
    if context.output.is_json() {
        let told: Vec<_> = found.items.iter().map(list::resolution).collect();
        context.output.json_list(&told)?;
        return Ok(args.narrow.exit(!found.items.is_empty()));
    }
    for one in &found.items {
        print(one, context)?;
        context.output.blank()?;
    }
    let Some(last) = found.items.last() else {
        let code = escape::line(&args.code).into_owned();
        let next = format!("Next: annals query diagnostic {}", quote::word(&code));
        context
            .output
            .line(format_args!("Nothing resolved {code}, as far as this asks. {next}"))?;
        return Ok(Exit::Fine);
    };
    if let Some(before) = found.before {
        hint(&format!("There are earlier ones: the same with --before {before}"), context)?;
    }
    let next = last.candidates.last().map_or(&last.resolved_by, |one| &one.execution);
    hint(&format!("Next: annals show {}", next.reference()), context)?;
    Ok(args.narrow.exit(true))
}

/// One resolution: what was there, what changed, which check no longer showed it.
fn print(one: &Resolution, context: &mut Context) -> Result<()> {
    let journal = one.resolved_by.journal.as_ref();
    let from = journal.map(|name| format!(" ({name})")).unwrap_or_default();
    let what = one.diagnostics.first().unwrap_or(&one.code);
    let title = escape::line(&format!("{}{from}", rows::short(what))).into_owned();
    context.output.coloured(Colour::Bold, &title)?;
    let first = (one.first_seen.id != one.last_seen.id).then_some(&one.first_seen);
    let between = one.candidates.iter().map(|candidate| &candidate.execution);
    let checks = first.into_iter().chain([&one.last_seen]);
    let table = rows::table(false, checks.chain(between).chain([&one.resolved_by]), &context.zone);
    table.print(&mut context.output)?;
    let more = if one.checks_more { " or more" } else { "" };
    let took = time::duration(one.resolved_by.at_ms.saturating_sub(one.first_seen.at_ms));
    let checks = one.checks;
    let checks = if checks == 1 { "1 check".to_owned() } else { format!("{checks}{more} checks") };
    let changed = changed(&one.candidates, one.candidates_more);
    let said = format!("{checks} showed it; gone after {took}; changed in between: {changed}");
    context.output.line(escape::line(&said))?;
    Ok(())
}

fn changed(candidates: &[Candidate], more: bool) -> String {
    let mut paths: Vec<&str> = candidates
        .iter()
        .flat_map(|one| one.changed.iter().map(|(path, _)| path.as_str()))
        .collect();
    paths.sort_unstable();
    paths.dedup();
    if paths.is_empty() {
        return "nothing that was recorded".to_owned();
    }
    let more = if more { ", and earlier ones" } else { "" };
    format!("{}{more} (a matter of time, not a proof)", paths.join(", "))
}
