//! A memory that another program kept, moved here: as events, each at the time it happened.

mod moved;
mod plan;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::limits::COMMIT_BYTES_MAX;
use super::{Asker, Memory, Result};
use crate::event::{MemoryDoor, MemoryOrigin, SessionId, wire};
use crate::execution::AskedStores;
use crate::journal::{Project, clock, enclosure};
use crate::memory::query::{CoreGone, core_gone};
use crate::memory::store::foreign::{ForeignMemory, Written};
use crate::memory::store::{MemoryView, foreign};
use crate::store::catch_up::catch_up;
use crate::store::evidence::Cache;
use crate::store::{JournalFeed, StoreError, StorePlaces};
use moved::Moving;
use plan::Given;

/// Items that one commit takes, at most.
const COMMIT_ITEMS_MAX: usize = 2_000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MemoryImport {
    pub branches: u64,
    pub core: u64,
    pub events: u64,
    pub records: u64,
    pub summaries: u64,
    /// What is here already, or was imported before.
    pub known: u64,
    /// Events, records and summaries that have another number here.
    pub renumbered: u64,
}

impl Memory<'_> {
    /// Moves the memory that a file of the reference implementation holds into this one. What was
    /// imported before, from that file or a copy of it, is left alone, whatever has become of it here;
    /// an import that was cut off goes on where it was.
    pub fn import(&mut self, session: Option<SessionId>, file: &Path) -> Result<MemoryImport> {
        let aside = Aside::new(&self.project().annals_dir())?;
        let given = Given::read(&ForeignMemory::open(file, &aside.folder)?)?;
        let known = Known::read(self.project(), &given)?;
        let asker = Asker { session, origin: MemoryOrigin::by(MemoryDoor::Import) };
        self.operate(&asker, |operation| given.check(&operation.view()?))?;
        let mut moving = Moving::new(known);
        let mut items = given.items.into_iter().peekable();
        while items.peek().is_some() {
            self.operate(&asker, |operation| {
                let mut count = 0;
                while count < COMMIT_ITEMS_MAX
                    && *operation.bytes < COMMIT_BYTES_MAX
                    && let Some(item) = items.next()
                {
                    count += 1;
                    moving.take(operation, item)?;
                }
                Ok(())
            })?;
        }
        Ok(moving.done)
    }
}

/// A folder of our own for a copy of the file, gone afterwards.
struct Aside {
    folder: PathBuf,
}

impl Aside {
    fn new(annals: &Path) -> Result<Self> {
        let folder = annals.join("building").join(format!("import-{}", uuid::Uuid::now_v7()));
        enclosure::make_folders(&folder).map_err(|source| StoreError::Io {
            path: folder.clone(),
            doing: "making a folder for a copy",
            source,
        })?;
        Ok(Self { folder })
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // What stays is swept with what else lies in that folder.
        let _ = enclosure::remove_whole(&self.folder);
    }
}

/// What was imported before, told by branch, kind of event and time: a row may be gone here since, or
/// have become another, and is not brought back.
struct Known {
    counts: BTreeMap<(String, &'static str, u64), u64>,
}

impl Known {
    pub fn read(project: &Project, given: &Given) -> Result<Self> {
        let places = StorePlaces::of(project);
        let report = catch_up(&places, &JournalFeed::of(project)?);
        let stores = AskedStores::after(project, &report, &Cache::of_user());
        report.into_index().transpose()?;
        let stores = stores?;
        let mut counts = BTreeMap::new();
        for branch in &given.branches {
            for (kind, at_ms) in stores.memory_imported(branch)? {
                if let Some(kind) = KINDS.into_iter().find(|known| *known == kind) {
                    *counts.entry((branch.clone(), kind, at_ms)).or_insert(0) += 1;
                }
            }
        }
        Ok(Self { counts })
    }

    /// Whether such an event was imported that nobody asked for yet.
    pub fn take(&mut self, branch: &str, kind: &'static str, at_ms: u64) -> bool {
        match self.counts.get_mut(&(branch.to_owned(), kind, at_ms)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

const RECORD: &str = "ArchivalWritten";
const CORE: &str = "CoreSet";
const DELETED: &str = "CoreDeleted";
const EVENT: &str = "RecallAppended";
const INHERITED: &str = "InheritedConsolidated";
const KINDS: [&str; 5] = [RECORD, CORE, DELETED, EVENT, INHERITED];

/// What an export wrote, and what could not be said there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MemoryExport {
    #[serde(serialize_with = "wire::path")]
    pub file: PathBuf,
    #[serde(flatten)]
    pub written: Written,
    /// A deleted key has no row there, and what it hides is seen again; a value whose time is over is
    /// valid there, where nobody judges that.
    #[serde(flatten)]
    pub unsaid: CoreGone,
}

/// Writes what memory holds as a new file that the reference implementation opens.
pub fn export_memory(view: &MemoryView<'_>, file: &Path) -> Result<MemoryExport> {
    let unsaid = core_gone(view, clock::now_ms())?;
    let written = foreign::write(view, file)?;
    Ok(MemoryExport { file: file.to_owned(), written, unsaid })
}
