//! Keys that sign checkpoints: ed25519, each a file of the user's alone, outside of every project.

mod epochs;
mod file;
mod locked;
mod public;
mod secret;
mod sshsig;

#[cfg(test)]
mod tests;

use super::TlogError;
use super::note::{Note, Signature};

pub use epochs::EPOCH_DAYS_MAX;
pub use file::{Keys, NewKey, generate};
pub use public::{PublicKey, Signed, is_name};
#[cfg(test)]
pub(super) use secret::SecretKey;
pub use secret::{Key, KeyKind};
pub use sshsig::{NAMESPACE, SshKey, blob};

/// Who signs a text.
pub trait Sign {
    fn public(&self) -> PublicKey;

    /// The bytes of a signature over a text, which ends in a newline.
    fn signature(&self, text: &str) -> Result<Vec<u8>, TlogError>;

    fn sign(&self, text: String) -> Result<Note, TlogError> {
        let (public, bytes) = (self.public(), self.signature(&text)?);
        let (name, key_id) = (public.name().to_owned(), public.id());
        Ok(Note { text, signatures: vec![Signature { name, key_id, bytes }] })
    }
}
