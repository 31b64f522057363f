//! `annals session start|end`: says which session the next calls belong to.

use super::checkpoint::by_itself;
use super::{Context, Exit, Result, catch_up, quote};
use crate::event::{Body, Envelope, Event, SessionEnded, SessionId, SessionStarted, Source};
use crate::execution::live_recorder;
use crate::journal::{RecordError, Recorder, clock, id};

/// The agent's name where none was given.
pub const AGENT: &str = "annals";
/// The session's name where neither a flag nor `ANNALS_SESSION` gives one.
pub const DEFAULT: &str = "default";

/// Begin or end a session of an agent that has no hooks
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Begin a session; prints what to set ANNALS_SESSION to
    Start(Start),
    /// End a session
    End(End),
}

#[derive(clap::Args, Debug)]
struct Start {
    /// The agent's own name of the session [default: a new UUID]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The agent
    #[arg(long, value_name = "AGENT", default_value = AGENT)]
    agent: String,
    /// The model
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// What the session is about
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

#[derive(clap::Args, Debug)]
struct End {
    /// The session's name [default: $ANNALS_SESSION]
    name: Option<String>,
    /// The agent
    #[arg(long, value_name = "AGENT", default_value = AGENT)]
    agent: String,
    /// Why it ended
    #[arg(long, value_name = "TEXT", default_value = "ended")]
    reason: String,
}

#[derive(serde::Serialize)]
struct Told<'a> {
    session: String,
    name: &'a str,
    agent: &'a str,
    sequence: Option<u64>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let is_over = matches!(args.what, What::End(_));
    let (name, agent, body) = match args.what {
        What::Start(started) => {
            let name = started.name.unwrap_or_else(|| id::execution(clock::now_ms()).to_string());
            let cwd = std::env::current_dir().ok(); // a deleted folder has no name
            let body = Body::SessionStarted(SessionStarted {
                agent: started.agent.clone(),
                native_id: name.clone(),
                model: started.model,
                cwd: cwd.map(|cwd| cwd.to_string_lossy().into_owned()),
                title: started.title,
                ..SessionStarted::default()
            });
            (name, started.agent, body)
        }
        What::End(ended) => {
            let name = ended.name.or_else(|| context.session.clone());
            let body = Body::SessionEnded(SessionEnded { reason: ended.reason });
            (name.unwrap_or(DEFAULT.to_owned()), ended.agent, body)
        }
    };
    let session = id::session(&agent, &name);
    let sequence = record(session, body, is_over, context)?;
    let (session, output) = (session.to_string(), &mut context.output);
    if output.is_json() {
        output.json(&Told { session, name: &name, agent: &agent, sequence })?;
    } else if is_over {
        let short = &session[..8];
        output.line(format_args!("Session {short} ended. See it: annals log --session {short}"))?;
    } else {
        let name = crate::output::escape::line(&name).into_owned();
        output.line(format_args!("export ANNALS_SESSION={}", quote::word(&name)))?;
    }
    Ok(Exit::Fine)
}

fn record(
    session: SessionId,
    body: Body,
    is_over: bool,
    context: &mut Context,
) -> Result<Option<u64>> {
    let project = context.project()?;
    let mut recorder = live_recorder(&project);
    let envelope = Envelope::new(Some(session), Source::Live, clock::now_ms());
    let report = recorder.record(vec![Event { envelope, body }])?;
    if is_over {
        // Of an agent that cannot be looked at from here nobody else closes what it left open.
        recorder.sweep_session(session)?;
    }
    let stores_are_due = recorder.stores_are_due();
    recorder.finish()?;
    catch_up::keep_up(&project, stores_are_due, context);
    by_itself::follow(&project, context);
    Ok(report.appended.map(|appended| appended.last.0))
}

/// Tells the journal whose session this is, where nobody has told it yet.
pub fn introduce(
    recorder: &mut Recorder<'_>,
    agent: &str,
    native_id: &str,
    at_ms: u64,
) -> Result<(), RecordError> {
    recorder.record(vec![introduction(agent, native_id, at_ms)]).map(drop)
}

/// What tells it: nothing but the agent and its name of the session.
pub fn introduction(agent: &str, native_id: &str, at_ms: u64) -> Event {
    Event {
        envelope: Envelope::new(Some(id::session(agent, native_id)), Source::Live, at_ms),
        body: Body::SessionStarted(named(agent, native_id)),
    }
}

/// A session of which nothing else is known.
pub fn named(agent: &str, native_id: &str) -> SessionStarted {
    SessionStarted {
        agent: agent.to_owned(),
        native_id: native_id.to_owned(),
        ..SessionStarted::default()
    }
}
