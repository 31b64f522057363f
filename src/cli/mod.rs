//! The command line: one command a file, its `Args`' doc comment its help, and one function.

mod archive;
mod ask;
mod asked_copy;
mod bare;
mod blame;
mod bundle;
pub(crate) mod catch_up;
mod check_proof;
mod checkpoint;
mod checks;
mod claim;
mod command;
mod completions;
mod context;
pub(crate) mod damage;
pub(crate) mod debug;
mod diff;
mod disable;
mod duckdb;
mod enable;
mod error;
pub(crate) mod exit;
mod export;
mod exported_tables;
mod failures;
mod fetch;
mod fleet;
mod forget;
mod forks;
pub(crate) mod gate;
pub(crate) mod grounded;
mod groups;
mod hook;
mod import;
mod init;
mod inspect;
pub(crate) mod journals;
mod key;
mod log;
mod man;
pub(crate) mod memory;
mod merge;
pub(crate) mod narrow;
mod pack;
mod phases;
mod pipe;
mod prove;
pub(crate) mod query;
mod quote;
mod rebuild;
pub(crate) mod record;
mod recorded;
mod redact;
mod repair;
mod replay;
pub(crate) mod repo;
mod report;
pub(crate) mod rows;
pub(crate) mod run;
mod salvage;
mod scan;
mod seal;
pub(crate) mod search;
mod seen;
pub(crate) mod session;
mod sessions;
mod ship;
pub(crate) mod show;
mod signed;
mod sql;
mod stats;
mod status;
pub(crate) mod step;
mod timeline;
pub(crate) mod tool;
mod tour;
pub(crate) mod trace;
mod trust;
pub(crate) mod tui;
mod unfinished;
mod verify;
mod written;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use command::{Command, Named};
pub use context::Context;
pub use error::{CliError, Result};
pub use exit::Exit;

pub use crate::output::escape::with_causes;

use crate::journal::Project;
use crate::output::escape;

/// The flight recorder of coding agents
///
/// Every tool call is appended to one checksummed, locked, tamper-evident journal. Everything else
/// can be deleted and rebuilt from it.
#[derive(Parser, Debug)]
#[command(name = "annals", version, disable_help_subcommand = true, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 fine, 1 findings, 2 usage or refused input, 3 the journal is \
damaged, 4 locked, 5 I/O error, 6 the journal is not the one that was seen; `run` exits with its command's code."
)]
pub struct Cli<C: Subcommand = Command> {
    #[command(flatten)]
    global: context::GlobalArgs,
    #[command(subcommand)]
    command: Option<C>,
}

impl Cli {
    fn of_words(words: Vec<OsString>) -> Result<Self, clap::Error> {
        if groups::asks_help(&words) {
            let parser = groups::grouped(Self::command(), &words);
            return Self::from_arg_matches(&parser.try_get_matches_from(words)?);
        }
        let parser = command::filled(Cli::<Named>::command(), &words);
        let found = parser.try_get_matches_from(words)?;
        let Cli { global, command } = Cli::<Named>::from_arg_matches(&found)?;
        Ok(Self { global, command: command.map(|Named(command)| command) })
    }
}

/// The surfaces that commands open, handed down by who starts the program: none of them knows another.
#[derive(Clone, Copy, Debug)]
pub struct Surfaces {
    /// Answers requests on standard input, for this session unless they name one, until it ends.
    pub pipe: fn(Option<&str>, &Project, &mut Context) -> Result<()>,
    /// Shows the timeline until somebody leaves; `None`: this build has no screen.
    pub screen: Option<fn(tui::Args, &mut Context) -> Result<Exit>>,
}

/// Parses, runs, and says how it ended.
pub fn main(surfaces: Surfaces) -> ExitCode {
    let words = groups::helped(std::env::args_os().collect());
    if hook::is_asked(&words) {
        return hook::main(&words);
    }
    let cli = match Cli::of_words(words) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and usage errors; where nobody reads them there is nobody to tell.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Fine.into() };
        }
    };
    survive_file_size_limit();
    let mut context = match Context::new(cli.global, surfaces) {
        Ok(context) => context,
        Err(error) => return error.exit().into(),
    };
    let owed = cli.command.as_ref().map(|command| {
        archive::begin(command, &context);
        trust::note(command, &mut context);
        damage::begin(command, &mut context)
    });
    let ended = dispatch(cli.command, &mut context)
        .and_then(|exit| context.output.flush().map(|()| exit).map_err(CliError::from));
    // An error that says so says it once.
    let is_said = ended.as_ref().is_err_and(|error| error.exit() == Exit::Contradicted);
    if let Some(owed) = owed.filter(|_| !is_said) {
        owed.settle(&mut context);
    }
    match ended {
        Ok(exit) => context.contradiction.judge(context.damage.judge(exit)).into(),
        Err(error) if error.is_broken_pipe() => Exit::Fine.into(),
        Err(error) => {
            // What was printed before belongs before the error.
            let _ = context.output.flush();
            report(&error, &mut context);
            context.damage.judge(error.exit()).into()
        }
    }
}

/// A write beyond `ulimit -f` shall come back as an error instead of ending us: what a child does
/// goes on. Caught, not ignored, since children inherit what is ignored.
fn survive_file_size_limit() {
    // Refused by the operating system, the signal does what it does by default.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Does what these words after `annals` say; flags of all commands in them count for nothing.
fn execute(words: &[&str], context: &mut Context) -> Result<Exit> {
    let words = std::iter::once("annals").chain(words.iter().copied());
    let parsed = Cli::of_words(words.map(OsString::from).collect());
    let parsed = parsed.map_err(|_| CliError::Claim { claim: "these words are a command" })?;
    dispatch(parsed.command, context)
}

fn dispatch(command: Option<Command>, context: &mut Context) -> Result<Exit> {
    match command {
        Some(command) => command.run(context),
        None => bare::run(context),
    }
}

/// The error, its causes, and what to do: on standard error.
fn report(error: &CliError, context: &mut Context) {
    let (said, hint) = error.said();
    context.output.note(said);
    if let Some(hint) = hint {
        context.output.note(format_args!("try: {hint}"));
    }
}

pub fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// A path as it is shown: escaped.
pub fn shown(path: &Path) -> String {
    escape::line(&path.to_string_lossy()).into_owned()
}
