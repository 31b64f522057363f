//! `annals memory kv`: values under keys in namespaces, nothing of which is evicted.

use serde::Serialize;

use super::keys::seconds;
use super::{OriginArgs, json_given, look, operate, print};
use crate::cli::command::verbs;
use crate::cli::rows::short;
use crate::cli::{CliError, Context, Exit, Result};
use crate::memory::state::{Filter, KvEntry, KvKey, KvSearch, StateView};
use crate::output::table::Table;
use crate::output::wire::OfJournal;
use crate::output::{escape, time};
use crate::parse::seconds::milliseconds;

/// Values under keys in namespaces, with versions; nothing is ever evicted
///
/// For frameworks that keep values of their own: a branch sees what its parent had when it was forked, and then its
/// own. Nothing of it is put into a prompt by itself.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

verbs! { enum What {
    Put(Put) => Put::run,
    Get(Get) => Get::run,
    Delete(Delete) => Delete::run,
    List(List) => List::run,
    Search(Search) => Search::run,
    History(History) => History::run,
} }

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    args.what.run(context)
}

/// A key on a branch
#[derive(clap::Args, Debug)]
struct Key {
    /// The branch, or the node it stands for
    branch: String,
    /// The key
    key: String,
    #[command(flatten)]
    place: Place,
}

#[derive(clap::Args, Debug)]
struct Place {
    /// The namespace, its labels with a / between [default: that of no label]
    #[arg(long, value_name = "LABEL/…", default_value = "", hide_default_value = true)]
    namespace: String,
}

impl Place {
    fn labels(&self) -> Vec<String> {
        self.namespace.split('/').filter(|it| !it.is_empty()).map(str::to_owned).collect()
    }
}

impl Key {
    /// Does something with the key.
    fn with<T>(&self, act: impl FnOnce(&KvKey<'_>) -> T) -> T {
        act(&KvKey { branch: &self.branch, namespace: &self.place.labels(), key: &self.key })
    }
}

/// Give a key its next version on a branch
#[derive(clap::Args, Debug)]
pub struct Put {
    #[command(flatten)]
    at: Key,
    /// The value; - reads it from standard input
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    value: String,
    /// The value is JSON, and no text
    #[arg(long)]
    as_json: bool,
    /// How long it is seen, in seconds [default: for ever]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    ttl: Option<String>,
    #[command(flatten)]
    origin: OriginArgs,
}

#[derive(Serialize)]
struct Version {
    version: u64,
}

impl Put {
    fn run(self, context: &mut Context) -> Result<Exit> {
        let value = json_given(self.value, self.as_json)?;
        let ttl_ms = self.ttl.as_deref().and_then(milliseconds);
        let done = operate(&self.origin, context, |op| {
            let version = self.at.with(|key| op.kv_put(key, &value, ttl_ms))?.version;
            Ok(Version { version })
        })?;
        let (key, branch, version) = (&self.at.key, &self.at.branch, done.done.version);
        done.tell(&format!("Put version {version} of {key} on {branch}"), context)
    }
}

/// A key's value
#[derive(clap::Args, Debug)]
pub struct Get {
    #[command(flatten)]
    at: Key,
    /// This version of it, also where it is seen no more
    #[arg(long, value_name = "NUMBER")]
    version: Option<u64>,
}

impl Get {
    fn run(self, context: &mut Context) -> Result<Exit> {
        let found = look(&self.at.branch, context, |view, branch, now_ms| {
            self.at.with(|key| {
                let key = KvKey { branch, ..*key };
                let found = match self.version {
                    Some(version) => view.version(&key, version)?,
                    None => view.get(&key, now_ms)?,
                };
                Ok(found.into_iter().collect())
            })
        })?;
        let is_none = found.is_empty();
        match found.as_slice() {
            _ if context.output.as_json_of_journals(&found)? => {}
            [] => context.output.line("No value is seen under this key")?,
            [OfJournal { journal: None, row }] => {
                context.output.line(escape::block(&shown(row)))?;
            }
            several => table(several, context)?,
        }
        Ok(if is_none { Exit::Findings } else { Exit::Fine })
    }
}

/// Delete a key from a branch on down; its versions stay
#[derive(clap::Args, Debug)]
pub struct Delete {
    #[command(flatten)]
    at: Key,
    #[command(flatten)]
    origin: OriginArgs,
}

#[derive(Serialize)]
struct Deleted {
    deleted: bool,
}

impl Delete {
    fn run(self, context: &mut Context) -> Result<Exit> {
        let done = operate(&self.origin, context, |op| {
            Ok(Deleted { deleted: self.at.with(|key| op.kv_delete(key))? })
        })?;
        let (key, branch) = (&self.at.key, &self.at.branch);
        let sentence = match done.done.deleted {
            true => format!("Deleted {key} on {branch}"),
            false => format!("{branch} sees no {key}: nothing was changed"),
        };
        done.tell(&sentence, context)
    }
}

/// The values that a branch sees, by namespace and key
#[derive(clap::Args, Debug)]
pub struct List {
    /// The branch, or the node it stands for
    branch: String,
    #[command(flatten)]
    place: Place,
}

impl List {
    fn run(self, context: &mut Context) -> Result<Exit> {
        let below = self.place.labels();
        let found = look(&self.branch, context, |view, branch, now_ms| {
            Ok(view.entries(branch, &below, now_ms)?)
        })?;
        tell(&found, "No value is seen there", context)
    }
}

/// Values that say most of these words, the best last
#[derive(clap::Args, Debug)]
pub struct Search {
    /// The branch, or the node it stands for
    branch: String,
    /// Words, in whatever form
    #[arg(value_name = "WORD", required = true)]
    words: Vec<String>,
    #[command(flatten)]
    place: Place,
    /// At most so many
    #[arg(short, value_name = "COUNT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    k: u32,
}

impl Search {
    fn run(self, context: &mut Context) -> Result<Exit> {
        let (below, query) = (self.place.labels(), self.words.join(" "));
        let mut found = look(&self.branch, context, |view, branch, now_ms| {
            let (below, query, most) = (&below[..], &query[..], self.k as usize);
            let filter = Filter::default();
            let search = KvSearch { branch, below, query, filter, skip: 0, most };
            Ok(view.search(&search, now_ms)?)
        })?;
        if !context.output.is_json() {
            found.reverse();
        }
        tell(&found, "No value has these words, as far as the branch sees", context)
    }
}

/// Every version and deletion of a key that a branch sees, the newest first
#[derive(clap::Args, Debug)]
pub struct History {
    #[command(flatten)]
    at: Key,
}

impl History {
    fn run(self, context: &mut Context) -> Result<Exit> {
        let found = look(&self.at.branch, context, |view, branch, _| {
            Ok(self.at.with(|key| view.history(&KvKey { branch, ..*key }, usize::MAX))?)
        })?;
        tell(&found, "The branch has seen nothing under this key", context)
    }
}

type Found = Vec<OfJournal<KvEntry>>;

/// Looks at the values of every journal that was asked about.
fn look(
    name: &str,
    context: &mut Context,
    mut look: impl FnMut(&StateView<'_>, &str, u64) -> Result<Vec<KvEntry>>,
) -> Result<Found, CliError> {
    let found = look::branch(name, context, |one, branch| {
        let Some(state) = one.stores.state()? else { return Ok(Vec::new()) };
        let found = look(&state.view(), branch, one.now_ms)?;
        Ok(found.into_iter().map(|it| OfJournal::of(one.journal, it)).collect())
    })?;
    Ok(found.into_iter().flat_map(|it: Found| it).collect())
}

fn tell(found: &Found, none: &str, context: &mut Context) -> Result<Exit> {
    if context.output.as_json_list(found)? {
    } else if found.is_empty() {
        context.output.line(none)?;
    } else {
        table(found, context)?;
    }
    Ok(Exit::Fine)
}

fn table(found: &[OfJournal<KvEntry>], context: &mut Context) -> Result<()> {
    for of_one in found.chunk_by(|a, b| a.journal == b.journal) {
        print::journal(of_one[0].journal.as_deref(), context)?;
        let mut table = Table::new(&["namespace", "key", ">version", "time", "value"]);
        for OfJournal { row, .. } in of_one {
            let at = time::local(row.updated_ms, &context.zone);
            let (namespace, version) = (row.namespace.join("/"), row.version.to_string());
            table.row(None, &[namespace, row.key.clone(), version, at, short(&shown(row))]);
        }
        table.print(&mut context.output)?;
    }
    Ok(())
}

/// A text as it is, else JSON.
fn shown(entry: &KvEntry) -> String {
    entry.value.as_ref().map_or_else(|| "(deleted)".to_owned(), |value| print::json(&value.0))
}
