//! `annals sql`: free SQL over the stores, read-only.

mod error;
mod print;

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use signal_hook::consts::SIGINT;
use signal_hook::flag;

use super::opened::Opened;
use super::{CliError, Context, Exit, feed, shown, with_causes};
use crate::store::free_sql as sql;
use crate::store::sql::{FreeSql, Limits};
use print::Printer;

pub use error::AskError;

/// Ask the stores in SQL, read-only
///
/// One journal: its files are attached as `log` (execution_log.db), `idx` (.annals/index.db), `graph`
/// (codegraph.db) and `memory` (.annals/memory.db); a plain name is looked for in that order. Several
/// (`--dir` repeated):
/// every plain name is a view over all of them, with the column `journal` first. Either way
/// `log_executions`, `idx_executions` and so on name one store's table.
///
/// Nothing can be changed: no statement but a reading one, no ATTACH, no extension. Blobs are
/// printed in hex. In CSV what would drive a terminal is written as `\u{1b}`, but for into a file.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// One statement; `-` reads it from standard input
    #[arg(value_name = "SELECT", allow_hyphen_values = true)]
    pub sql: String,
    /// Print CSV (RFC 4180; cells are data, also where they begin with `=`)
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Rows printed in a table; JSON and CSV have all
    #[arg(long, value_name = "ROWS", default_value_t = 1_000)]
    pub limit: usize,
    /// Seconds after which it is stopped; 0 for never
    #[arg(long, value_name = "SECONDS", default_value_t = TIMEOUT_S)]
    pub timeout: u64,
}

/// What one question may take where nothing else is said, seconds.
pub const TIMEOUT_S: u64 = 60;
/// The largest statement.
const SQL_BYTES_MAX: u64 = 1 << 20;
/// As a shell tells a process that SIGINT ended.
const INTERRUPTED: i32 = 130;

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let text = match args.sql.as_str() {
        "-" => {
            let mut text = String::new();
            let input = std::io::stdin().lock();
            input.take(SQL_BYTES_MAX).read_to_string(&mut text).map_err(CliError::Input)?;
            text
        }
        text => text.to_owned(),
    };
    let opened = feed::open_all(context)?;
    let stores = open(&opened, args.timeout, context)?;
    let mut printer = Printer::new(&args, &mut context.output);
    stores.ask(&text, &mut printer).map_err(|error| AskError::of(error, &text))?;
    Ok(printer.end()?)
}

/// The stores of every journal, as long as nobody interrupts and there is time.
///
/// # Errors
/// Where one cannot be read.
pub fn open(
    opened: &[Opened],
    timeout_seconds: u64,
    context: &mut Context,
) -> Result<FreeSql, CliError> {
    let journals: Vec<_> = opened
        .iter()
        .map(|one| (one.name.clone().unwrap_or_else(|| shown(&one.journal)), &one.places))
        .collect();
    let time_max = (timeout_seconds > 0).then(|| Duration::from_secs(timeout_seconds));
    let stores = sql::open(&journals, Limits { time_max, stop: stopping() })?;
    for error in &stores.left_out {
        context.output.note(format_args!("left out: {}", with_causes(error)));
    }
    Ok(stores)
}

/// Set by Ctrl-C: what was printed stays whole rows. A second one ends the process, also where
/// SQLite looks at nothing for long.
fn stopping() -> Arc<std::sync::atomic::AtomicBool> {
    let stop = Arc::default();
    // In this order: the first finds nothing set yet. Refused by the operating system, the signal
    // ends us at once.
    let _ = flag::register_conditional_shutdown(SIGINT, INTERRUPTED, Arc::clone(&stop));
    let _ = flag::register(SIGINT, Arc::clone(&stop));
    stop
}
