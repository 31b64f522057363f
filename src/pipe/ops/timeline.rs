//! Where an agent stands (spec 001).

use crate::grounding::timeline::{
    MemoryAnswer, MemoryQuery, MemoryTopic, TIMELINE_ITEMS, TimelinePosition, TimelineScope,
    record_timeline_read,
};
use crate::journal::clock;
use crate::pipe::{Answer, Pipe, PipeError, Rows, arguments, operations};

const N: &str = "how many, the newest; else 10";

operations! { OPS:
    act get_timeline_position = "how many executions ended, which was the last, which step it is"
        (Whose) => |whose, pipe| {
            let scope = whose.scope(pipe)?;
            let position = pipe.stores()?.get_timeline_position(scope)?;
            Answer::of(&position.at(clock::now_ms()))
        };

    act get_recent_timeline = "the last executions, the oldest first"
        (Recent) => |asked, pipe| {
            let scope = asked.whose.scope(pipe)?;
            Answer::of(&pipe.stores()?.get_recent_timeline(scope, asked.n.0)?)
        };

    act get_preceding_context = "the executions that led up to one, the oldest first" {
        before_id: u64 = "the execution's ordinal, the 142 of #142",
        recent: Recent,
    } => |pipe| {
        let scope = recent.whose.scope(pipe)?;
        Answer::of(&pipe.stores()?.get_preceding_context(scope, before_id, recent.n.0)?)
    };

    act get_pending_failures
        = "failures that no later success of the same tool on the same target resolved"
        (Whose) => |whose, pipe| {
            let scope = whose.scope(pipe)?;
            Answer::of(&pipe.stores()?.get_pending_failures(scope)?)
        };

    act failure_loops = "what failed three times or more in a row the same way"
        (Whose) => |whose, pipe| {
            let scope = whose.scope(pipe)?;
            Answer::of(&pipe.stores()?.failure_loops(scope)?)
        };

    act memory_query
        = "ask the timeline in spec 001's notation; recorded: the read that a change needs before it"
    {
        query: Option<String> = r#"memory_query(tool="lsp_check", success=true); else the summary"#,
    } => |pipe| {
        let query = match query {
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
    };

    act inject_timeline_context = "a prompt under what happened; nothing is recorded" {
        prompt: String = "the prompt",
        whose: Whose,
    } => |pipe| {
        let scope = whose.scope(pipe)?;
        let position = pipe.stores()?.get_timeline_position(scope)?;
        Answer::of(&position.before(&prompt, clock::now_ms()))
    };

    act timeline_block
        = "the block of text that a model is given of the timeline; recorded as a read of it"
    {
        n: Rows<TIMELINE_ITEMS> = N,
        chars: Option<usize> = "how long it may be; else 4000",
    } => |pipe| {
        let (topic, last) = (MemoryTopic::TimelineSummary, Some(n.0));
        let query = MemoryQuery { topic, last, ..MemoryQuery::default() };
        let scope = TimelineScope::Session(pipe.caller.id());
        let answer = pipe.stores()?.memory_query(&query, scope)?;
        let block = answer.block();
        let told = Answer::of(&block.text(clock::now_ms(), chars.unwrap_or(4_000), None))?;
        Ok(told.at(record_read(pipe, &answer, answer.position.as_ref())?))
    };
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
