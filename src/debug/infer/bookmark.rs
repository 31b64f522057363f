//! How far the journal was read for what is inferred, and what was open there.
//!
//! Derived: where the file is gone, of another journal or another version, the journal is read from its
//! beginning. What is recorded by then is found in the index, and not recorded again.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::reading::Sessions;
use crate::journal::{Project, derived_file};

/// Another number where what is kept is read otherwise.
const VERSION: u32 = 2;
/// A larger one is made anew.
const BYTES_MAX: u64 = 16 << 20;

#[derive(Default, Serialize, Deserialize)]
pub struct Kept {
    version: u32,
    journal: [u8; 16],
    /// The sequence of the last event that was read.
    pub through: u64,
    pub sessions: Sessions,
}

impl Kept {
    pub fn read(project: &Project, journal: [u8; 16]) -> Self {
        let bytes = derived_file::read(&place(project), BYTES_MAX).unwrap_or_default();
        // What cannot be read is made anew.
        let kept: Option<Self> = serde_json::from_slice(&bytes).ok();
        let is_ours = |it: &Self| (it.version, it.journal) == (VERSION, journal);
        kept.filter(is_ours).unwrap_or(Self { version: VERSION, journal, ..Self::default() })
    }

    pub fn write(&self, project: &Project) {
        // Without it the journal is read again.
        let Ok(bytes) = serde_json::to_vec(self) else { return };
        drop(derived_file::replace(&place(project), &bytes));
    }
}

fn place(project: &Project) -> PathBuf {
    project.annals_dir().join("inferred").join("open.json")
}

/// Ids as their bytes.
macro_rules! as_bytes {
    ($($module:ident: $id:ty, $make:path;)*) => {
        $(pub mod $module {
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            pub fn serialize<S: Serializer>(id: &$id, to: S) -> Result<S::Ok, S::Error> {
                id.0.serialize(to)
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<$id, D::Error> {
                <[u8; 16]>::deserialize(from).map($make)
            }
        })*
    };
}

as_bytes!(
    session_id: crate::event::SessionId, crate::event::SessionId;
    execution_id: crate::event::ExecutionId, crate::event::ExecutionId;
    debug_session_id: crate::event::DebugSessionId, crate::event::DebugSessionId;
);
