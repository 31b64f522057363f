//! Sessions and prompts.

use crate::cli::{rows, session};
use crate::event::{
    Body, Content, Envelope, Event, PromptSubmitted, SessionEnded, SessionStarted, Source,
};
use crate::execution::query::SessionFilter;
use crate::journal::{clock, id};
use crate::pipe::{Args, Argument, Caller, Entry, Op, Pipe, PipeError, Run, Told};

const AGENT: Argument = Argument::maybe("agent", "text", "the agent; else annals");

pub const OPS: &[Op] = &[
    Op {
        name: "session_start",
        about: "record that a session begins, or more of what is known of it",
        args: &[
            Argument::maybe(
                "name",
                "text",
                "the agent's own name of it; else the request's, or a new one",
            ),
            AGENT,
            Argument::maybe("agent_version", "text", "the agent's version"),
            Argument::maybe("model", "text", "the model"),
            Argument::maybe("title", "text", "what it is about"),
            Argument::maybe("cwd", "text", "the folder it works in"),
            Argument::maybe("branch", "text", "the branch of its repository"),
            Argument::maybe("parent", "text", "the name of the session that it was started from"),
        ],
        run: Run::Record(start),
    },
    Op {
        name: "session_end",
        about: "record that a session ended",
        args: &[
            Argument::maybe("name", "text", "its name; else the request's"),
            AGENT,
            Argument::maybe("reason", "text", "why"),
        ],
        run: Run::Record(end),
    },
    Op {
        name: "record_prompt",
        about: "record what a user, or another agent, asked for",
        args: &[
            Argument::needed("text", "text", "the prompt"),
            Argument::maybe(
                "native_id",
                "text",
                "the agent's own id: a second report is a duplicate",
            ),
            Argument::maybe("actor", "text", "the subagent that it was for"),
        ],
        run: Run::Record(prompt),
    },
    Op {
        name: "sessions",
        about: "sessions with their counts, the newest last",
        args: &[
            Argument::maybe("last", "number", "at most so many; else 20"),
            Argument::maybe("agent", "text", "only this agent's"),
        ],
        run: Run::Do(list),
    },
];

fn start(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Entry, PipeError> {
    let now_ms = clock::now_ms();
    let name = args.take("name")?.or_else(|| caller.session.clone());
    let name = name.unwrap_or_else(|| id::execution(now_ms).to_string());
    let agent: String = args.take("agent")?.unwrap_or_else(|| session::AGENT.to_owned());
    let session = id::session(&agent, &name);
    let parent: Option<String> = args.take("parent")?;
    let body = Body::SessionStarted(SessionStarted {
        agent: agent.clone(),
        native_id: name.clone(),
        agent_version: args.take("agent_version")?,
        model: args.take("model")?,
        parent: parent.map(|parent| id::session(&agent, &parent)),
        cwd: args.take("cwd")?,
        branch: args.take("branch")?,
        title: args.take("title")?,
    });
    let envelope = Envelope::new(Some(session), Source::Live, now_ms);
    Ok(Entry::new(None, vec![Event { envelope, body }], move |pipe, report| {
        pipe.is_introduced(session);
        let told =
            serde_json::json!({ "session": session.to_string(), "name": name, "agent": agent });
        Ok(Told::of(&told)?.at(report.last_sequence()))
    }))
}

fn end(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Entry, PipeError> {
    let name: String = args.take("name")?.unwrap_or_else(|| caller.name().to_owned());
    let agent: String = args.take("agent")?.unwrap_or_else(|| session::AGENT.to_owned());
    let session = id::session(&agent, &name);
    let reason: Option<String> = args.take("reason")?;
    let reason = reason.unwrap_or_else(|| "ended".to_owned());
    let envelope = Envelope::new(Some(session), Source::Live, clock::now_ms());
    let event = Event { envelope, body: Body::SessionEnded(SessionEnded { reason }) };
    Ok(Entry::new(None, vec![event], move |_, report| {
        let told =
            serde_json::json!({ "session": session.to_string(), "name": name, "agent": agent });
        Ok(Told::of(&told)?.at(report.last_sequence()))
    }))
}

fn prompt(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Entry, PipeError> {
    let text: String = args.need("text")?;
    let body = Body::PromptSubmitted(PromptSubmitted {
        text: Content::Inline(text.into_bytes()),
        native_id: args.take("native_id")?,
        actor: args.take("actor")?,
    });
    let session = caller.id();
    let of = Some((session::AGENT.to_owned(), caller.name().to_owned()));
    let envelope = Envelope::new(Some(session), Source::Live, clock::now_ms());
    Ok(Entry::new(of, vec![Event { envelope, body }], move |_, report| {
        let duplicate = report.recorded == 0;
        let told = serde_json::json!({ "session": session.to_string(), "duplicate": duplicate });
        Ok(Told::of(&told)?.at(report.last_sequence()))
    }))
}

fn list(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let filter = SessionFilter { last: Some(args.rows("last", 20)?), agent: args.take("agent")? };
    let found = pipe.stores()?.sessions(&filter)?;
    Told::of(&found.iter().map(rows::session).collect::<Vec<_>>())
}
