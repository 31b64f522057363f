//! What is known of a store's rows, by what its files are on the disk.
//!
//! Whoever of ours changes the files does so while it holds the stamp (`stamping.rs`) and says in the stamp what they are then.
//! Files that are not what the stamp says were changed by another program, or by one of ours that was
//! killed in between: nothing is known of the rows then until somebody has held them against the journal.
//! Who writes it also says how far the store has read, so that nobody opens it to learn that.
//! A stamp lies in `.annals/stamps`, is written in place under its lock and never synced; one that is
//! broken, forged or gone is as none, and costs a look.

mod answer;
mod files;
mod stamping;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::config::environment;
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;

use files::Files;

pub use answer::{BROKEN, CONCERNS, answer};
pub use stamping::Stamping;

/// All that is read of a stamp, and all that it has.
const BYTES: usize = 512;
/// What stands before the rest: the beginning of its hash, and a space.
const SUM_BYTES: usize = 17;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Known {
    /// Nobody but us wrote them.
    Same,
    /// They do not hold what the journal says.
    Differs,
    /// Somebody holds them against the journal, or died while doing so; of this number.
    Looking(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    files: Files,
    known: Known,
    /// As it was last asked, the files being these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reached: Option<Reached>,
    /// The build that wrote the store last, so that its tables are that one's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<u64>,
}

/// The last event that a store has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    pub journal: [u8; 16],
    pub sequence: u64,
    /// How the chain begins after that event's commit.
    #[serde(default)]
    pub chain: u64,
}

/// A number of this build of the program.
static BUILD: LazyLock<u64> = LazyLock::new(|| number_of(environment::build().as_bytes()));

/// A look that was begun: what is found is noted only if nobody else changed the store meanwhile.
#[derive(Debug)]
pub struct StoreLook {
    store: PathBuf,
    number: u64,
}

/// What is known of a store by its stamp; `None` where the files are not what it says.
pub fn known(store: &Path) -> Option<Known> {
    // What cannot be read says nothing.
    let file = open(store).ok()?;
    Stamp::read(&file).filter(|stamp| Some(stamp.files) == Files::of(store)).map(|it| it.known)
}

/// How far a store has read: as its stamp says, or as `ask` finds, which its stamp says from then on where the caller
/// keeps it. What a `-wal` holds may not be in that.
pub fn reached(
    store: &Path,
    keeps: bool,
    ask: impl FnOnce() -> Option<Reached>,
) -> Option<Reached> {
    let files = Files::of(store)?;
    // As in `known`.
    let stamp = open(store).ok().and_then(|file| Stamp::read(&file)).filter(|it| it.files == files);
    if let Some(reached) = stamp.and_then(|it| it.reached) {
        return Some(reached);
    }
    let reached = ask()?;
    if let Some(stamp) = stamp.filter(|_| keeps && files.wal.is_none())
        && let Ok(Some(stamping)) = Stamping::take_now(store)
        && (Stamp::read(&stamping.file), Files::of(store)) == (Some(stamp), Some(files))
    {
        // Where it cannot be written the store is asked again.
        drop(Stamp { reached: Some(reached), ..stamp }.write(&stamping.file));
    }
    Some(reached)
}

/// Whether a store has read so far, and is as this build wrote it then: who has nothing for it need not open it.
pub fn stands_at(store: &Path, at: Reached) -> bool {
    own(store).is_some_and(|stamp| stamp.reached == Some(at) && stamp.files.wal.is_none())
}

/// Whether this build wrote a store and nobody else changed it since: its tables are as they should be.
pub fn is_own(store: &Path) -> bool {
    own(store).is_some()
}

fn own(store: &Path) -> Option<Stamp> {
    let stamp = Stamp::read(&open(store).ok()?)?; // as in `known`
    let is_own = (stamp.known, stamp.by) == (Known::Same, Some(*BUILD));
    (is_own && Some(stamp.files) == Files::of(store)).then_some(stamp)
}

/// Whether nothing is known of a store's rows: another program changed it, or one of ours was killed.
/// Where others write it all the time that is left for the next to ask.
pub fn is_in_doubt(store: &Path) -> bool {
    let is_sure = |known| matches!(known, Some(Known::Same | Known::Differs));
    if is_sure(known(store)) {
        return false;
    }
    match Stamping::take(store) {
        // Somebody may have been between a change and its stamp.
        Ok(Some(mut stamping)) => !is_sure(stamping.note()),
        Ok(None) => false,
        Err(_) => true, // there is none
    }
}

/// Whether somebody else changed a store that one of ours had stamped.
pub fn was_changed(store: &Path) -> bool {
    let stamp = open(store).ok().and_then(|file| Stamp::read(&file)); // none says nothing
    stamp.is_some() && is_doubtful(store)
}

/// Whether a store's rows cannot be gone by: nothing is known of them, or that they are wrong.
pub fn is_doubtful(store: &Path) -> bool {
    known(store) == Some(Known::Differs) || is_in_doubt(store)
}

/// As [`is_doubtful`], and nobody is waited for: what somebody is writing now is in doubt as well.
pub fn is_doubtful_now(store: &Path) -> bool {
    is_doubtful_within(store, Duration::ZERO).unwrap_or(true)
}

/// As [`is_doubtful`], waiting no longer than this; `None` where one of ours writes it all the time.
pub fn is_doubtful_within(store: &Path, wait: Duration) -> Option<bool> {
    match known(store) {
        Some(Known::Same) => Some(false),
        Some(Known::Differs) => Some(true),
        Some(Known::Looking(_)) | None => match Stamping::take_within(store, wait) {
            Ok(Some(mut stamping)) => Some(stamping.note() != Some(Known::Same)),
            Ok(None) => None,
            Err(_) => Some(true), // there is none
        },
    }
}

/// The bytes of a store and of its `-wal`; none where there is no store.
pub fn bytes(store: &Path) -> u64 {
    let wal = |files: &Files| files.wal.map_or(0, |wal| wal.bytes);
    Files::of(store).map_or(0, |files| files.store.bytes.saturating_add(wal(&files)))
}

/// Notes of a store that was just built that it holds what the journal says.
pub(crate) fn begin(store: &Path) {
    // Without one the store is looked at when it is next asked.
    if let Ok(Some(mut stamping)) = Stamping::make(store) {
        stamping.set(Known::Same);
    }
}

impl StoreLook {
    /// Notes that a store is looked at from now on; `None` where it has no place for a stamp.
    pub fn begin(store: &Path) -> Option<Self> {
        let mut stamping = Stamping::make(store).ok()??; // then what is found is not kept
        let number = match stamping.note() {
            // What another began holds for both: only ours went on since.
            Some(Known::Looking(number)) => number,
            _ => Files::of(store)?.number(),
        };
        stamping.set(Known::Looking(number));
        Some(Self { store: store.to_owned(), number })
    }

    /// Notes what was found. Whether that stands: not where others wrote it since it was begun.
    pub fn end(self, found: Known) -> bool {
        let Ok(Some(mut stamping)) = Stamping::take(&self.store) else { return false };
        match stamping.note() {
            Some(Known::Looking(number)) if number == self.number => stamping.set(found),
            // Who looked beside us was faster.
            known => known == Some(found),
        }
    }
}

impl Stamp {
    fn read(file: &File) -> Option<Self> {
        let mut bytes = [0; BYTES];
        // Whatever is wrong with it, it is as none.
        file.read_exact_at(&mut bytes, 0).ok()?;
        let (sum, rest) = bytes.split_at(SUM_BYTES);
        if sum != sum_of(rest).as_bytes() {
            return None;
        }
        serde_json::from_slice(rest).ok() // as above
    }

    fn write(&self, file: &File) -> io::Result<()> {
        let mut rest = serde_json::to_vec(self)?;
        if rest.len() > BYTES - SUM_BYTES {
            rest = serde_json::to_vec(&Self { reached: None, by: None, ..*self })?;
        }
        rest.resize(BYTES - SUM_BYTES, b' ');
        let mut bytes = sum_of(&rest).into_bytes();
        bytes.append(&mut rest);
        file.write_all_at(&bytes, 0)?;
        match file.metadata()?.len() == BYTES as u64 {
            true => Ok(()),
            false => file.set_len(BYTES as u64),
        }
    }
}

fn number_of(bytes: &[u8]) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&blake3::hash(bytes).as_bytes()[..8]);
    u64::from_le_bytes(number)
}

fn sum_of(rest: &[u8]) -> String {
    let mut sum = blake3::hash(rest).to_hex().as_str()[..SUM_BYTES - 1].to_owned();
    sum.push(' ');
    sum
}

fn open(store: &Path) -> io::Result<File> {
    enclosure::open(&place(store), OpenHow::Read)
}

/// Takes away what is known of a store that is gone.
pub(crate) fn remove(store: &Path) -> io::Result<()> {
    for path in answer::all(store).chain([place(store)]) {
        match enclosure::remove_whole(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Where the stamp of a store lies: below the `.annals` that the store is in or beside.
fn place(store: &Path) -> PathBuf {
    let folder = store.parent().unwrap_or(Path::new("."));
    let annals = match folder.file_name().is_some_and(|name| name == ANNALS) {
        true => folder.to_owned(),
        false => folder.join(ANNALS),
    };
    annals.join("stamps").join(store.file_stem().unwrap_or_default())
}

const ANNALS: &str = ".annals";
