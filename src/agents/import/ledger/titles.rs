//! Which session a title belongs to: titles name a record, before or after it, in any file.

use std::collections::{HashMap, VecDeque};

use crate::agents::import::limits::{LEAVES_MAX, TITLES_MAX};

/// Recent records and the titles that wait for theirs.
#[derive(Debug, Default)]
pub struct Titles {
    sessions: HashMap<u64, usize>,
    recent: VecDeque<u64>,
    waiting: HashMap<u64, String>,
}

impl Titles {
    /// Notes the number of a record's session; the title that waited for it.
    pub fn record(&mut self, uuid: &str, session: usize) -> Option<String> {
        let key = key(uuid);
        if self.sessions.insert(key, session).is_none() {
            self.recent.push_back(key);
        }
        if self.recent.len() > LEAVES_MAX
            && let Some(oldest) = self.recent.pop_front()
        {
            self.sessions.remove(&oldest);
        }
        self.waiting.remove(&key)
    }

    /// The number of the session whose record this is; where it is not known yet, the title waits.
    pub fn title(&mut self, leaf: &str, text: &str) -> Option<usize> {
        let key = key(leaf);
        let session = self.sessions.get(&key).copied();
        if session.is_none() && self.waiting.len() < TITLES_MAX {
            self.waiting.insert(key, text.to_owned());
        }
        session
    }
}

/// Eight bytes of a hash: a mixed-up title does no harm, a kept id would cost memory.
fn key(uuid: &str) -> u64 {
    let hash = blake3::hash(uuid.as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(bytes)
}
