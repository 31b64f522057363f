//! A checkpoint that was given, and who signed it.

use std::path::Path;

use super::check_proof::believed;
use super::{CliError, Result};
use crate::journal::tlog::{Checkpoint, NOTE_BYTES_MAX, Note, hold};
use crate::journal::{Reading, enclosure};
use crate::output::wire;

pub struct Signed {
    checkpoint: Checkpoint,
    /// The name of a key that is believed.
    by: Option<String>,
}

impl Signed {
    pub fn read(path: &Path, keys: &[String]) -> Result<Self> {
        let keys = believed(keys)?;
        let bytes = enclosure::read(path, NOTE_BYTES_MAX);
        let bytes = bytes.map_err(|source| CliError::io("read", path, source))?;
        let note = Note::parse(&String::from_utf8_lossy(&bytes))?;
        let checkpoint = Checkpoint::parse(&note.text)?;
        let by = keys.iter().find(|key| note.is_signed_by(key)).map(|key| key.name().to_owned());
        Ok(Self { checkpoint, by })
    }

    /// What it says of a journal; `root`: of the project around it, whose tiles may tell which record is another.
    pub fn hold(
        &self,
        journal: &Path,
        reading: Reading,
        root: Option<&Path>,
    ) -> Result<wire::Held> {
        let (size, signed_by) = (self.checkpoint.size, self.by.clone());
        if signed_by.is_none() {
            let message = "wrong key: nobody who is believed signed it (give --key)".to_owned();
            let verdict = "wrong key";
            return Ok(wire::Held { verdict, is_contained: false, size, signed_by, message });
        }
        let tiles = root.map(|root| root.join(".annals/tlog"));
        let held = hold(journal, reading, tiles, &self.checkpoint)?;
        let is_contained = held.is_contained();
        let (verdict, message) = (held.as_str(), held.to_string());
        Ok(wire::Held { verdict, is_contained, size, signed_by, message })
    }
}
