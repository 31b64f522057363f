//! What frameworks of agents keep in a branch: values under keys, and threads of messages. Nothing of it ever has to
//! go for something else.

use bincode::{Decode, Encode};
use serde::Serialize;

use super::MemoryOrigin;
use crate::event::Json;

/// A key was given a value: one more version of it.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct KvPut {
    pub branch: String,
    /// Labels from the outermost on; none: keys of no namespace.
    pub namespace: Vec<String>,
    pub key: String,
    /// One more than the last that the branch saw.
    pub version: u64,
    /// Any JSON, as it was written.
    pub value: Json,
    /// How long it holds from then on; judged when it is read. `None`: for ever.
    pub ttl_ms: Option<u64>,
    pub origin: MemoryOrigin,
}

/// A key was deleted: it is not seen any more from here on down, its versions stay.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct KvDeleted {
    pub branch: String,
    pub namespace: Vec<String>,
    pub key: String,
    /// The version that was the last.
    pub version: u64,
    pub origin: MemoryOrigin,
}

/// A message came to the end of a thread, whatever stands there already.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct MessageAppended {
    pub branch: String,
    pub thread: String,
    /// In the thread, as the branch sees it: one more than the last, given once.
    pub number: u64,
    /// Whose it is: `user`, `assistant`, `tool`, …
    pub role: String,
    /// Any JSON, as it was written.
    pub content: Json,
    pub origin: MemoryOrigin,
}

/// The last message of a thread was taken back: the branch does not see it any more.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct MessagePopped {
    pub branch: String,
    pub thread: String,
    pub number: u64,
    pub origin: MemoryOrigin,
}

/// A thread began anew: the branch sees no message before this.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ThreadCleared {
    pub branch: String,
    pub thread: String,
    /// How many it saw.
    pub messages: u64,
    pub origin: MemoryOrigin,
}
