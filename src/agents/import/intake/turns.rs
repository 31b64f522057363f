//! Turns of imported sessions: each is begun and ended as a hook would have done it, from the events
//! alone.
//!
//! A turn is a prompt of the user's up to the next one, or to the end of the file. What the journal knew before
//! the import began no turn, and where nothing new ran none ends: so importing again adds nothing.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use super::Run;
use super::rested::Rested;
use crate::agents::import::item::{Item, Part, TranscriptRecord};
use crate::agents::import::{ImportError, Result};
use crate::event::{
    Body, Content, Envelope, Event, Outcome, Recorded, RepoHash, SessionId, Source, StepBegun,
};
use crate::grounding::fold::{Grounding, GroundingRules};
use crate::grounding::gate::{GateError, SessionFile};
use crate::journal::Project;
use crate::journal::project::worktree;
use crate::repo::step_summary::{Given, StepEnd, title};

/// Sessions that are folded at once; one that is met again after so many others is unpacked.
const SESSIONS_MAX: usize = 32;

pub struct Turns<'p> {
    project: &'p Project,
    rules: GroundingRules,
    /// Of every session's events what each must know.
    all: Grounding,
    sessions: Vec<Session>,
    /// Those that were folded before.
    rested: Rested,
    met: HashMap<SessionId, Met>,
    /// What was said last in the turns of what is being read, on record by then or not.
    said: HashMap<SessionId, String>,
    /// The repository that is on record by now.
    repo: Option<RepoHash>,
}

struct Session {
    grounding: Grounding,
    /// The turn was begun by this import.
    is_begun: bool,
    /// A call ended in it.
    ran: bool,
}

struct Met {
    /// The agent's own name of it.
    run: String,
    /// Nothing of it was on record.
    is_new: bool,
    is_of_project: bool,
    /// What was on record of it came by an import, so that its turns are ours to end.
    is_imported: bool,
    /// Its last turn is to be ended: an import before was killed before it did, or others are folded by now.
    is_due: bool,
}

impl<'p> Turns<'p> {
    /// From where the journal stands.
    pub fn of(project: &'p Project) -> Result<Self, GateError> {
        // No session's: its fold knows what all have in common.
        let all = SessionFile::unkept(project, SessionId([0; 16]))?.grounding().clone();
        let rules = GroundingRules { is_foreign: !project.is_believed() };
        let (sessions, rested, met) = (Vec::new(), Rested::default(), HashMap::new());
        let said = HashMap::new();
        Ok(Self { project, rules, all, sessions, rested, met, said, repo: None })
    }

    /// Takes what was recorded.
    fn take(&mut self, heard: &[Recorded]) -> Result<(), GateError> {
        for recorded in heard {
            let Some(id) = recorded.event.envelope.session else {
                self.all.apply(recorded, &self.rules);
                continue;
            };
            // It is most often the one that was met last.
            let at = self.at(id)?;
            let session = &mut self.sessions[at];
            session.grounding.apply_beside(&mut self.all, recorded, &self.rules);
            if let Body::StepBegun(_) = &recorded.event.body {
                session.is_begun = true;
            }
            session.ran |= matches!(&recorded.event.body, Body::ExecutionFinished(it)
                if it.closing.outcome != Outcome::Interrupted);
        }
        Ok(())
    }

    fn at(&mut self, id: SessionId) -> Result<usize, GateError> {
        match self.sessions.iter().rposition(|it| it.grounding.session() == id) {
            Some(at) => Ok(at),
            None => self.open(id),
        }
    }

    fn open(&mut self, id: SessionId) -> Result<usize, GateError> {
        let met = self.met.get_mut(&id);
        let is_new = met.is_some_and(|met| std::mem::replace(&mut met.is_new, false));
        let grounding = match self.rested.take(id) {
            Some(grounding) => grounding,
            None if is_new => self.all.beside(id),
            // It was on record before, or too many have rested since: it is read from the journal.
            None => SessionFile::unkept(self.project, id)?.grounding().clone(),
        };
        if self.sessions.len() >= SESSIONS_MAX {
            let rests = self.sessions.remove(0);
            if let Some(met) = self.met.get_mut(&rests.grounding.session()) {
                met.is_due |= rests.is_begun || rests.ran && met.is_imported;
            }
            self.rested.keep(&rests.grounding);
        }
        self.sessions.push(Session { grounding, is_begun: false, ran: false });
        Ok(self.sessions.len() - 1)
    }

    /// What ends a session's turn, if anything happened in it: where another begins, or else only what is an
    /// import's own.
    fn end(&mut self, id: SessionId, another: bool) -> Result<Vec<Event>, GateError> {
        let is_due =
            self.met.get_mut(&id).is_some_and(|it| std::mem::replace(&mut it.is_due, false));
        if is_due {
            self.at(id)?;
        }
        let Some(met) = self.met.get(&id).filter(|it| it.is_of_project) else {
            return Ok(Vec::new());
        };
        let session = self.sessions.iter_mut().rev().find(|it| it.grounding.session() == id);
        let Some(session) = session else { return Ok(Vec::new()) };
        let Session { grounding, is_begun, ran } = session;
        let (begun, ran) = (std::mem::take(is_begun), std::mem::take(ran));
        // What goes on behind the end of its turn, from import to import, is ended once: by the next prompt.
        let is_open = grounding.step.began.is_some();
        let is_ours = another || begun || is_open && (is_due || ran && met.is_imported);
        if !is_ours || grounding.step.is_empty() {
            return Ok(Vec::new());
        }
        let said = self.said.remove(&id);
        let (run, answer, met) = (met.run.as_str(), said.as_deref(), self.repo);
        let end =
            StepEnd::of(self.project, grounding, &Given { run, answer, met, ..Given::default() });
        self.repo = end.summary.as_ref().map(|it| it.repo).or(met);
        Ok(end.events(&Envelope::new(Some(id), Source::Import, grounding.last_ms)))
    }

    /// Whether a session that began in this folder is told of. As with hooks those of another folder are not;
    /// one that is not there was the project's before that came here.
    fn is_home(project: &Project, folder: Option<&str>) -> bool {
        let Some(folder) = folder.map(Path::new).filter(|it| it.is_absolute()) else { return true };
        let root = project.root();
        folder.starts_with(root)
            || folder.canonicalize().map_or(true, |it| it.starts_with(root))
            || worktree::tree(root, folder).is_some()
    }
}

impl Run<'_> {
    /// Takes what a file says: a prompt ends the turn before it.
    pub(super) fn take(&mut self, item: Item) -> Result<()> {
        let told = self.turns.as_ref().and_then(|_| Told::of(&item));
        let mut said = Vec::new();
        self.ledgers[self.turn].take(item, &mut said);
        self.meet()?;
        if let Some(Told::Asked) = told {
            return self.asked(said);
        }
        self.batch.append(&mut said);
        if let Some(Told::Said(said)) = told {
            self.note_said(Some(said));
        }
        Ok(())
    }

    /// Takes what begins with a prompt, which ends the turn before it and begins another, where it is new.
    fn asked(&mut self, mut said: Vec<Event>) -> Result<()> {
        let session = self.ledgers[self.turn].session();
        let is_of_project =
            session.is_none_or(|session| Turns::is_home(self.project, session.cwd()));
        let id = session.map(|session| session.id);
        if let (Some(id), Some(turns)) = (id, &mut self.turns) {
            turns.met.entry(id).and_modify(|it| it.is_of_project = is_of_project);
        }
        let begun = said.iter().enumerate().find_map(|(at, it)| Some((at, self.begun(it)?)));
        if let Some((at, begun)) = begun
            && let Some(id) = begun.envelope.session
            && !self.recorder.has(&said[at]).map_err(|source| ImportError::Finish { source })?
        {
            self.end_turn(id, true)?;
            if is_of_project {
                said.insert(at + 1, begun);
            }
        }
        self.batch.append(&mut said);
        self.note_said(None);
        self.send()
    }

    fn note_said(&mut self, said: Option<String>) {
        let session = self.ledgers[self.turn].session();
        if let (Some(session), Some(turns)) = (session, &mut self.turns) {
            match said {
                Some(said) => drop(turns.said.insert(session.id, said)),
                None => drop(turns.said.remove(&session.id)),
            }
        }
    }

    /// The beginning of the turn that a prompt is: recorded right behind it, or not at all.
    fn begun(&self, event: &Event) -> Option<Event> {
        let Body::PromptSubmitted(prompt) = &event.body else { return None };
        let Content::Inline(text) = &prompt.text else { return None };
        // Cut, a secret might not be known any more.
        let text = self.project.redactor().redact_text(&String::from_utf8_lossy(text));
        let (session, at_ms) = (event.envelope.session, event.envelope.at_ms);
        let envelope = Envelope::new(session, Source::Import, at_ms);
        let body = Body::StepBegun(StepBegun { title: title(&text) });
        prompt.actor.is_none().then_some(Event { envelope, body })
    }

    /// Looks a session up that is met for the first time.
    fn meet(&mut self) -> Result<()> {
        let Some(turns) = &mut self.turns else { return Ok(()) };
        let Some(session) = self.ledgers[self.turn].session() else { return Ok(()) };
        if let Entry::Vacant(place) = turns.met.entry(session.id) {
            let finish = |source| ImportError::Finish { source };
            let known = self.recorder.known_session(session.id).map_err(finish)?;
            let is_new = known.is_none();
            let turn = self.recorder.known_turn(session.id).map_err(finish)?;
            let is_imported = is_new || turn.is_imported == Some(true);
            // As hooks do, no turn of another folder's session is told of.
            let folder =
                known.and_then(|known| known.started?.cwd).or(session.cwd().map(str::to_owned));
            let is_due = turn.ran && is_imported;
            let is_of_project = !is_due || Turns::is_home(turns.project, folder.as_deref());
            let run = session.native_id().to_owned();
            place.insert(Met { run, is_new, is_of_project, is_imported, is_due });
        }
        Ok(())
    }

    /// Ends the turns that are open: the file is read.
    pub(super) fn end_turns(&mut self) -> Result<()> {
        let Some(turns) = &self.turns else { return self.send() };
        let mut open: Vec<_> = turns.sessions.iter().map(|it| it.grounding.session()).collect();
        let due = turns.met.iter().filter(|(id, it)| it.is_due && !open.contains(id));
        let mut due: Vec<_> = due.map(|(id, _)| *id).collect();
        due.sort_unstable();
        open.append(&mut due);
        for id in open {
            self.end_turn(id, false)?;
        }
        self.turns.iter_mut().for_each(|it| it.said.clear());
        self.send()
    }

    fn end_turn(&mut self, id: SessionId, another: bool) -> Result<()> {
        self.send()?;
        let ends = self.turns.as_mut().map(|turns| turns.end(id, another)).transpose();
        let ends = ends.map_err(|source| ImportError::Turn { source: Box::new(source) })?;
        // Recorded with what comes next, a turn's beginning among them.
        self.batch.extend(ends.unwrap_or_default());
        Ok(())
    }

    /// Takes what was recorded.
    pub(super) fn hear_turns(&mut self) -> Result<()> {
        let Some(turns) = &mut self.turns else { return Ok(()) };
        let taken = turns.take(&self.recorder.heard());
        taken.map_err(|source| ImportError::Turn { source: Box::new(source) })
    }
}

/// What a record says of the turn: nothing, where a subagent's.
enum Told {
    Asked,
    Said(String),
}

impl Told {
    fn of(item: &Item) -> Option<Self> {
        let Item::Record(record) = item else { return None };
        let TranscriptRecord { head, parts, .. } = &**record;
        parts.iter().filter(|_| head.actor.is_none()).find_map(|part| match part {
            Part::Prompt(_) => Some(Self::Asked),
            Part::Said(message) if message.is_synthetic || message.text.trim().is_empty() => None,
            Part::Said(message) => Some(Self::Said(message.text.clone())),
            _ => None,
        })
    }
}
