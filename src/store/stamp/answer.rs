//! What a store answered, kept beside its stamp as long as its files are what they were then.

use std::path::{Path, PathBuf};

use super::{BUILD, Files, place};
use crate::journal::derived_file;

const SUM_BYTES: usize = blake3::OUT_LEN;
/// What is kept of answers; one that is longer is asked for each time.
pub const BYTES_MAX: usize = 32 << 10;
/// The answers that are kept, by what they tell.
const NAMES: [&str; 2] = [BROKEN, CONCERNS];
/// Which files a store knows to have been broken.
pub const BROKEN: &str = "broken";
/// Where the last events of each concern are.
pub const CONCERNS: &str = "concerns";

/// What `ask` finds in a store, asked once by a build as long as nobody writes it.
pub fn answer(
    store: &Path,
    name: &'static str,
    ask: impl FnOnce() -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let files = Files::of(store).filter(|files| files.wal.is_none());
    let (Some(files), path) = (files, path(store, name)) else { return ask() };
    let sum = |answer: &[u8]| {
        let mut sum = blake3::Hasher::new();
        sum.update(format!("{} {files:?}", *BUILD).as_bytes()).update(answer);
        *sum.finalize().as_bytes()
    };
    if let Some(mut kept) = derived_file::read(&path, (SUM_BYTES + BYTES_MAX) as u64)
        && kept.split_at_checked(SUM_BYTES).is_some_and(|(is, answer)| is == sum(answer))
    {
        return Some(kept.split_off(SUM_BYTES));
    }
    let answer = ask()?;
    if answer.len() <= BYTES_MAX && Files::of(store) == Some(files) {
        // Where it cannot be kept it is asked again.
        drop(derived_file::replace(&path, &[&sum(&answer), answer.as_slice()].concat()));
    }
    Some(answer)
}

/// What was kept of a store.
pub(super) fn all(store: &Path) -> impl Iterator<Item = PathBuf> {
    NAMES.into_iter().map(|name| path(store, name))
}

fn path(store: &Path, name: &str) -> PathBuf {
    place(store).with_extension(name)
}
