//! A memory that another program kept, moved here: as events, each at the time it happened.

mod export;
mod given;
mod known;
mod moved;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use super::limits::COMMIT_BYTES_MAX;
use super::{Asker, Memory, MemoryError};
use crate::event::{MemoryDoor, MemoryOrigin, SessionId};
use crate::journal::enclosure;
use crate::memory::store::foreign::ForeignMemory;
use crate::store::StoreError;
use given::{Given, Item};
use known::Known;
use moved::Moving;

pub use export::{MemoryExport, export_memory};

/// Items that one commit takes, at most.
const COMMIT_ITEMS_MAX: usize = 2_000;

/// What an import found and recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    ///
    /// # Errors
    /// Where the file cannot be read or holds what cannot be taken: then nothing is recorded. Where
    /// recording fails, what was recorded before stays.
    pub fn import(
        &mut self,
        session: Option<SessionId>,
        file: &Path,
    ) -> Result<MemoryImport, MemoryError> {
        let aside = Aside::new(&self.project().annals_dir())?;
        let given = Given::read(&ForeignMemory::open(file, &aside.folder)?)?;
        let known = Known::read(self.project(), &given)?;
        let asker = Asker { session, origin: MemoryOrigin::by(MemoryDoor::Import) };
        self.operate(&asker, |operation| given.check(&operation.view()?))?;
        let mut moving = Moving::new(known);
        let mut items = given.items.into_iter().peekable();
        while items.peek().is_some() {
            self.operate(&asker, |operation| {
                let (mut count, mut bytes) = (0, 0);
                while count < COMMIT_ITEMS_MAX
                    && bytes < COMMIT_BYTES_MAX
                    && let Some(item) = items.next()
                {
                    count += 1;
                    bytes += item.bytes();
                    moving.take(operation, item)?;
                }
                Ok(())
            })?;
        }
        Ok(moving.done)
    }
}

impl Item {
    /// About the bytes of its texts.
    fn bytes(&self) -> usize {
        256 + match self {
            Item::Branch { .. } => 0,
            Item::Record(record) => record.text.len() + record.tags.len(),
            Item::Core(core) => core.value.as_ref().map_or(0, String::len),
            Item::Event(event) => event.text.len() + event.tags.len(),
            Item::Inherited(inherited) => {
                let texts =
                    inherited.groups.iter().map(|group| group.text.len() + 8 * group.ids.len());
                texts.sum()
            }
        }
    }
}

/// A folder of our own for a copy of the file, gone afterwards.
struct Aside {
    folder: PathBuf,
}

impl Aside {
    fn new(annals: &Path) -> Result<Self, MemoryError> {
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
