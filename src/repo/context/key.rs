//! By what a pack is known that was made before: everything that its text depends on.

use std::io::Read;

use super::ContextError;
use crate::journal::enclosure::OpenHow;
use crate::journal::{Project, enclosure};
use crate::repo::pack::{PackAsked, PackSession};
use crate::store::{Feed, JournalFeed};

/// Of the settings' file this much is looked at, bytes: of more nothing is settings.
const CONFIG_BYTES_MAX: u64 = 1 << 20;

/// By what a pack is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackKey {
    pub(super) hash: [u8; 32],
    /// The last event that a pack of this key knows of.
    pub(super) sequence: u64,
}

impl PackKey {
    /// The key of what is asked of a project, as it stands. `seen` is how its tree was found to be.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn of(
        project: &Project,
        asked: &PackAsked,
        seen: Option<[u8; 32]>,
        build: &str,
    ) -> Result<Self, ContextError> {
        let feed = JournalFeed::asked(project)?;
        let mark = feed.through();
        let mut hash = blake3::Hasher::new_derive_key("annals pack 2");
        let mut part = |bytes: &[u8]| {
            hash.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        };
        part(&feed.journal());
        part(&mark.sequence.0.to_le_bytes());
        part(&mark.chain);
        part(build.as_bytes());
        part(&config(project));
        part(asked.repo.as_deref().unwrap_or_default().as_bytes());
        part(asked.current.as_ref().map_or(&[], |current| &current.0));
        let (kind, session): (u8, &[u8]) = match &asked.session {
            PackSession::Named(name) => (1, name.as_bytes()),
            PackSession::Is(session) => (2, &session.0),
            PackSession::Newest => (3, &[]),
        };
        part(&[kind, u8::from(asked.map)]);
        part(session);
        part(&(asked.chars_max as u64).to_le_bytes());
        part(&(asked.summaries_max as u64).to_le_bytes());
        part(seen.as_ref().map_or(&[], |seen| seen));
        for path in &asked.paths {
            part(path.as_bytes());
        }
        Ok(Self { hash: *hash.finalize().as_bytes(), sequence: mark.sequence.0 })
    }
}

/// The settings as they are written; none where there are none.
fn config(project: &Project) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Settings that could not be read opened no project.
    let read = enclosure::open(&project.config_path(), OpenHow::Read)
        .and_then(|file| file.take(CONFIG_BYTES_MAX).read_to_end(&mut bytes));
    drop(read);
    bytes
}
