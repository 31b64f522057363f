//! The recorder on real journals: what it refuses, skips, changes and keeps.

mod import;
mod index;
mod live;
mod repeats;
mod rounds;
mod sweep;

use crate::event::{
    Body, CallKey, Closing, Envelope, Event, ExecutionFinished, ExecutionId, ExecutionStarted,
    Json, Outcome, Sequence, SessionId, Source,
};
use crate::journal::{InitOptions, Project, ReplayItem, clock, id};

/// A project in a folder of its own, and a session in it.
struct Scene {
    _folder: tempfile::TempDir,
    project: Project,
    session: SessionId,
}

fn scene() -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    Scene { _folder: folder, project, session: id::session("test", "one") }
}

fn call(name: &str) -> CallKey {
    CallKey { agent: "test".into(), scope: None, call: name.into() }
}

fn closing() -> Closing {
    Closing {
        outcome: Outcome::Ok,
        exit_code: Some(0),
        duration_ms: None,
        error: None,
        stdout: None,
        stderr: None,
        diagnostics: None,
        paths: Vec::new(),
        symbols: Vec::new(),
        changed: Vec::new(),
    }
}

impl Scene {
    fn event(&self, source: Source, at_ms: u64, body: Body) -> Event {
        Event { envelope: Envelope::new(Some(self.session), source, at_ms), body }
    }

    fn started(&self, source: Source, at_ms: u64, name: &str) -> (ExecutionId, Event) {
        let execution = id::execution(at_ms);
        let started = ExecutionStarted {
            execution,
            tool: "bash_exec".into(),
            native_tool: None,
            call: Some(call(name)),
            actor: None,
            parent: None,
            arguments: Json("{}".into()),
            paths: Vec::new(),
            symbols: Vec::new(),
            cwd: None,
            branch: None,
        };
        (execution, self.event(source, at_ms, Body::ExecutionStarted(started)))
    }

    fn finished(&self, source: Source, at_ms: u64, execution: ExecutionId) -> Event {
        let body = ExecutionFinished { execution, tool: "bash_exec".into(), closing: closing() };
        self.event(source, at_ms, Body::ExecutionFinished(body))
    }

    /// What the journal holds after what `init` put there.
    fn recorded(&self) -> Vec<Event> {
        let reader = self.project.reader().unwrap();
        let events = reader.replay(Sequence(3), None).map(Result::unwrap);
        let event = |item| match item {
            ReplayItem::Event(recorded) => Some(recorded.event),
            _ => None,
        };
        events.filter_map(event).collect()
    }

    fn names(&self) -> Vec<&'static str> {
        self.recorded().iter().map(|event| event.body.name()).collect()
    }
}

fn now() -> u64 {
    clock::now_ms()
}
