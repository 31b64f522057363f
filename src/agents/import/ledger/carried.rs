//! What the next import of a transcript must know of what this one read of it.

use serde::{Deserialize, Serialize};

use super::calls::{Flaws, LEFT_MAX};
use super::{Ledger, LeftCommand};
use crate::agents::import::rests::Rest;
use crate::event::{ExecutionId, SessionId, SessionStarted, TranscriptFlaw};

/// Of what files that are read together tell: who works for which call, and what goes on in the background.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Carried {
    tasks: Vec<(String, [u8; 16])>,
    asked: Vec<(String, [u8; 16])>,
    left: Vec<([u8; 16], String, LeftCommand)>,
    is_too_much: bool,
}

/// Of calls and subagents; of more, transcripts are read whole.
const CALLS_MAX: usize = 4_096;

impl Carried {
    /// What may tell a secret.
    pub fn texts(&mut self) -> impl Iterator<Item = &mut String> {
        self.left
            .iter_mut()
            .flat_map(|(_, _, left)| std::iter::once(&mut left.command).chain(&mut left.cwd))
    }

    pub(super) fn task(&mut self, actor: &str, task: ExecutionId) {
        self.is_too_much |= self.tasks.len() >= CALLS_MAX;
        if !self.is_too_much {
            self.tasks.push((actor.to_owned(), task.0));
        }
    }

    pub(super) fn ask(&mut self, text: u128, task: ExecutionId) {
        self.is_too_much |= self.asked.len() >= CALLS_MAX;
        if !self.is_too_much {
            self.asked.push((format!("{text:032x}"), task.0));
        }
    }

    pub(super) fn leave(&mut self, session: SessionId, id: &str, command: &LeftCommand) {
        if self.left.len() >= LEFT_MAX {
            self.left.remove(0);
        }
        self.left.push((session.0, id.to_owned(), command.clone()));
    }
}

impl Ledger {
    /// What is to be carried of the files that are read together; `None` where that is too much.
    pub fn carried(&self) -> Option<&Carried> {
        Some(&self.carried).filter(|carried| !carried.is_too_much)
    }

    /// The first line of a file with a call whose result is not known.
    pub fn open_line(&self, file: &str) -> Option<u64> {
        let of_it = self.open.values().filter(|open| *open.file == *file);
        of_it.map(|open| open.line).min()
    }

    /// Goes on with what was carried of a file, from where it is read on.
    pub fn carry_on(
        &mut self,
        file: &str,
        carried: &Carried,
        rest: &Rest,
        known: Option<SessionStarted>,
    ) {
        let Carried { tasks, asked, left, .. } = carried;
        for (actor, task) in tasks {
            self.remember_task(actor, ExecutionId(*task));
        }
        for (text, task) in asked {
            // One that is none names nothing.
            let text = u128::from_str_radix(text, 16).unwrap_or_default();
            self.remember_asked(text, ExecutionId(*task));
        }
        for (session, id, command) in left {
            self.remember_left(SessionId(*session), id.clone(), command.clone());
        }
        if rest.flaws > 0 {
            let flaws = Flaws { count: rest.flaws, beyond: rest.beyond };
            self.flaws.insert((file.to_owned(), TranscriptFlaw::Unreadable), flaws);
        }
        let Some(native) = &rest.session else { return };
        let sessions = self.report.sessions;
        self.enter(native);
        self.report.sessions = sessions;
        if let Some(session) = self.current.and_then(|number| self.sessions.get_mut(number)) {
            session.carry_on(rest, known);
        }
    }
}
