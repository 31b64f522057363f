//! `annals memory get`: the values that a branch sees.

use std::collections::BTreeMap;

use super::look;
use super::origin::OriginArgs;
use super::work;
use crate::query::memory;
use crate::surface::cli::{CliError, Context, Exit};
use crate::surface::escape;

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

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let keys = &args.keys;
    let found: Vec<Values> = if look::is_asked(context) {
        look::branch(&args.branch, context, |one, branch| {
            let mut seen = memory::core(&one.view, branch, one.now_ms)?;
            if keys.is_empty() {
                return Ok(seen.into_values().map(|it| (it.key, Some(it.value))).collect());
            }
            let value = |key: &String| (key.clone(), seen.remove(key).map(|it| it.value));
            Ok(keys.iter().map(value).collect())
        })?
    } else {
        let done = work::operate(&args.origin, context, |operation| {
            operation.mem_core_get(&args.branch, keys)
        })?;
        vec![done.done.into_iter().collect()]
    };
    let missing = found.iter().all(|values| values.values().all(Option::is_none));
    if context.output.is_json() {
        match found.as_slice() {
            [one] => context.output.json(one)?,
            several => context.output.json_list(several)?,
        }
    } else {
        for values in &found {
            print(values, keys, context)?;
        }
    }
    Ok(if missing && !keys.is_empty() { Exit::Findings } else { Exit::Fine })
}

fn print(values: &Values, keys: &[String], context: &mut Context) -> Result<(), CliError> {
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
