//! What frameworks of agents keep: values under keys in namespaces, and threads of messages.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{BRANCH, Ttl};
use crate::memory::state::{Filter, KvKey, KvSearch};
use crate::parse::seconds::milliseconds;
use crate::pipe::{Argument, PipeError, Value, arguments, operations};

const NAMESPACE: &str = "its labels from the outermost on; none: that of no label";
const BELOW: &str = "in and below the namespace of these labels; none: everywhere";
const LIMIT: &str = "at most so many; else all";

operations! { KV:
    remember kv_put
        = "give a key its next version on this branch, which is answered; nothing is ever evicted"
    {
        at: Key,
        value: AnyJson = "the value",
        ttl: Option<Ttl> = "seconds that it is seen, above 0; else for ever",
    } => |op| {
        let ttl_ms = ttl.and_then(|it| milliseconds(&it.0));
        Ok(op.kv_put(&at.key(), &value.0, ttl_ms)?.version)
    };

    remember kv_delete = "delete a key from this branch on down; its versions stay"
        (Key) => |at, op| op.kv_delete(&at.key());

    remember kv_get = "a key's value with its version and times; null where none is seen" {
        at: Key,
        version: Option<u64> = "this version, also where it is seen no more",
    } => |op| op.kv_get(&at.key(), version);

    remember kv_history = "versions and deletions of a key, the newest first" {
        at: Key,
        limit: Option<u64> = LIMIT,
    } => |op| op.kv_history(&at.key(), size(limit));

    remember kv_list = "values that a branch sees, by namespace and key" {
        branch | branch_id: String = BRANCH,
        namespace: Option<Vec<String>> = BELOW,
    } => |op| op.kv_list(&branch, &namespace.unwrap_or_default());

    remember kv_search
        = "values that a branch sees, those that say most of the words first, else the newest"
    {
        branch | branch_id: String = BRANCH,
        namespace | namespace_prefix: Option<Vec<String>> = BELOW,
        query: Option<String> = "any of these words; none: every value",
        filter: Option<Filter>
            = "members that a value has: equal, or by $eq, $ne, $gt, $gte, $lt, $lte",
        limit: Option<u64> = LIMIT,
        offset: Option<u64> = "so many of the first are left out",
    } => |op| {
        let (below, query) = (namespace.unwrap_or_default(), query.unwrap_or_default());
        op.kv_search(&KvSearch {
            branch: &branch,
            below: &below,
            query: &query,
            filter: filter.unwrap_or_default(),
            skip: first(offset),
            most: size(limit),
        })
    };

    remember kv_namespaces = "namespaces in which a branch sees values, in their order" {
        branch | branch_id: String = BRANCH,
        match_conditions: Option<Vec<Condition>>
            = "each with match_type (prefix or suffix) and path, in which * is any label",
        max_depth: Option<u64> = "at most so many labels of each",
        limit: Option<u64> = LIMIT,
        offset: Option<u64> = "so many of the first are left out",
    } => |op| {
        let (conditions, depth) = (match_conditions.unwrap_or_default(), size(max_depth));
        let mut found: Vec<Vec<String>> = op.kv_namespaces(&branch)?;
        found.retain(|labels| conditions.iter().all(|it| it.takes(labels)));
        found.iter_mut().for_each(|labels| labels.truncate(depth));
        let found: BTreeSet<Vec<String>> = found.into_iter().collect();
        let (skip, most) = (first(offset), size(limit));
        Ok(found.into_iter().skip(skip).take(most).collect::<Vec<_>>())
    };
}

operations! { THREADS:
    remember thread_append = "append a message, equal ones too; its number is answered" {
        branch | branch_id: String = BRANCH,
        thread: String = "the thread, which begins with its first message",
        role: String = "whose it is: user, assistant, tool, …",
        content: AnyJson = "the message",
    } => |op| op.thread_append(&branch, &thread, &role, &content.0);

    remember thread_read = "the messages of a thread that a branch sees, in their order" {
        branch | branch_id: String = BRANCH,
        thread: String = "the thread",
        limit: Option<u64> = "at most so many, the last; else all",
    } => |op| op.thread_read(&branch, &thread, size(limit));

    remember thread_list = "the threads in which a branch sees messages" {
        branch | branch_id: String = BRANCH,
    } => |op| op.thread_list(&branch);

    remember thread_pop = "take the last message back from this branch on down, and answer it"
        (Thread) => |it, op| op.thread_pop(&it.branch, &it.thread);

    remember thread_clear = "begin a thread anew from this branch on down; how many were seen"
        (Thread) => |it, op| op.thread_clear(&it.branch, &it.thread);
}

arguments! {
    struct Key {
        branch | branch_id: String = BRANCH,
        namespace: Option<Vec<String>> = NAMESPACE,
        key: String = "the key",
    }

    struct Thread {
        branch | branch_id: String = BRANCH,
        thread: String = "the thread",
    }
}

impl Key {
    fn key(&self) -> KvKey<'_> {
        let namespace = self.namespace.as_deref().unwrap_or_default();
        KvKey { branch: &self.branch, namespace, key: &self.key }
    }
}

/// What a namespace begins or ends with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Condition {
    match_type: End,
    path: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum End {
    Prefix,
    Suffix,
}

impl Condition {
    fn takes(&self, labels: &[String]) -> bool {
        let Some(rest) = labels.len().checked_sub(self.path.len()) else { return false };
        let begin = if matches!(self.match_type, End::Prefix) { 0 } else { rest };
        let asked = self.path.iter().zip(&labels[begin..]);
        asked.into_iter().all(|(asked, label)| asked == "*" || asked == label)
    }
}

impl Value for Vec<Condition> {
    const KIND: &'static str = "list of objects";

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        argument.read(raw)
    }
}

/// As it was written.
struct AnyJson(String);

impl Value for AnyJson {
    const KIND: &'static str = "any JSON but null";

    fn read(_: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        Ok(Self(raw.get().to_owned()))
    }
}

impl Value for Filter {
    const KIND: &'static str = "object";

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        let what = "must be an object of members, or of $eq, $ne, $gt, $gte, $lt, $lte in one";
        Self::of(argument.read(raw)?).ok_or_else(|| argument.wrong(what))
    }
}

fn first(offset: Option<u64>) -> usize {
    usize::try_from(offset.unwrap_or(0)).unwrap_or(usize::MAX)
}

fn size(limit: Option<u64>) -> usize {
    limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
}
