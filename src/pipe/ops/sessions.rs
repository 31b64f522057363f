//! Sessions and prompts.

use crate::cli::session;
use crate::event::{
    Body, Content, Envelope, Event, PromptSubmitted, SessionEnded, SessionId, SessionStarted,
    Source,
};
use crate::execution::query::SessionFilter;
use crate::journal::{clock, id};
use crate::pipe::{Answer, Answered, Entry, Pipe, PipeError, Rows, arguments, operations};

operations! { OPS:
    record session_start(Start) = "record that a session begins, or more of what is known of it";
    record session_end(End) = "record that a session ended";
    record record_prompt(Prompt) = "record what a user, or another agent, asked for";
    act sessions(Filter) = "sessions with their counts, the newest last";
}

arguments! {
    struct Start {
        name: Option<String> = "the agent's own name of it; else the request's, or a new one",
        agent: Option<String> = "the agent; else annals",
        agent_version: Option<String> = "the agent's version",
        model: Option<String> = "the model",
        title: Option<String> = "what it is about",
        cwd: Option<String> = "the folder it works in",
        branch: Option<String> = "the branch of its repository",
        parent: Option<String> = "the name of the session that it was started from",
    }

    struct End {
        name: Option<String> = "its name; else the request's",
        agent: Option<String> = "the agent; else annals",
        reason: Option<String> = "why",
    }

    struct Prompt {
        text: String = "the prompt",
        native_id: Option<String> = "the agent's own id: a second report is a duplicate",
        actor: Option<String> = "the subagent that it was for",
    }

    struct Filter {
        last: Rows<20> = "at most so many; else 20",
        agent: Option<String> = "only this agent's",
    }
}

fn session_start(pipe: &mut Pipe<'_>, started: Start) -> Result<Entry, PipeError> {
    let name = started.name.or_else(|| pipe.caller.session.clone());
    let name = name.unwrap_or_else(|| id::execution(clock::now_ms()).to_string());
    let agent = started.agent.unwrap_or_else(|| session::AGENT.to_owned());
    let session = id::session(&agent, &name);
    let body = Body::SessionStarted(SessionStarted {
        agent: agent.clone(),
        native_id: name.clone(),
        agent_version: started.agent_version,
        model: started.model,
        parent: started.parent.map(|parent| id::session(&agent, &parent)),
        cwd: started.cwd,
        branch: started.branch,
        title: started.title,
    });
    Ok(Entry::new(None, vec![of_session(session, body)], move |pipe, _| {
        pipe.is_introduced(session);
        serde_json::json!({ "session": session.to_string(), "name": name, "agent": agent })
    }))
}

fn session_end(pipe: &mut Pipe<'_>, ended: End) -> Result<Entry, PipeError> {
    let name = ended.name.unwrap_or_else(|| pipe.caller.name().to_owned());
    let agent = ended.agent.unwrap_or_else(|| session::AGENT.to_owned());
    let session = id::session(&agent, &name);
    let reason = ended.reason.unwrap_or_else(|| "ended".to_owned());
    let body = Body::SessionEnded(SessionEnded { reason });
    Ok(Entry::new(
        None,
        vec![of_session(session, body)],
        move |_, _| serde_json::json!({ "session": session.to_string(), "name": name, "agent": agent }),
    ))
}

fn record_prompt(pipe: &mut Pipe<'_>, prompt: Prompt) -> Result<Entry, PipeError> {
    let body = Body::PromptSubmitted(PromptSubmitted {
        text: Content::Inline(prompt.text.into_bytes()),
        native_id: prompt.native_id,
        actor: prompt.actor,
    });
    let session = pipe.caller.id();
    let of = Some((session::AGENT.to_owned(), pipe.caller.name().to_owned()));
    Ok(Entry::new(of, vec![of_session(session, body)], move |_, report| {
        let duplicate = report.recorded == 0;
        serde_json::json!({ "session": session.to_string(), "duplicate": duplicate })
    }))
}

fn of_session(session: SessionId, body: Body) -> Event {
    Event { envelope: Envelope::new(Some(session), Source::Live, clock::now_ms()), body }
}

fn sessions(pipe: &mut Pipe<'_>, asked: Filter) -> Answered {
    let filter = SessionFilter { last: Some(asked.last.0), agent: asked.agent };
    Answer::list(pipe.stores()?.sessions(&filter)?)
}
