//! Sessions and prompts.

use serde_json::{Value, json};

use crate::cli::session;
use crate::event::{
    Body, Content, Envelope, Event, PromptSubmitted, SessionEnded, SessionId, SessionStarted,
    Source,
};
use crate::execution::query::{RUNS_MAX, SessionFilter};
use crate::journal::{clock, id};
use crate::pipe::{Answer, Entry, Rows, operations};

operations! { OPS:
    record session_start = "record that a session begins, or more of what is known of it" {
        name: Option<String> = "the agent's own name of it; else the request's, or a new one",
        agent: Option<String> = "the agent; else annals",
        agent_version: Option<String> = "the agent's version",
        model: Option<String> = "the model",
        title: Option<String> = "what it is about",
        cwd: Option<String> = "the folder it works in",
        branch: Option<String> = "the branch of its repository",
        parent: Option<String> = "the name of the session that it was started from",
    } => |pipe| {
        let name = name.or_else(|| pipe.caller.session.clone());
        let name = name.unwrap_or_else(|| id::execution(clock::now_ms()).to_string());
        let agent = agent.unwrap_or_else(|| session::AGENT.to_owned());
        let session = id::session(&agent, &name);
        let parent = parent.map(|parent| id::session(&agent, &parent));
        let (told, native_id) = (session_told(session, &name, &agent), name);
        let started = SessionStarted {
            agent, native_id, agent_version, model, parent, cwd, branch, title,
        };
        let event = of_session(session, Body::SessionStarted(started));
        Ok(Entry::new(None, vec![event], move |pipe, _| {
            pipe.is_introduced(session);
            told
        }))
    };

    record session_end = "record that a session ended" {
        name: Option<String> = "its name; else the request's",
        agent: Option<String> = "the agent; else annals",
        reason: Option<String> = "why",
    } => |pipe| {
        let name = name.unwrap_or_else(|| pipe.caller.name().to_owned());
        let agent = agent.unwrap_or_else(|| session::AGENT.to_owned());
        let session = id::session(&agent, &name);
        let reason = reason.unwrap_or_else(|| "ended".to_owned());
        let event = of_session(session, Body::SessionEnded(SessionEnded { reason }));
        let told = session_told(session, &name, &agent);
        Ok(Entry::new(None, vec![event], move |_, _| told))
    };

    record record_prompt = "record what a user, or another agent, asked for" {
        text: String = "the prompt",
        native_id: Option<String> = "the agent's own id: a second report is a duplicate",
        actor: Option<String> = "the subagent that it was for",
    } => |pipe| {
        let text = Content::Inline(text.into_bytes());
        let prompt = Body::PromptSubmitted(PromptSubmitted { text, native_id, actor, attachments: Vec::new() });
        let session = pipe.caller.id();
        let of = Some((session::AGENT.to_owned(), pipe.caller.name().to_owned()));
        Ok(Entry::new(of, vec![of_session(session, prompt)], move |_, report| {
            json!({ "session": session.to_string(), "duplicate": report.recorded == 0 })
        }))
    };

    act sessions = "sessions with their counts, the newest last" {
        last: Rows<20> = "at most so many; else 20",
        agent: Option<String> = "only this agent's",
    } => |pipe| Answer::list(pipe.stores()?.sessions(&SessionFilter { last: Some(last.0), agent })?);

    act checks = "the project's own checks, and how each stands now" {} => |pipe| {
        let tree = pipe.project.tree().to_owned();
        let stores = pipe.stores()?;
        Answer::list(stores.check_states(&stores.own_checks()?, RUNS_MAX, &tree)?)
    };
}

fn session_told(session: SessionId, name: &str, agent: &str) -> Value {
    json!({ "session": session.to_string(), "name": name, "agent": agent })
}

fn of_session(session: SessionId, body: Body) -> Event {
    Event { envelope: Envelope::new(Some(session), Source::Live, clock::now_ms()), body }
}
