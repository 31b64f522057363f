//! The open `state.db`, beside `memory.db`, whose transaction is the lock of both: begun with the first operation of a
//! commit that asks for it, and ended with the commit.

use std::path::Path;

use super::Result;
use super::bench::{Begun, id_of};
use super::state::State;
use super::within::{CaughtWithin, catch_up_within};
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

    /// Begins its transaction, with all that the journal has through the mark at which memory's begun.
    pub fn begin(
        &mut self,
        project: &Project,
        places: &StorePlaces,
        begun: Begun,
    ) -> Result<&mut State> {
        self.is_begun = false;
        match self.try_begin(project, places, begun) {
            Ok(()) => self.is_begun = true,
            Err(error) => {
                self.open = None;
                return Err(error);
            }
        }
        self.begun().ok_or_else(|| missing(places.state()).into())
    }

    fn try_begin(&mut self, project: &Project, places: &StorePlaces, begun: Begun) -> Result<()> {
        let file = id_of(places.state());
        if self.open.as_ref().is_some_and(|open| Some(open.file) != file) {
            self.open = None;
        }
        let open = match &mut self.open {
            Some(open) => open,
            None => {
                let file = file.ok_or_else(|| missing(places.state()))?;
                self.open.insert(Open { state: State::open(places.state())?, file })
            }
        };
        let state = &mut open.state;
        state.begin()?;
        self.cursor = None;
        let at = begun.position();
        let is_current = match state.cursor()? {
            Some(cursor) => cursor.position == at && cursor.rows == state.found_rows()?,
            None => false,
        };
        if !is_current {
            let feed = JournalFeed::of(project)?;
            match catch_up_within(state, StoreName::STATE, places, (&feed, begun.mark))? {
                CaughtWithin::Through { cursor, .. } => self.cursor = cursor,
                CaughtWithin::Rebuild(_) => {
                    return Err(StoreError::Differs { path: places.state().to_owned() }.into());
                }
            }
        }
        Ok(())
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
