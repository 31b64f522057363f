//! A checkpoint that was given, and who signed it.

use std::path::Path;

use super::check_proof::{believed, parsed};
use super::checkpoint::{settings, witnesses};
use super::{CliError, Result};
use crate::event::wire::utc_text;
use crate::journal::tlog::{
    Checkpoint, NOTE_BYTES_MAX, Note, PublicKey, Signed as By, Signing, hold, signing,
};
use crate::journal::{Reading, enclosure};
use crate::output::wire;

/// Seconds by which two clocks, or the two ends of a second, may differ.
const CLOCKS_S: u64 = 300;

pub struct Signed {
    checkpoint: Checkpoint,
    /// The name that a key signed by that is believed, that key, and when it signed.
    by: Option<(String, PublicKey, Option<(u64, u64)>)>,
    is_expired: bool,
    witnesses: Vec<String>,
    /// Witnesses that must have signed.
    quorum: usize,
}

impl Signed {
    pub fn read(
        path: &Path,
        keys: &[String],
        named: &[String],
        quorum: Option<usize>,
    ) -> Result<Self> {
        let keys = believed(keys)?;
        let bytes = enclosure::read(path, NOTE_BYTES_MAX);
        let bytes = bytes.map_err(|source| CliError::io("read", path, source))?;
        let note = Note::parse(&String::from_utf8_lossy(&bytes))?;
        let checkpoint = Checkpoint::parse(&note.text)?;
        let (mut by, mut is_expired) = (None, false);
        for key in keys.iter().filter(|it| !it.is_cosigner()) {
            match note.signed_by(key) {
                By::Not => {}
                By::Expired => is_expired = true,
                By::By { at_s } if by.is_none() => {
                    by = Some((note.name_of(key), key.clone(), at_s));
                }
                By::By { .. } => {}
            }
        }
        let (asked, told) = match named.is_empty() {
            true => (witnesses(&[])?, settings()?.witnesses_min),
            false => (parsed(named)?, None),
        };
        let quorum = quorum.or(told).unwrap_or(asked.len());
        let witnesses = asked.iter().filter(|it| note.is_signed_by(it));
        let witnesses = witnesses.map(|it| it.name().to_owned()).collect();
        Ok(Self { checkpoint, by, is_expired, witnesses, quorum })
    }

    /// What it says of a journal; `root`: of the project around it, whose tiles may tell which record is another.
    pub fn hold(
        &self,
        journal: &Path,
        reading: Reading,
        root: Option<&Path>,
    ) -> Result<wire::Held> {
        let size = self.checkpoint.size;
        let signed_at = self.by.as_ref().and_then(|(_, _, at)| utc_text(at.as_ref()?.0 * 1_000));
        let told = |verdict: &'static str, is_contained, message: String| wire::Held {
            verdict,
            is_contained,
            holds: verdict == "contains",
            size,
            signed_by: self.by.as_ref().map(|(name, ..)| name.clone()),
            signed_at: signed_at.clone(),
            witnesses: self.witnesses.clone(),
            message,
        };
        let Some((_, key, at_s)) = &self.by else {
            let (verdict, message) = match self.is_expired {
                true => (
                    "expired key",
                    "expired key: the epoch of the key that signed it was another one",
                ),
                false => ("wrong key", "wrong key: nobody who is believed signed it (give --key)"),
            };
            return Ok(told(verdict, false, message.to_owned()));
        };
        let tiles = root.map(|root| root.join(".annals/tlog"));
        let held = hold(journal, reading, tiles, &self.checkpoint)?;
        if !held.is_contained() {
            return Ok(told(held.as_str(), false, held.to_string()));
        }
        let (there, quorum) = (self.witnesses.len(), self.quorum);
        if there < quorum {
            let message = format!("witness missing: {there} signed it, and {quorum} are asked for");
            return Ok(told("witness missing", true, message));
        }
        let why = match signing(journal, reading, &self.checkpoint, key)? {
            Signing::Ends => None,
            Signing::Untold => Some("the journal goes on, and tells of no such signing".to_owned()),
            Signing::Told { recorded_ms } => at_s.and_then(|(at_s, within_s)| {
                let recorded_s = recorded_ms / 1_000;
                let is_later = at_s > recorded_s.saturating_add(within_s).saturating_add(CLOCKS_S);
                let at = |at_s: u64| utc_text(at_s * 1_000).unwrap_or_default();
                is_later.then(|| {
                    let (signed, recorded) = (at(at_s), at(recorded_s));
                    format!("it was signed at {signed}, and the journal tells of {recorded}")
                })
            }),
        };
        Ok(match why {
            Some(why) => {
                let message =
                    format!("re-signed later: its {size} records are as they were, but {why}");
                told("re-signed later", true, message)
            }
            None => told("contains", true, held.to_string()),
        })
    }
}
