//! Archival memory: texts with tags, found by search.

use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::{BRANCH, K, TAGS};
use crate::memory::query::Matching;
use crate::parse::reply::{ArchivalChange, ArchivalWrite, Updates};
use crate::pipe::{Argument, Pipe, PipeError, Value, arguments, operations};

const META: &str = "what it is of; becomes tags: run_id, node_id, phase, …";
const QUERY: &str = "words; none: every record";
const MATCHING: &str =
    "any of the words, in whatever form, the best first; or all, exactly, the newest first";

operations! { OPS:
    remember mem_archival_write
        = "archive a text under a branch, or find the equal one there is"
        (Write) by written => |(branch, record), op| op.mem_archival_write(&branch, &record);

    remember mem_archival_update
        = "change a record; what is not given stays. With a branch, only one of its own"
        (Update) by changed => |(branch, change), op|
            op.mem_archival_update(branch.as_deref(), &change).map(drop);

    remember mem_archival_search
        = "records that a branch sees, that say most of the words, of those that have all tags"
        (Search) by compared => |search, op| {
            let Search { branch, query, matching, tags, k } = search;
            let (query, matching) = (query.unwrap_or_default(), matching.unwrap_or_default());
            let tags = tags.unwrap_or_default();
            op.search_archival(&branch, (&query, matching), k, true, &tags)
        };

    remember mem_archival_get = "one record; null where there is none" {
        record_id | id: RecordId = "its number",
    } => |op| op.mem_archival_get(record_id.0);

    remember _insert_archival = "mem_archival_write as a primitive" {
        branch | branch_id: String = BRANCH,
        text | content | summary: String = "the text",
        tags: Option<Vec<String>> = TAGS,
    } => |op| {
        let tags = tags.unwrap_or_default();
        op.primitive(|op| op.insert_archival(&branch, &text, &tags))
    };

    remember retrieve_archival = "mem_archival_search as a primitive" {
        branch | branch_id: String = BRANCH,
        query: Option<String> = QUERY,
        matching | match: Option<Matching> = MATCHING,
        k: Option<u64> = K,
        include_ancestors: Option<bool> = "theirs as well; else true",
        tags_filter | tags: Option<Vec<String>> = "all of them",
    } => |op| {
        let (query, matching) = (query.unwrap_or_default(), matching.unwrap_or_default());
        let tags = tags_filter.unwrap_or_default();
        let ancestors = include_ancestors.unwrap_or(true);
        op.primitive(|op| op.search_archival(&branch, (&query, matching), k, ancestors, &tags))
    };
}

/// The vector of what is asked, where the settings' command makes one; where it fails words alone are compared.
fn compared(pipe: &mut Pipe<'_>, search: Search) -> Result<Search, PipeError> {
    if let (Some(query), Matching::Any) = (&search.query, search.matching.unwrap_or_default())
        && let Some(error) = pipe.memory(|memory| memory.compare(query))?
    {
        pipe.note(&format!("{error}. Only the words were compared"));
    }
    Ok(search)
}

arguments! {
    struct Search {
        branch | branch_id: String = BRANCH,
        query: Option<String> = QUERY,
        matching | match: Option<Matching> = MATCHING,
        tags: Option<Vec<String>> = TAGS,
        k: Option<u64> = K,
    }

    struct Write {
        branch | branch_id: String = BRANCH,
        text | content | summary: Json as "text" = "the text",
        tags: Option<Json> as "list of texts" = TAGS,
        meta: Option<Json> = META,
    }

    struct Update {
        record_id | id: RecordId = "its number",
        text | content | summary: Option<Json> as "text" = "the text",
        tags: Option<Json> as "list of texts" = TAGS,
        meta: Option<Json> = META,
        branch | branch_id: Option<String> = BRANCH,
    }
}

/// A record's number, given as a number or as text (spec 003 has them as text).
struct RecordId(u64);

impl Value for RecordId {
    const KIND: &'static str = "number or text";

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        let number = match argument.read(raw)? {
            Json::Number(number) => number.as_u64(),
            Json::String(text) => text.parse().ok(), // a text that is none
            _ => None,
        };
        number.map(Self).ok_or_else(|| argument.wrong("must be a record's number"))
    }
}

/// Records to write, read as a model's are.
pub fn records(value: &Json) -> Result<Vec<ArchivalWrite>, PipeError> {
    Ok(Updates::of(&serde_json::json!({ "archival": value }))?.archival)
}

fn written(_: &mut Pipe<'_>, given: Write) -> Result<(String, ArchivalWrite), PipeError> {
    let Write { branch, text, tags, meta } = given;
    // What reads a record further on speaks to a model.
    if text.as_str().is_some_and(|text| text.trim().is_empty()) {
        return Err(PipeError::argument("text", "is empty: give a text"));
    }
    let record = records(&Json::Array(vec![members(Some(text), tags, meta)]))?.into_iter().next();
    let record = record.ok_or_else(|| PipeError::argument("text", "is missing"))?;
    Ok((branch, record))
}

/// A record to change, read as a model's is.
fn changed(_: &mut Pipe<'_>, given: Update) -> Result<(Option<String>, ArchivalChange), PipeError> {
    let Update { record_id, text, tags, meta, branch } = given;
    let mut change = members(text, tags, meta);
    change["id"] = Json::from(record_id.0);
    let updates = Updates::of(&serde_json::json!({ "archival_update": [change] }))?;
    let change = updates.archival_update.into_iter().next();
    let change = change.ok_or_else(|| PipeError::argument("record_id", "is missing"))?;
    Ok((branch, change))
}

/// What is given of a record, as a model gives it.
fn members(text: Option<Json>, tags: Option<Json>, meta: Option<Json>) -> Json {
    let members = [("text", text), ("tags", tags), ("meta", meta)];
    let given = members.into_iter().filter_map(|(name, it)| Some((name.to_owned(), it?)));
    Json::Object(given.collect())
}
