//! `annals checks matcher`: how lines of what the project's own checks print tell of a problem.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::{Exit, Result, declare, recorded};
use crate::cli::{CliError, Context, catch_up};
use crate::event::DeclaredMatcher;
use crate::journal::{Project, RecordError};
use crate::output::escape;
use crate::output::table::{Table, cut};
use crate::parse::check::matcher::import;
use crate::parse::tasks::FILE_BYTES_MAX;

/// List the problem matchers, which tell problems in what the project's own checks print
///
/// They stand under policy.matchers in .annals/config.toml, or are taken from an editor's file.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    Add(AddArgs),
    Remove(RemoveArgs),
}

/// Take the matchers of an editor's file, in place of those taken from it before
///
/// VS Code's `problemMatcher`, alone, in .vscode/tasks.json or in an extension's package.json, and what CI
/// has in that form. What is found counts for the output of every task and own check.
#[derive(clap::Args, Debug)]
struct AddArgs {
    file: PathBuf,
}

/// Take the matchers of a name, or of a file, out again
#[derive(clap::Args, Debug)]
struct RemoveArgs {
    /// As `annals checks matcher` lists it
    name: String,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    match args.what {
        None => list(context),
        Some(What::Add(args)) => add(&args.file, context),
        Some(What::Remove(args)) => remove(&args.name, context),
    }
}

fn add(file: &Path, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    let text = read(file)?;
    let found_in = name(file, &project);
    let refused = |fault| RecordError::Checks { reason: format!("{}: {fault}", file.display()) };
    let found = import(&text, &found_in).map_err(refused)?;
    let mut list = recorded(&project)?;
    list.matchers.retain(|it| it.found_in != found_in);
    list.matchers.extend(found.matchers);
    declare(&project, list)?;
    catch_up::catch_up(&project, context);
    if !context.output.is_json() {
        for (name, table) in &found.known {
            let name = escape::line(name);
            context.output.line(format_args!("{name} is read as {table} without being told"))?;
        }
    }
    self::list(context)
}

fn remove(name: &str, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    let mut list = recorded(&project)?;
    let before = list.matchers.len();
    list.matchers.retain(|it| it.name != name && it.found_in != name);
    if list.matchers.len() == before {
        let shown = escape::line(name);
        let text = format!("{shown} is no matcher here. See: annals checks matcher");
        context.output.line(text)?;
        return Ok(Exit::Usage);
    }
    declare(&project, list)?;
    catch_up::catch_up(&project, context);
    self::list(context)
}

fn read(file: &Path) -> Result<String> {
    let failed = |source| CliError::io("read", file, source);
    let mut text = String::new();
    // A FIFO would be waited for.
    if std::fs::metadata(file).is_ok_and(|about| !about.is_file()) {
        return Err(CliError::Refused { what: "matchers are read from a regular file" });
    }
    let opened = File::open(file).map_err(failed)?;
    opened.take(FILE_BYTES_MAX as u64 + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() > FILE_BYTES_MAX {
        let reason = format!("{} has more than {FILE_BYTES_MAX} bytes", file.display());
        return Err(RecordError::Checks { reason }.into());
    }
    Ok(text)
}

/// The file's name from the project's root on, where it lies there.
fn name(file: &Path, project: &Project) -> String {
    let whole = file.canonicalize().unwrap_or_else(|_| file.to_owned()); // it was read
    let root = project.root().canonicalize().unwrap_or_else(|_| project.root().to_owned()); // the same
    whole.strip_prefix(&root).unwrap_or(&whole).to_string_lossy().into_owned()
}

/// Of a pattern, what a list shows.
const PATTERN_CHARS_MAX: usize = 60;

fn list(context: &mut Context) -> Result<Exit> {
    let matchers = recorded(&context.project()?)?.matchers;
    if context.output.as_json_list(&matchers)? {
        return Ok(Exit::Fine);
    }
    if matchers.is_empty() {
        context.output.line("No matcher is declared here. Next: annals checks matcher add FILE")?;
        return Ok(Exit::Fine);
    }
    let mut table = Table::new(&["matcher", "found in", "reads", "pattern"]);
    for DeclaredMatcher { name, found_in, programs, lines, .. } in matchers {
        let reads = if programs.is_empty() { "tasks".to_owned() } else { programs.join(", ") };
        table.row(None, &[name, found_in, reads, cut(&lines.join("  "), PATTERN_CHARS_MAX)]);
    }
    table.print(&mut context.output)?;
    Ok(Exit::Fine)
}
