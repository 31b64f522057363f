//! Where an agent stands (spec 001).

use crate::grounding::timeline::{
    MemoryAnswer, MemoryQuery, MemoryTopic, TIMELINE_ITEMS, TimelinePosition, TimelineScope,
    record_timeline_read,
};
use crate::journal::clock;
use crate::pipe::{Answer, Answered, Pipe, PipeError, Rows, arguments, operations};

const N: &str = "how many, the newest; else 10";

operations! { OPS:
    act get_timeline_position(Whose)
        = "how many executions ended, which was the last, which step it is";
    act get_recent_timeline(Recent) = "the last executions, the oldest first";
    act get_preceding_context(Preceding) = "the executions that led up to one, the oldest first";
    act get_pending_failures(Whose)
        = "failures that no later success of the same tool on the same target resolved";
    act failure_loops(Whose) = "what failed three times or more in a row the same way";
    act memory_query(Notation)
        = "ask the timeline in spec 001's notation; recorded: the read that a change needs before it";
    act inject_timeline_context(Inject)
        = "a prompt under what happened; nothing is recorded";
    act timeline_block(Block)
        = "the block of text that a model is given of the timeline; recorded as a read of it";
}

arguments! {
    /// Whose timeline a request means.
    struct Whose {
        project: bool = "the whole project's, not one session's",
        session: Option<String> = "another session's: its id, the beginning of it, or its name",
    }

    struct Recent {
        n: Rows<TIMELINE_ITEMS> = N,
        whose: Whose,
    }

    struct Preceding {
        before_id: u64 = "the execution's ordinal, the 142 of #142",
        recent: Recent,
    }

    struct Notation {
        query: Option<String> = r#"memory_query(tool="lsp_check", success=true); else the summary"#,
    }

    struct Inject {
        prompt: String = "the prompt",
        whose: Whose,
    }

    struct Block {
        n: Rows<TIMELINE_ITEMS> = N,
        chars: Option<usize> = "how long it may be; else 4000",
    }
}

impl Whose {
    fn scope(self, pipe: &mut Pipe<'_>) -> Result<TimelineScope, PipeError> {
        if self.project {
            return Ok(TimelineScope::Project);
        }
        Ok(TimelineScope::Session(match self.session {
            Some(name) => pipe.stores()?.session_named(&name)?,
            None => pipe.caller.id(),
        }))
    }
}

fn get_timeline_position(pipe: &mut Pipe<'_>, whose: Whose) -> Answered {
    let scope = whose.scope(pipe)?;
    let position = pipe.stores()?.get_timeline_position(scope)?;
    Answer::of(&position.at(clock::now_ms()))
}

fn get_recent_timeline(pipe: &mut Pipe<'_>, asked: Recent) -> Answered {
    let scope = asked.whose.scope(pipe)?;
    let found = pipe.stores()?.get_recent_timeline(scope, asked.n.0)?;
    Answer::of(&found)
}

fn get_preceding_context(pipe: &mut Pipe<'_>, asked: Preceding) -> Answered {
    let scope = asked.recent.whose.scope(pipe)?;
    let found = pipe.stores()?.get_preceding_context(scope, asked.before_id, asked.recent.n.0)?;
    Answer::of(&found)
}

fn get_pending_failures(pipe: &mut Pipe<'_>, whose: Whose) -> Answered {
    let scope = whose.scope(pipe)?;
    let found = pipe.stores()?.get_pending_failures(scope)?;
    Answer::of(&found)
}

fn failure_loops(pipe: &mut Pipe<'_>, whose: Whose) -> Answered {
    let scope = whose.scope(pipe)?;
    let found = pipe.stores()?.failure_loops(scope)?;
    Answer::of(&found)
}

fn memory_query(pipe: &mut Pipe<'_>, asked: Notation) -> Answered {
    let query = match asked.query {
        Some(text) => MemoryQuery::parse(&text)?,
        None => MemoryQuery { topic: MemoryTopic::TimelineSummary, ..MemoryQuery::default() },
    };
    let caller = pipe.caller.id();
    let scope = match (&query.session, query.project) {
        (_, true) => TimelineScope::Project,
        (Some(name), _) => TimelineScope::Session(pipe.stores()?.session_named(name)?),
        (None, _) => TimelineScope::Session(caller),
    };
    let answer = pipe.stores()?.memory_query(&query, scope)?;
    let told = Answer::of(&answer.at(scope, clock::now_ms()))?;
    // Another session's timeline is not the one that its agent must know.
    if scope.session().is_some_and(|session| session != caller) {
        return Ok(told);
    }
    Ok(told.at(record_read(pipe, &answer, None)?))
}

fn inject_timeline_context(pipe: &mut Pipe<'_>, asked: Inject) -> Answered {
    let scope = asked.whose.scope(pipe)?;
    let position = pipe.stores()?.get_timeline_position(scope)?;
    Answer::of(&position.before(&asked.prompt, clock::now_ms()))
}

fn timeline_block(pipe: &mut Pipe<'_>, asked: Block) -> Answered {
    let query = MemoryQuery {
        topic: MemoryTopic::TimelineSummary,
        last: Some(asked.n.0),
        ..MemoryQuery::default()
    };
    let scope = TimelineScope::Session(pipe.caller.id());
    let answer = pipe.stores()?.memory_query(&query, scope)?;
    let block = answer.block();
    let told = Answer::of(&block.text(clock::now_ms(), asked.chars.unwrap_or(4_000), None))?;
    Ok(told.at(record_read(pipe, &answer, answer.position.as_ref())?))
}

/// Records that a session's agent read; gives the read's event.
fn record_read(
    pipe: &mut Pipe<'_>,
    answer: &MemoryAnswer,
    given: Option<&TimelinePosition>,
) -> Result<Option<u64>, PipeError> {
    pipe.introduce()?;
    let report = record_timeline_read(pipe.project, pipe.caller.id(), answer, given)?;
    pipe.others_recorded();
    Ok(report.last_sequence())
}
