//! Core memory: keys with values.

use std::collections::BTreeMap;

use super::{BRANCH, branch};
use crate::parse::seconds::is_while;
use crate::pipe::remember::with_origin;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Remember, Run, Told};

const KEY: Argument = Argument::needed("key", "text", "the key");
const VALUE: Argument = Argument::needed("value", "text", "the value");
const TTL: Argument =
    Argument::maybe("ttl", "text or number", "seconds that it is valid, above 0; else for ever");
const IMPORTANCE: Argument = Argument::maybe("importance", "number", "1 (goes first) to 5; else 3");

pub const OPS: &[Op] = &[
    Op {
        name: "mem_core_get",
        about: "the values that a branch sees; no keys: all of them",
        args: with_origin![BRANCH, Argument::maybe("keys", "list of texts", "the keys")],
        run: Run::Memory(mem_core_get),
    },
    Op {
        name: "mem_core_set",
        about: "give a key its value on this branch: its ancestors keep theirs",
        args: with_origin![BRANCH, KEY, VALUE, TTL, IMPORTANCE],
        run: Run::Memory(mem_core_set),
    },
    Op {
        name: "mem_core_del",
        about: "delete a key: what is inherited under it is hidden from here on down",
        args: with_origin![BRANCH, KEY],
        run: Run::Memory(mem_core_del),
    },
    Op {
        name: "set_core",
        about: "mem_core_set as a primitive",
        args: with_origin![BRANCH, KEY, VALUE, TTL, IMPORTANCE],
        run: Run::Memory(set_core),
    },
    Op {
        name: "get_core",
        about: "one value that a branch sees; nothing is recorded",
        args: with_origin![BRANCH, KEY],
        run: Run::Memory(get_core),
    },
];

fn mem_core_get(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let branch = branch(&mut args)?;
    let keys: Vec<String> = args.take("keys")?.unwrap_or_default();
    Remember::new(caller, &mut args, move |operation| {
        let found: BTreeMap<_, _> = operation.mem_core_get(&branch, &keys)?.into_iter().collect();
        Ok(Told::of(&found))
    })
}

/// A branch, a key, a value, how long it holds and what it is worth.
struct Set {
    branch: String,
    key: String,
    value: String,
    ttl: Option<String>,
    importance: Option<i64>,
}

fn set(args: &mut Args) -> Result<Set, PipeError> {
    let ttl = ttl(args)?;
    let importance: Option<i64> = args.take("importance")?;
    if importance.is_some_and(|it| !(1..=5).contains(&it)) {
        return Err(PipeError::argument("importance", "must be a whole number from 1 to 5"));
    }
    Ok(Set {
        branch: branch(args)?,
        key: args.need("key")?,
        value: args.need("value")?,
        ttl,
        importance,
    })
}

/// A number is as good as its text.
fn ttl(args: &mut Args) -> Result<Option<String>, PipeError> {
    let Some(raw) = args.take_raw("ttl") else { return Ok(None) };
    let text = serde_json::from_str::<Ttl>(raw.get()).ok().map(|ttl| match ttl {
        Ttl::Text(text) => text,
        Ttl::Number(number) => number.to_string(),
    }); // neither of the two
    match text.filter(|text| is_while(text)) {
        Some(text) => Ok(Some(text)),
        None => {
            Err(PipeError::argument("ttl", "must be a number of seconds above 0, as 90 or 0.5"))
        }
    }
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Ttl {
    Text(String),
    Number(f64),
}

fn mem_core_set(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let Set { branch, key, value, ttl, importance } = set(&mut args)?;
    Remember::new(caller, &mut args, move |operation| {
        let done = operation.mem_core_set(&branch, &key, &value, ttl.as_deref(), importance)?;
        Ok(Told::of(&done))
    })
}

fn set_core(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let Set { branch, key, value, ttl, importance } = set(&mut args)?;
    Remember::new(caller, &mut args, move |operation| {
        let done = operation.set_core(&branch, &key, &value, ttl.as_deref(), importance)?;
        Ok(Told::of(&done))
    })
}

fn mem_core_del(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let (branch, key): (String, String) = (branch(&mut args)?, args.need("key")?);
    Remember::new(caller, &mut args, move |operation| {
        Ok(Told::of(&operation.mem_core_del(&branch, &key)?))
    })
}

fn get_core(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let (branch, key): (String, String) = (branch(&mut args)?, args.need("key")?);
    Remember::new(caller, &mut args, move |operation| {
        Ok(Told::of(&operation.get_core(&branch, &key)?))
    })
}
