//! `annals export`: events, or rows of the stores, as JSON lines or CSV; what checks said, as SARIF.

mod atif;
mod destination;
pub mod events;
mod otlp;
mod parquet;
mod part;
mod sarif;
mod stores;
mod transcript;

use std::path::PathBuf;

use super::journals;
use super::{CliError, Context, Exit, Result, catch_up, counted, damage, shown, sql, written};
use crate::execution::query::exported;
use crate::grounding::exported::GATE_VERDICTS;
use crate::memory::exported::MEMORY_OPERATIONS;
use crate::store::sql::exported::Exported;
use crate::stores::exported::{LEAKS, SEEN};
use destination::Destination;
use part::PartArgs;

/// Write events or stores' rows as JSON lines or CSV, what checks said as SARIF
///
/// Rows come as they are read: memory does not grow with the journal. Times are UTC, in
/// milliseconds. CSV is RFC 4180: CRLF, a header, quoted where it must be; an empty cell is
/// null, `""` is empty text. Cells are data: one that begins with `=`, `+`, `-` or `@` is written as it
/// is, though a spreadsheet takes it for a formula: import such columns as text. What would drive a
/// terminal is written as `\u{1b}`, except in a file.
///
/// SARIF 2.1.0 is what editors and code scanning open: a run for each check, with its diagnostics and the tests that
/// failed, of the newest run of each, but for what a later check has shown to be gone; with `--all` of every run.
/// Paths are told from `%SRCROOT%`, the project's root.
///
/// The exit code is 1 where events could not be read, or rows are without contents that are gone.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    pub document: Option<Document>,
    /// How
    #[arg(value_name = "FORMAT", required = true)]
    pub form: Option<Format>,
    /// What; SARIF has checks alone
    #[arg(value_name = "WHAT", value_enum, default_value_t = What::Events, default_value_if("form", "sarif", "checks"))]
    pub what: What,
    /// Of checks every run, not what still stands
    #[arg(long)]
    pub all: bool,
    /// Export the result of this query instead (see `annals sql`)
    #[arg(long, value_name = "SELECT", conflicts_with_all = ["what", "session", "from", "to", "since", "until"])]
    pub sql: Option<String>,
    /// Of events, without what agents said and the summaries made of it
    #[arg(long, conflicts_with = "sql")]
    pub no_answers: bool,
    /// Seconds after which SQL is stopped; 0 for never
    #[arg(long, value_name = "SECONDS", default_value_t = sql::TIMEOUT_S)]
    pub timeout: u64,
    /// Write to this file: beside it first, then renamed over it
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub part: PartArgs,
}

/// A document instead of rows.
#[derive(clap::Subcommand, Debug)]
pub enum Document {
    Transcript(transcript::Args),
    Parquet(parquet::Args),
    Otlp(otlp::Args),
    Atif(atif::Args),
}

impl Args {
    fn form(&self) -> Result<Format> {
        // The command line's parser asks for it.
        self.form.ok_or(CliError::Refused { what: "name a format: jsonl, csv or sarif" })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A JSON object a line
    Jsonl,
    /// RFC 4180
    Csv,
    /// SARIF 2.1.0
    Sarif,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum What {
    /// Every event with every field, contents included
    Events,
    /// Every execution, corrected ones too, with its arguments
    Executions,
    /// Executions that ran and failed
    Failures,
    Sessions,
    /// Prompts, whole
    Prompts,
    /// What executions printed and found
    Artifacts,
    Diagnostics,
    /// Why checks failed, names and numbers masked
    FailureCauses,
    /// Tests that runs named as failed
    TestFailures,
    /// What agents said, by the tokens that it took
    Messages,
    /// The code graph's edges that executions made
    Edges,
    MemoryOperations,
    /// What the gate judged, and claims
    GateVerdicts,
    /// Losses on record, lines that could not be read
    IntegrityFindings,
    /// Records in which today's rules find a secret, by rule
    Leaks,
    /// Ends of the journal that were seen, and whether it has them
    SeenEnds,
    /// What checks said
    Checks,
}

impl What {
    /// The table that it is; `None` of what is read from the journal.
    fn table(self) -> Option<&'static Exported> {
        Some(match self {
            Self::Events | Self::Prompts | Self::Checks => return None,
            Self::Executions => &exported::EXECUTIONS,
            Self::Failures => &exported::FAILURES,
            Self::Sessions => &exported::SESSIONS,
            Self::Messages => &exported::MESSAGES,
            Self::Artifacts => &exported::ARTIFACTS,
            Self::Diagnostics => &exported::DIAGNOSTICS,
            Self::FailureCauses => &exported::FAILURE_CAUSES,
            Self::TestFailures => &exported::TEST_FAILURES,
            Self::Edges => &exported::EDGES,
            Self::MemoryOperations => &MEMORY_OPERATIONS,
            Self::GateVerdicts => &GATE_VERDICTS,
            Self::IntegrityFindings => &exported::FINDINGS,
            Self::Leaks => &LEAKS,
            Self::SeenEnds => &SEEN,
        })
    }
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    match args.document {
        Some(Document::Transcript(args)) => return transcript::run(&args, context),
        Some(Document::Parquet(args)) => return parquet::run(args, context),
        Some(Document::Otlp(args)) => return otlp::run(&args, context),
        Some(Document::Atif(args)) => return atif::run(&args, context),
        None => {}
    }
    let is_sarif = args.form()? == Format::Sarif;
    if is_sarif != (args.what == What::Checks) || is_sarif && args.sql.is_some() {
        let what =
            "what checks said is exported as SARIF, and nothing else is: annals export sarif";
        return Err(CliError::Refused { what });
    }
    if args.all && !is_sarif {
        return Err(CliError::Refused { what: "--all is for SARIF: the other exports have all" });
    }
    let (rows, exit) = match (&args.sql, args.what.table()) {
        _ if is_sarif => of_checks(&args, context)?,
        (Some(text), _) => of_sql(text, &args, context)?,
        (None, Some(table)) => of_stores(table, &args, context)?,
        (None, None) => of_journals(&args, context)?,
    };
    if let Some(path) = &args.output {
        written::remember(&context.sources()?, "export", path, context);
        let file = shown(path);
        let what = if is_sarif { "run" } else { "row" };
        context.output.note(format_args!("{} in {file}", counted(rows, what)));
    }
    Ok(exit)
}

fn of_stores(table: &Exported, args: &Args, context: &mut Context) -> Result<(u64, Exit)> {
    let opened = catch_up::open_all(context)?;
    let mut windows = Vec::new();
    for one in &opened {
        windows.push(args.part.window(&one.journal, one.reading(), context)?);
    }
    let mut destination =
        Destination::open(args.output.as_ref(), args.form()?, &mut context.output)?;
    for (one, window) in opened.iter().zip(&windows) {
        stores::write(table, one, window, &mut destination)?;
    }
    Ok((destination.close()?, Exit::Fine))
}

fn of_checks(args: &Args, context: &mut Context) -> Result<(u64, Exit)> {
    let opened = catch_up::open_all(context)?;
    let mut windows = Vec::new();
    for one in &opened {
        windows.push(args.part.window(&one.journal, one.reading(), context)?);
    }
    let mut destination =
        Destination::open(args.output.as_ref(), args.form()?, &mut context.output)?;
    let gone = sarif::write(&opened, &windows, args.all, &mut destination)?;
    let rows = destination.close()?;
    if gone == 0 {
        return Ok((rows, Exit::Fine));
    }
    context.output.note(format_args!("{} without what it said", counted(gone, "run")));
    context.output.note("try: annals verify");
    Ok((rows, Exit::Findings))
}

fn of_sql(text: &str, args: &Args, context: &mut Context) -> Result<(u64, Exit)> {
    let opened = catch_up::open_all(context)?;
    let stores = sql::open(&opened, args.timeout, context)?;
    let mut destination =
        Destination::open(args.output.as_ref(), args.form()?, &mut context.output)?;
    stores::ask(&stores, text, &mut destination)?;
    Ok((destination.close()?, Exit::Fine))
}

fn of_journals(args: &Args, context: &mut Context) -> Result<(u64, Exit)> {
    let journals = journals::named(context)?;
    for named in &journals {
        damage::ask(&named.source, context);
    }
    let mut windows = Vec::new();
    for named in &journals {
        windows.push(args.part.durable(named, context)?);
    }
    let mut exit = Exit::Fine;
    let mut destination =
        Destination::open(args.output.as_ref(), args.form()?, &mut context.output)?;
    let mut notes = Vec::new();
    for (named, window) in journals.iter().zip(windows) {
        let (unshown, lacking) = events::write(args, named, window, &mut destination)?;
        if unshown.lost.count + unshown.undecodable.count > 0 {
            exit = exit.worse(Exit::Findings);
            notes.push(format!("not all of {} could be read", shown(&named.journal)));
        }
        if lacking > 0 {
            exit = exit.worse(Exit::Findings);
            let rows = counted(lacking, "row");
            notes.push(format!("{rows} of {} without contents", shown(&named.journal)));
        }
    }
    let rows = destination.close()?;
    for note in notes {
        context.output.note(note);
        context.output.note("try: annals verify");
    }
    Ok((rows, exit))
}
