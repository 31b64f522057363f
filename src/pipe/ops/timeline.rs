//! Where an agent stands (spec 001).

use crate::grounding::timeline::{
    MemoryAnswer, MemoryQuery, MemoryTopic, TIMELINE_ITEMS, TimelineBlock, TimelinePosition,
    TimelineScope,
};
use crate::grounding::timeline_read::record_timeline_read;
use crate::journal::clock;
use crate::output::wire;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};

const PROJECT: Argument =
    Argument::maybe("project", "true or false", "the whole project's, not one session's");
const SESSION: Argument = Argument::maybe(
    "session",
    "text",
    "another session's: its id, the beginning of it, or its name",
);
const N: Argument = Argument::maybe("n", "number", "how many, the newest; else 10");

pub const OPS: &[Op] = &[
    Op {
        name: "get_timeline_position",
        about: "how many executions ended, which was the last, which step it is",
        args: &[PROJECT, SESSION],
        run: Run::Do(position),
    },
    Op {
        name: "get_recent_timeline",
        about: "the last executions, the oldest first",
        args: &[N, PROJECT, SESSION],
        run: Run::Do(recent),
    },
    Op {
        name: "get_preceding_context",
        about: "the executions that led up to one, the oldest first",
        args: &[
            Argument::needed("before_id", "number", "the execution's ordinal, the 142 of #142"),
            N,
            PROJECT,
            SESSION,
        ],
        run: Run::Do(preceding),
    },
    Op {
        name: "get_pending_failures",
        about: "failures that no later success of the same tool on the same target resolved",
        args: &[PROJECT, SESSION],
        run: Run::Do(pending),
    },
    Op {
        name: "failure_loops",
        about: "what failed three times or more in a row the same way",
        args: &[PROJECT, SESSION],
        run: Run::Do(loops),
    },
    Op {
        name: "memory_query",
        about: "ask the timeline in spec 001's notation; recorded: the read that a change needs before it",
        args: &[Argument::maybe(
            "query",
            "text",
            r#"memory_query(tool="lsp_check", success=true); else the summary"#,
        )],
        run: Run::Do(memory_query),
    },
    Op {
        name: "inject_timeline_context",
        about: "a prompt under what happened; nothing is recorded",
        args: &[Argument::needed("prompt", "text", "the prompt"), PROJECT, SESSION],
        run: Run::Do(inject),
    },
    Op {
        name: "timeline_block",
        about: "the block of text that a model is given of the timeline; recorded as a read of it",
        args: &[N, Argument::maybe("chars", "number", "how long it may be; else 4000")],
        run: Run::Do(block),
    },
];

/// Whose timeline a request means.
fn scope(
    pipe: &mut Pipe<'_>,
    caller: &Caller,
    args: &mut Args,
) -> Result<TimelineScope, PipeError> {
    if args.take("project")?.unwrap_or(false) {
        return Ok(TimelineScope::Project);
    }
    Ok(TimelineScope::Session(match args.take::<String>("session")? {
        Some(name) => pipe.stores()?.session_named(&name)?,
        None => caller.id(),
    }))
}

fn position(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let scope = scope(pipe, caller, &mut args)?;
    let position = pipe.stores()?.get_timeline_position(scope)?;
    Told::of(&wire::TimelinePosition::of(&position, clock::now_ms()))
}

fn recent(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let n = args.rows("n", TIMELINE_ITEMS as u64)?;
    let scope = scope(pipe, caller, &mut args)?;
    let found = pipe.stores()?.get_recent_timeline(scope, n)?;
    Told::of(&found.iter().map(wire::TimelineEntry::of).collect::<Vec<_>>())
}

fn preceding(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let before: u64 = args.need("before_id")?;
    let n = args.rows("n", TIMELINE_ITEMS as u64)?;
    let scope = scope(pipe, caller, &mut args)?;
    let found = pipe.stores()?.get_preceding_context(scope, before, n)?;
    Told::of(&found.iter().map(wire::TimelineEntry::of).collect::<Vec<_>>())
}

fn pending(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let scope = scope(pipe, caller, &mut args)?;
    let found = pipe.stores()?.get_pending_failures(scope)?;
    Told::of(&found.iter().map(wire::TimelineFailure::of).collect::<Vec<_>>())
}

fn loops(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let scope = scope(pipe, caller, &mut args)?;
    let found = pipe.stores()?.failure_loops(scope)?;
    Told::of(&found.iter().map(wire::TimelineLoop::of).collect::<Vec<_>>())
}

fn memory_query(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let query = match args.take::<String>("query")? {
        Some(text) => MemoryQuery::parse(&text)?,
        None => MemoryQuery { topic: MemoryTopic::TimelineSummary, ..MemoryQuery::default() },
    };
    let scope = match (&query.session, query.project) {
        (_, true) => TimelineScope::Project,
        (Some(name), _) => TimelineScope::Session(pipe.stores()?.session_named(name)?),
        (None, _) => TimelineScope::Session(caller.id()),
    };
    let answer = pipe.stores()?.memory_query(&query, scope)?;
    let told = Told::of(&wire::Timeline::of(&answer, scope, clock::now_ms()))?;
    // Another session's timeline is not the one that its agent must know.
    if scope.session().is_some_and(|session| session != caller.id()) {
        return Ok(told);
    }
    Ok(told.at(read(pipe, caller, &answer, None)?))
}

fn inject(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let prompt: String = args.need("prompt")?;
    let scope = scope(pipe, caller, &mut args)?;
    let position = pipe.stores()?.get_timeline_position(scope)?;
    Told::of(&position.before(&prompt, clock::now_ms()))
}

fn block(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let n = args.rows("n", TIMELINE_ITEMS as u64)?;
    let chars: usize = args.take("chars")?.unwrap_or(4_000);
    let query = MemoryQuery {
        topic: MemoryTopic::TimelineSummary,
        last: Some(n),
        ..MemoryQuery::default()
    };
    let scope = TimelineScope::Session(caller.id());
    let answer = pipe.stores()?.memory_query(&query, scope)?;
    let block = TimelineBlock {
        position: answer.position.clone().unwrap_or_default(),
        recent: answer.executions.clone(),
        pending: answer.pending.clone(),
        loops: answer.loops.clone(),
    };
    let told = Told::of(&block.text(clock::now_ms(), chars, None))?;
    Ok(told.at(read(pipe, caller, &answer, answer.position.as_ref())?))
}

/// Records that a session's agent read; gives the read's event.
fn read(
    pipe: &mut Pipe<'_>,
    caller: &Caller,
    answer: &MemoryAnswer,
    given: Option<&TimelinePosition>,
) -> Result<Option<u64>, PipeError> {
    pipe.introduce(caller)?;
    let report = record_timeline_read(pipe.project, caller.id(), answer, given)?;
    pipe.others_recorded();
    Ok(report.last_sequence())
}
