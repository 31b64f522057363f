//! What is given of an entry: what is left out of one that is there stays as it is.

mod convention_given;
mod decision_given;
mod note_given;

pub use convention_given::ConventionGiven;
pub use decision_given::DecisionGiven;
pub use note_given::NoteGiven;

/// Whether an entry may, must or must not be there before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Expected {
    #[default]
    Either,
    New,
    Known,
}
