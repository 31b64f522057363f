//! Branch memory (spec 003): its keys with values, what happened, and what is around them.

pub mod archival;
pub mod branches;
pub mod looks;
pub mod model;
pub mod state;

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::memory::{MemoryError, RecallGiven};
use crate::parse::reply::RecallEvict;
use crate::parse::seconds::is_while;
use crate::pipe::{Argument, Pipe, PipeError, Value, arguments, operations};

const BRANCH: &str = "the branch, or a node's name";
const TAGS: &str = "tags";
const K: &str = "at most so many";

operations! { CORE:
    remember mem_core_get = "the values that a branch sees; no keys: all of them" {
        branch | branch_id: String = BRANCH,
        keys: Option<Vec<String>> = "the keys",
    } => |op| {
        let found = op.mem_core_get(&branch, &keys.unwrap_or_default())?;
        Ok(found.into_iter().collect::<BTreeMap<_, _>>())
    };

    remember mem_core_set = "give a key its value on this branch: its ancestors keep theirs"
        (Set) => |set, op| {
            let Set { at: Key { branch, key }, value, ttl, importance } = set;
            let ttl = ttl.as_ref().map(|it| it.0.as_str());
            op.set_core(&branch, &key, &value, ttl, importance.map(|it| it.0))
        };

    remember mem_core_del = "delete a key: what is inherited under it is hidden from here on down"
        (Key) => |at, op| op.mem_core_del(&at.branch, &at.key);

    remember set_core = "mem_core_set as a primitive"
        (Set) => |set, op| {
            let Set { at: Key { branch, key }, value, ttl, importance } = set;
            let ttl = ttl.as_ref().map(|it| it.0.as_str());
            op.primitive(|op| op.set_core(&branch, &key, &value, ttl, importance.map(|it| it.0)))
        };

    remember get_core = "one value that a branch sees; nothing is recorded"
        (Key) => |at, op| op.get_core(&at.branch, &at.key);
}

operations! { RECALL:
    remember mem_recall_append
        = "remember an event; older ones become summaries where there are too many"
        (Append) by appended => |(branch, event), op| op.mem_recall_append(&branch, &event);

    remember mem_recall_search
        = "events that a branch sees, that have all these words, the newest first"
    {
        branch | branch_id: String = BRANCH,
        query: Option<String> = "words; none: every event",
        k: Option<u64> = K,
    } => |op| op.mem_recall_search(&branch, &query.unwrap_or_default(), k);

    remember recall_evict = "put events of the branch's own into the archive, their texts kept"
        (Evict) by which => |(branch, which), op| op.evict(&branch, &which);

    remember write_event = "remember an event as it is given: a primitive" {
        branch | branch_id: String = BRANCH,
        kind: String = "its kind",
        text: String = "what happened",
        tags: Option<Vec<String>> = TAGS,
    } => |op| {
        let tags = tags.unwrap_or_default();
        op.primitive(|op| op.write_event(&branch, &kind, &text, &tags))
    };

    remember _fetch_events
        = "the newest events of branches, as one of them sees them: a primitive, nothing is recorded"
    {
        branch_ids: Vec<String> = "the branches",
        limit: Option<u64> = "at most so many; else 20",
        current_branch_id: Option<String> = "who sees them",
    } => |op| op.fetch_events(&branch_ids, limit.unwrap_or(20), current_branch_id.as_deref());
}

arguments! {
    /// Which branch an operation is on.
    struct Branch {
        branch | branch_id: String = BRANCH,
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

    struct Append {
        branch | branch_id: Option<String> = BRANCH,
        event: RecallGiven
            = "ts, run_id, node_id, branch_id, phase, kind, summary, refs, tags, task_hint",
    }

    struct Evict {
        branch | branch_id: String = BRANCH,
        ids: Option<Vec<u64>> = "these",
        kind: Option<String> = "those of this kind",
        oldest: Option<u64> = "so many of the oldest",
    }
}

impl Value for RecallGiven {
    const KIND: &'static str = "object";

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        argument.read(raw)
    }
}

/// How long a value holds, in seconds. A number is as good as its text.
pub struct Ttl(String);

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

fn which(
    _: &mut Pipe<'_>,
    Evict { branch, ids, kind, oldest }: Evict,
) -> Result<(String, RecallEvict), PipeError> {
    let which = RecallEvict { ids: ids.unwrap_or_default(), kind, oldest: oldest.unwrap_or(0) };
    if which == RecallEvict::default() {
        return Err(PipeError::argument("ids", "give them, a kind, or how many of the oldest"));
    }
    Ok((branch, which))
}
