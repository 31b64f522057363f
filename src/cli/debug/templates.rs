//! `annals debug templates`: what helps.

use super::print;
use crate::cli::rows::{JOURNAL, short};
use crate::cli::{CliError, Context, Exit};
use crate::event::{ErrorType, RootCause};
use crate::output::table::Table;
use crate::output::wire;

/// The fixes that helped in more than seven of ten trials, by category, the best first
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A category of patterns: a root cause (null_undefined_access, off_by_one …), an error type, or one
    /// of one's own [default: all root causes and error types]
    #[arg(value_name = "CATEGORY")]
    category: Option<String>,
    /// How many of a category
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    number: usize,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let categories = match args.category {
        Some(category) => vec![category],
        None => RootCause::ALL
            .iter()
            .map(|it| it.as_str())
            .chain(ErrorType::ALL.iter().map(|it| it.as_str()))
            .map(str::to_owned)
            .collect(),
    };
    let found = crate::cli::debug::each(context, |one| {
        let mut found = Vec::new();
        for category in &categories {
            let rows = one.view.get_fix_templates(category, args.number)?.into_iter();
            found.extend(rows.map(|it| wire::DebugTemplate::of(it, one.journal)));
        }
        Ok(found)
    })?;
    if context.output.is_json() {
        context.output.json_list(&found)?;
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line(
            "No template has helped often enough yet. Next: annals debug run FILE -- COMMAND",
        )?;
        return Ok(Exit::Fine);
    }
    let mut titles = vec!["category", "pattern", ">worked", "template", "learnt in"];
    if found.iter().any(|it| it.journal.is_some()) {
        titles.insert(0, JOURNAL);
    }
    let mut table = Table::new(&titles);
    for it in found {
        let worked = match (it.successes, it.trials, it.effectiveness) {
            (Some(worked), Some(trials), _) => format!("{worked}/{trials}"),
            (_, _, Some(share)) => format!("{} %", print::percent(share * 100.0)),
            _ => String::new(),
        };
        let cells = [
            it.category.unwrap_or_default(),
            it.pattern,
            worked,
            short(&it.fix_template.unwrap_or_default()),
            it.session_id,
        ];
        let cells: Vec<String> = it.journal.into_iter().chain(cells).collect();
        table.row(None, &cells);
    }
    table.print(&mut context.output)?;
    Ok(Exit::Fine)
}
