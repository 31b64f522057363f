//! The texts of branch memory. Names of branches, runs, nodes and phases are not shown:
//! they are what things are found by.

use super::{TextVisitor, content, texts};
use crate::event::{
    ArchivalUpdated, ArchivalWritten, CoreSet, ImportanceEvaluated, InheritedConsolidated,
    MemoryQuery, MemoryRead, RecallAppended,
};

pub fn set(v: &mut dyn TextVisitor, b: &mut CoreSet) {
    v.named(&b.key, &mut b.value);
    v.text(&mut b.key);
}

pub fn appended(v: &mut dyn TextVisitor, b: &mut RecallAppended) {
    texts(v, [&mut b.kind, &mut b.text]);
    texts(v, b.tags.iter_mut().chain(&mut b.task_hint));
}

pub fn inherited(v: &mut dyn TextVisitor, b: &mut InheritedConsolidated) {
    texts(v, b.groups.iter_mut().map(|group| &mut group.summary));
}

pub fn written(v: &mut dyn TextVisitor, b: &mut ArchivalWritten) {
    v.text(&mut b.text);
    texts(v, &mut b.tags);
    if let Some(whole) = &mut b.whole {
        content(v, whole);
    }
}

pub fn updated(v: &mut dyn TextVisitor, b: &mut ArchivalUpdated) {
    texts(v, b.text.iter_mut().chain(b.tags.iter_mut().flatten()));
    if let Some(whole) = &mut b.whole {
        content(v, whole);
    }
}

pub fn read(v: &mut dyn TextVisitor, b: &mut MemoryRead) {
    match &mut b.query {
        MemoryQuery::Core { keys } => texts(v, keys),
        MemoryQuery::Recall { query, .. } => v.text(query),
        MemoryQuery::Archival { query, tags, .. } => {
            v.text(query);
            texts(v, tags);
        }
        MemoryQuery::Record { .. } | MemoryQuery::Node { .. } => (),
    }
}

pub fn evaluated(v: &mut dyn TextVisitor, b: &mut ImportanceEvaluated) {
    texts(v, &mut b.task_hint);
    for item in &mut b.items {
        texts(v, [&mut item.key, &mut item.reason]);
    }
}
