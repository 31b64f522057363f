//! `annals import`: agents' transcripts into the journal.

use std::path::PathBuf;

use super::{CliError, Context, Exit, feed};
use crate::surface::import::{self, Bar, Format, ImportRequest};

/// Import agents' transcripts
///
/// The same file twice adds nothing; a grown file adds its growth. Lines that cannot be read are
/// told with file and line, and the rest is imported.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// auto or claude-code
    #[arg(value_name = "FORMAT", default_value = "auto", value_parser = format)]
    format: Format,
    /// Files or folders [default: this project's own past sessions]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let project = context.project()?;
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let config = std::env::var_os("CLAUDE_CONFIG_DIR").map(PathBuf::from);
    let past_sessions =
        import::past_sessions(config.as_deref(), home.as_deref(), project.root());
    let request = ImportRequest { format: args.format, paths: args.paths, past_sessions };
    let report = import::import(&project, &request, &mut Bar::stderr())?;
    let caught_up = feed::catch_up(&project, context);
    if context.output.is_json() {
        context.output.json(&report)?;
    } else {
        let mut text = Vec::new();
        report.write_text(&mut text)?;
        context.output.line(String::from_utf8_lossy(&text).trim_end())?;
        context.output.line("Next: annals log, or annals sessions")?;
    }
    Ok(caught_up)
}

fn format(name: &str) -> Result<Format, &'static str> {
    Format::parse(name).ok_or("formats are auto and claude-code")
}
