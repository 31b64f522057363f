//! `annals seen`: how far this user's programs saw each journal go.

use std::path::{Path, PathBuf};

use super::command::verbs;
use super::{CliError, Context, Exit, Result, shown};
use crate::journal::trust::seen;
use crate::journal::trust::seen::{LastSeen, SeenRow};
use crate::journal::{JournalReader, Project, Reading, enclosure, recorded_losses};
use crate::output::escape;
use crate::stores::source::journal_path;

/// Show how far each journal was seen to go, and accept one that is not what it was
///
/// Whoever writes or reads a journal remembers its end in `$XDG_STATE_HOME/annals`
/// (`~/.local/state/annals`), outside of the project. A journal that does not contain what was seen of it any more
/// was cut, rewritten or forked, or an older copy was put in its place: `verify`, `status` and every question say
/// so (exit code 6), and nothing is built over its stores, until `forget` accepts it as it is.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

verbs! {
    enum Verb {
        /// List what was seen of every journal
        List(None) => list,
        /// Take this journal as it is now for the one that was seen
        ///
        /// For a backup that was put back on purpose. What was seen before stays on record in the
        /// journal.
        Forget(Forget) => forget,
        /// Write what was seen, for `annals verify --seen FILE` elsewhere
        ///
        /// One JSON object a line, on standard output.
        Export(None) => export,
    }
}

#[derive(clap::Args, Debug)]
struct None {}

#[derive(clap::Args, Debug)]
struct Forget {
    /// A project or a journal's folder [default: this project]
    path: Option<PathBuf>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    args.verb.run(context)
}

fn list(_: None, context: &mut Context) -> Result<Exit> {
    let rows: Vec<_> = seen::every().iter().map(SeenRow::from).collect();
    if context.output.as_json_list(&rows)? {
        return Ok(Exit::Fine);
    }
    for row in &rows {
        let folder = escape::line(&row.folder);
        context.output.line(format_args!(
            "{}  @{}  {folder}",
            row.journal.get(..8).unwrap_or_default(),
            row.sequence
        ))?;
    }
    if rows.is_empty() {
        context.output.line("No journal was seen yet.")?;
    }
    Ok(Exit::Fine)
}

fn export(_: None, context: &mut Context) -> Result<Exit> {
    for seen in seen::every() {
        context.output.json_line(&SeenRow::from(&seen))?;
    }
    Ok(Exit::Fine)
}

fn forget(args: Forget, context: &mut Context) -> Result<Exit> {
    let given = args.path.unwrap_or_else(|| context.start.clone());
    super::damage::must_have_journal(&given)?;
    let journal = journal_path(&given);
    let found = seen::contradiction(&journal, Reading::Live);
    if found.is_some()
        && let Ok(project) = Project::open(&given)
        && project.is_at_home()
    {
        // What was seen is put on record, and what is lost, before it is forgotten.
        project.journal()?;
    }
    let reader = JournalReader::open(&journal)?;
    seen::accept(&journal, &reader).map_err(|source| CliError::io("remember", &journal, source))?;
    let has_loss = found.is_some() && !recorded_losses(&journal, Reading::Live, 0)?.is_empty();
    let (end, path) = (reader.mark().sequence.0, shown(&given));
    let what = match found {
        Some(found) => format!("accepted, though it was {found}"),
        None => "it was what had been seen".to_owned(),
    };
    context.output.line(format_args!("{path}: seen up to @{end}; {}", escape::line(&what)))?;
    if has_loss {
        context
            .output
            .line("  what is lost by that stays on record: annals verify tells it from now on, and ends with 1")?;
    }
    Ok(Exit::Fine)
}

/// What an exported file says.
pub fn read(path: &Path) -> Result<Vec<LastSeen>> {
    const BYTES_MAX: u64 = 16 << 20;
    let bytes = enclosure::read(path, BYTES_MAX);
    let bytes = bytes.map_err(|source| CliError::io("read", path, source))?;
    let text = String::from_utf8_lossy(&bytes);
    let row = |(at, line): (usize, &str)| {
        SeenRow::parse(line).ok_or(CliError::NotSeen { path: path.to_owned(), line: at + 1 })
    };
    text.lines().enumerate().map(row).collect()
}
