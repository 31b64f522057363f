//! Two repositories' memories became one.

use bincode::{Decode, Encode};

use super::RepoHash;

/// Two repositories' memories became one: whoever asks for either is given both.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct RepoLinked {
    pub repo: RepoHash,
    pub with: RepoHash,
}
