//! Reading a model's reply (spec 003). Nothing is recorded.

use serde_json::{Map, Value};

use crate::parse::reply::{extract_memory_updates, parse_phase1_iterative_response};
use crate::phases::artifacts::extract_phase_artifacts;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};

const REPLY: Argument = Argument::needed("reply", "text", "what the model answered");

pub const OPS: &[Op] = &[
    Op {
        name: "extract_memory_updates",
        about: "the first <memory_update> of a reply, and what is left without it",
        args: &[
            REPLY,
            Argument::maybe("required", "true or false", "it is an error where there is none"),
        ],
        run: Run::Do(updates),
    },
    Op {
        name: "extract_phase_artifacts",
        about: "a whole reply: its <memory_update>, and what it proposes to do",
        args: &[
            REPLY,
            Argument::maybe(
                "require_memory_update",
                "true or false",
                "it is an error where there is none",
            ),
        ],
        run: Run::Do(artifacts),
    },
    Op {
        name: "parse_phase1_iterative_response",
        about: "the next command of the download phase: command, done, notes",
        args: &[REPLY],
        run: Run::Do(phase1),
    },
];

fn updates(_: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let reply: String = args.need("reply")?;
    let required = args.take("required")?.unwrap_or(false);
    let found = extract_memory_updates(&reply, required)?;
    let (updates, rest) = (&found.updates, &found.rest);
    let reads = found.updates.as_ref().is_some_and(|updates| updates.has_reads());
    Told::of(&serde_json::json!({ "updates": updates, "rest": rest, "has_reads": reads }))
}

fn artifacts(_: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let reply: String = args.need("reply")?;
    let required = args.take("require_memory_update")?.unwrap_or(false);
    let (updates, found) = extract_phase_artifacts(&reply, required)?;
    // What was read as JSON is JSON.
    let mut told: Map<String, Value> = serde_json::from_str(&found.json).unwrap_or_default();
    told.insert("memory_update".to_owned(), serde_json::json!(updates));
    Told::of(&told)
}

fn phase1(_: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let reply: String = args.need("reply")?;
    let step = parse_phase1_iterative_response(&reply)?;
    Told::of(
        &serde_json::json!({ "command": step.command, "done": step.done, "notes": step.notes }),
    )
}
