//! A checkpoint that was given, and who signed it.

use std::path::Path;

use super::check_proof::{believed, parsed};
use super::checkpoint::{settings, witnesses};
use super::{CliError, Result};
use crate::event::wire::utc_text;
use crate::journal::tlog::{
    Checkpoint, Held, NOTE_BYTES_MAX, Note, PublicKey, Signed as By, Signing, hold, signing,
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
    /// Those that are asked for and did not sign.
    missing: Vec<String>,
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
        let asked = once_each(asked);
        let quorum = quorum.or(told).unwrap_or(asked.len());
        if quorum > asked.len() {
            let what =
                "more witnesses are asked for than are named: one that is named twice is one";
            return Err(CliError::Refused { what });
        }
        let (witnesses, missing): (Vec<_>, Vec<_>) =
            asked.iter().partition(|it| note.is_signed_by(it));
        let names = |them: Vec<&PublicKey>| them.iter().map(|it| it.name().to_owned()).collect();
        let (witnesses, missing) = (names(witnesses), names(missing));
        Ok(Self { checkpoint, by, is_expired, witnesses, missing, quorum })
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
        let mut redacted = 0;
        let told = |verdict: &'static str, is_contained, redacted, message: String| wire::Held {
            verdict,
            is_contained,
            holds: verdict == "contains",
            size,
            redacted,
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
            return Ok(told(verdict, false, redacted, message.to_owned()));
        };
        let tiles = root.map(|root| root.join(".annals/tlog"));
        let held = hold(journal, reading, tiles, &self.checkpoint)?;
        if !held.is_contained() {
            return Ok(told(held.as_str(), false, redacted, held.to_string()));
        }
        if let Held::Contains { redacted: count, .. } = held {
            redacted = count;
        }
        let (there, quorum) = (self.witnesses.len(), self.quorum);
        if there < quorum {
            let missing = self.missing.join(", ");
            let message = format!(
                "witness missing: {there} signed it, and {quorum} are asked for; not {missing}"
            );
            return Ok(told("witness missing", true, redacted, message));
        }
        let recorded_ms = match signing(journal, reading, &self.checkpoint, key)? {
            Signing::Ends => return Ok(told("contains", true, redacted, held.to_string())),
            Signing::Unknown => {
                let message = format!(
                    "unknown signing: {held}, but the journal does not know of this signing"
                );
                return Ok(told("unknown signing", true, redacted, message));
            }
            Signing::Told { recorded_ms } => recorded_ms,
        };
        let later = at_s.and_then(|(at_s, within_s)| {
            let recorded_s = recorded_ms / 1_000;
            let is_later = at_s > recorded_s.saturating_add(within_s).saturating_add(CLOCKS_S);
            let at = |at_s: u64| utc_text(at_s * 1_000).unwrap_or_default();
            is_later.then(|| (at(at_s), at(recorded_s)))
        });
        Ok(match later {
            Some((signed, recorded)) => {
                let message = format!(
                    "re-signed later: {held}, but it was signed at {signed}, and the journal tells of {recorded}"
                );
                told("re-signed later", true, redacted, message)
            }
            None => told("contains", true, redacted, held.to_string()),
        })
    }
}

/// Each witness once, under whatever names its key was given.
fn once_each(asked: Vec<PublicKey>) -> Vec<PublicKey> {
    let mut once: Vec<PublicKey> = Vec::new();
    for key in asked {
        if !once.iter().any(|it| it.has_key_of(&key)) {
            once.push(key);
        }
    }
    once
}
