//! The door an event came by.

use bincode::{Decode, Encode};

/// The door an event came by. Append-only: the position of a variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Source {
    /// `annals run`, `annals record` or the library, as it happened.
    Live,
    /// An agent's hook, as it happened.
    Hook,
    /// An agent's transcript, read later.
    Import,
    /// The program itself: creation, recovery, repair.
    Annals,
}
