//! `annals memory write`, `update`, `search`, `record`: archival memory.

use serde::Serialize;

use super::look::Look;
use super::{OriginArgs, look, operate, or_given, print};
use crate::cli::{Context, Exit, Result};
use crate::memory::query::{self, ArchivalRecord, ArchivalSearch, Matching};
use crate::memory::{Memory, MemoryError, Operation};
use crate::output::{escape, time};
use crate::parse::reply::{ArchivalChange, ArchivalWrite};

/// Archive a text under a branch, found by words and tags
#[derive(clap::Args, Debug)]
pub struct Write {
    /// The branch, or the node it stands for
    branch: String,
    /// The text; - reads it from standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: String,
    /// A tag; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    #[command(flatten)]
    origin: OriginArgs,
}

impl Write {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let text = or_given(self.text)?;
        let record = ArchivalWrite { text, tags: self.tags, meta: Vec::new() };
        let done =
            operate(&self.origin, context, |op| op.mem_archival_write(&self.branch, &record))?;
        let (id, branch) = (done.done.id, &done.done.branch);
        let mut sentence = match done.done.written {
            true => format!("Archived as record {id} of {branch}"),
            false => format!("Record {id} of {branch} says the same: nothing was recorded"),
        };
        if done.done.cut {
            let last = done.done.records.last().copied().unwrap_or(id);
            sentence += &format!("; it goes on up to record {last}");
        }
        done.tell(&sentence, context)
    }
}

/// Change an archived record: its text, tags, or both
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "annals memory update <--text <TEXT>|--tag <TAG>...> [OPTIONS] <RECORD>"
)]
pub struct Update {
    /// Its number
    #[arg(value_name = "RECORD")]
    id: u64,
    /// The new text; - reads it from standard input
    #[arg(long, value_name = "TEXT", required_unless_present = "tags", allow_hyphen_values = true)]
    text: Option<String>,
    /// All of its new tags; may be repeated
    #[arg(long = "tag", id = "tags", value_name = "TAG")]
    tags: Vec<String>,
    /// Only where it is this branch's own
    #[arg(long, value_name = "BRANCH")]
    branch: Option<String>,
    #[command(flatten)]
    origin: OriginArgs,
}

#[derive(Serialize)]
struct Updated {
    id: u64,
}

impl Update {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let text = self.text.map(or_given).transpose()?;
        let tags = Some(self.tags).filter(|tags| !tags.is_empty());
        let (id, branch) = (self.id, self.branch.as_deref());
        let change = ArchivalChange { id, text, tags, meta: Vec::new() };
        let done = operate(&self.origin, context, |op| {
            op.mem_archival_update(branch, &change)?;
            Ok(Updated { id })
        })?;
        done.tell(&format!("Changed record {id}"), context)
    }
}

/// Records a branch sees that say most of these words, the best last
///
/// With `embed` in [memory] of the settings also those that mean what is asked: records that `annals memory embed`
/// made vectors of.
#[derive(clap::Args, Debug)]
pub struct Search {
    /// The branch, or the node it stands for
    branch: String,
    /// Words; none: every record
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// Any word, in whatever form, the best last; or all of them, exactly, the newest last
    #[arg(long = "match", value_name = "WHICH", default_value = "any", value_parser = matching)]
    matching: Matching,
    /// At most so many [default: what the settings say]
    #[arg(short, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    k: Option<u64>,
    /// A tag that it must have; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Only the branch's own, not what it inherits
    #[arg(long)]
    own: bool,
    #[command(flatten)]
    origin: OriginArgs,
}

fn matching(word: &str) -> Result<Matching, String> {
    Matching::parse(word).ok_or_else(|| "must be any or all".to_owned())
}

impl Search {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let (query, tags) = (self.words.join(" "), &self.tags);
        let look = |one: &Look<'_>, branch: &str| {
            let search = ArchivalSearch {
                branch,
                query: &query,
                matching: self.matching,
                k: look::size(self.k.unwrap_or(one.config.retrieval_k)),
                tags,
                include_ancestors: !self.own,
                use_fts: one.config.use_fts,
            };
            Ok(query::search(&one.view, &search)?)
        };
        let query = (query.as_str(), self.matching);
        let compare = |memory: &mut Memory<'_>| match self.matching {
            Matching::Any => Ok(memory
                .compare(query.0)?
                .map(|error| format!("{error}. Only the words were compared"))),
            Matching::All => Ok(None),
        };
        let ask = |op: &mut Operation<'_>| match self.own {
            true => op.primitive(|op| op.search_archival(&self.branch, query, self.k, false, tags)),
            false => op.search_archival(&self.branch, query, self.k, true, tags),
        };
        let found = look::seen_after(compare, &self.branch, &self.origin, context, look, ask)?;
        let found: Vec<ArchivalRecord> = found.into_iter().flat_map(|it| it.row).collect();
        if context.output.as_json_list(&found)? {
        } else if found.is_empty() {
            let text = "No record has these words and tags, as far as the branch sees";
            context.output.line(text)?;
        } else {
            let table = print::records_table(&found, &self.branch, context);
            table.print(&mut context.output)?;
        }
        Ok(Exit::Fine)
    }
}

/// One archived record in full
#[derive(clap::Args, Debug)]
pub struct Record {
    /// Its number
    #[arg(value_name = "RECORD")]
    id: u64,
    #[command(flatten)]
    origin: OriginArgs,
}

impl Record {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let id = self.id;
        let found = if look::is_asked(context) {
            look::each(context, |one| Ok(one.view.record(id)?))?
        } else {
            vec![operate(&self.origin, context, |op| op.mem_archival_get(id))?.done]
        };
        let found: Vec<ArchivalRecord> = found.into_iter().flatten().collect();
        if found.is_empty() {
            return Err(MemoryError::NoRecord { id: id.to_string() }.into());
        }
        for record in &found {
            if context.output.is_json() {
                context.output.json(record)?;
                continue;
            }
            let tags = record.tags.join(", ");
            let at = time::local(record.at_ms, &context.zone);
            context
                .output
                .line(escape::line(&format!("{}  {}  {at}  {tags}", record.id, record.branch)))?;
            context.output.line(escape::block(&record.text))?;
        }
        Ok(Exit::Fine)
    }
}
