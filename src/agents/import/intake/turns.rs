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
    Body, Content, Envelope, Event, Recorded, RepoHash, SessionId, Source, StepBegun,
};
use crate::grounding::fold::{Grounding, GroundingRules};
use crate::grounding::gate::{GateError, SessionFile};
use crate::journal::Project;
use crate::journal::project::worktree;
use crate::repo::step_summary::{Given, StepEnd, title};

/// Sessions that are folded at once; one that is met again after so many others is unpacked.
const SESSIONS_MAX: usize = 64;

pub struct Turns<'p> {
    project: &'p Project,
    rules: GroundingRules,
    /// Of every session's events what each must know.
    all: Grounding,
    sessions: Vec<Session>,
    /// Those that were folded before.
    rested: Rested,
    met: HashMap<SessionId, Met>,
    /// The repository that is on record by now.
    repo: Option<RepoHash>,
}

struct Session {
    grounding: Grounding,
    /// What the agent said last in the turn.
    said: Option<String>,
    /// The turn was begun by this import.
    is_begun: bool,
}

struct Met {
    /// The agent's own name of it.
    run: String,
    /// Nothing of it was on record.
    is_new: bool,
    is_of_project: bool,
}

impl<'p> Turns<'p> {
    /// From where the journal stands.
    pub fn of(project: &'p Project) -> Result<Self, GateError> {
        // No session's: its fold knows what all have in common.
        let all = SessionFile::unkept(project, SessionId([0; 16]))?.grounding().clone();
        let rules = GroundingRules { is_foreign: !project.is_believed() };
        let (sessions, rested, met) = (Vec::new(), Rested::default(), HashMap::new());
        Ok(Self { project, rules, all, sessions, rested, met, repo: None })
    }

    /// Takes what was recorded; gives the beginnings of the turns that new prompts are.
    fn take(&mut self, heard: &[Recorded]) -> Result<Vec<Event>, GateError> {
        let mut begun = Vec::new();
        for recorded in heard {
            let envelope = &recorded.event.envelope;
            let Some(id) = envelope.session else {
                self.all.apply(recorded, &self.rules);
                continue;
            };
            // It is most often the one that was met last.
            let at = match self.sessions.iter().rposition(|it| it.grounding.session() == id) {
                Some(at) => at,
                None => self.open(id)?,
            };
            let session = &mut self.sessions[at];
            session.grounding.apply_beside(&mut self.all, recorded, &self.rules);
            if let Body::PromptSubmitted(prompt) = &recorded.event.body
                && prompt.actor.is_none()
                && let Content::Inline(text) = &prompt.text
                && self.met.get(&id).is_none_or(|it| it.is_of_project)
            {
                (session.said, session.is_begun) = (None, true);
                let title = title(&String::from_utf8_lossy(text));
                let envelope = Envelope::new(Some(id), Source::Import, envelope.at_ms);
                begun.push(Event { envelope, body: Body::StepBegun(StepBegun { title }) });
            }
        }
        Ok(begun)
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
            self.rested.keep(&self.sessions.remove(0).grounding);
        }
        self.sessions.push(Session { grounding, said: None, is_begun: false });
        Ok(self.sessions.len() - 1)
    }

    /// What ends a session's turn, if anything happened in it.
    fn end(&mut self, id: SessionId) -> Vec<Event> {
        let Some(met) = self.met.get(&id).filter(|it| it.is_of_project) else { return Vec::new() };
        let session = self.sessions.iter_mut().rev().find(|it| it.grounding.session() == id);
        let Some(Session { grounding, said, is_begun }) = session else { return Vec::new() };
        *is_begun = false;
        if grounding.step.is_empty() {
            return Vec::new();
        }
        let said = said.take();
        let (run, answer, met) = (met.run.as_str(), said.as_deref(), self.repo);
        let end =
            StepEnd::of(self.project, grounding, &Given { run, answer, met, ..Given::default() });
        self.repo = end.summary.as_ref().map(|it| it.repo).or(met);
        end.events(&Envelope::new(Some(id), Source::Import, grounding.last_ms))
    }

    /// Whether a session that began in this folder is told of. As with hooks those of another folder are not;
    /// one that is not there was the project's before that came here.
    fn is_home(&self, folder: Option<&str>) -> bool {
        let Some(folder) = folder.map(Path::new).filter(|it| it.is_absolute()) else { return true };
        let root = self.project.root();
        folder.starts_with(root)
            || folder.canonicalize().map_or(true, |it| it.starts_with(root))
            || worktree::tree(root, folder).is_some()
    }
}

impl Run<'_> {
    /// Takes what a file says: a prompt ends the turn before it.
    pub(super) fn take(&mut self, item: Item) -> Result<()> {
        let told = self.turns.as_ref().and_then(|_| Told::of(&item));
        if let (Some(Told::Asked), Item::Record(record)) = (&told, &item)
            && let Some(id) = self.ledgers[self.turn].session_of(&record.head).map(|it| it.id)
        {
            self.end_turn(id)?;
        }
        self.ledgers[self.turn].take(item, &mut self.batch);
        let Some(turns) = &mut self.turns else { return Ok(()) };
        let Some(session) = self.ledgers[self.turn].session() else { return Ok(()) };
        let id = session.id;
        if let Entry::Vacant(place) = turns.met.entry(id) {
            let known = self.recorder.knows_session(id);
            let is_new = !known.map_err(|source| ImportError::Finish { source })?;
            let run = session.native_id().to_owned();
            place.insert(Met { run, is_new, is_of_project: true });
        }
        match told {
            Some(Told::Asked) => {
                let is_of_project = turns.is_home(session.cwd());
                turns.met.entry(id).and_modify(|it| it.is_of_project = is_of_project);
                self.send()
            }
            Some(Told::Said(said)) => {
                let mut sessions = turns.sessions.iter_mut().rev();
                if let Some(session) = sessions.find(|it| it.grounding.session() == id) {
                    session.said = Some(said);
                }
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Ends the turns that this import began: the file is read.
    pub(super) fn end_turns(&mut self) -> Result<()> {
        let sessions = self.turns.iter().flat_map(|turns| &turns.sessions);
        let begun = sessions.filter(|it| it.is_begun).map(|it| it.grounding.session());
        for id in begun.collect::<Vec<_>>() {
            self.end_turn(id)?;
        }
        self.send()
    }

    fn end_turn(&mut self, id: SessionId) -> Result<()> {
        self.send()?;
        let ends = self.turns.as_mut().map(|turns| turns.end(id));
        // Recorded with what comes next, a turn's beginning among them.
        self.batch.extend(ends.unwrap_or_default());
        Ok(())
    }

    /// What was recorded begins turns, where it has prompts.
    pub(super) fn begin_turns(&mut self) -> Result<()> {
        let Some(turns) = &mut self.turns else { return Ok(()) };
        let begun = turns.take(&self.recorder.heard());
        // Recorded with what comes next.
        self.batch = begun.map_err(|source| ImportError::Turn { source: Box::new(source) })?;
        Ok(())
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
