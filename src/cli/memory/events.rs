//! `annals memory append`, `recall`, `evict`: recall memory.

use super::{OriginArgs, look, operate, or_given, print};
use crate::cli::{Context, Exit, Result, counted};
use crate::memory::{MemoryError, RecallGiven, query};
use crate::output::wire::OfJournal;
use crate::parse::reply::RecallEvict;

/// Append an event: what happened
///
/// Where a branch then sees too many, older ones become summaries.
#[derive(clap::Args, Debug)]
pub struct Append {
    /// The branch, or the node it stands for
    branch: String,
    /// What happened; - reads it from standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: String,
    /// Its kind: phase1_complete, coding_failed, …
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// What it refers to; may be repeated
    #[arg(long = "ref", value_name = "REF")]
    refs: Vec<String>,
    /// A tag; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    #[command(flatten)]
    origin: OriginArgs,
}

impl Append {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let given = RecallGiven {
            run_id: self.origin.run.clone(),
            node_id: self.origin.node.clone(),
            branch_id: Some(self.branch.clone()),
            phase: self.origin.phase.clone(),
            kind: self.kind,
            summary: or_given(self.text)?,
            refs: self.refs,
            tags: self.tags,
            ..RecallGiven::default()
        };
        if given.summary.trim().is_empty() {
            return Err(MemoryError::Empty { what: "the event's text" }.into());
        }
        let done = operate(&self.origin, context, |op| op.mem_recall_append(&self.branch, &given))?;
        let (id, branch) = (done.done.id, &done.done.branch);
        let mut sentence = match done.done.written {
            true => format!("Remembered event {id} on {branch}"),
            false => format!("Event {id} on {branch} says the same: nothing was recorded"),
        };
        if let Some(record) = done.done.archived_as {
            sentence += &format!("; the whole text is record {record}");
        }
        for (what, moved) in [("inherited", &done.done.inherited), ("its own", &done.done.own)] {
            if let Some(moved) = moved {
                let (events, kept) = (counted(moved.events, "event"), moved.kept);
                sentence += &format!("; {events} ({what}) became summaries, {kept} stay");
            }
        }
        done.tell(&sentence, context)
    }
}

/// Events a branch sees that have all these words, newest last
#[derive(clap::Args, Debug)]
pub struct Recall {
    /// The branch, or the node it stands for
    branch: String,
    /// Words; none: every event
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// At most so many, the newest
    #[arg(short, value_name = "COUNT", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    k: u64,
    #[command(flatten)]
    origin: OriginArgs,
}

impl Recall {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let words = self.words.join(" ");
        let found = look::seen(
            &self.branch,
            &self.origin,
            context,
            |one, branch| Ok(query::recall_search(&one.view, branch, &words, look::size(self.k))?),
            |op| op.mem_recall_search(&self.branch, &words, Some(self.k)),
        )?;
        if context.output.is_json() {
            match found.as_slice() {
                // Unlike elsewhere no journal is named where only one was asked.
                [OfJournal { journal: None, row }] => context.output.json_list(row)?,
                several => {
                    let named = several.iter().flat_map(|one| {
                        one.row.iter().map(|it| OfJournal::of(one.journal.as_deref(), it))
                    });
                    context.output.json_list(&named.collect::<Vec<_>>())?;
                }
            }
        } else if found.iter().all(|one| one.row.is_empty()) {
            context.output.line("No event has all these words, as far as the branch sees")?;
        } else {
            for one in found.iter().filter(|one| !one.row.is_empty()) {
                print::journal(one.journal.as_deref(), context)?;
                let table = print::events_table(&one.row, &self.branch, context);
                table.print(&mut context.output)?;
            }
        }
        Ok(Exit::Fine)
    }
}

/// Move events of a branch to the archive, texts kept
///
/// Exit 1 where an event was named that is another branch's (those stay) or that is not there.
#[derive(clap::Args, Debug)]
pub struct Evict {
    /// The branch, or the node it stands for
    branch: String,
    /// The events' numbers
    #[arg(value_name = "EVENT", required_unless_present_any = ["kind", "oldest"])]
    ids: Vec<u64>,
    /// Those of this kind
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// So many of the oldest
    #[arg(long, value_name = "COUNT")]
    oldest: Option<u64>,
    #[command(flatten)]
    origin: OriginArgs,
}

/// Of events that did not go so many are named.
const NAMED_MAX: usize = 10;

impl Evict {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let Self { branch, ids, kind, oldest, origin } = self;
        let which = RecallEvict { ids, kind, oldest: oldest.unwrap_or_default() };
        let done = operate(&origin, context, |op| op.evict(&branch, &which))?;
        let refused = &done.done.refused;
        let gone = counted(done.done.ids.len() as u64, "event");
        let mut sentence = format!("{gone} of {branch} went to the archive");
        for one in refused.iter().take(NAMED_MAX) {
            sentence += &format!("; {}", one.why());
        }
        if refused.len() > NAMED_MAX {
            sentence += &format!("; … {} more", refused.len() - NAMED_MAX);
        }
        done.tell(&sentence, context)?;
        Ok(if refused.is_empty() { Exit::Fine } else { Exit::Findings })
    }
}
