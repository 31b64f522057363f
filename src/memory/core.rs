//! Core memory: keys with values, within a budget.

use super::limits::ROW_BYTES_MAX;
use super::operation::{Operation, check_text};
use super::results::{CoreDone, CoreGone};
use super::texts::{NOTE_CHARS_MAX, beginning, fits, referring};
use super::{Result, names};
use crate::event::{
    Body, CoreDeleted, CoreEvicted, CoreSet, Event, EvictionCause, MemoryQuery, Ordered,
};
use crate::memory::query::{self as memory, CoreValue, IMPORTANCE};

/// What a key is worth where a model does not say.
pub(super) const MODEL_IMPORTANCE: u8 = 4;

impl Operation<'_> {
    /// The value that a branch sees under a key. Nothing is recorded.
    pub fn get_core(&mut self, branch: &str, key: &str) -> Result<Option<String>> {
        let branch = self.branch(branch)?;
        self.seen_core(&branch, key)
    }

    /// The values that a branch sees, in the order of the keys; no keys: all there are, by key.
    pub fn mem_core_get(
        &mut self,
        branch: &str,
        keys: &[String],
    ) -> Result<Vec<(String, Option<String>)>> {
        let (branch, at_ms) = (self.branch(branch)?, self.at_ms);
        let seen = memory::core(&self.view()?, &branch, at_ms)?;
        let value = |key: &String| seen.get(&self.redacted(key)).map(|it| it.value.clone());
        let found: Vec<(String, Option<String>)> = match keys {
            [] => seen.into_values().map(|seen| (seen.key, Some(seen.value))).collect(),
            keys => keys.iter().map(|key| (key.clone(), value(key))).collect(),
        };
        let results = found.iter().filter(|(_, value)| value.is_some()).count();
        self.record_read(&branch, MemoryQuery::Core { keys: keys.to_vec() }, results)?;
        Ok(found)
    }

    /// Deletes a key: also what is inherited under it is hidden from here on down. Says whether
    /// anything was seen under it.
    pub fn mem_core_del(&mut self, branch: &str, key: &str) -> Result<bool> {
        let branch = self.branch(branch)?;
        self.delete_core(&branch, key, "explicit")
    }

    fn seen_core(&mut self, branch: &str, key: &str) -> Result<Option<String>> {
        // It was stored without what redaction takes out.
        let (key, at_ms) = (self.redacted(key), self.at_ms);
        let mut seen = memory::core(&self.view()?, branch, at_ms)?;
        Ok(seen.remove(&key).map(|seen| seen.value))
    }

    /// Gives a key its value on this branch alone: its ancestors keep theirs.
    pub fn set_core(
        &mut self,
        branch: &str,
        key: &str,
        value: &str,
        ttl: Option<&str>,
        importance: Option<i64>,
    ) -> Result<CoreDone> {
        names::check_key(key)?;
        check_text("the value", value)?;
        let branch = self.branch(branch)?;
        let whole = self.redacted_value(key, value);
        let key = self.redacted(key);
        let (importance, bytes) = (clamped(importance), ROW_BYTES_MAX);
        let room = self.core_room(&branch, &key, (importance, whole.chars().count()))?;
        let (stays, can_be_cut) = (fits(&whole, room.whole, bytes), room.cut >= NOTE_CHARS_MAX);
        let (value, archived_as) = if stays || !can_be_cut && fits(&whole, usize::MAX, bytes) {
            (whole, None)
        } else {
            let record = self.archive_value(&branch, "Core value", "CORE_WHOLE", &key, &whole)?;
            (referring(&whole, record, room.cut, bytes), Some(record))
        };
        let ttl = ttl.map(|ttl| beginning(ttl, 64, 64).to_owned());
        let origin = self.origin();
        let set =
            CoreSet { branch: branch.clone(), key: key.clone(), value, importance, ttl, origin };
        self.record(Body::CoreSet(set))?;
        let evicted = match stays || can_be_cut {
            true => self.enforce_core_budget(&branch, Some(&key))?,
            // What is worth more leaves it no room: it goes itself.
            false => {
                let mut own = self.live_core(&branch)?;
                own.retain(|row| row.key == key);
                self.evict_all(&branch, own)?
            }
        };
        Ok(CoreDone { archived_as, evicted })
    }

    /// The budget; a size of 0 is no limit.
    fn core_max(&self) -> u64 {
        match self.config().core_max_chars {
            0 => u64::MAX,
            max => max,
        }
    }

    /// Characters that a key's value of this importance and length may have: nothing that is worth more goes for it,
    /// and for one that takes more than half of the budget nothing that is worth as much.
    fn core_room(
        &mut self,
        branch: &str,
        key: &str,
        (importance, chars): (u8, usize),
    ) -> Result<Room> {
        let max = usize::try_from(self.core_max()).unwrap_or(usize::MAX);
        let alone = max.saturating_sub(key.chars().count() + ": ".len());
        let mut others = self.live_core(branch)?;
        others.retain(|row| row.key != key);
        let beside = |others: &[CoreValue]| {
            let taken = used_chars(others) + u64::from(!others.is_empty());
            alone.saturating_sub(usize::try_from(taken).unwrap_or(usize::MAX))
        };
        let cut = beside(&others).max(alone / 4);
        let is_large = chars > alone / 2;
        others
            .retain(|row| row.importance > importance || is_large && row.importance == importance);
        let whole = beside(&others);
        Ok(Room { whole, cut: cut.min(whole) })
    }

    pub(super) fn delete_core(&mut self, branch: &str, key: &str, reason: &str) -> Result<bool> {
        names::check_key(key)?;
        let was_seen = self.seen_core(branch, key)?.is_some();
        let own = self.redacted(key);
        let view = self.view()?;
        let buried = view.core(branch)?.iter().any(|row| row.key == own && row.value.is_none());
        // Twice is once; and what nobody ever knew needs no stone.
        if buried || (!was_seen && !view.core(branch)?.iter().any(|row| row.key == own)) {
            return Ok(false);
        }
        let (branch, key, reason) = (branch.to_owned(), key.to_owned(), reason.to_owned());
        let origin = self.origin();
        self.record(Body::CoreDeleted(CoreDeleted { branch, key, reason, origin }))?;
        Ok(was_seen)
    }

    /// Archives the least important of a branch's own keys until it is within its budget; `last` goes
    /// last: it was given no more room than what is worth more leaves.
    pub(super) fn enforce_core_budget(
        &mut self,
        branch: &str,
        last: Option<&str>,
    ) -> Result<Vec<CoreGone>> {
        let max = self.core_max();
        let mut rows = self.live_core(branch)?;
        let mut used = used_chars(&rows);
        if used <= max {
            return Ok(Vec::new());
        }
        rows.order_by_key(|row| {
            let is_last = Some(row.key.as_str()) == last;
            (is_last, row.importance, row.updated_ms, row.key.clone())
        });
        let mut left = rows.len();
        let mut gone = 0;
        while used > max && left > 0 {
            used = used.saturating_sub(rows[gone].line_chars() + u64::from(left > 1));
            (left, gone) = (left - 1, gone + 1);
        }
        rows.truncate(gone);
        self.evict_all(branch, rows)
    }

    fn evict_all(&mut self, branch: &str, rows: Vec<CoreValue>) -> Result<Vec<CoreGone>> {
        let mut gone = Vec::with_capacity(rows.len());
        for row in rows {
            let record = self.evict_core(branch, &row, EvictionCause::Budget, "Core evicted")?;
            gone.push(CoreGone { key: row.key, record });
        }
        Ok(gone)
    }

    /// Moves a key of the branch's own into the archive; gives the record.
    pub(super) fn evict_core(
        &mut self,
        branch: &str,
        row: &CoreValue,
        cause: EvictionCause,
        what: &str,
    ) -> Result<u64> {
        let record = self.archive_value(branch, what, "CORE_EVICT", &row.key, &row.value)?;
        let (branch, key, importance) = (branch.to_owned(), row.key.clone(), row.importance);
        let origin = self.internal();
        let evicted = CoreEvicted { branch, key, record, importance, cause, origin };
        self.record(Body::CoreEvicted(evicted))?;
        Ok(record)
    }

    /// The branch's own keys that have a value still.
    pub(super) fn live_core(&mut self, branch: &str) -> Result<Vec<CoreValue>> {
        let at_ms = self.at_ms;
        Ok(memory::own_core(&self.view()?, branch, at_ms)?.into_values().collect())
    }

    fn archive_value(
        &mut self,
        branch: &str,
        what: &str,
        tag: &str,
        key: &str,
        value: &str,
    ) -> Result<u64> {
        let text = format!("{what}: {key}\n{value}");
        let tags = vec![tag.to_owned(), format!("core_key:{key}")];
        self.archive_itself(branch, &text, tags)
    }
}

/// What a budget leaves for a value, in characters.
struct Room {
    whole: usize,
    /// For its beginning, where it has to be cut: it sends no more of the others away than that takes, or a quarter
    /// of the budget.
    cut: usize,
}

/// Characters of keys and values as lines `key: value`.
pub(super) fn used_chars(rows: &[CoreValue]) -> u64 {
    let lines: u64 = rows.iter().map(CoreValue::line_chars).sum();
    lines + (rows.len() as u64).saturating_sub(1)
}

pub(super) fn clamped(importance: Option<i64>) -> u8 {
    importance.map_or(IMPORTANCE, |it| it.clamp(1, 5) as u8)
}

/// The text of an event that was prepared to be archived.
pub(super) fn archived(event: &Event) -> (&str, &[String]) {
    match &event.body {
        Body::ArchivalWritten(written) => (&written.text, &written.tags),
        _ => ("", &[]),
    }
}
