//! Several journals made one: one order, every record once, each known by where it comes from.
//!
//! A source is read twice, in its own order and in bounded pieces: once to see what there is (`survey.rs`), which
//! decides what is taken (`choice.rs`), and once to take it (`take.rs`). Some two hundred bytes a record are held.

mod choice;
mod error;
mod origin;
mod redacted;
mod report;
mod rewrite;
mod source;
mod survey;
mod take;
#[cfg(test)]
mod tests;
mod withheld;

use std::path::{Path, PathBuf};

use super::project::{InitOptions, Project};
use super::{JournalReader, Reading, Source};
use crate::event::{Kind, Sequence};

pub use error::MergeError;
pub use origin::Origin;
pub use report::{MergeReport, MergedFrom};

use survey::Surveyed;

/// A journal to merge.
#[derive(Clone, Debug)]
pub struct Input {
    /// A journal's folder, a segment, or a bundle.
    pub journal: PathBuf,
    pub reading: Reading,
    /// What its project is called.
    pub label: String,
    /// The project that may write to it meanwhile.
    live: Option<Source>,
}

impl Input {
    pub fn of(source: &Source, evidence: bool) -> Self {
        let reading = source.reading(evidence);
        let live = Some(source.clone()).filter(|_| reading == Reading::Live);
        Self { journal: source.journal.clone(), reading, label: source.label(), live }
    }
}

/// Whether records of a kind are facts about their own journal, which say nothing in another.
fn is_own(kind: u16) -> bool {
    kind >> 8 == 1 && Kind(kind) != Kind::MEMORY_ADOPTED
}

/// Takes what journals hold into the one of a project, made where there is none. What is there already, by this or an
/// earlier merge, is not taken again.
///
/// # Errors
/// Where two of them are of one id and hold another record under one number, the project has a journal of its own, or
/// something cannot be read: then nothing is written, but for what of a large merge is whole already.
pub fn merge(
    inputs: &[Input],
    into: &Path,
    open: impl FnOnce(&Path, InitOptions) -> Result<Project, super::ProjectError>,
) -> Result<MergeReport, MergeError> {
    let mut surveyed = Vec::with_capacity(inputs.len());
    for input in inputs {
        surveyed.push(Surveyed::of(input)?);
        if let Some((root, source)) =
            input.live.as_ref().and_then(|it| Some((it.root.as_ref()?, it)))
        {
            // After it is known where the journal ends: then all of that is durable (R8).
            Project::open_around(root, source.around)?.flush()?;
        }
    }
    let there = into.join(super::FOLDER).join("journal");
    let is_there = there.is_dir();
    let before = if is_there { Some(Surveyed::of(&at(&there))?) } else { None };
    if let Some(before) = &before {
        if before.has_own && !before.is_merged {
            return Err(MergeError::OwnJournal { path: into.to_owned() });
        }
        if let Some(input) = inputs.iter().zip(&surveyed).find(|(_, it)| it.id == before.id) {
            return Err(MergeError::Itself { path: input.0.journal.clone() });
        }
    }
    let choice = choice::choose(before.as_ref(), &surveyed, inputs)?;
    let first_ms = surveyed.iter().filter_map(|it| it.first_ms).min();
    let options = InitOptions { as_of_ms: first_ms, ..InitOptions::default() };
    let project = open(into, options)?;
    // First what keeps out what may not come by another door.
    let ids = surveyed.iter().flat_map(|it| it.records.keys().copied().chain([it.id]));
    withheld_before(ids, &project)?;
    let before = match before {
        Some(before) => before,
        None => Surveyed::of(&at(&project.journal_dir()))?,
    };
    take::take(inputs, &surveyed, choice, &before, &project)
}

/// What policy keeps out of a source is kept out of what it goes into.
fn withheld_before(
    sources: impl Iterator<Item = [u8; 16]>,
    project: &Project,
) -> Result<(), MergeError> {
    let to = project.journal()?.id();
    super::withheld::follow(sources, &to).map_err(MergeError::Withheld)
}

fn at(journal: &Path) -> Input {
    Input { journal: journal.to_owned(), reading: Reading::Live, label: String::new(), live: None }
}

/// The last event of a journal that a merge reads up to.
fn through(input: &Input) -> Result<(JournalReader, Sequence), MergeError> {
    let reader = JournalReader::reading(&input.journal, input.reading)?;
    let through = reader.mark().sequence;
    Ok((reader, through))
}
