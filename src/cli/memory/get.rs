//! `annals memory get`: the values that a branch sees.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{OriginArgs, look, print};
use crate::cli::{CliError, Context, Exit};
use crate::memory::query as memory;
use crate::output::escape;

/// The values that a branch sees; one key alone prints its value as it is
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The branch, or the node it stands for
    #[arg(value_name = "BRANCH")]
    branch: String,
    /// The keys [default: all of them]
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
    #[command(flatten)]
    origin: OriginArgs,
}

/// Keys with their values, `None` where there is none.
type Values = BTreeMap<String, Option<String>>;

/// What a branch sees in one journal; of several each is told with its name.
#[derive(Serialize)]
struct Found {
    journal: Option<String>,
    values: Values,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let keys = &args.keys;
    let found: Vec<Found> = if look::is_asked(context) {
        look::branch(&args.branch, context, |one, branch| {
            let mut seen = memory::core(&one.view, branch, one.now_ms)?;
            let values = if keys.is_empty() {
                seen.into_values().map(|it| (it.key, Some(it.value))).collect()
            } else {
                let value = |key: &String| (key.clone(), seen.remove(key).map(|it| it.value));
                keys.iter().map(value).collect()
            };
            Ok(Found { journal: one.journal.map(str::to_owned), values })
        })?
    } else {
        let done = crate::cli::memory::operate(&args.origin, context, |operation| {
            operation.mem_core_get(&args.branch, keys)
        })?;
        vec![Found { journal: None, values: done.done.into_iter().collect() }]
    };
    let missing = found.iter().all(|one| one.values.values().all(Option::is_none));
    if context.output.is_json() {
        match found.as_slice() {
            [Found { journal: None, values }] => context.output.json(values)?,
            several => context.output.json_list(several)?,
        }
    } else {
        for one in &found {
            print::journal(one.journal.as_deref(), context)?;
            show(&one.values, keys, context)?;
        }
    }
    Ok(if missing && !keys.is_empty() { Exit::Findings } else { Exit::Fine })
}

fn show(values: &Values, keys: &[String], context: &mut Context) -> Result<(), CliError> {
    if let [key] = keys
        && let Some(Some(value)) = values.get(key)
    {
        return Ok(context.output.line(escape::block(value))?);
    }
    if values.is_empty() {
        context.output.line("No key has a value there")?;
    }
    for (key, value) in values {
        let value = value.as_deref().map_or("(not set)".into(), escape::block);
        context.output.line(format_args!("{}: {value}", escape::line(key)))?;
    }
    Ok(())
}
