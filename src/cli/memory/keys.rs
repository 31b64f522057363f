//! `annals memory get`, `set`, `del`: core memory.

use std::collections::BTreeMap;

use serde::Serialize;

use super::look::Look;
use super::{OriginArgs, look, operate, or_given, print};
use crate::cli::{Context, Exit, Result};
use crate::memory::query;
use crate::output::escape;
use crate::output::wire::OfJournal;
use crate::parse::seconds::is_while;

/// Values a branch sees; one key alone prints its bare value
#[derive(clap::Args, Debug)]
pub struct Get {
    /// The branch, or the node it stands for
    branch: String,
    /// The keys [default: all of them]
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
    #[command(flatten)]
    origin: OriginArgs,
}

/// What a branch sees; of several journals each is told with its name.
#[derive(Serialize)]
struct Found {
    /// `None` where a key has no value.
    values: BTreeMap<String, Option<String>>,
}

impl Get {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let keys = &self.keys;
        let looked = |one: &Look<'_>, branch: &str| {
            let mut seen = query::core(&one.view, branch, one.now_ms)?;
            let values = if keys.is_empty() {
                seen.into_values().map(|it| (it.key, Some(it.value))).collect()
            } else {
                let value = |key: &String| (key.clone(), seen.remove(key).map(|it| it.value));
                keys.iter().map(value).collect()
            };
            Ok(Found { values })
        };
        let found = look::seen(&self.branch, &self.origin, context, looked, |op| {
            Ok(Found { values: op.mem_core_get(&self.branch, keys)?.into_iter().collect() })
        })?;
        if context.output.is_json() {
            match found.as_slice() {
                [OfJournal { journal: None, row }] => context.output.json(&row.values)?,
                several => context.output.json_list(several)?,
            }
        } else {
            for one in &found {
                print::journal(one.journal.as_deref(), context)?;
                one.row.print(keys, context)?;
            }
        }
        let missing = found.iter().all(|one| one.row.values.values().all(Option::is_none));
        Ok(if missing && !keys.is_empty() { Exit::Findings } else { Exit::Fine })
    }
}

impl Found {
    fn print(&self, keys: &[String], context: &mut Context) -> Result<()> {
        if let [key] = keys
            && let Some(Some(value)) = self.values.get(key)
        {
            return Ok(context.output.line(escape::block(value))?);
        }
        if self.values.is_empty() {
            context.output.line("No key has a value there")?;
        }
        for (key, value) in &self.values {
            let value = value.as_deref().map_or("(not set)".into(), escape::block);
            context.output.line(format_args!("{}: {value}", escape::line(key)))?;
        }
        Ok(())
    }
}

/// Set a key on a branch; its ancestors keep theirs
///
/// Where the branch's keys take more than their budget then, the least important go to the archive.
#[derive(clap::Args, Debug)]
pub struct Set {
    /// The branch, or the node it stands for
    branch: String,
    /// The key
    key: String,
    /// The value; - reads it from standard input
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    value: String,
    /// What it is worth: 1 (goes first) to 5
    #[arg(long, value_name = "1-5", default_value_t = 3, value_parser = clap::value_parser!(i64).range(1..=5))]
    importance: i64,
    /// How long it holds, in seconds [default: for ever]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    ttl: Option<String>,
    #[command(flatten)]
    origin: OriginArgs,
}

pub(super) fn seconds(text: &str) -> Result<String, String> {
    match is_while(text) {
        true => Ok(text.trim().to_owned()),
        false => Err("must be a number of seconds above 0, as 600 or 0.5".to_owned()),
    }
}

impl Set {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let value = or_given(self.value)?;
        let (branch, key, ttl) = (&self.branch, &self.key, self.ttl.as_deref());
        let done = operate(&self.origin, context, |op| {
            op.set_core(branch, key, &value, ttl, Some(self.importance))
        })?;
        let mut sentence = format!("Set {key} on {branch}");
        if let Some(record) = done.done.archived_as {
            sentence += &format!("; the whole value is in the archive, from record {record} on");
        }
        for gone in &done.done.evicted {
            sentence += &format!("; {} went to the archive as {}", gone.key, gone.record);
        }
        done.tell(&sentence, context)
    }
}

/// Delete a key on a branch, and hide the inherited value from there down
#[derive(clap::Args, Debug)]
pub struct Del {
    /// The branch, or the node it stands for
    branch: String,
    /// The key
    key: String,
    #[command(flatten)]
    origin: OriginArgs,
}

#[derive(Serialize)]
struct Deleted {
    deleted: bool,
}

impl Del {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let (branch, key) = (&self.branch, &self.key);
        let done = operate(&self.origin, context, |op| {
            Ok(Deleted { deleted: op.mem_core_del(branch, key)? })
        })?;
        let sentence = match done.done.deleted {
            true => format!("Deleted {key} on {branch}"),
            false => format!("{branch} sees no {key}: nothing was changed"),
        };
        done.tell(&sentence, context)
    }
}
