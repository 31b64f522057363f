//! A store that is another program's as well: it is never replaced, and what is ours in it is fed, and built
//! anew, where it lies. What is wrong with it stops nothing else.

use std::path::{Path, PathBuf};

use super::catch_up::{Advance, Advanced, CatchUpError};
use super::{Projector, StoreError, StorePlaces};
use crate::fault::Remedy;

pub trait Shared: Sync {
    /// Whether the journal has anything for it: before that none is made.
    fn is_wanted(&self, places: &StorePlaces) -> Result<bool, StoreError>;

    /// Whether what our rows lead to is as it was when they were made. `is_look`: nothing is left behind by
    /// finding out.
    fn is_settled(&self, path: &Path, is_look: bool) -> Result<bool, StoreError>;

    /// What is said of one that is not, and what to do about it.
    fn unsettled(&self) -> (&'static str, Remedy);

    /// Feeds it where it stands.
    fn feed(&self, live: Advance<'_>) -> Result<Advanced, CatchUpError>;

    /// The fold that takes our rows out and puts them in anew, in one transaction.
    fn anew(&self, places: &StorePlaces) -> Result<Box<dyn Projector>, StoreError>;

    /// Puts one that was made where none was; `false` where somebody else has put one meanwhile.
    fn publish(&self, made: &Path, path: &Path) -> Result<bool, StoreError>;

    /// Leaves nothing in its file of rows that were taken out, as far as others let it.
    fn scrub(&self, path: &Path) -> Result<(), StoreError>;

    /// Copies it into the quarantine, as it stands; who asks has the place to build in. Answers where it is.
    fn keep(&self, places: &StorePlaces) -> Result<Option<PathBuf>, StoreError>;
}
