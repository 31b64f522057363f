//! Operations on branch memory, under the conventions' names for them: a branch is a store.

use serde_json::{Value as Json, json};

use super::span::{self, Span};
use super::{Telling, names};
use crate::event::{Body, MemoryQuery, Recorded};

/// What is told of an operation.
#[derive(Default)]
struct Operation {
    name: &'static str,
    record: Option<String>,
    count: Option<u64>,
    content: Option<Json>,
    query: Option<String>,
}

impl Telling<'_> {
    /// `None` where the conventions have no name for what was done.
    pub(super) fn memory(&self, recorded: &Recorded) -> Option<Span> {
        let (envelope, body) = (&recorded.event.envelope, &recorded.event.body);
        let (origin, branch) = (body.memory_origin()?, body.memory_branch()?);
        let operation = operation(body)?;
        let id = span::event_span(&self.journal, recorded.sequence);
        let name = operation.name.to_owned();
        let mut told = self.beneath(envelope.session, id, name, envelope.at_ms);
        told.parent = origin.execution.map(span::call_span).or(told.parent);
        told.text(names::OPERATION, operation.name);
        told.text(names::MEMORY_STORE, branch);
        told.told(names::MEMORY_RECORD, operation.record.as_deref());
        told.count(names::MEMORY_COUNT, operation.count);
        told.text(names::MEMORY_KIND, body.name());
        told.count(names::SEQUENCE, Some(recorded.sequence.0));
        if self.which.content {
            told.told(names::MEMORY_QUERY, operation.query.as_deref());
            if let Some(content) = operation.content {
                let mut memory = json!({ "content": content });
                if let Some(record) = operation.record {
                    memory["id"] = record.into();
                }
                told.text(names::MEMORY_RECORDS, json!([memory]).to_string());
            }
        }
        Some(told)
    }
}

fn operation(body: &Body) -> Option<Operation> {
    let named = |name| Operation { name, ..Operation::default() };
    let of = |name, record: String, content: Option<Json>| Operation {
        record: Some(record),
        count: Some(1),
        content,
        ..named(name)
    };
    let several = |name, count| Operation { count: Some(count), ..named(name) };
    let key = |namespace: &[String], key: &str| {
        let mut whole = namespace.join("/");
        if !namespace.is_empty() {
            whole.push('/');
        }
        whole + key
    };
    Some(match body {
        Body::BranchForked(_) => named("create_memory_store"),
        Body::CoreSet(b) => of("upsert_memory", b.key.clone(), Some(b.value.as_str().into())),
        Body::CoreDeleted(b) => of("delete_memory", b.key.clone(), None),
        Body::CoreEvicted(b) => of("delete_memory", b.key.clone(), None),
        Body::RecallAppended(b) => {
            of("create_memory", format!("recall {}", b.id), Some(b.text.as_str().into()))
        }
        Body::RecallEvicted(b) => several("delete_memory", b.ids.len() as u64),
        Body::RecallConsolidated(b) => several("upsert_memory", b.groups.len() as u64),
        Body::InheritedConsolidated(b) => several("upsert_memory", b.groups.len() as u64),
        Body::ArchivalWritten(b) => {
            of("create_memory", format!("archival {}", b.id), Some(b.text.as_str().into()))
        }
        Body::ArchivalUpdated(b) => {
            let content = b.text.as_deref().map(Json::from);
            of("update_memory", format!("archival {}", b.id), content)
        }
        Body::MemoryRead(b) => {
            let query = match &b.query {
                MemoryQuery::Core { keys } => keys.join(", "),
                MemoryQuery::Recall { query, .. } | MemoryQuery::Archival { query, .. } => {
                    query.clone()
                }
                MemoryQuery::Record { id } => format!("archival {id}"),
                MemoryQuery::Node { scope } => scope.clone(),
            };
            let query = Some(query).filter(|it| !it.is_empty());
            Operation { query, ..several("search_memory", b.results) }
        }
        Body::KvPut(b) => of("upsert_memory", key(&b.namespace, &b.key), Some(any(&b.value.0))),
        Body::KvDeleted(b) => of("delete_memory", key(&b.namespace, &b.key), None),
        Body::MessageAppended(b) => {
            let record = format!("{} {}", b.thread, b.number);
            of("create_memory", record, Some(any(&b.content.0)))
        }
        Body::MessagePopped(b) => of("delete_memory", format!("{} {}", b.thread, b.number), None),
        Body::ThreadCleared(b) => several("delete_memory", b.messages),
        _ => return None,
    })
}

/// JSON as it was written; text where it is none.
fn any(json: &str) -> Json {
    serde_json::from_str(json).unwrap_or_else(|_| json.into())
}
