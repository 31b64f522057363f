//! Checkpoints that nobody asks for.

use super::key::{Key, KeyKind, Keys};
use super::sign::{SignError, last, sign};
use super::state::known;
use crate::journal::Project;
use crate::journal::trust::user_config;

/// Why one is to be signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// A session ended.
    End,
    /// Something was recorded: where so many records came since the last one as the user's settings say.
    Recorded,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Automatic {
    Signed,
    /// There is no key, the user does not want it, or not yet.
    No,
    /// The key has to ask a person, or another program.
    Asks(KeyKind),
    /// It would take too long.
    Many,
}

/// Records that are taken into the tree at most: who waits is not to wait long.
const BRIEF_RECORDS_MAX: u64 = 20_000;

/// As [`sign`], by the user's own key where there is one that asks nobody, the user wants it, and it does not take long.
pub fn sign_by_itself(project: &Project, on: Occasion) -> Result<Automatic, SignError> {
    let Ok(config) = user_config() else { return Ok(Automatic::No) };
    let every = config.checkpoint.every;
    if !config.checkpoint.automatic || on == Occasion::Recorded && every == 0 {
        return Ok(Automatic::No);
    }
    let Some(keys) = Keys::of_user() else { return Ok(Automatic::No) };
    let journal = project.journal()?;
    let (dir, id, end) = (project.journal_dir(), journal.id(), journal.watermark().sequence.0);
    let signed = || last(&dir, &id).map_or(0, |(it, _)| it.mark.sequence.0);
    if on == Occasion::Recorded && end.saturating_sub(signed()) < every {
        return Ok(Automatic::No);
    }
    let Some(key) = keys.key()? else { return Ok(Automatic::No) };
    let Some(signer) = key.alone() else { return Ok(Automatic::Asks(key.kind())) };
    let known = known(&project.tlog_dir(), &dir, &id).map_or(0, |state| state.sequence);
    if end.saturating_sub(known) > BRIEF_RECORDS_MAX.max(every.saturating_mul(2)) {
        return Ok(Automatic::Many);
    }
    sign(project, signer).map(|_| Automatic::Signed)
}

/// How the checkpoints of a project stand.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Records of the last one, and its last event.
    pub last: Option<(u64, u64)>,
    pub key: Option<(KeyKind, String)>,
    pub is_automatic: bool,
}

/// `None` where nobody ever signed here, and nobody could.
pub fn standing(journal: &std::path::Path, id: &[u8; 16]) -> Option<Standing> {
    // One that cannot be used is told by who signs.
    let key = Keys::of_user().and_then(|keys| keys.key().ok().flatten());
    let last = last(journal, id).map(|(it, _)| (it.size, it.mark.sequence.0));
    let is_wanted = user_config().is_ok_and(|config| config.checkpoint.automatic);
    let is_automatic = is_wanted && key.as_ref().is_some_and(|key| key.alone().is_some());
    let key = key.as_ref().map(|key: &Key| (key.kind(), key.public().name().to_owned()));
    (key.is_some() || last.is_some()).then_some(Standing { last, key, is_automatic })
}
