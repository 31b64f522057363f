//! The nodes of a journal that is only asked about.

use std::path::Path;

use super::{Stories, StoryError};
use crate::event::Sequence;
use crate::journal::{JournalReader, Reading};

/// The nodes of a journal's folder, segment or bundle, as of an event, or of now.
pub fn stories(
    journal: &Path,
    reading: Reading,
    through: Option<Sequence>,
) -> Result<Stories, StoryError> {
    Stories::read(JournalReader::reading(journal, reading)?, through)
}
