//! Archival memory: texts with tags, found by search.

use serde_json::{Map, Value};

use super::{BRANCH, K, TAGS, branch};
use crate::memory::query::ArchivalRecord;
use crate::pipe::remember::with_origin;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Remember, Run, Told};

const TEXT: Argument = Argument::needed("text", "text", "the text").or(&["content", "summary"]);
const META: Argument =
    Argument::maybe("meta", "object", "what it is of; becomes tags: run_id, node_id, phase, …");
const QUERY: Argument = Argument::maybe("query", "text", "words; none: every record");
const RECORD: Argument = Argument::needed("record_id", "number or text", "its number").or(&["id"]);

pub const OPS: &[Op] = &[
    Op {
        name: "mem_archival_write",
        about: "archive a text under a branch, or find the equal one there is",
        args: with_origin![BRANCH, TEXT, TAGS, META],
        run: Run::Memory(write),
    },
    Op {
        name: "mem_archival_update",
        about: "change a record; what is not given stays. With a branch, only one of its own",
        args: with_origin![
            RECORD,
            Argument { required: false, ..TEXT },
            TAGS,
            META,
            Argument { required: false, ..BRANCH },
        ],
        run: Run::Memory(update),
    },
    Op {
        name: "mem_archival_search",
        about: "records that a branch sees, that have all words and all tags, the newest first",
        args: with_origin![BRANCH, QUERY, TAGS, K],
        run: Run::Memory(search),
    },
    Op {
        name: "mem_archival_get",
        about: "one record; null where there is none",
        args: with_origin![RECORD],
        run: Run::Memory(get),
    },
    Op {
        name: "_insert_archival",
        about: "mem_archival_write as a primitive",
        args: with_origin![BRANCH, TEXT, TAGS],
        run: Run::Memory(insert),
    },
    Op {
        name: "retrieve_archival",
        about: "mem_archival_search as a primitive",
        args: with_origin![
            BRANCH,
            QUERY,
            K,
            Argument::maybe("include_ancestors", "true or false", "theirs as well; else true"),
            Argument::maybe("tags_filter", "list of texts", "all of them").or(&["tags"]),
        ],
        run: Run::Memory(retrieve),
    },
];

fn records(found: &[ArchivalRecord]) -> Result<Told, PipeError> {
    Told::of(&found)
}

/// A record's number, given as a number or as text (spec 003 has them as text).
fn number(args: &mut Args) -> Result<u64, PipeError> {
    let wrong = || PipeError::argument("record_id", "must be a record's number");
    match args.need::<Value>("record_id")? {
        Value::Number(number) => number.as_u64().ok_or_else(wrong),
        Value::String(text) => text.parse().map_err(|_| wrong()),
        _ => Err(wrong()),
    }
}

/// What is given of a record, as a model gives it.
fn given(args: &mut Args) -> Result<Map<String, Value>, PipeError> {
    let mut given = Map::new();
    for name in ["text", "tags", "meta"] {
        if let Some(value) = args.take::<Value>(name)? {
            given.insert(name.to_owned(), value);
        }
    }
    Ok(given)
}

fn write(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let branch = branch(&mut args)?;
    let given = given(&mut args)?;
    // What reads a record further on speaks to a model.
    if given.get("text").and_then(Value::as_str).is_some_and(|text| text.trim().is_empty()) {
        return Err(PipeError::argument("text", "is empty: give a text"));
    }
    let record = crate::pipe::ops::memory::records(Value::Array(vec![Value::Object(given)]))?
        .into_iter()
        .next();
    let record = record.ok_or_else(|| PipeError::argument("text", "is missing"))?;
    Remember::new(caller, &mut args, move |operation| {
        let done = operation.mem_archival_write(&branch, &record)?;
        Ok(Told::of(&done))
    })
}

fn update(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let branch: Option<String> = args.take("branch")?;
    let id = number(&mut args)?;
    let mut given = given(&mut args)?;
    given.insert("id".to_owned(), Value::from(id));
    let change = crate::pipe::ops::memory::change(Value::Object(given))?;
    Remember::new(caller, &mut args, move |operation| {
        operation.mem_archival_update(branch.as_deref(), &change)?;
        Ok(Told::of(&()))
    })
}

fn search(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let branch = branch(&mut args)?;
    let query: String = args.take("query")?.unwrap_or_default();
    let tags: Vec<String> = args.take("tags")?.unwrap_or_default();
    let k: Option<u64> = args.take("k")?;
    Remember::new(caller, &mut args, move |operation| {
        Ok(records(&operation.mem_archival_search(&branch, &query, &tags, k)?))
    })
}

fn get(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let id = number(&mut args)?;
    Remember::new(caller, &mut args, move |operation| {
        Ok(Told::of(&operation.mem_archival_get(id)?))
    })
}

fn insert(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let (branch, text): (String, String) = (branch(&mut args)?, args.need("text")?);
    let tags: Vec<String> = args.take("tags")?.unwrap_or_default();
    Remember::new(caller, &mut args, move |operation| {
        let done = operation.insert_archival(&branch, &text, &tags)?;
        Ok(Told::of(&done))
    })
}

fn retrieve(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let branch = branch(&mut args)?;
    let query: String = args.take("query")?.unwrap_or_default();
    let tags: Vec<String> = args.take("tags_filter")?.unwrap_or_default();
    let k: Option<u64> = args.take("k")?;
    let ancestors = args.take("include_ancestors")?.unwrap_or(true);
    Remember::new(caller, &mut args, move |operation| {
        Ok(records(&operation.retrieve_archival(&branch, &query, k, ancestors, &tags)?))
    })
}
