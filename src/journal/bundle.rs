//! A journal in one file.

use std::collections::BTreeSet;
use std::path::Path;

use annals_journal_format::bundle::{BundleError, BundleWrite, LeaveOut, write_bundle};

pub use annals_journal_format::bundle::BundleOrder;

use super::{
    BundleReport, JournalError, JournalReader, Project, ProjectError, Reading, ReplayItem, Source,
};
use crate::event::{Content, Kind, Sequence};
use crate::fault::{Fault, Sorted};

#[derive(Clone, Copy, Debug)]
pub struct BundleOptions<'a> {
    pub out: &'a Path,
    pub force: bool,
    pub project: &'a str,
    /// Without what agents said and the summaries made of it.
    pub no_answers: bool,
}

/// What is left out of a bundle without answers is called so in it.
pub(super) const ANSWERS: &str = "answers";
/// And records that were redacted in it.
pub const RECORDS: &str = "records";

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
        let kinds = Kind::ANSWERS.map(|it| it.0);
        // Once left out, they are so in a bundle of the bundle too.
        let (before, told) = self.left_out().unwrap_or_default();
        let what = match (told, options.no_answers) {
            ("", _) => ANSWERS.to_owned(),
            (told, true) if !told.contains(ANSWERS) => format!("{told}+{ANSWERS}"),
            (told, _) => told.to_owned(),
        };
        let leave_out = LeaveOut {
            kinds: if options.no_answers { &kinds } else { &[] },
            records: &BTreeSet::new(),
            before,
            what: &what,
            orders: self.ordered(),
        };
        let is_less = options.no_answers || !told.is_empty();
        self.write(options, is_less.then_some(leave_out))
    }

    /// The orders that a bundle was written anew by, as it says itself.
    pub fn ordered(&self) -> &[BundleOrder] {
        self.storage.bundle().map_or(&[], |it| it.manifest.orders.as_slice())
    }

    /// Writes a bundle anew without what these records hold: frames are redacted, contents that only
    /// they name are left out, and the order is told in it. `None` where it has none of them.
    pub fn redact_bundle(
        &self,
        records: &BTreeSet<Sequence>,
        order: BundleOrder,
    ) -> Result<Option<BundleReport>, JournalError> {
        if records.is_empty() {
            return Ok(None);
        }
        let (before, told) = self.left_out().unwrap_or_default();
        let what = match told {
            "" => RECORDS.to_owned(),
            told if told.contains(RECORDS) => told.to_owned(),
            told => format!("{told}+{RECORDS}"),
        };
        let records: BTreeSet<u64> = records.iter().map(|it| it.0).collect();
        let mut orders = self.ordered().to_vec();
        match orders.iter_mut().find(|it| it.id == order.id) {
            Some(known) => known.frames += records.len() as u64,
            None => orders.push(BundleOrder { frames: records.len() as u64, ..order }),
        }
        let (kinds, orders) = (&[], orders.as_slice());
        let leave_out = LeaveOut { kinds, records: &records, before, what: &what, orders };
        let out = self.path.clone();
        let options = BundleOptions { out: &out, force: true, project: "", no_answers: false };
        self.write(options, Some(leave_out)).map(Some)
    }

    fn write(
        &self,
        options: BundleOptions<'_>,
        leave_out: Option<LeaveOut<'_>>,
    ) -> Result<BundleReport, JournalError> {
        let (mut blobs, mut last_ms) = (BTreeSet::new(), 0);
        let beside = self.blobs();
        for item in self.replay(Sequence(0), Some(self.mark().sequence)) {
            let ReplayItem::Event(mut recorded) = item? else { continue };
            last_ms = recorded.recorded_ms;
            let is_left_out = leave_out.is_some_and(|it| {
                let kind = recorded.event.body.kind().0;
                it.kinds.contains(&kind) || it.records.contains(&recorded.sequence.0)
            });
            if is_left_out {
                continue;
            }
            for content in recorded.event.body.contents_mut() {
                match content {
                    Content::Blob { hash, .. } => drop(blobs.insert(*hash)),
                    // Lifted out of what was redacted; where it was not, the event that it repeats has it.
                    Content::Repeated { hash, len, .. } if beside.get(hash, *len).is_ok() => {
                        blobs.insert(*hash);
                    }
                    _ => {}
                }
            }
        }
        let blobs: Vec<_> = blobs.into_iter().collect();
        let write = BundleWrite {
            out: options.out,
            force: options.force,
            // Once more in one file, it is still the same project.
            project: self.project().unwrap_or(options.project),
            time_s: last_ms / 1_000,
            blobs: &blobs,
            blobs_folder: beside.folder(),
            leave_out,
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
