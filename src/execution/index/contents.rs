//! Where contents stand inline, by what they hash to.

use rusqlite::params;

use super::Index;
use crate::store::StoreError;

/// What a content is looked up by.
pub fn content_key(hash: &[u8; 32]) -> i64 {
    let mut key = [0; 8];
    key.copy_from_slice(&hash[..8]);
    i64::from_le_bytes(key)
}

impl Index {
    /// Notes a content, unless one of this key is known.
    pub fn add_content(&mut self, hash: &[u8; 32], seq: u64) -> Result<(), StoreError> {
        self.conn
            .prepare_cached("INSERT OR IGNORE INTO contents (key, seq) VALUES (?1, ?2)")
            .and_then(|mut insert| insert.execute(params![content_key(hash), seq]))
            .map_err(|source| self.failed("inserting a content", source))?;
        Ok(())
    }
}
