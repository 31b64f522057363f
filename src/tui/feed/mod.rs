//! What the stores say, brought into the state.

mod journal;
mod search;

use super::{Ask, Chain, Detail, Row, SessionRow, State, TuiError};
use crate::event::{Ordered, SessionId};
use crate::execution::query::{Reference, SessionFilter, Stores};
use crate::grounding::timeline::{FailureLoop, TimelinePosition, TimelineScope};
use crate::output::remedy;

pub use journal::Journal;

/// Sessions that are listed, the latest.
const SESSIONS_MAX: usize = 500;
/// Neighbours of an execution on each side.
const SPAN: usize = 8;
/// Steps of a file's chain, the newest.
const STEPS_MAX: usize = 200;

pub struct Feed {
    journals: Vec<Journal>,
}

impl Feed {
    pub fn new(journals: Vec<Journal>) -> Self {
        Self { journals }
    }

    pub fn is_live(&self) -> bool {
        self.journals.iter().any(Journal::is_live)
    }

    /// Brings what a key asked for. What cannot be brought is noted; the screen stays.
    pub fn answer(&self, ask: Ask, state: &mut State) {
        let chosen = state.chosen().cloned();
        let done = match (ask, chosen) {
            (Ask::History, _) => self.history(state),
            (Ask::Sessions, _) => self.sessions(state),
            (Ask::Search, _) => self.search(state),
            (Ask::Hit, _) => self.hit(state),
            (Ask::Detail, Some(row)) => self.detail(row, state),
            (Ask::Around, Some(row)) => self.around(&row, state),
            (Ask::File { journal, path }, Some(row)) => self.file(journal, &path, &row, state),
            _ => Ok(()),
        };
        if let Err(error) = done {
            state.note = remedy::line(&error);
        }
    }

    /// Looks whether a journal has grown, and if so shows it; `true` where anything changed.
    pub fn follow(&mut self, state: &mut State) -> bool {
        let (mut grown, mut lag) = (false, None);
        for journal in &mut self.journals {
            match journal.look() {
                Ok(seen) => {
                    grown |= seen.grown;
                    lag = lag.or(seen.lag);
                }
                Err(error) => lag = Some(remedy::line(&error)),
            }
        }
        if let Some(lag) = lag.filter(|lag| *lag != state.note) {
            state.note = lag;
            grown = true;
        }
        if grown {
            self.answer(Ask::History, state);
            let is_open = |detail: &Detail| detail.row.execution.outcome.is_none();
            if let Some(detail) = state.detail.as_ref().filter(|it| is_open(it)) {
                let row = detail.row.clone();
                self.reopen(row, state);
            }
        }
        grown
    }

    /// The history, and where the session or the project stands.
    pub fn history(&self, state: &mut State) -> Result<(), TuiError> {
        let session = state.session.as_ref();
        let id = session.map(|row| row.session.id.to_string());
        let question = state.filter.question(id, state.wanted);
        let (mut rows, mut more) = (Vec::new(), false);
        for (at, journal) in self.journals.iter().enumerate() {
            if session.is_some_and(|row| row.journal != at) {
                continue;
            }
            let page = journal.ask(|stores| Ok(stores.log(&question)?))?;
            more |= page.more;
            let name = journal.name();
            let row = |execution| Row { journal: at, name: name.clone(), execution };
            rows.extend(page.executions.into_iter().map(row));
        }
        rows.order_by_key(|row| (row.execution.at_ms, row.execution.sequence));
        let surplus = rows.len().saturating_sub(state.wanted);
        rows.drain(..surplus);
        state.more = more || surplus > 0;
        state.history.replace(rows, Row::is_same);
        self.position(state)
    }

    /// Where the session stands; of all, the journal whose last execution is the newest.
    fn position(&self, state: &mut State) -> Result<(), TuiError> {
        let chosen = state.session.as_ref().map(|row| (row.journal, row.session.id));
        let mut newest = None;
        for (at, journal) in self.journals.iter().enumerate() {
            if chosen.is_some_and(|(of, _)| of != at) {
                continue;
            }
            let session = chosen.map(|(_, id)| id);
            let standing = journal.ask(|stores| Standing::of(stores, session))?;
            let last_ms = standing.position.last_execution.as_ref().map(|last| last.timestamp);
            if newest.as_ref().is_none_or(|(_, ms, _)| last_ms > *ms) {
                newest = Some((journal.name(), last_ms, standing));
            }
        }
        let (name, _, standing) = newest.unwrap_or_default();
        state.timeline_position = standing.position;
        (state.loops, state.pending) = (standing.loops, standing.pending);
        state.position_of = name;
        if let (false, Some(last)) = (self.is_live(), &state.timeline_position.last_execution) {
            // Of the past, time is told as it was then.
            state.now_ms = last.timestamp.max(state.timeline_position.last_query_ms.unwrap_or(0));
        }
        Ok(())
    }

    fn sessions(&self, state: &mut State) -> Result<(), TuiError> {
        let newest = SessionFilter { last: Some(SESSIONS_MAX), agent: None };
        let mut rows = Vec::new();
        for (at, journal) in self.journals.iter().enumerate() {
            let found = journal.ask(|stores| Ok(stores.sessions(&newest)?))?;
            let name = journal.name();
            let row = |session| SessionRow { journal: at, name: name.clone(), session };
            rows.extend(found.into_iter().map(row));
        }
        rows.order_by_key(|row| std::cmp::Reverse(row.session.last_ms));
        rows.truncate(SESSIONS_MAX);
        state.list_sessions(rows);
        Ok(())
    }

    fn detail(&self, row: Row, state: &mut State) -> Result<(), TuiError> {
        let Some(journal) = self.journals.get(row.journal) else { return Ok(()) };
        let reference = Reference::Id(row.execution.id.to_string());
        let found = journal.ask(|stores| Ok(stores.show(&reference)?))?;
        let row = Row { execution: found.summary.clone(), ..row };
        state.open(Detail::of(row, &found, &state.shown.zone));
        Ok(())
    }

    /// As it stands now, where it is shown or will be again.
    fn reopen(&self, row: Row, state: &mut State) {
        let (screen, before) = (state.screen, state.before);
        if let Err(error) = self.detail(row, state) {
            state.note = remedy::line(&error);
        }
        (state.screen, state.before) = (screen, before);
    }

    fn around(&self, row: &Row, state: &mut State) -> Result<(), TuiError> {
        let Some(journal) = self.journals.get(row.journal) else { return Ok(()) };
        let reference = Reference::Id(row.execution.id.to_string());
        let found = journal.ask(|stores| Ok(stores.around(&reference, SPAN)?))?;
        state.link(Chain::around(row, &found));
        Ok(())
    }

    fn file(&self, at: usize, path: &str, row: &Row, state: &mut State) -> Result<(), TuiError> {
        let Some(journal) = self.journals.get(at) else { return Ok(()) };
        let found = journal.ask(|stores| {
            let chain = stores.code()?.execution_chain_of_file(path);
            Ok(stores.trace(&chain.page(STEPS_MAX, None))?)
        })?;
        state.link(Chain::of_file(row, path, &found));
        Ok(())
    }
}

/// Where a session, or a project, stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    pub position: TimelinePosition,
    pub loops: Vec<FailureLoop>,
    /// Failures that no later success has resolved, as many as are told.
    pub pending: usize,
}

impl Standing {
    pub fn of(stores: &Stores, session: Option<SessionId>) -> Result<Self, TuiError> {
        let scope = session.map_or(TimelineScope::Project, TimelineScope::Session);
        Ok(Self {
            position: stores.get_timeline_position(scope)?,
            loops: stores.failure_loops(scope)?,
            pending: stores.get_pending_failures(scope)?.len(),
        })
    }
}
