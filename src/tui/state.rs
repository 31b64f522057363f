//! Everything a screen shows, and what keys change.

use jiff::tz::TimeZone;

use super::{
    Chain, Detail, Filter, Following, Found, List, Row, Said, Screen, Seen, SessionRow, Since,
    Theme, Typing,
};
use crate::grounding::timeline::{FailureLoop, TimelinePosition};

/// Rows of the history that are brought at once.
pub const ROWS_AT_ONCE: usize = 200;
/// Rows of the history that are held at most.
pub const ROWS_MAX: usize = 5_000;

/// What a screen is about, and how it is shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The project, or how many journals.
    pub title: String,
    pub zone: TimeZone,
    pub theme: Theme,
    /// How long a read of the timeline holds, milliseconds, inclusive.
    pub window_ms: u64,
}

#[derive(Clone, Debug)]
pub struct State {
    pub shown: Shown,
    /// Where the session, or the project, stands.
    pub timeline_position: TimelinePosition,
    /// Of which journal that is, where there are several.
    pub position_of: Option<String>,
    pub loops: Vec<FailureLoop>,
    /// Failures that no later success has resolved.
    pub pending: usize,
    /// The moment it is shown as of, Unix milliseconds.
    pub now_ms: u64,
    pub following: Following,
    pub screen: Screen,
    /// Where the detail goes back to.
    pub before: Screen,
    pub help: bool,
    pub typing: Option<Typing>,
    pub filter: Filter,
    /// The session that is shown; `None`: all.
    pub session: Option<SessionRow>,
    /// The oldest first.
    pub history: List<Row>,
    pub more: bool,
    pub wanted: usize,
    /// The first line, which stands for all sessions, is `None`.
    pub sessions: List<Option<SessionRow>>,
    pub detail: Option<Detail>,
    pub scroll: usize,
    pub chain: Option<Chain>,
    pub found: Found,
    pub said: Option<Said>,
    /// What the last key did not find, or why a store lags.
    pub note: String,
    /// What the last drawing told of the screen.
    pub seen: Seen,
}

impl State {
    pub fn new(shown: Shown, following: Following, now_ms: u64) -> Self {
        Self {
            shown,
            timeline_position: TimelinePosition::default(),
            position_of: None,
            loops: Vec::new(),
            pending: 0,
            now_ms,
            following,
            screen: Screen::History,
            before: Screen::History,
            help: false,
            typing: None,
            filter: Filter::default(),
            session: None,
            history: List::default(),
            more: false,
            wanted: ROWS_AT_ONCE,
            sessions: List::default(),
            detail: None,
            scroll: 0,
            chain: None,
            found: Found::default(),
            said: None,
            note: String::new(),
            seen: Seen::default(),
        }
    }

    pub fn since(&self) -> Since {
        Since::of(self.timeline_position.last_query_ms, self.now_ms, self.shown.window_ms)
    }

    /// The execution that a key is about.
    pub fn chosen(&self) -> Option<&Row> {
        match self.screen {
            Screen::Detail => self.detail.as_ref().map(|detail| &detail.row),
            Screen::Chain => self.chain.as_ref().and_then(Chain::chosen),
            Screen::History | Screen::Sessions => self.history.chosen(),
            Screen::Found | Screen::Said => None,
        }
    }

    /// Shows an execution whole; the same one stays where it was scrolled to.
    pub fn open(&mut self, detail: Detail) {
        let is_same = self.detail.as_ref().is_some_and(|old| old.row.is_same(&detail.row));
        if !is_same || self.screen != Screen::Detail {
            self.scroll = 0;
        }
        if self.screen != Screen::Detail {
            self.before = self.screen;
        }
        (self.detail, self.screen) = (Some(detail), Screen::Detail);
    }

    /// Lists what was found, the best chosen.
    pub fn list_found(&mut self, found: Found) {
        (self.found, self.screen) = (found, Screen::Found);
    }

    /// Shows a text that was found.
    pub fn say(&mut self, said: Said) {
        (self.said, self.screen, self.scroll) = (Some(said), Screen::Said, 0);
    }

    pub fn link(&mut self, chain: Chain) {
        (self.chain, self.screen) = (Some(chain), Screen::Chain);
    }

    /// Shows the sessions, the one that is shown already chosen.
    pub fn list_sessions(&mut self, rows: Vec<SessionRow>) {
        let is_shown = |row: &SessionRow| {
            let same =
                |it: &SessionRow| it.journal == row.journal && it.session.id == row.session.id;
            self.session.as_ref().is_some_and(same)
        };
        let at = rows.iter().position(is_shown).map_or(0, |at| at + 1);
        let items = std::iter::once(None).chain(rows.into_iter().map(Some)).collect();
        (self.sessions, self.screen) = (List { items, at }, Screen::Sessions);
    }

    /// Goes one screen back; `false` where this is the first.
    pub fn back(&mut self) -> bool {
        self.screen = match self.screen {
            Screen::History => return false,
            Screen::Sessions | Screen::Chain | Screen::Found => Screen::History,
            Screen::Said => Screen::Found,
            Screen::Detail => self.before,
        };
        true
    }

    /// From the newest rows again, by another filter or of another session.
    pub fn restart(&mut self) {
        self.history.at = self.history.items.len().saturating_sub(1);
        self.wanted = ROWS_AT_ONCE;
    }
}
