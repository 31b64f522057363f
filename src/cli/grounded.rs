//! The session that a command of the gate is about: its fold, and recording for it.

use super::{Context, Result, catch_up, session};
use crate::event::{Body, Envelope, Event, GateMode, SessionId, Source, tool};
use crate::execution::query::QueryError;
use crate::execution::{infer, live_recorder};
use crate::grounding::gate::{Door, Proposal, Refusal, SessionFile, judge};
use crate::journal::{Project, RecordReport, clock, id};
use crate::output::escape;

pub struct Grounded<'p> {
    project: &'p Project,
    pub session: SessionId,
    /// It was named, by a flag or by ANNALS_SESSION.
    pub is_named: bool,
    pub file: SessionFile<'p>,
}

impl<'p> Grounded<'p> {
    /// The session of a flag, else of ANNALS_SESSION, else the default one.
    pub fn open(project: &'p Project, named: Option<&str>, context: &Context) -> Result<Self> {
        let session = match named {
            Some(name) => meant(project, name, context)?,
            None => context.session_id(),
        };
        let is_named = named.is_some() || context.session.is_some();
        let mut file = SessionFile::open(project, session)?;
        file.save()?;
        Ok(Self { project, session, is_named, file })
    }

    /// Says which session was meant by the beginning of its id.
    pub fn tell_meant(&self, named: Option<&str>, context: &mut Context) {
        let completed = named.filter(|name| id::session(session::AGENT, name) != self.session);
        if let Some(name) = completed {
            context.output.note(format_args!("{} is meant by {name:?}", self.session));
        }
    }

    /// What the gate says of a call of a tool, by the contract's name of it or the agent's.
    pub fn check(&self, native: &str, arguments: &str, door: Door) -> (Proposal, Option<Refusal>) {
        let tool = tool::of_claude_code(native).unwrap_or(native);
        let mut proposal = Proposal::new(tool, arguments, self.session, door);
        let targets = infer::targets(tool, arguments, self.project.root());
        (proposal.paths, proposal.symbols) = (targets.paths, targets.symbols);
        let edits = infer::edits(self.project, tool, arguments, None, None);
        proposal.edits = !edits.is_empty();
        proposal.native_tool = Some(native.to_owned()).filter(|native| native != tool);
        let policy = &self.project.config().policy;
        let refusal = judge(policy, self.file.grounding(), &proposal, clock::now_ms());
        (proposal, refusal)
    }

    /// Records facts of the session, in one commit.
    pub fn record(&mut self, bodies: Vec<Body>, context: &mut Context) -> Result<RecordReport> {
        let envelope = self.envelope();
        let event = |body| Event { envelope: envelope.clone(), body };
        self.record_events(bodies.into_iter().map(event).collect(), context)
    }

    /// Of what happens in the session now.
    pub fn envelope(&self) -> Envelope {
        Envelope::new(Some(self.session), Source::Live, clock::now_ms())
    }

    pub fn record_events(
        &mut self,
        events: Vec<Event>,
        context: &mut Context,
    ) -> Result<RecordReport> {
        let mut recorder = live_recorder(self.project);
        let report = recorder.record(events)?;
        recorder.finish()?;
        self.file.catch_up()?;
        self.file.save()?;
        catch_up::catch_up(self.project, context);
        Ok(report)
    }
}

/// The session that a name means: what may be the beginning of an id is one where a session on record begins so, and
/// a name like any other where none does.
fn meant(project: &Project, name: &str, context: &Context) -> Result<SessionId> {
    let own = id::session(session::AGENT, name);
    let may_begin = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
    if name.len() < BEGINNING_MIN
        || !name.bytes().all(may_begin)
        || SessionId::parse(name).is_some()
    {
        return Ok(own);
    }
    catch_up::catch_up_executions(project);
    let found = catch_up::stores(project, context)?.session_named(name);
    match found {
        Err(QueryError::NoSession { .. }) => Ok(own),
        found => Ok(found?),
    }
}

/// Digits of an id that are meant as its beginning: fewer begin too many.
const BEGINNING_MIN: usize = 4;

/// What a project's settings say of verdicts that come through the library.
pub fn configured(project: &Project) -> GateMode {
    project.config().gate.unwrap_or(GateMode::Enforce)
}

pub fn mode(text: &str) -> Result<GateMode, String> {
    GateMode::parse(text).ok_or_else(|| "observe, advise or enforce".to_owned())
}

/// Why the gate refused, what to ask first, and what to do in a shell.
pub fn tell(refusal: &Refusal, then: &str, context: &mut Context) -> Result<()> {
    context.output.line(format_args!("  {}", escape::line(&refusal.reason)))?;
    context.output.line(format_args!("  ask first: {}", escape::line(&refusal.required_query)))?;
    context.output.line(format_args!("  {}", escape::line(then)))?;
    Ok(())
}
