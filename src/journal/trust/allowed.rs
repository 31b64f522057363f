//! What the user allowed of one project: one small file in the user's state.

use std::io;
use std::path::Path;

use super::folder;
use crate::journal::derived_file;

/// Larger than any that is written.
const BYTES_MAX: u64 = 16 << 10;
const FIRST_LINE: &str = "annals allowed 1";

/// What the user allowed of one project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Of the settings' text, and where it lies: see [`digest`].
    settings: Option<[u8; 32]>,
    /// The journal, by its id.
    journal: Option<[u8; 16]>,
}

impl Allowed {
    /// What was allowed of the project in this folder: nothing, where that cannot be read, or somebody
    /// else could have written it.
    pub fn of(root: &Path) -> Self {
        let bytes = folder::read(&name(root), BYTES_MAX);
        bytes.and_then(|bytes| parse(&bytes)).unwrap_or_default()
    }

    /// That this very text of settings, lying there, counts, and what this journal remembers is given
    /// to agents.
    pub fn all(root: &Path, text: &str, journal: Option<[u8; 16]>) -> Self {
        Self { settings: Some(digest(root, text)), journal }
    }

    pub(super) fn has_settings(&self, root: &Path, text: &str) -> bool {
        self.settings == Some(digest(root, text))
    }

    pub(super) fn has_journal(&self, journal: &[u8; 16]) -> bool {
        self.journal.as_ref() == Some(journal)
    }

    /// Remembers it, in place of what was allowed before.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep(&self, root: &Path) -> io::Result<()> {
        let mut text = format!("{FIRST_LINE}\n");
        for (key, bytes) in [
            ("settings", self.settings.as_ref().map(<[u8; 32]>::as_slice)),
            ("journal", self.journal.as_ref().map(<[u8; 16]>::as_slice)),
        ] {
            if let Some(bytes) = bytes {
                text.push_str(&format!("{key} {}\n", hex(bytes)));
            }
        }
        // For who looks into the folder; never read.
        text.push_str(&format!(
            "root {:?}\n",
            root.to_string_lossy().chars().take(4_096).collect::<String>()
        ));
        derived_file::replace(&folder::place(&name(root))?, text.as_bytes())
    }

    /// Allows nothing of the project in this folder any more; whether something was allowed.
    ///
    /// # Errors
    /// Where that cannot be taken back.
    pub fn withdraw(root: &Path) -> io::Result<bool> {
        folder::remove(&name(root))
    }
}

fn parse(bytes: &[u8]) -> Option<Allowed> {
    let mut lines = std::str::from_utf8(bytes).ok()?.lines(); // no file of ours
    (lines.next() == Some(FIRST_LINE)).then_some(())?;
    let mut allowed = Allowed::default();
    for (key, value) in lines.filter_map(|line| line.split_once(' ')) {
        match key {
            "settings" => allowed.settings = Some(unhex(value)?),
            "journal" => allowed.journal = Some(unhex(value)?),
            _ => {}
        }
    }
    Some(allowed)
}

/// Another folder's settings are others, though they read the same: what they run lies there.
fn digest(root: &Path, text: &str) -> [u8; 32] {
    let mut hash = blake3::Hasher::new_derive_key("annals allowed settings v1");
    let root = root.as_os_str().as_encoded_bytes();
    hash.update(&(root.len() as u64).to_le_bytes()).update(root).update(text.as_bytes());
    *hash.finalize().as_bytes()
}

fn name(root: &Path) -> String {
    let root = root.as_os_str().as_encoded_bytes();
    format!("allowed-{}", hex(&blake3::derive_key("annals allowed name v1", root)[..16]))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let hash = (text.len() == 2 * N && text.is_ascii()).then_some(text)?;
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&hash[2 * at..2 * at + 2], 16).ok()?; // no file of ours
    }
    Some(bytes)
}
