//! A journal in one file.

use std::collections::BTreeSet;
use std::path::Path;

use annals_journal_format::bundle::{BundleError, BundleWrite, write_bundle};

use super::{
    BundleReport, JournalError, JournalReader, Project, ProjectError, Reading, ReplayItem, Source,
};
use crate::event::fault::{Fault, Sorted};
use crate::event::{Content, Kind, Sequence};

#[derive(Clone, Copy, Debug)]
pub struct BundleOptions<'a> {
    pub out: &'a Path,
    pub force: bool,
    pub project: &'a str,
    /// Without what agents said and the summaries made of it.
    pub no_answers: bool,
}

/// What is left out of a bundle without answers is called so in it.
const ANSWERS: &str = "answers";

impl JournalReader {
    /// What the project is called, where that is told by a bundle.
    pub fn project(&self) -> Option<&str> {
        Some(&self.storage.bundle()?.manifest.project)
    }

    /// How many events a bundle lacks by its own word, and what they are called.
    pub fn left_out(&self) -> Option<(u64, &str)> {
        let (count, what) = self.storage.bundle()?.manifest.left_out.as_ref()?;
        Some((*count, what))
    }

    /// Writes the journal as it stood when it was opened, and the blobs that its events name, into
    /// one file.
    pub fn bundle(&self, options: BundleOptions<'_>) -> Result<BundleReport, JournalError> {
        let out = options.out;
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize();
        if let (Ok(folder), Ok(source)) = (folder, self.path.canonicalize())
            && folder.starts_with(source)
        {
            return Err(BundleError::Inside { path: out.to_owned() }.into());
        }
        // Once left out, they are so in a bundle of the bundle too.
        let no_answers = options.no_answers || self.left_out().is_some();
        let kinds = Kind::ANSWERS.map(|it| it.0);
        let (mut blobs, mut last_ms) = (BTreeSet::new(), 0);
        for item in self.replay(Sequence(0), Some(self.mark().sequence)) {
            let ReplayItem::Event(mut recorded) = item? else { continue };
            last_ms = recorded.recorded_ms;
            if no_answers && recorded.event.body.is_answer() {
                continue;
            }
            for content in recorded.event.body.contents_mut() {
                if let Content::Blob { hash, .. } = content {
                    blobs.insert(*hash);
                }
            }
        }
        let blobs: Vec<_> = blobs.into_iter().collect();
        let beside = self.blobs();
        let write = BundleWrite {
            out,
            force: options.force,
            // Once more in one file, it is still the same project.
            project: self.project().unwrap_or(options.project),
            time_s: last_ms / 1_000,
            blobs: &blobs,
            blobs_folder: beside.folder(),
            leave_out: no_answers.then_some((&kinds[..], ANSWERS)),
        };
        Ok(write_bundle(&self.storage, &self.reader, &write)?)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BundleFailure {
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl Fault for BundleFailure {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Project(error) => error.sorted(),
            Self::Journal(error) => error.sorted(),
        }
    }
}

/// Writes a source's journal into one file: whole commits that are durable, without preallocated
/// space. Stops no writer: what is appended meanwhile is not in it.
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
        let project = Project::open_around(root, source.around)?;
        match project.is_at_home() {
            true => drop(project.journal()?.sync()?),
            false => project.flush()?,
        }
    }
    Ok(reader.bundle(options)?)
}
