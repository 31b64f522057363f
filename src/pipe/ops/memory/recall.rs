//! Recall memory: what happened.

use super::{BRANCH, Event, K, TAGS, branch};
use crate::memory::query::RecallEvent;
use crate::memory::{MemoryError, RecallGiven};
use crate::parse::reply::RecallEvict;
use crate::pipe::remember::with_origin;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Remember, Run, Told};

pub const OPS: &[Op] = &[
    Op {
        name: "mem_recall_append",
        about: "remember an event; older ones become summaries where there are too many",
        args: with_origin![
            Argument { required: false, ..BRANCH },
            Argument::needed(
                "event",
                "object",
                "ts, run_id, node_id, branch_id, phase, kind, summary, refs, tags, task_hint",
            ),
        ],
        run: Run::Memory(append),
    },
    Op {
        name: "mem_recall_search",
        about: "events that a branch sees, that have all these words, the newest first",
        args: with_origin![BRANCH, Argument::maybe("query", "text", "words; none: every event"), K],
        run: Run::Memory(search),
    },
    Op {
        name: "recall_evict",
        about: "put events of the branch's own into the archive, their texts kept",
        args: with_origin![
            BRANCH,
            Argument::maybe("ids", "list of numbers", "these"),
            Argument::maybe("kind", "text", "those of this kind"),
            Argument::maybe("oldest", "number", "so many of the oldest"),
        ],
        run: Run::Memory(evict),
    },
    Op {
        name: "write_event",
        about: "remember an event as it is given: a primitive",
        args: with_origin![
            BRANCH,
            Argument::needed("kind", "text", "its kind"),
            Argument::needed("text", "text", "what happened"),
            TAGS,
        ],
        run: Run::Memory(write_event),
    },
    Op {
        name: "_fetch_events",
        about: "the newest events of branches, as one of them sees them: a primitive, nothing is recorded",
        args: with_origin![
            Argument::needed("branch_ids", "list of texts", "the branches"),
            Argument::maybe("limit", "number", "at most so many; else 20"),
            Argument::maybe("current_branch_id", "text", "who sees them"),
        ],
        run: Run::Memory(fetch_events),
    },
];

fn events(found: &[RecallEvent]) -> Result<Told, PipeError> {
    Told::of(&found)
}

fn append(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let event: Event = args.need("event")?;
    let branch: Option<String> = args.take("branch")?;
    let Some(branch) = branch.or_else(|| event.branch().map(str::to_owned)) else {
        let what = "is missing: give it, or the event's branch_id or node_id";
        return Err(PipeError::argument("branch", what));
    };
    let given = RecallGiven::from(event);
    if given.summary.trim().is_empty() {
        return Err(MemoryError::Empty { what: "the event's text" }.into());
    }
    Remember::new(caller, &mut args, move |operation| {
        let done = operation.mem_recall_append(&branch, &given)?;
        Ok(Told::of(&done))
    })
}

fn search(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let branch = branch(&mut args)?;
    let query: String = args.take("query")?.unwrap_or_default();
    let k: Option<u64> = args.take("k")?;
    Remember::new(caller, &mut args, move |operation| {
        Ok(events(&operation.mem_recall_search(&branch, &query, k)?))
    })
}

fn evict(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let branch = branch(&mut args)?;
    let which = RecallEvict {
        ids: args.take("ids")?.unwrap_or_default(),
        kind: args.take("kind")?,
        oldest: args.take("oldest")?.unwrap_or(0),
    };
    if which == RecallEvict::default() {
        return Err(PipeError::argument("ids", "give them, a kind, or how many of the oldest"));
    }
    Remember::new(caller, &mut args, move |operation| {
        Ok(Told::of(&operation.evict(&branch, &which)?))
    })
}

fn write_event(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let branch = branch(&mut args)?;
    let (kind, text): (String, String) = (args.need("kind")?, args.need("text")?);
    let tags: Vec<String> = args.take("tags")?.unwrap_or_default();
    Remember::new(caller, &mut args, move |operation| {
        let done = operation.write_event(&branch, &kind, &text, &tags)?;
        Ok(Told::of(&done))
    })
}

fn fetch_events(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let branches: Vec<String> = args.need("branch_ids")?;
    let limit: u64 = args.take("limit")?.unwrap_or(20);
    let current: Option<String> = args.take("current_branch_id")?;
    Remember::new(caller, &mut args, move |operation| {
        Ok(events(&operation.fetch_events(&branches, limit, current.as_deref())?))
    })
}
