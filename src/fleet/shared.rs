//! What several machines of one person remember of a repository, in a place that all of them reach.
//!
//! Each writes a file of its own and reads those of others: nobody writes over anybody, and nothing is taken over unasked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::{FleetError, Result};
use crate::event::wire::hex_text;
use crate::event::{Body, DebugDocument, DebugSessionId, Sequence};
use crate::journal::archive::Target;
use crate::journal::{JournalReader, Mark, ReplayItem};
use crate::repo::entry::Entry;
use crate::repo::files::EntryChange;
use crate::repo::query::RepoMemory;

const VERSION: u32 = 1;
/// Of one machine's memory of one repository.
const BYTES_MAX: u64 = 64 << 20;
/// Of one machine's memory.
const ENTRIES_MAX: usize = 20_000;
const FOLDER: &str = "_annals/repo";

/// What a machine shares of a repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shared {
    version: u32,
    /// Its journal's id, in hex, and the machine's name.
    pub journal: String,
    pub host: String,
    /// When, by its clock, Unix milliseconds.
    pub at_ms: u64,
    /// The journal's last event then, and the chain up to it in hex: by them a copy of it is told that went on elsewhere.
    through: u64,
    chain: String,
    /// What the repository is to all machines: its remote and branch, or a name that a person gives.
    pub name: String,
    /// As `memory.json` has it.
    memory: Value,
    /// Debug sessions from which something was learnt, as documents of the contract's schema.
    learnt: Vec<Value>,
}

impl Shared {
    pub fn new(
        (journal, host, at_ms): (String, String, u64),
        mark: Mark,
        name: String,
        memory: &RepoMemory,
        learnt: &[DebugDocument],
    ) -> Self {
        // Texts and numbers: there is none that could not be written.
        let memory = serde_json::to_value(memory).unwrap_or_default();
        let learnt = learnt.iter().filter_map(|it| serde_json::to_value(it).ok()).collect(); // as above
        let (through, chain) = (mark.sequence.0, hex_text(&mark.chain));
        Self { version: VERSION, journal, host, at_ms, through, chain, name, memory, learnt }
    }

    fn parse(bytes: &[u8], path: &Path, name: &str) -> Result<(Self, RepoMemory)> {
        let wrong = |what: String| FleetError::Shared { path: path.to_owned(), what };
        let read: Self = serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))?;
        if read.version != VERSION {
            let what = format!("its version is {}, and {VERSION} is read here", read.version);
            return Err(wrong(what));
        }
        if read.name != name {
            return Err(wrong(format!("it is of {:?}", read.name)));
        }
        let memory = RepoMemory::parse(read.memory.to_string().as_bytes());
        let memory = memory.map_err(|error| wrong(format!("memory: {error}")))?;
        if memory.entries().count() > ENTRIES_MAX || read.learnt.len() > ENTRIES_MAX {
            return Err(wrong(format!("it has more than {ENTRIES_MAX} entries")));
        }
        for entry in memory.entries() {
            entry.check().map_err(|error| wrong(format!("{}: {error}", entry.name())))?;
        }
        for document in &read.learnt {
            let told = serde_json::from_value::<DebugDocument>(document.clone());
            let told = told.map_err(|error| wrong(format!("learnt: {error}")))?;
            if DebugSessionId::parse(&told.session_id).is_none() {
                return Err(wrong(format!("learnt: {:?} is no session's id", told.session_id)));
            }
        }
        Ok((read, memory))
    }
}

/// Where a repository's memory lies there: by a digest of its name, since that may be anything.
fn folder(name: &str) -> String {
    let key = blake3::derive_key("annals shared repository v1", name.as_bytes());
    format!("{FOLDER}/{}", hex_text(&key[..16]))
}

/// What other machines share of a repository, those that wrote last first; and what could not be read.
///
/// # Errors
/// Where the place cannot be listed.
pub fn others(
    target: &Target,
    name: &str,
    journal: &str,
) -> Result<(Vec<(Shared, RepoMemory)>, Vec<(PathBuf, FleetError)>)> {
    let folder = folder(name);
    let (mut all, mut unread) = (Vec::new(), Vec::new());
    for file in target.names(&folder)? {
        let other = file.strip_suffix(".json").filter(|it| *it != journal && !it.starts_with('.'));
        if other.is_none() {
            continue;
        }
        let file = format!("{folder}/{file}");
        let path = target.path(&file);
        let read = target.read(&file, BYTES_MAX).map_err(FleetError::from);
        let parsed =
            read.and_then(|kept| kept.map(|it| Shared::parse(&it.bytes, &path, name)).transpose());
        match parsed {
            Ok(parsed) => all.extend(parsed),
            Err(error) => unread.push((path, error)),
        }
    }
    all.sort_by(|(one, _), (other, _)| {
        (other.at_ms, &other.journal).cmp(&(one.at_ms, &one.journal))
    });
    Ok((all, unread))
}

/// Writes what this machine shares, where it says something else by now. Whether it did.
///
/// # Errors
/// Where it cannot be written.
pub fn publish(target: &Target, shared: &Shared, reader: &JournalReader) -> Result<bool> {
    let file = format!("{}/{}.json", folder(&shared.name), shared.journal);
    let before = target.read(&file, BYTES_MAX)?;
    // One that is none is written anew.
    let before = before.and_then(|it| serde_json::from_slice::<Shared>(&it.bytes).ok());
    if let Some(before) = &before {
        let at = Sequence(before.through);
        let mark = reader.mark_at(at)?;
        if mark.is_none_or(|it| hex_text(&it.chain) != before.chain) {
            let (path, machine) = (target.path(&file), before.host.clone());
            return Err(FleetError::Forked { path, at, machine });
        }
    }
    let is_same = before.is_some_and(|it| {
        let (at_ms, through, chain) = (shared.at_ms, shared.through, shared.chain.clone());
        Shared { at_ms, through, chain, ..it } == *shared
    });
    if !is_same {
        let bytes = serde_json::to_vec_pretty(shared).unwrap_or_default(); // as in `Shared::new`
        target.put(&file, &shared.journal, &bytes)?;
    }
    Ok(!is_same)
}

/// How something stands that another machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Nothing of that id was ever here.
    New,
    /// Both have it, and they say something else.
    Differs,
    /// It was here, and was removed.
    RemovedHere,
}

/// An entry that another machine has, and this one has not so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offered {
    pub standing: Standing,
    #[serde(flatten)]
    pub change: EntryChange,
}

/// A debug session that another machine learnt from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Learnt {
    pub standing: Standing,
    pub session: String,
    pub file_path: String,
    /// What was learnt, by name.
    pub patterns: Vec<String>,
    #[serde(skip)]
    pub document: Value,
}

/// What one other machine has to offer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Offer {
    pub journal: String,
    pub host: String,
    pub at_ms: u64,
    pub entries: Vec<Offered>,
    pub learnt: Vec<Learnt>,
}

/// What the others have that this one has not so. What several of them offer alike is offered by the first alone.
///
/// # Errors
/// Where the journal cannot be read: it says what was removed.
pub fn offers(
    own: &RepoMemory,
    others: Vec<(Shared, RepoMemory)>,
    reader: &JournalReader,
    known: impl Fn(DebugSessionId) -> Result<Option<DebugDocument>>,
) -> Result<Vec<Offer>> {
    let mut here: BTreeMap<String, Entry> = own.entries().map(|it| (it.name(), it)).collect();
    let mut removed = None;
    let mut learnt_here = BTreeSet::new();
    let mut all = Vec::new();
    for (shared, memory) in others {
        let mut entries = Vec::new();
        for entry in memory.entries() {
            let name = entry.name();
            let was = here.get(&name).cloned();
            if was.as_ref() == Some(&entry) {
                continue;
            }
            let removed: &BTreeSet<String> = match &removed {
                Some(removed) => removed,
                None => removed.insert(removed_in(reader)?),
            };
            let standing = match &was {
                Some(_) => Standing::Differs,
                None if removed.contains(&name) => Standing::RemovedHere,
                None => Standing::New,
            };
            if standing == Standing::New {
                here.insert(name, entry.clone());
            }
            let change = EntryChange::of(was, Some(entry), false);
            entries.extend(change.map(|change| Offered { standing, change }));
        }
        let mut learnt = Vec::new();
        for document in shared.learnt {
            // Each was read so before.
            let Ok(read) = serde_json::from_value::<DebugDocument>(document.clone()) else {
                continue;
            };
            let Some(session) = DebugSessionId::parse(&read.session_id) else { continue };
            let standing = match known(session)? {
                Some(own) if own == read => continue,
                Some(_) => Standing::Differs,
                None => Standing::New,
            };
            if !learnt_here.insert(read.session_id.clone()) {
                continue;
            }
            let patterns =
                read.learnings.iter().flat_map(|it| it.patterns_identified.iter().flatten());
            let patterns = patterns.map(|it| it.pattern.clone()).collect();
            let (session, file_path) = (read.session_id, read.file_path);
            learnt.push(Learnt { standing, session, file_path, patterns, document });
        }
        let Shared { journal, host, at_ms, .. } = shared;
        all.push(Offer { journal, host, at_ms, entries, learnt });
    }
    Ok(all)
}

/// The entries that were ever removed here, by kind and id.
fn removed_in(reader: &JournalReader) -> Result<BTreeSet<String>> {
    let mut removed = BTreeSet::new();
    for item in reader.replay(Sequence(1), None) {
        let ReplayItem::Event(recorded) = item? else { continue };
        removed.extend(match recorded.event.body {
            Body::ConventionRemoved(it) => Some(format!("convention {}", it.id)),
            Body::DecisionRemoved(it) => Some(format!("decision {}", it.id)),
            Body::NoteRemoved(it) => Some(format!("note {}", it.id)),
            _ => None,
        });
    }
    Ok(removed)
}

/// What a remote is to all machines, however each names it: host and path.
pub fn remote_name(remote: &str) -> String {
    let rest = remote.split_once("://").map_or(remote, |(_, rest)| rest);
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    let (host, path) = match (rest.split_once(':'), rest.split_once('/')) {
        // `host:path`, as ssh has it; a port stands before a `/`.
        (Some((host, path)), _) if !path.starts_with(|it: char| it.is_ascii_digit()) => {
            (host, path)
        }
        (_, Some((host, path))) => (host.split(':').next().unwrap_or(host), path),
        _ => (rest, ""),
    };
    let path = path.trim_matches('/');
    format!("{}/{}", host.to_ascii_lowercase(), path.strip_suffix(".git").unwrap_or(path))
}
