//! An index that is built while the journal it is built from is still being written.
//!
//! It lies beside the one in use until all that it has read is durable: nothing is answered from what a loss of
//! power could still take back (R8).

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::thread::Thread;
use std::time::Duration;

use super::pass::Pass;
use super::{Advance, CatchUpError, CaughtUp, Due, Feeding, Standing, standing};
use crate::event::Sequence;
use crate::store::rebuild::{Built, Site};
use crate::store::{Feed, JournalFeed, Keep, StoreName, StorePlaces, stamp};

/// An index that lacks so many events, and four times what it has, is built of what is written.
const EVENTS_MIN: u64 = 512;
/// Between two looks whether more was written.
const PAUSE: Duration = Duration::from_millis(50);

/// The index, built as far as the journal was read.
pub struct Followed(Option<Built>);

/// Does what writes a journal, and meanwhile builds the index of what is written, once the one in use lacks most of
/// it.
pub fn following<T>(
    places: &StorePlaces,
    journal: &Path,
    write: impl FnOnce() -> T,
) -> (T, Followed) {
    let Some(index) = places.list.stores.first().copied() else { return (write(), Followed(None)) };
    let is_over = AtomicBool::new(false);
    let of = Following { index, places, journal, is_over: &is_over };
    thread::scope(|scope| {
        let built = scope.spawn(move || of.build());
        let ends = Ends { is_over: &is_over, reader: built.thread().clone() };
        let written = write();
        drop(ends);
        // What could not be built is built, or told, by who catches it up.
        (written, Followed(built.join().ok().and_then(Result::ok).flatten()))
    })
}

/// Whatever becomes of who writes, nobody waits for more.
struct Ends<'a> {
    is_over: &'a AtomicBool,
    reader: Thread,
}

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        self.reader.unpark();
    }
}

struct Following<'a> {
    index: StoreName,
    places: &'a StorePlaces,
    journal: &'a Path,
    is_over: &'a AtomicBool,
}

impl Following<'_> {
    fn build(&self) -> Result<Option<Built>, CatchUpError> {
        let cursor = self.index.open(self.places.path(self.index))?.cursor()?;
        let Some(known) = cursor.map(|it| it.position.sequence) else { return Ok(None) };
        let mut feed = JournalFeed::reading(self.journal)?;
        let mut is_over = false;
        while !lacks_most(known, feed.through().sequence.0) {
            if is_over {
                return Ok(None);
            }
            thread::park_timeout(PAUSE);
            // Asked first: what is read then is all.
            is_over = self.is_over.load(Ordering::Acquire);
            feed = feed.grown()?;
        }
        let site = Site::take_within(self.places, self.index, Duration::ZERO)?;
        let built = Built::by(site, self.places, |projector| {
            projector.begin()?;
            let (mut done, mut after) = (CaughtUp::default(), Sequence(0));
            loop {
                let is_over = self.is_over.load(Ordering::Acquire);
                feed = feed.grown()?;
                let through = feed.through();
                let from = Feeding { batch: u64::MAX, ..Feeding::of(self.places, &feed) };
                let of =
                    Advance { store: self.index, from, may_build: false, due: Due::Everything };
                let mut pass = Pass::new(of, &mut *projector, after, &mut done);
                for step in feed.replay(after, through.sequence)? {
                    pass.take(&step?, None, false, None)?;
                }
                pass.end(through)?;
                after = through.sequence;
                if is_over {
                    projector.commit(of.position(through))?;
                    return Ok((done, through));
                }
                thread::park_timeout(PAUSE);
            }
        })?;
        Ok(Some(built))
    }
}

impl Followed {
    #[cfg(test)]
    pub fn is_built(&self) -> bool {
        self.0.is_some()
    }

    /// Puts it in the place of the one in use, where that lacks most still and nothing is wrong with it.
    pub fn adopt(self, places: &StorePlaces, feed: &dyn Feed) -> Result<(), CatchUpError> {
        let Some(built) = self.0 else { return Ok(()) };
        let path = places.path(built.store());
        let stands = built.store().open(path).and_then(|reader| reader.stand());
        let lacks = match stands {
            Ok((cursor, rows)) => match standing(cursor, rows, feed)? {
                Standing::Behind(after) => lacks_most(after.0, feed.through().sequence.0),
                Standing::Current | Standing::Wrong(_) => false,
            },
            // Who catches it up tells of it.
            Err(_) => false,
        };
        match lacks && !stamp::is_in_doubt(path) {
            true => Feeding::of(places, feed).replace(built, Keep::Nothing).map(drop),
            false => Ok(built.discard()?),
        }
    }
}

fn lacks_most(after: u64, through: u64) -> bool {
    let lacks = through.saturating_sub(after);
    lacks >= EVENTS_MIN && lacks / 4 >= after
}
