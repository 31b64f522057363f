//! `annals export parquet`: the tables that other programs read, in a folder.

use std::path::PathBuf;

use crate::cli::{Context, Exit, Result};

/// Write the tables that other programs read as Parquet files, and what changed since the last time
///
/// `DIR/TABLE/machine=MACHINE/day=DAY/JOURNAL.parquet` has all rows of a day: a folder that DuckDB, Spark and others read as one
/// table, partitioned as Hive does it. `docs/exported.md` tells the tables and their columns; each file says them too.
/// Any number of journals may be written into one folder, by any number of machines.
///
/// The next time only days are written whose rows are others by now; each file appears whole or not at all, and an export that
/// was killed goes on where it was. Where something was redacted since, every file is written anew. A journal whose history is
/// another than the one that was exported is refused.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The folder; made where there is none
    #[arg(value_name = "DIR")]
    pub to: PathBuf,
    /// Write every file, whatever lies there; not those of another history of the journal
    #[arg(long)]
    pub anew: bool,
}

#[cfg(not(feature = "parquet"))]
pub fn run(_: Args, _: &mut Context) -> Result<Exit> {
    let what = "this build writes no Parquet: cargo install --path . --features parquet; CSV and JSON lines it writes";
    Err(crate::cli::CliError::Refused { what })
}

#[cfg(feature = "parquet")]
pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    use crate::cli::{CliError, catch_up, counted, exported_tables, shown, written};
    use crate::journal::JournalReader;
    use crate::journal::archive::Target;
    use crate::stores::exported::{EXPORTED, folder};

    let opened = catch_up::open_all(context)?;
    let target = Target::of(&args.to, None)?;
    let mut reports = Vec::new();
    let mut exit = Exit::Fine;
    for one in &opened {
        let journal = exported_tables::journal(one, EXPORTED)?;
        let reader = JournalReader::reading(&one.journal, one.reading())?;
        match folder::export(&target, &journal, &reader, args.anew) {
            Ok(report) => reports.push(report),
            // One journal keeps none of the others back.
            Err(error) if opened.len() > 1 => {
                exit = exit.worse(context.left_out(shown(&one.journal), &CliError::from(error)));
            }
            Err(error) => return Err(error.into()),
        }
    }
    written::remember(&context.sources()?, "export", &args.to, context);
    if context.output.as_json(&reports)? {
        return Ok(exit);
    }
    for report in &reports {
        let sum = |of: fn(&folder::TableReport) -> u64| report.tables.iter().map(of).sum::<u64>();
        let rows = report.tables.iter().map(|it| it.rows).sum::<i64>();
        let (written, kept) = (sum(|it| it.written), sum(|it| it.kept + it.removed));
        context.output.line(format_args!(
            "{}: {} through event {}, {} written, {kept} as they were",
            report.journal,
            counted(u64::try_from(rows).unwrap_or(0), "row"),
            report.through,
            counted(written, "file"),
        ))?;
    }
    context.output.note(format_args!("in {}", shown(&args.to)));
    Ok(exit)
}
