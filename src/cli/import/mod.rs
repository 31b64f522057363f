//! `annals import`: agents' transcripts into the journal.

mod watch;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use super::checkpoint::by_itself;
use super::{CliError, Context, Exit, Result, catch_up, damage, recorded};
use crate::agents::import::{ImportError, ImportReport, ImportRequest, LogSource};
use crate::agents::mapped::Mapping;
use crate::agents::settings::Home;
use crate::agents::{Agent, import};
use crate::journal::Project;
use crate::output::escape;
use crate::store::JournalFeed;
use crate::store::catch_up::{Followed, beginning, following};

/// Import agents' transcripts and other logs
///
/// Importing a file again adds only what is new, and reads no more of it where it has only grown. Lines that cannot be read are reported with file
/// and line, and the rest is imported; then it ends with 1.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// FORMAT is auto, or whose logs they are: claude-code, codex, openhands, swe-agent, atif, gemini-cli, otlp, cline,
    /// opencode, execution-log, asciinema, mcp, github-actions, aider, cursor, annals; PATHs are files or folders [default: auto,
    /// this project's own past sessions]
    #[arg(value_name = "FORMAT|PATH")]
    words: Vec<OsString>,
    /// Read every file from its beginning, also what an import before has read
    #[arg(long)]
    whole: bool,
    /// JSON lines of any agent: TOML that names what of a line is what
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
    /// Stay, and import what the PATHs grow by, until interrupted
    #[arg(long)]
    watch: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    let (is_watched, is_mapped) = (args.watch, args.mapping.is_some());
    let request = request(args, project.root())?;
    if (is_watched || is_mapped) && request.paths.is_empty() {
        let what = "--watch and --mapping want the files or folders to be named";
        return Err(CliError::Refused { what });
    }
    if is_watched {
        return watch::watch(&project, request, context);
    }
    let report = imported(&project, &request, context)?;
    if !context.output.as_json(&report)? {
        let mut text = Vec::new();
        report.write_text(&mut text)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        context.output.line(escape::block(text.trim_end()))?;
        if report.found() > 0 {
            let told = "What could not be read is on record (annals status). Mend the file and import it again, or leave it so";
            context.output.line(told)?;
        }
        context.output.line("Next: annals log, or annals sessions")?;
    }
    Ok(exit(&report))
}

fn exit(report: &ImportReport) -> Exit {
    if report.has_findings() { Exit::Findings } else { Exit::Fine }
}

/// Imports, and brings all that is made of the journal up to it.
fn imported(
    project: &Project,
    request: &ImportRequest,
    context: &mut Context,
) -> Result<ImportReport> {
    let places = crate::stores::places(project.root());
    let (report, index) = following(&places, &project.journal_dir(), || {
        import::import(project, request, &import::stderr_bar())
    });
    let report = report?;
    infer(project, index, context);
    catch_up::catch_up(project, context);
    catch_up::searched(project, context);
    by_itself::follow(project, context);
    Ok(report)
}

/// Looks through what was imported, then at every byte that was written, and meanwhile makes the stores that lack
/// nearly all of it.
fn infer(project: &Project, index: Followed, context: &mut Context) {
    let places = crate::stores::places(project.root());
    let mut inferred = || {
        recorded::inferred(project, context);
        damage::note_project(project, context);
    };
    match JournalFeed::of(project) {
        Ok(feed) => {
            // What did not come of it is done anew, or told, by who catches up.
            drop(index.adopt(&places, &feed));
            beginning(&places, &feed, inferred);
        }
        Err(_) => inferred(),
    }
}

/// What the words mean: the first is a format if it is one's name, everything else is a path.
fn request(args: Args, root: &std::path::Path) -> Result<ImportRequest> {
    let Args { mut words, whole, mapping, watch: _ } = args;
    let first = words.first().and_then(|word| word.to_str());
    let format = first.and_then(LogSource::named);
    if format.is_some() || first == Some("auto") {
        words.remove(0);
    }
    let paths = words.into_iter().map(PathBuf::from).collect();
    let mapping =
        mapping.map(|path| Mapping::read(&path)).transpose().map_err(ImportError::from)?;
    let mapping = mapping.map(Arc::new);
    Ok(ImportRequest { format, paths, whole, mapping, ..past(root) })
}

pub fn past(root: &std::path::Path) -> ImportRequest {
    let home = Home::of_environment();
    let folder = |agent: &Agent| Some((*agent, home.folder(*agent)?));
    ImportRequest {
        homes: Agent::ALL.iter().filter_map(folder).collect(),
        root: Some(root.to_owned()),
        ..ImportRequest::default()
    }
}
