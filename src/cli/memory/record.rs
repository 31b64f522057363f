//! `annals memory record`: one record of the archive.

use super::{OriginArgs, look, print};
use crate::cli::{CliError, Context, Exit};
use crate::memory::{MemoryError, query as memory};
use crate::output::escape;
use crate::output::wire::memory::Record;

/// One record of the archive, whole
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Its number
    #[arg(value_name = "RECORD")]
    id: u64,
    #[command(flatten)]
    origin: OriginArgs,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let id = args.id;
    let found = if look::is_asked(context) {
        look::each(context, |one| Ok(memory::record(&one.view, id)?))?
    } else {
        let done = crate::cli::memory::operate(&args.origin, context, |operation| {
            operation.mem_archival_get(id)
        })?;
        vec![done.done]
    };
    let found: Vec<Record> = found.iter().flatten().map(Record::of).collect();
    if found.is_empty() {
        return Err(MemoryError::NoRecord { id: id.to_string() }.into());
    }
    for record in &found {
        if context.output.is_json() {
            context.output.json(record)?;
            continue;
        }
        let tags = record.tags.join(", ");
        let at = print::local(record.ts, context);
        let head = format!("{}  {}  {at}  {tags}", record.id, record.branch);
        context.output.line(escape::line(&head))?;
        context.output.line(escape::block(&record.text))?;
    }
    Ok(Exit::Fine)
}
