//! The open `memory.db` that operations are decided on: begun, caught up, committed with the journal.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use super::behind::Behind;
use super::state::State;
use super::state_bench::{StateBench, missing, position};
use super::within::{CaughtWithin, catch_up_within, prepare};
use super::{Judged, MemoryError, Result};
use crate::config::Durability;
use crate::event::{Event, Recorded, Sequence};
use crate::journal::{Appended, JournalReader, Mark, Project, ReplayItem};
use crate::memory::store::{KeptWords, Memory, MemoryView};
use crate::memory::vectors::Near;
use crate::redact::Redactor;
use crate::store::{
    Feed, JournalFeed, Position, Projector, StoreError, StoreName, StorePlaces, turn,
};

/// How often a store that cannot be begun on is opened, or built, anew.
const TRIES_MAX: u32 = 4;

/// What an operation works with, whichever project it is of.
pub(super) struct Bench {
    pub redactor: Arc<Redactor>,
    places: StorePlaces,
    open: Option<Open>,
    state: StateBench,
    behind: Behind,
    /// What a model was asked of branches, for the operations to come.
    pub judged: Vec<Judged>,
    /// What the operations to come search for, as a vector.
    pub near: Vec<Near>,
}

/// `memory.db`, open for writing.
struct Open {
    store: Memory,
    reader: JournalReader,
    /// The file's device and inode: another under its name is another store.
    file: (u64, u64),
}

/// A transaction that has all that the journal has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    journal: [u8; 16],
    /// Where the journal ends.
    pub mark: Mark,
    /// Where the cursor belongs, where it is behind.
    cursor: Option<Mark>,
}

impl Begun {
    pub fn position(&self) -> Position {
        position(self.journal, self.mark)
    }
}

impl Bench {
    pub fn new(project: &Project) -> Self {
        Self {
            redactor: project.redactor(),
            places: StorePlaces::of(project),
            open: None,
            state: StateBench::default(),
            behind: Behind::default(),
            judged: Vec::new(),
            near: Vec::new(),
        }
    }

    pub fn store(&mut self) -> Result<&mut Memory> {
        match &mut self.open {
            Some(open) => Ok(&mut open.store),
            None => Err(missing(self.places.memory()).into()),
        }
    }

    /// What is held now, with the words that the index keeps; `end` is where the journal ends, behind which
    /// something may be decided.
    pub fn view_with_words(&mut self, end: Sequence, decided: &[Event]) -> Result<MemoryView<'_>> {
        if let Some(open) = &self.open {
            self.behind.refresh(self.places.index(), &open.reader, (end, decided))?;
        }
        let words = self.behind.words().map(|words| KeptWords { near: &self.near, ..words });
        let Some(open) = &self.open else { return Err(missing(self.places.memory()).into()) };
        let view = open.store.view();
        Ok(words.map_or(view, |words| view.with(words)))
    }

    /// `state.db`, in a transaction that has all that memory's has and `decided`.
    pub fn state(
        &mut self,
        project: &Project,
        begun: Begun,
        decided: impl Iterator<Item = Recorded>,
    ) -> Result<&mut State> {
        if self.state.begun().is_none() {
            let state = self.state.begin(project, &self.places, begun)?;
            for recorded in decided {
                state.apply(&recorded, None)?;
            }
        }
        self.state.begun().ok_or_else(|| missing(self.places.state()).into())
    }

    /// Applies what was decided.
    pub fn apply(&mut self, recorded: &Recorded) -> Result<()> {
        let store = self.store()?;
        store.apply(recorded, None)?;
        // What memory cannot take as it was decided was decided wrongly, or on a store that was
        // changed by hand.
        if let Some(anomaly) = store.take_anomalies().into_iter().next() {
            return Err(MemoryError::Untaken { message: anomaly.message });
        }
        self.state.apply(recorded)
    }

    /// Takes back what an operation of several did; `state.db` begins anew where another asks for it.
    pub fn take_back(&mut self) -> Result<()> {
        self.state.give_up();
        Ok(self.store()?.rollback_to()?)
    }

    /// Begins a transaction that nobody else can write beside, with all that the journal has.
    pub fn begin(&mut self, project: &Project) -> Result<Begun> {
        // What a crash left at the journal's end is mended before anything is decided on it.
        project.journal()?;
        for _ in 0..TRIES_MAX {
            if let Some(begun) = self.try_begin(project)? {
                // Who redacts holds the store for long: what is withheld is asked for behind that.
                self.redactor = project.redactor();
                return Ok(begun);
            }
            self.open = None;
            prepare(StoreName::MEMORY, &self.places, &JournalFeed::of(project)?)?;
        }
        let (path, doing) = (self.places.memory().to_owned(), "beginning an operation on memory");
        Err(StoreError::Locked { path, doing }.into())
    }

    /// `None` where the store has to be opened, or built, anew.
    fn try_begin(&mut self, project: &Project) -> Result<Option<Begun>> {
        if self.open.as_ref().is_some_and(|open| id_of(self.places.memory()) != Some(open.file)) {
            self.open = None;
        }
        let open = match &mut self.open {
            Some(open) => open,
            None => {
                let store = match Memory::open(self.places.memory()) {
                    Err(error) if error.wants_rebuild() => return Ok(None),
                    opened => opened?,
                };
                let Some(file) = id_of(self.places.memory()) else { return Ok(None) };
                self.open.insert(Open { store, reader: project.reader()?, file })
            }
        };
        match open.store.begin() {
            Err(error) if error.wants_rebuild() => return Ok(None),
            begun => begun?,
        }
        let caught = match open.is_current() {
            Ok(Some(begun)) => return Ok(Some(begun)),
            Ok(None) => open.catch_up(project, &self.places),
            Err(error) => Err(error),
        };
        match caught {
            Ok(Some(begun)) => Ok(Some(begun)),
            Ok(None) => {
                open.store.rollback()?;
                Ok(None)
            }
            Err(error) => {
                // Why it could not be caught up says more than why it could not be given up.
                drop(open.store.rollback());
                self.open = None;
                Err(error)
            }
        }
    }

    /// Gives the transaction up: nothing happened.
    pub fn give_up(&mut self) {
        self.state.give_up();
        if let Some(open) = &mut self.open
            && open.store.rollback().is_err()
        {
            // A connection that cannot even roll back is not used again.
            self.open = None;
        }
    }

    /// Appends the events as one commit, and commits what was decided on with it.
    pub fn commit(
        &mut self,
        project: &Project,
        begun: Begun,
        events: &[Event],
        now_ms: u64,
    ) -> Result<Option<Appended>> {
        if events.is_empty() {
            self.state.rest(begun.journal);
            self.end(begun.journal, begun.cursor);
            return Ok(None);
        }
        let appended = project.journal().map_err(MemoryError::from).and_then(|journal| {
            turn::pass();
            let appended = journal.append(events, now_ms)?;
            turn::pass();
            if project.config().journal.durability == Durability::Buffered {
                journal.sync()?;
            }
            Ok(appended)
        });
        let appended = match appended {
            Ok(appended) => appended,
            Err(error) => {
                self.give_up();
                return Err(error);
            }
        };
        // The events are safe; what was mended on the way is in `quarantine/` even where this cannot
        // be said as well.
        drop(project.note_recoveries());
        // Where somebody wrote memory in between without waiting, the store takes both in order,
        // later.
        let alone = self.open.as_ref().is_some_and(|open| open.is_alone(begun.mark, appended));
        let at = alone.then_some(appended.mark);
        self.state.end(begun.journal, at);
        self.end(begun.journal, at);
        Ok(Some(appended))
    }

    /// Ends the transaction at a mark, or as if it had never been.
    fn end(&mut self, journal: [u8; 16], at: Option<Mark>) {
        let Some(open) = &mut self.open else { return };
        let ended = match at {
            Some(mark) => open.store.commit(position(journal, mark)),
            None => open.store.rollback(),
        };
        if ended.is_err() {
            self.open = None;
        }
    }
}

impl Open {
    /// Whether the store has all that there is.
    fn is_current(&mut self) -> Result<Option<Begun>> {
        let mark = self.reader.refresh()?;
        let Some(cursor) = self.store.cursor()? else { return Ok(None) };
        let (journal, position) = (self.reader.id(), cursor.position);
        let is_current = position.journal == journal
            && position.sequence == mark.sequence.0
            && position.chain == mark.chain
            && cursor.rows == self.store.found_rows()?;
        Ok(is_current.then_some(Begun { journal, mark, cursor: None }))
    }

    /// Whether what others recorded since this mark, around what was appended, is nothing to memory.
    fn is_alone(&self, since: Mark, appended: Appended) -> bool {
        if appended.first.0 == since.sequence.0 + 1 && appended.mark.sequence == appended.last {
            return true;
        }
        let own = appended.first..=appended.last;
        let next = Sequence(since.sequence.0 + 1);
        self.reader.refresh().is_ok()
            && self.reader.replay(next, Some(appended.mark.sequence)).all(|item| match item {
                Ok(ReplayItem::Event(recorded)) => {
                    own.contains(&recorded.sequence)
                        || recorded.event.body.memory_origin().is_none()
                }
                Ok(ReplayItem::CommitEnd(_) | ReplayItem::Skipped { .. }) => true,
                Ok(_) | Err(_) => false,
            })
    }

    fn catch_up(&mut self, project: &Project, places: &StorePlaces) -> Result<Option<Begun>> {
        let feed = JournalFeed::of(project)?;
        let to = (&feed as &dyn Feed, feed.through());
        Ok(match catch_up_within(&mut self.store, StoreName::MEMORY, places, to)? {
            CaughtWithin::Through { end: mark, cursor } => {
                Some(Begun { journal: feed.journal(), mark, cursor })
            }
            CaughtWithin::Rebuild(_) => None,
        })
    }
}

pub(super) fn id_of(path: &Path) -> Option<(u64, u64)> {
    let about = fs::metadata(path).ok()?; // one that is not there is no store
    Some((about.dev(), about.ino()))
}
