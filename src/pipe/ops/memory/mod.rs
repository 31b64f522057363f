//! Branch memory (spec 003): its keys with values, what happened, and what is around them.

pub mod archival;
pub mod branches;
pub mod looks;
pub mod model;

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::memory::query::RecallEvent;
use crate::memory::{CoreDone, Evicted, MemoryError, Operation, RecallDone, RecallGiven};
use crate::parse::reply::RecallEvict;
use crate::parse::seconds::is_while;
use crate::pipe::{Argument, Pipe, PipeError, Value, arguments, operations};

const BRANCH: &str = "the branch, or a node's name";
const TAGS: &str = "tags";
const K: &str = "at most so many";

arguments! {
    /// Which branch an operation is on.
    struct Branch {
        branch | branch_id: String = BRANCH,
    }
}

impl Value for RecallGiven {
    const KIND: &'static str = "object";

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        argument.read(raw)
    }
}

operations! { CORE:
    remember mem_core_get(Keys) = "the values that a branch sees; no keys: all of them";
    remember mem_core_set(Set) = "give a key its value on this branch: its ancestors keep theirs";
    remember mem_core_del(Key)
        = "delete a key: what is inherited under it is hidden from here on down";
    remember set_core(Set) = "mem_core_set as a primitive";
    remember get_core(Key) = "one value that a branch sees; nothing is recorded";
}

arguments! {
    struct Keys {
        branch | branch_id: String = BRANCH,
        keys: Option<Vec<String>> = "the keys",
    }

    struct Key {
        branch | branch_id: String = BRANCH,
        key: String = "the key",
    }

    struct Set {
        at: Key,
        value: String = "the value",
        ttl: Option<Ttl> = "seconds that it is valid, above 0; else for ever",
        importance: Option<Importance> = "1 (goes first) to 5; else 3",
    }
}

/// How long a value holds, in seconds. A number is as good as its text.
struct Ttl(String);

impl Value for Ttl {
    const KIND: &'static str = "text or number";

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        let text = match serde_json::from_str(raw.get()) {
            Ok(serde_json::Value::String(text)) => Some(text),
            Ok(serde_json::Value::Number(number)) => number.as_f64().map(|it| it.to_string()),
            _ => None,
        };
        let text = text.filter(|text| is_while(text));
        text.map(Self)
            .ok_or_else(|| argument.wrong("must be a number of seconds above 0, as 90 or 0.5"))
    }
}

/// What a value is worth.
struct Importance(i64);

impl Value for Importance {
    const KIND: &'static str = "number";

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        match argument.read(raw)? {
            it @ 1..=5 => Ok(Self(it)),
            _ => Err(argument.wrong("must be a whole number from 1 to 5")),
        }
    }
}

fn mem_core_get(
    of: Keys,
    operation: &mut Operation<'_>,
) -> Found<BTreeMap<String, Option<String>>> {
    let keys = of.keys.unwrap_or_default();
    Ok(operation.mem_core_get(&of.branch, &keys)?.into_iter().collect())
}

fn mem_core_set(set: Set, operation: &mut Operation<'_>) -> Found<CoreDone> {
    let (ttl, importance) = (set.ttl.map(|it| it.0), set.importance.map(|it| it.0));
    let Key { branch, key } = set.at;
    operation.set_core(&branch, &key, &set.value, ttl.as_deref(), importance)
}

fn set_core(set: Set, operation: &mut Operation<'_>) -> Found<CoreDone> {
    operation.primitive(|op| mem_core_set(set, op))
}

fn mem_core_del(at: Key, operation: &mut Operation<'_>) -> Found<bool> {
    operation.mem_core_del(&at.branch, &at.key)
}

fn get_core(at: Key, operation: &mut Operation<'_>) -> Found<Option<String>> {
    operation.get_core(&at.branch, &at.key)
}

operations! { RECALL:
    remember mem_recall_append(Append) by appended
        = "remember an event; older ones become summaries where there are too many";
    remember mem_recall_search(Search)
        = "events that a branch sees, that have all these words, the newest first";
    remember recall_evict(Evict) by which
        = "put events of the branch's own into the archive, their texts kept";
    remember write_event(Write) = "remember an event as it is given: a primitive";
    remember _fetch_events(Fetch)
        = "the newest events of branches, as one of them sees them: a primitive, nothing is recorded";
}

arguments! {
    struct Append {
        branch | branch_id: Option<String> = BRANCH,
        event: RecallGiven
            = "ts, run_id, node_id, branch_id, phase, kind, summary, refs, tags, task_hint",
    }

    struct Search {
        branch | branch_id: String = BRANCH,
        query: Option<String> = "words; none: every event",
        k: Option<u64> = K,
    }

    struct Evict {
        branch | branch_id: String = BRANCH,
        ids: Option<Vec<u64>> = "these",
        kind: Option<String> = "those of this kind",
        oldest: Option<u64> = "so many of the oldest",
    }

    struct Write {
        branch | branch_id: String = BRANCH,
        kind: String = "its kind",
        text: String = "what happened",
        tags: Option<Vec<String>> = TAGS,
    }

    struct Fetch {
        branch_ids: Vec<String> = "the branches",
        limit: Option<u64> = "at most so many; else 20",
        current_branch_id: Option<String> = "who sees them",
    }
}

type Found<T> = Result<T, MemoryError>;
type Events = Vec<RecallEvent>;

fn appended(
    _: &mut Pipe<'_>,
    Append { branch, event }: Append,
) -> Result<(String, RecallGiven), PipeError> {
    let branch = branch.or_else(|| event.branch_id.clone()).or_else(|| event.node_id.clone());
    let Some(branch) = branch else {
        let what = "is missing: give it, or the event's branch_id or node_id";
        return Err(PipeError::argument("branch", what));
    };
    if event.summary.trim().is_empty() {
        return Err(MemoryError::Empty { what: "the event's text" }.into());
    }
    Ok((branch, event))
}

fn mem_recall_append(
    (branch, event): (String, RecallGiven),
    operation: &mut Operation<'_>,
) -> Found<RecallDone> {
    operation.mem_recall_append(&branch, &event)
}

fn mem_recall_search(asked: Search, operation: &mut Operation<'_>) -> Found<Events> {
    let query = asked.query.unwrap_or_default();
    operation.mem_recall_search(&asked.branch, &query, asked.k)
}

fn which(_: &mut Pipe<'_>, asked: Evict) -> Result<(String, RecallEvict), PipeError> {
    let which = RecallEvict {
        ids: asked.ids.unwrap_or_default(),
        kind: asked.kind,
        oldest: asked.oldest.unwrap_or(0),
    };
    if which == RecallEvict::default() {
        return Err(PipeError::argument("ids", "give them, a kind, or how many of the oldest"));
    }
    Ok((asked.branch, which))
}

fn recall_evict(
    (branch, which): (String, RecallEvict),
    operation: &mut Operation<'_>,
) -> Found<Evicted> {
    operation.evict(&branch, &which)
}

fn write_event(event: Write, operation: &mut Operation<'_>) -> Found<RecallDone> {
    let tags = event.tags.unwrap_or_default();
    operation.primitive(|op| op.write_event(&event.branch, &event.kind, &event.text, &tags))
}

fn _fetch_events(asked: Fetch, operation: &mut Operation<'_>) -> Found<Events> {
    let (limit, current) = (asked.limit.unwrap_or(20), asked.current_branch_id.as_deref());
    operation.fetch_events(&asked.branch_ids, limit, current)
}
