//! A model's `<memory_update>`: everything it asks for, in a fixed order, as one commit.

use serde_json::{Value, json};

use super::core::MODEL_IMPORTANCE;
use super::operation::Operation;
use super::recall::{RecallGiven, SEARCH_K};
use super::results::{Applied, Refusal};
use super::update::Log;
use super::{MemoryError, Result};
use crate::event::wire::seconds_of;
use crate::event::{
    Body, Json, MemoryDoor, MemoryOrigin, PressureLevel, PromptPlace, UpdatesApplied,
};
use crate::memory::query::Matching;
use crate::parse::reply::{
    ArchivalChange, ArchivalWrite, FoundEvent, FoundRecord, Operation as Asks, ReadResults,
    RecallWrite, Updates,
};

/// What a model's records have, before their own tags.
const INSIGHT_TAG: &str = "LLM_INSIGHT";
/// What a model's events are called that do not say.
const INSIGHT_KIND: &str = "llm_insight";

impl Operation<'_> {
    /// Applies what a model asks for: set core, get, delete; write the archive, update, search; append
    /// to recall, search, evict, summarize; consolidate. What it may not do is left out and told.
    pub fn apply_llm_memory_updates(
        &mut self,
        branch: &str,
        updates: &Updates,
        node: Option<&str>,
        phase: Option<&str>,
        prompt: Option<PromptPlace>,
    ) -> Result<Applied> {
        let branch = self.branch(branch)?;
        let before = self.asker.origin.clone();
        let origin = &mut self.asker.origin;
        origin.node = node.map(str::to_owned).or_else(|| before.node.clone());
        origin.phase = phase.map(str::to_owned).or_else(|| before.phase.clone());
        let applied = super::names::check_origin(&self.asker.origin)
            .and_then(|()| self.by(MemoryDoor::Model, |it| it.apply(&branch, updates, prompt)));
        self.asker.origin = before;
        applied
    }

    fn apply(
        &mut self,
        branch: &str,
        updates: &Updates,
        prompt: Option<PromptPlace>,
    ) -> Result<Applied> {
        let began_ms = self.now();
        let mut log = Log::default();
        let mut applied = Applied {
            asked: updates.asked(),
            reads: ReadResults::default(),
            recall_evict: None,
            recall_summarize: None,
            consolidate: None,
            refused: Vec::new(),
            operations: Json("[]".to_owned()),
            began_ms,
            ended_ms: began_ms,
        };
        self.apply_core(branch, updates, &mut log, &mut applied)?;
        self.apply_archival(branch, updates, &mut log, &mut applied)?;
        self.apply_recall(branch, updates, &mut log, &mut applied)?;
        self.apply_care(branch, updates, &mut log, &mut applied)?;
        for (at, why) in updates.left_out() {
            log.add(self.now(), "left_out", json!({ "at": at, "error": why }));
            applied.refused.push(Refusal { operation: None, at, why });
        }
        applied.ended_ms = self.now().max(began_ms);
        let body = UpdatesApplied {
            branch: branch.to_owned(),
            asked: applied.asked.iter().map(|asked| asked.key().to_owned()).collect(),
            operations: log.finish(),
            began_ms,
            ended_ms: applied.ended_ms,
            prompt,
            origin: self.origin(),
        };
        let event = self.prepared(Body::UpdatesApplied(body))?;
        if let Body::UpdatesApplied(body) = &event.body {
            applied.operations = body.operations.clone();
        }
        self.push(event)?;
        Ok(applied)
    }

    fn apply_core(
        &mut self,
        branch: &str,
        updates: &Updates,
        log: &mut Log,
        applied: &mut Applied,
    ) -> Result<()> {
        for write in &updates.core {
            let (key, value, ttl) = (&write.key, &write.value, write.ttl.as_deref());
            let importance = write.importance.unwrap_or(MODEL_IMPORTANCE).clamp(1, 5);
            self.set_core(branch, key, value, ttl, Some(importance.into()))?;
            // The log names it `value`, which tells nothing of what it is.
            let value = &self.redacted_value(key, value);
            let set = json!({ "key": key, "value": value, "importance": importance, "ttl": ttl });
            log.add(self.now(), "core_set", set);
        }
        if !updates.core_get.is_empty() {
            let found = self.mem_core_get(branch, &updates.core_get)?;
            for (key, value) in &found {
                log.add(self.now(), "core_get", json!({ "key": key, "value": value }));
            }
            applied.reads.core_get = Some(found);
        }
        for key in &updates.core_delete {
            self.delete_core(branch, key, "llm_requested")?;
            log.add(self.now(), "core_delete", json!({ "key": key }));
        }
        Ok(())
    }

    fn apply_archival(
        &mut self,
        branch: &str,
        updates: &Updates,
        log: &mut Log,
        applied: &mut Applied,
    ) -> Result<()> {
        for write in &updates.archival {
            let tags = self.insight_tags(write);
            self.archive(branch, &write.text, tags.clone())?;
            let written = json!({ "text": write.text, "tags": tags });
            log.add(self.now(), "archival_write", written);
        }
        for (at, change) in updates.archival_update.iter().enumerate() {
            match self.mem_archival_update(Some(branch), change) {
                Ok(()) => {
                    let ArchivalChange { id, text, tags, .. } = change;
                    let updated = json!({ "id": id, "text": text, "tags": tags });
                    log.add(self.now(), "archival_update", updated);
                }
                Err(why @ (MemoryError::ForeignRecord { .. } | MemoryError::NoRecord { .. })) => {
                    let (operation, why) = (Asks::ArchivalUpdate, why.to_string());
                    let left_out = json!({ "id": change.id, "error": why });
                    log.add(self.now(), operation.key(), left_out);
                    let at = format!("{}[{at}]", operation.key());
                    applied.refused.push(Refusal { operation: Some(operation), at, why });
                }
                Err(why) => return Err(why),
            }
        }
        if let Some(search) = &updates.archival_search {
            let (query, tags) = (search.query.as_str(), search.tags.as_deref().unwrap_or_default());
            let found =
                self.search_archival(branch, (query, Matching::Any), search.k, true, tags)?;
            let k = search.k.unwrap_or(self.config().retrieval_k);
            let found: Vec<FoundRecord> = found
                .into_iter()
                .map(|it| FoundRecord { id: it.id, text: it.text, tags: it.tags })
                .collect();
            let results = json!({
                "query": query,
                "k": k,
                "tags_filter": (!tags.is_empty()).then_some(tags),
                "results_count": found.len(),
                "results": found,
            });
            log.add(self.now(), "archival_search", results);
            applied.reads.archival_search = Some(found);
        }
        Ok(())
    }

    fn apply_recall(
        &mut self,
        branch: &str,
        updates: &Updates,
        log: &mut Log,
        applied: &mut Applied,
    ) -> Result<()> {
        for write in &updates.recall {
            let given = given(write, &self.asker.origin);
            self.remember_given(branch, &given, INSIGHT_KIND)?;
            let kind = write.kind.as_deref().unwrap_or(INSIGHT_KIND);
            let appended = json!({ "kind": kind, "content": write.text });
            log.add(self.now(), "recall_append", appended);
        }
        if let Some(search) = &updates.recall_search {
            let (query, k) = (search.query.as_str(), search.k.unwrap_or(SEARCH_K));
            let found = self.mem_recall_search(branch, query, search.k)?;
            let results: Vec<Value> = found
                .iter()
                .map(|it| {
                    let ts = seconds_of(it.at_ms);
                    json!({ "id": it.id, "kind": it.kind, "summary": it.text, "ts": ts })
                })
                .collect();
            let results = json!({
                "query": query,
                "k": k,
                "results_count": results.len(),
                "results": results,
            });
            log.add(self.now(), "recall_search", results);
            let told = found.into_iter().map(|it| FoundEvent {
                id: it.id,
                kind: it.kind,
                summary: it.text,
                tags: it.tags,
                at_ms: it.at_ms,
            });
            applied.reads.recall_search = Some(told.collect());
        }
        if let Some(which) = &updates.recall_evict {
            let done = self.evict(branch, which)?;
            let (evicted, archived) = (done.ids.len(), done.records.len());
            let counts = json!({ "evicted_count": evicted, "archived_count": archived });
            log.add(self.now(), "recall_evict", counts);
            for it in &done.refused {
                let at = format!("recall_evict.ids: {}", it.id);
                let (operation, why) = (Some(Asks::RecallEvict), it.why());
                applied.refused.push(Refusal { operation, at, why });
            }
            applied.recall_evict = Some(done);
        }
        Ok(())
    }

    fn apply_care(
        &mut self,
        branch: &str,
        updates: &Updates,
        log: &mut Log,
        applied: &mut Applied,
    ) -> Result<()> {
        if updates.recall_summarize {
            let done = self.consolidate_beyond(branch)?;
            let summed = json!({ "status": "success", "events_consolidated": done.events });
            log.add(self.now(), "recall_summarize", summed);
            applied.recall_summarize = Some(done);
        }
        if updates.consolidate {
            let done = self.auto_consolidate_memory(branch, PressureLevel::High, None)?;
            let details = json!({
                "actions_taken": done.actions_taken,
                "freed_chars": done.freed_chars,
                "core_items_evicted": done.core_items_evicted,
                "recall_events_consolidated": done.recall_events_consolidated,
                "new_pressure_level": done.new_pressure_level,
            });
            let consolidated = json!({ "status": "success", "details": details });
            log.add(self.now(), "consolidate", consolidated);
            applied.consolidate = Some(done);
        }
        Ok(())
    }

    fn insight_tags(&self, write: &ArchivalWrite) -> Vec<String> {
        let mut tags = vec![INSIGHT_TAG.to_owned()];
        tags.extend(write.tags.iter().filter(|tag| *tag != INSIGHT_TAG).cloned());
        self.tags_of(&tags, &own_meta(&write.meta, &self.asker.origin))
    }
}

/// What a model says of its own: where the caller says whose it is, that counts; and on which branch
/// it goes is the caller's alone.
fn own_meta(meta: &[(String, String)], origin: &MemoryOrigin) -> Vec<(String, String)> {
    let said = |key: &str| match key {
        "branch_id" => true,
        "run_id" => origin.run.is_some(),
        "node_id" => origin.node.is_some(),
        "phase" => origin.phase.is_some(),
        _ => false,
    };
    meta.iter().filter(|(key, _)| !said(key)).cloned().collect()
}

fn given(write: &RecallWrite, origin: &MemoryOrigin) -> RecallGiven {
    let meta = own_meta(&write.meta, origin);
    RecallGiven {
        phase: write.phase.clone(),
        kind: write.kind.clone(),
        summary: write.text.clone(),
        refs: write.refs.clone(),
        tags: super::tags::with_meta(&write.tags, &meta),
        ..RecallGiven::default()
    }
}
