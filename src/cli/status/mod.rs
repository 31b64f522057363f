//! `annals status`: how the journal and the stores stand, and what to run next.

mod agent_lines;
mod agents;
mod gather;
mod print;
mod repos;

use std::path::PathBuf;

use serde::Serialize;

use super::{Context, Exit, Result, catch_up, damage, journals};
use crate::event::{Sequence, wire as json};
use crate::execution::query::{Counts, StoredAnomaly};
use crate::journal::{Project, Reading};
use crate::output::wire;
use crate::store::evidence::FoundStore;
use crate::store::look::Depth;
use crate::store::{Digest, Quarantined};

/// The state of journal and stores, and what to run next
///
/// Of each agent: whether its hooks are installed and when one last fired, how many calls of its
/// transcripts are on record, what the gate denied, and what ran although it was denied.
///
/// Of a copy: whether the stores that lie in it hold what its journal says. The exit code is 1 where
/// a store lags or was found broken, something is wrong (settings that cannot be read, too) or a loss is recorded, 5 where an
/// archive is away, 6 where the journal is not the one that was seen, 3 where it is damaged: every byte
/// that changed since it was last looked at is read, and a store that another program changed is held
/// against the journal.
#[derive(clap::Args, Debug, Default)]
pub struct Args {
    /// Digest the stores' content too: equal digests, equal content
    #[arg(long)]
    pub digest: bool,
    /// Hold every transcript of an agent against the journal, not only the newest ones
    #[arg(long)]
    pub coverage: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let sources = context.sources()?;
    let several = sources.len() > 1;
    let (mut list, mut exit) = (Vec::new(), Exit::Fine);
    for (source, name) in sources.iter().zip(journals::names(&sources)) {
        let mut look = damage::look_whole(source, context);
        let (mut status, found) = match source.reading(context.evidence) {
            Reading::Live if context.at.is_none() => {
                catch_up::settle_doubts(source, Depth::Whole, context);
                let root = source.root.as_deref().unwrap_or(&source.given);
                catch_up::catch_up_to_ask(&Project::open(root)?, context);
                // That opens the journal, which may have mended it.
                look.is_mendable = look.is_mendable && damage::is_mendable(source, context);
                gather::live(source, &args, &look, context)?
            }
            _ => {
                let opened = catch_up::open(source, several, context);
                gather::built(source, opened, &args, &look, context)?
            }
        };
        let root = source.root.as_deref().unwrap_or(&source.given);
        let was_broken = context.contradiction.was_broken(root);
        status.fine &= !was_broken;
        exit = exit.worse(found).worse(if was_broken { Exit::Findings } else { Exit::Fine });
        status.next = status.next.replacen("annals verify", &damage::verifying(source, context), 1);
        status.name = several.then_some(name);
        list.push(status);
    }
    if context.output.as_json_of_journals(&list)? {
        return Ok(exit);
    }
    for (at, status) in list.iter().enumerate() {
        if at > 0 {
            context.output.blank()?;
        }
        print::status(status, &mut context.output)?;
    }
    Ok(exit)
}

/// The state of a project, as `--json` prints it.
#[derive(Debug, Default, Serialize)]
struct Status {
    root: String,
    /// Its name among several; `null` where one was asked.
    name: Option<String>,
    /// Nothing of it is written, and no lock taken.
    evidence: bool,
    /// As of which event, with `--at`.
    at: Option<Sequence>,
    journal: Health,
    stores: Vec<Row>,
    /// Of evidence: the stores that lie in the copy.
    found: Vec<FoundStore>,
    /// Stores that were set aside; `null` where there is no project.
    quarantine: Option<Quarantined>,
    /// `null` where nothing was signed, and there is no key.
    checkpoint: Option<SignedSoFar>,
    /// What is wrong with the user's own settings: nothing of them counts until it is corrected.
    settings: Option<String>,
    /// What lies where annals has a folder and is none.
    in_the_way: Vec<String>,
    /// The agents that are used here; none of evidence.
    agents: Vec<wire::Agent>,
    unseen: Vec<Unseen>,
    /// `null` where the stores cannot be read.
    counts: Option<Counts>,
    /// The project's own checks.
    checks: Option<super::checks::Checks>,
    /// The last ones.
    anomalies: Vec<StoredAnomaly>,
    /// What was acknowledged and is lost, as events of the journal tell for ever: the last ones.
    losses: Vec<StoredAnomaly>,
    /// Whether nothing needs a person's eye.
    fine: bool,
    next: String,
}

/// The checkpoints of a journal.
#[derive(Debug, Serialize)]
struct SignedSoFar {
    /// Records that the last one vouches for; `null` where none was signed yet.
    size: Option<u64>,
    /// Its last event.
    sequence: Option<u64>,
    /// Whose key signs the next: its name; `null` where there is none.
    key: Option<String>,
    /// How that is kept: `open`, `passphrase`, `ssh` or `epochs`.
    kind: Option<&'static str>,
    /// Whether the next is signed without anybody asking for it.
    automatic: bool,
}

/// Open calls of a session whose agent cannot be looked at from here: nobody closes them unasked.
#[derive(Debug, Serialize)]
struct Unseen {
    /// The agent's own name of it.
    session: String,
    agent: String,
    calls: u64,
    /// The command that closes them, once the agent is gone.
    close: String,
}

#[derive(Debug, Default, Serialize)]
struct Health {
    #[serde(serialize_with = "json::path")]
    path: PathBuf,
    /// Its id; `null` where it cannot be read.
    journal: Option<String>,
    sequence: Option<Sequence>,
    segments: u64,
    /// Of the segments, the space filled ahead included.
    bytes: u64,
    /// Segments that lie in archives, and the files of those that are not there now; no address is asked.
    archived: u64,
    archived_away: Vec<String>,
    /// What was cut or replaced and is kept.
    quarantined: u64,
    quarantined_bytes: u64,
    /// What was durable and is lost or changed, by every byte that changed since it was last looked
    /// at.
    damage: Vec<String>,
    /// How it is not the journal that was seen; `null` where it is.
    contradiction: Option<String>,
    /// Why nothing that is seen can be remembered; `null` where it can.
    unseen: Option<String>,
    /// What does not hold though nothing is lost by it.
    flaws: Vec<String>,
    /// What is wrong with its `LOCK`; none of evidence, which needs none.
    lock: Option<&'static str>,
    /// Why nothing may be appended to its newest segment; none of evidence.
    segment: Option<String>,
    problem: Option<String>,
}

/// A derived store, or the files of a repository's memory.
#[derive(Debug, Serialize)]
struct Row {
    store: String,
    #[serde(serialize_with = "json::path")]
    path: PathBuf,
    sequence: Option<Sequence>,
    /// Events it does not have yet; `null` where it must be rebuilt.
    lag: Option<u64>,
    /// Why it lags, or cannot be read.
    problem: Option<String>,
    #[serde(serialize_with = "json::text_or_null")]
    digest: Option<Digest>,
}
