//! A memory as a file of the reference implementation.

use std::path::Path;

use crate::journal::clock;
use crate::memory::MemoryError;
use crate::memory::query::{CoreGone, core_gone};
use crate::memory::store::{MemoryView, foreign};

/// What an export wrote, and what could not be said there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryExport {
    pub branches: u64,
    pub core: u64,
    pub events: u64,
    pub records: u64,
    pub exclusions: u64,
    pub summaries: u64,
    /// A deleted key has no row there, and what it hides is seen again; a value whose time is over is
    /// valid there, where nobody judges that.
    pub unsaid: CoreGone,
}

/// Writes what memory holds as a new file that the reference implementation opens.
///
/// # Errors
/// Where there is something of that name already, or it cannot be written.
pub fn export_memory(view: &MemoryView<'_>, file: &Path) -> Result<MemoryExport, MemoryError> {
    let unsaid = core_gone(view, clock::now_ms())?;
    let foreign::Written { branches, core, events, records, exclusions, summaries } =
        foreign::write(view, file)?;
    Ok(MemoryExport { branches, core, events, records, exclusions, summaries, unsaid })
}
