//! Values under keys in namespaces: every version stays, and nothing is evicted.

use super::limits::{LABELS_MAX, TEXT_BYTES_MAX};
use super::operation::Operation;
use super::state::{KvEntry, KvKey, KvSearch, compact};
use super::{MemoryError, Result, names};
use crate::event::{Body, Json, KvDeleted, KvPut};

impl Operation<'_> {
    /// Gives a key its next version on this branch. `value` is any JSON; a time to live is milliseconds from now.
    pub fn kv_put(&mut self, key: &KvKey<'_>, value: &str, ttl_ms: Option<u64>) -> Result<KvEntry> {
        let (branch, namespace, key) = self.kv_key(key)?;
        let value = json("KvPut", "the value", value)?;
        let at = KvKey { branch: &branch, namespace: &namespace, key: &key };
        let version = self.state()?.view().last_version(&at)? + 1;
        let origin = self.origin();
        let put = KvPut {
            branch: branch.clone(),
            namespace: namespace.clone(),
            key: key.clone(),
            version,
            value,
            ttl_ms,
            origin,
        };
        self.record(Body::KvPut(put))?;
        let written = self.state()?.view().latest(&at)?;
        written.ok_or(MemoryError::Untaken { message: format!("there is no {key:?}") })
    }

    /// Deletes a key from this branch on down; says whether anything was seen under it.
    pub fn kv_delete(&mut self, key: &KvKey<'_>) -> Result<bool> {
        let at_ms = self.at_ms;
        let (branch, namespace, key) = self.kv_key(key)?;
        let at = KvKey { branch: &branch, namespace: &namespace, key: &key };
        let Some(seen) = self.state()?.view().get(&at, at_ms)? else { return Ok(false) };
        let (version, origin) = (seen.version, self.origin());
        self.record(Body::KvDeleted(KvDeleted { branch, namespace, key, version, origin }))?;
        Ok(true)
    }

    /// What a branch sees under a key, or one version of it. Nothing is recorded.
    pub fn kv_get(&mut self, key: &KvKey<'_>, version: Option<u64>) -> Result<Option<KvEntry>> {
        let at_ms = self.at_ms;
        let key = KvKey { branch: &self.branch(key.branch)?, ..*key };
        let view = self.state()?.view();
        Ok(match version {
            Some(version) => view.version(&key, version)?,
            None => view.get(&key, at_ms)?,
        })
    }

    /// Versions and deletions of a key, the newest first. Nothing is recorded.
    pub fn kv_history(&mut self, key: &KvKey<'_>, most: usize) -> Result<Vec<KvEntry>> {
        let key = KvKey { branch: &self.branch(key.branch)?, ..*key };
        Ok(self.state()?.view().history(&key, most)?)
    }

    /// Values in and below a namespace, those that say most of the words first. Nothing is recorded.
    pub fn kv_search(&mut self, search: &KvSearch<'_>) -> Result<Vec<KvEntry>> {
        let (at_ms, branch) = (self.at_ms, self.branch(search.branch)?);
        let search = KvSearch { branch: &branch, ..search.clone() };
        Ok(self.state()?.view().search(&search, at_ms)?)
    }

    /// Values in and below a namespace, by namespace and key. Nothing is recorded.
    pub fn kv_list(&mut self, branch: &str, below: &[String]) -> Result<Vec<KvEntry>> {
        let (at_ms, branch) = (self.at_ms, self.branch(branch)?);
        Ok(self.state()?.view().entries(&branch, below, at_ms)?)
    }

    /// Namespaces that have any value, in their order. Nothing is recorded.
    pub fn kv_namespaces(&mut self, branch: &str) -> Result<Vec<Vec<String>>> {
        let mut found = self.kv_list(branch, &[])?;
        found.dedup_by(|a, b| a.namespace == b.namespace);
        Ok(found.into_iter().map(|entry| entry.namespace).collect())
    }

    /// The branch, the namespace and the key of something that is to be written. They are kept as they are: of two
    /// that lost a secret each, one would be lost.
    fn kv_key(&mut self, key: &KvKey<'_>) -> Result<(String, Vec<String>, String)> {
        names::check_count("labels of a namespace", key.namespace.len(), LABELS_MAX)?;
        for label in key.namespace {
            names::check_key_of("label of a namespace", label)?;
            self.no_secret("namespace", label)?;
        }
        names::check_key(key.key)?;
        self.no_secret("key", key.key)?;
        Ok((self.branch(key.branch)?, key.namespace.to_vec(), key.key.to_owned()))
    }
}

/// JSON that may be kept, as it was written.
pub(super) fn json(event: &'static str, what: &'static str, text: &str) -> Result<Json> {
    names::check_len(what, text.len(), TEXT_BYTES_MAX)?;
    Json::canonical("json", text).map_err(|source| MemoryError::Event { name: event, source })?;
    Ok(Json(compact(text)))
}
