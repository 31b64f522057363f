//! Facts about a repository's memory (spec 004): what holds there, what was decided, what was noted,
//! what steps came to, and how its tree looked.
//!
//! Whose it is is a [`RepoHash`], computed where it was recorded: a projector asks no git. What was
//! recorded again under an id that is there replaces it and keeps when it was first.

mod convention;
mod decision;
mod hash;
mod identity;
mod index;
mod link;
mod note;
mod summary;

pub use convention::{ConventionRemoved, ConventionUpserted};
pub use decision::{DecisionRecorded, DecisionRemoved};
pub use hash::RepoHash;
pub use identity::RepoIdentified;
pub use index::{IndexKind, IndexStored};
pub use link::RepoLinked;
pub use note::{NoteAdded, NoteRemoved, NoteSource};
pub use summary::{SummaryAppended, SummaryMaker};
