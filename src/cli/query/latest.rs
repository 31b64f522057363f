//! `annals query latest`: how the last thing went that had to do with a file.

use super::{json, list};
use crate::cli::{CliError, Context, Exit, catch_up, rows};
use crate::output::table::Table;

/// How the last thing went that had to do with a file
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files, by their path or the end of it
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let opened = catch_up::open_all(context)?;
    let several = opened.len() > 1;
    let mut found = Vec::new();
    for path in &args.paths {
        let path = list::from_root(path, context);
        for one in &opened {
            let files = one.stores.latest_outcome_for_file(&path)?;
            found.extend(files.into_iter().map(|file| (one.name.clone(), file)));
        }
    }
    if context.output.is_json() {
        let told = found.iter().map(|(journal, file)| json::file(journal, file));
        context.output.json_list(&told.collect::<Vec<_>>())?;
        return Ok(Exit::Fine);
    }
    let Some((_, first)) = found.first() else {
        context.output.line("Nothing had to do with it. Next: annals log")?;
        return Ok(Exit::Fine);
    };
    let next = format!("Next: annals show {}", list::reference(&first.last));
    let mut titles = vec!["path"];
    titles.extend(rows::TITLES);
    if several {
        titles.insert(0, rows::JOURNAL);
    }
    let mut table = Table::new(&titles);
    for (journal, file) in &found {
        let change = file.last_change.as_ref().filter(|change| change.id != file.last.id);
        for row in change.into_iter().chain([&file.last]) {
            let before = journal.iter().chain([&file.path]).map(|text| rows::short(text));
            let cells: Vec<String> = before.chain(rows::cells(row, &context.zone)).collect();
            table.row(rows::colour(row.outcome), &cells);
        }
    }
    table.print(&mut context.output)?;
    list::hint(&next, context).map(|()| Exit::Fine)
}
