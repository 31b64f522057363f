//! A consistent copy of a journal in one file.

use crate::journal::{
    BundleOptions, BundleReport, JournalError, JournalReader, Project, ProjectError, Reading,
    Source,
};

/// Why no bundle was written.
#[derive(Debug, thiserror::Error)]
pub enum BundleFailure {
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Writes a source's journal into one file: whole commits that are durable, without the space that
/// is filled ahead. Stops no writer: what is appended meanwhile is not in it.
pub fn bundle(
    source: &Source,
    evidence: bool,
    options: BundleOptions<'_>,
) -> Result<BundleReport, BundleFailure> {
    let reading = source.reading(evidence);
    let reader = JournalReader::reading(&source.journal, reading)?;
    if reading == Reading::Live
        && let Some(root) = &source.root
    {
        // After the reader knows where the journal ends: then all of that is durable (R8).
        let project = Project::open(root)?;
        match project.is_at_home() {
            true => drop(project.journal()?.sync()?),
            false => project.flush()?,
        }
    }
    Ok(reader.bundle(options)?)
}
