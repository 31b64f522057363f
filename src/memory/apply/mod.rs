//! A model's `<memory_update>`: everything it asks for, in a fixed order, as one commit.

mod entry;
mod log;

use super::core::MODEL_IMPORTANCE;
use super::operation::Operation;
use super::recall::SEARCH_K;
use super::results::{Applied, Refusal};
use super::{MemoryError, RecallGiven};
use crate::event::{Body, MemoryDoor, MemoryOrigin, PressureLevel, PromptPlace, UpdatesApplied};
use crate::parse::reply::{
    ArchivalWrite, FoundEvent, FoundRecord, Operation as Asks, ReadResults, RecallWrite, Updates,
};
use entry::{Found, FoundOf, What};
use log::Log;

const BY: MemoryDoor = MemoryDoor::Model;
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
    ) -> Result<Applied, MemoryError> {
        let branch = self.branch(branch)?;
        let before = self.asker.origin.clone();
        let origin = &mut self.asker.origin;
        origin.node = node.map(str::to_owned).or_else(|| before.node.clone());
        origin.phase = phase.map(str::to_owned).or_else(|| before.phase.clone());
        let checked = super::names::check_origin(&self.asker.origin);
        let applied = checked.and_then(|()| self.apply(&branch, updates, prompt));
        self.asker.origin = before;
        applied
    }

    fn apply(
        &mut self,
        branch: &str,
        updates: &Updates,
        prompt: Option<PromptPlace>,
    ) -> Result<Applied, MemoryError> {
        let began_ms = self.now();
        let mut log = Log::default();
        let mut applied = Applied::of(updates, began_ms);
        self.apply_core(branch, updates, &mut log, &mut applied)?;
        self.apply_archival(branch, updates, &mut log, &mut applied)?;
        self.apply_recall(branch, updates, &mut log, &mut applied)?;
        self.apply_care(branch, updates, &mut log, &mut applied)?;
        for (at, why) in updates.left_out() {
            log.add(self.now(), What::LeftOut { at: &at, error: &why });
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
            origin: self.origin(BY),
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
    ) -> Result<(), MemoryError> {
        for write in &updates.core {
            let (key, value, ttl) = (&write.key, &write.value, write.ttl.as_deref());
            let importance = write.importance.unwrap_or(MODEL_IMPORTANCE).clamp(1, 5);
            self.put_core(BY, branch, key, value, ttl, importance)?;
            // The log names it `value`, which tells nothing of what it is.
            let value = &self.redacted_value(key, value);
            log.add(self.now(), What::CoreSet { key, value, importance, ttl });
        }
        if !updates.core_get.is_empty() {
            let found = self.read_core(BY, branch, &updates.core_get)?;
            for (key, value) in &found {
                log.add(self.now(), What::CoreGet { key, value: value.as_deref() });
            }
            applied.reads.core_get = Some(found);
        }
        for key in &updates.core_delete {
            self.delete_core(BY, branch, key, "llm_requested")?;
            log.add(self.now(), What::CoreDelete { key });
        }
        Ok(())
    }

    fn apply_archival(
        &mut self,
        branch: &str,
        updates: &Updates,
        log: &mut Log,
        applied: &mut Applied,
    ) -> Result<(), MemoryError> {
        for write in &updates.archival {
            let tags = self.insight_tags(write);
            self.archive(BY, branch, &write.text, tags.clone())?;
            log.add(self.now(), What::ArchivalWrite { text: &write.text, tags: &tags });
        }
        for (at, change) in updates.archival_update.iter().enumerate() {
            let (id, text, tags) = (change.id, change.text.as_deref(), change.tags.as_deref());
            match self.change_record(BY, Some(branch), change) {
                Ok(()) => log.add(self.now(), What::ArchivalUpdate { id, text, tags }),
                Err(why @ (MemoryError::ForeignRecord { .. } | MemoryError::NoRecord { .. })) => {
                    let (operation, why) = (Asks::ArchivalUpdate, why.to_string());
                    log.add(self.now(), What::Refused { r#type: operation.key(), id, error: &why });
                    let at = format!("{}[{at}]", operation.key());
                    applied.refused.push(Refusal { operation: Some(operation), at, why });
                }
                Err(why) => return Err(why),
            }
        }
        if let Some(search) = &updates.archival_search {
            let (query, tags) = (search.query.as_str(), search.tags.as_slice());
            let found = self.search_archival(BY, branch, query, search.k, true, tags)?;
            let k = search.k.unwrap_or(self.config().retrieval_k);
            let results: Vec<FoundOf<'_>> = found
                .iter()
                .map(|it| FoundOf::Record { id: it.id, text: &it.text, tags: &it.tags })
                .collect();
            let (results, tags_filter) = (Found::of(results), (!tags.is_empty()).then_some(tags));
            log.add(self.now(), What::ArchivalSearch { query, k, tags_filter, results });
            let told = found.into_iter();
            applied.reads.archival_search = Some(
                told.map(|it| FoundRecord { id: it.id, text: it.text, tags: it.tags }).collect(),
            );
        }
        Ok(())
    }

    fn apply_recall(
        &mut self,
        branch: &str,
        updates: &Updates,
        log: &mut Log,
        applied: &mut Applied,
    ) -> Result<(), MemoryError> {
        for write in &updates.recall {
            let given = given(write, &self.asker.origin);
            self.remember_given(BY, branch, &given, INSIGHT_KIND)?;
            let kind = write.kind.as_deref().unwrap_or(INSIGHT_KIND);
            log.add(self.now(), What::RecallAppend { kind, content: &write.text });
        }
        if let Some(search) = &updates.recall_search {
            let (query, k) = (search.query.as_str(), search.k.unwrap_or(SEARCH_K));
            let found = self.search_recall(BY, branch, query, search.k)?;
            let results: Vec<FoundOf<'_>> = found
                .iter()
                .map(|it| FoundOf::event(it.id, &it.kind, &it.text, it.at_ms))
                .collect();
            log.add(self.now(), What::RecallSearch { query, k, results: Found::of(results) });
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
            let done = self.evict_by(BY, branch, which)?;
            let (evicted_count, archived_count) = (done.ids.len(), done.records.len());
            log.add(self.now(), What::RecallEvict { evicted_count, archived_count });
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
    ) -> Result<(), MemoryError> {
        if updates.recall_summarize {
            let done = self.consolidate_beyond(branch)?;
            let (status, events_consolidated) = ("success", done.events);
            log.add(self.now(), What::RecallSummarize { status, events_consolidated });
            applied.recall_summarize = Some(done);
        }
        if updates.consolidate {
            let done = self.auto_consolidate_memory(branch, PressureLevel::High, None)?;
            log.add(self.now(), What::consolidate(&done));
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

impl Applied {
    fn of(updates: &Updates, began_ms: u64) -> Self {
        Self {
            asked: updates.asked(),
            reads: ReadResults::default(),
            recall_evict: None,
            recall_summarize: None,
            consolidate: None,
            refused: Vec::new(),
            operations: crate::event::Json("[]".to_owned()),
            began_ms,
            ended_ms: began_ms,
        }
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
