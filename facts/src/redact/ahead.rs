//! Texts that another thread looks through before they are redacted.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use super::Redactor;

/// Shorter ones are looked through as fast as they are told apart.
const BYTES_MIN: usize = 256;
/// Texts that are kept in mind; what nobody redacts in the end must not fill it.
const TEXTS_MAX: usize = 4_096;

/// Those in which nothing was found, by their digests, until they are redacted.
#[derive(Default)]
pub(super) struct Clean(Mutex<HashSet<[u8; 16]>>);

impl Clean {
    fn add(&self, digest: [u8; 16]) {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if texts.len() >= TEXTS_MAX {
            texts.clear();
        }
        texts.insert(digest);
    }

    /// Whether a text is one of them; it is asked once.
    pub fn takes(&self, kind: Kind, text: &[u8]) -> bool {
        let is_none = || self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
        if text.len() < BYTES_MIN || is_none() {
            return false;
        }
        let digest = kind.digest(text);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&digest)
    }
}

/// How a text is looked through.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Plain,
    Json,
}

impl Kind {
    fn digest(self, text: &[u8]) -> [u8; 16] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&[self as u8]).update(text);
        let mut digest = [0; 16];
        digest.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        digest
    }
}

impl Redactor {
    /// Looks through a text that is redacted soon, by whoever: where nothing is found in it, it need not be again.
    pub fn look_ahead(&self, text: &[u8]) {
        // A pattern of the user's is allowed only so much for all texts of an event.
        let is_ours = !self.scanner.has_own() && text.len() >= BYTES_MIN;
        if is_ours && !self.scanner.holds_secret(text) {
            self.clean.add(Kind::Plain.digest(text));
        }
    }

    /// The same of JSON.
    pub fn look_ahead_json(&self, json: &str) {
        let is_ours = !self.scanner.has_own() && json.len() >= BYTES_MIN;
        if is_ours && !self.scanner.may_match_json(json) {
            self.clean.add(Kind::Json.digest(json.as_bytes()));
        }
    }
}
