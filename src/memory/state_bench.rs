//! The open `state.db`, beside `memory.db`, whose transaction is the lock of both: begun with the first operation of a
//! commit that asks for it, and ended with the commit.

use std::path::Path;

use super::Result;
use super::bench::{Begun, id_of};
use super::state::State;
use super::within::{CaughtWithin, catch_up_within, prepare};
use crate::event::Recorded;
use crate::journal::{Mark, Project};
use crate::store::{JournalFeed, Position, Projector, StoreError, StoreName, StorePlaces};

#[derive(Default)]
pub(super) struct StateBench {
    open: Option<Open>,
    is_begun: bool,
    /// Where the cursor belongs, where it is behind.
    cursor: Option<Mark>,
}

struct Open {
    state: State,
    /// The file's device and inode: another under its name is another store.
    file: (u64, u64),
}

impl StateBench {
    /// The store, where its transaction has begun.
    pub fn begun(&mut self) -> Option<&mut State> {
        let is_begun = self.is_begun;
        self.open.as_mut().filter(|_| is_begun).map(|open| &mut open.state)
    }

    /// Begins its transaction, with all that the journal has through the mark at which memory's begun; it is built
    /// anew where it cannot be believed.
    pub fn begin(
        &mut self,
        project: &Project,
        places: &StorePlaces,
        begun: Begun,
    ) -> Result<&mut State> {
        self.is_begun = false;
        if !self.try_begin(project, places, begun)? {
            prepare(StoreName::STATE, places, &JournalFeed::of(project)?)?;
            if !self.try_begin(project, places, begun)? {
                let (path, doing) = (places.state().to_owned(), "beginning an operation on memory");
                return Err(StoreError::Locked { path, doing }.into());
            }
        }
        self.is_begun = true;
        self.begun().ok_or_else(|| missing(places.state()).into())
    }

    /// `false` where the store has to be built anew.
    fn try_begin(&mut self, project: &Project, places: &StorePlaces, begun: Begun) -> Result<bool> {
        let began = self.try_open(places).and_then(|open| {
            open.state.begin()?;
            let cursor = open.state.cursor()?.filter(|it| it.position == begun.position());
            Ok((cursor.map(|it| it.rows) == Some(open.state.found_rows()?), &mut open.state))
        });
        let caught = match began {
            Ok((true, _)) => Ok(None),
            Ok((false, state)) => {
                let feed = JournalFeed::of(project)?;
                match catch_up_within(state, StoreName::STATE, places, (&feed, begun.mark)) {
                    Ok(CaughtWithin::Through { cursor, .. }) => Ok(cursor),
                    Ok(CaughtWithin::Rebuild(_)) => Err(None),
                    Err(error) => Err(Some(error.into())),
                }
            }
            Err(error) if error.wants_rebuild() => Err(None),
            Err(error) => Err(Some(error.into())),
        };
        match caught {
            Ok(cursor) => {
                self.cursor = cursor;
                Ok(true)
            }
            // Where it is closed its transaction ends.
            Err(why) => {
                self.open = None;
                why.map_or(Ok(false), Err)
            }
        }
    }

    fn try_open(&mut self, places: &StorePlaces) -> Result<&mut Open, StoreError> {
        let file = id_of(places.state()).ok_or_else(|| missing(places.state()))?;
        let open = match self.open.take().filter(|open| open.file == file) {
            Some(open) => open,
            None => Open { state: State::open(places.state())?, file },
        };
        Ok(self.open.insert(open))
    }

    /// Takes what is decided, where it has begun; else it is fed when it does.
    pub fn apply(&mut self, recorded: &Recorded) -> Result<()> {
        self.begun().map_or(Ok(()), |state| Ok(state.apply(recorded, None)?))
    }

    /// Ends the transaction at a mark, or as if it had never been.
    pub fn end(&mut self, journal: [u8; 16], at: Option<Mark>) {
        let ended = match (self.begun(), at) {
            (None, _) => return,
            (Some(state), Some(mark)) => state.commit(position(journal, mark)),
            (Some(state), None) => state.rollback(),
        };
        self.is_begun = false;
        if ended.is_err() {
            // A connection that cannot even end a transaction is not used again.
            self.open = None;
        }
    }

    /// Ends it where nothing was recorded.
    pub fn rest(&mut self, journal: [u8; 16]) {
        self.end(journal, self.cursor);
    }

    pub fn give_up(&mut self) {
        self.end([0; 16], None);
    }
}

pub(super) fn position(journal: [u8; 16], mark: Mark) -> Position {
    Position { journal, sequence: mark.sequence.0, chain: mark.chain }
}

pub(super) fn missing(path: &Path) -> StoreError {
    StoreError::Missing { path: path.to_owned() }
}
