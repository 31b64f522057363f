//! `annals memory branches`: the branches there are.

use super::{look, print};
use crate::cli::{CliError, Context, Exit, rows};
use crate::memory::query as memory;
use crate::output::table::Table;
use crate::output::{time, wire};

/// The branches there are, the oldest first
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Only this branch and what was forked from it
    #[arg(value_name = "BRANCH")]
    below: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let mut found = look::each(context, |one| {
        let told = |row: &memory::BranchSummary| wire::memory::Branch {
            journal: one.journal.map(str::to_owned),
            ..wire::memory::Branch::of(row)
        };
        let all: Vec<_> = memory::branches(&one.view)?.iter().map(told).collect();
        match &args.below {
            None => Ok(all),
            Some(name) => {
                let top = memory::branch_of(&one.view, name)?;
                Ok(below(all, top.as_deref()))
            }
        }
    })?
    .into_iter()
    .flatten()
    .collect::<Vec<_>>();
    if let (Some(name), true) = (&args.below, found.is_empty()) {
        return Err(crate::memory::MemoryError::NoBranch { name: name.clone() }.into());
    }
    if context.output.is_json() {
        context.output.json_list(&found)?;
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        let text = "Nothing is remembered yet. Next: annals memory fork NAME";
        context.output.line(text)?;
        return Ok(Exit::Fine);
    }
    let several = found.iter().any(|row| row.journal.is_some());
    let mut titles =
        vec!["branch", "parent", "node", "forked", ">children", ">core", ">recall", ">archival"];
    if several {
        titles.insert(0, rows::JOURNAL);
    }
    let mut table = Table::new(&titles);
    for row in &mut found {
        let created = row.created.as_deref().and_then(print::millis);
        let node = row.node.take().filter(|node| *node != row.branch);
        let cells = [
            row.branch.clone(),
            row.parent.take().unwrap_or_default(),
            node.unwrap_or_default(),
            created.map(|at_ms| time::local(at_ms, &context.zone)).unwrap_or_default(),
            row.children.to_string(),
            row.core.to_string(),
            row.recall.to_string(),
            row.archival.to_string(),
        ];
        let cells: Vec<String> = row.journal.take().into_iter().chain(cells).collect();
        table.row(None, &cells);
    }
    table.print(&mut context.output)?;
    Ok(Exit::Fine)
}

/// A branch and what was forked from it, in the order in which all stand. A parent stands before its
/// children.
fn below(all: Vec<wire::memory::Branch>, top: Option<&str>) -> Vec<wire::memory::Branch> {
    let Some(top) = top else { return Vec::new() };
    let mut inside = std::collections::BTreeSet::from([top.to_owned()]);
    let mut found = Vec::new();
    for branch in all {
        let under = branch.parent.as_ref().is_some_and(|parent| inside.contains(parent));
        if branch.branch == top || under {
            inside.insert(branch.branch.clone());
            found.push(branch);
        }
    }
    found
}
