//! Audit replay: what happened as it happened, from nothing but the journal.
//!
//! No store is opened and no lock taken: the stores as they stand at each step are folded in
//! memory beside the walk.

mod bound;
mod injected;
mod step;
mod unshown;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::event::{EventError, Recorded, Sequence};
use crate::execution::graph::Roots;
use crate::execution::tally::Tally;
use crate::fault::{Class, Fault, Listing, Remedy, Sorted};
use crate::journal::{FOLDER, JournalError, JournalReader, Reading, Replay, ReplayItem};

pub use crate::execution::tally::Added;
pub use crate::execution::window::Window;
pub use bound::{Asked, Bound, execution_of};
pub use injected::changed_files;
pub use step::{Contents, Step, What};
pub use unshown::{Absent, Listed, Unshown, Verdict, verdict};

/// A journal on its way from the first event to the last.
pub struct Walk {
    reader: Rc<JournalReader>,
    replay: Replay,
    contents: Contents,
    /// `None` where only events are wanted.
    tally: Option<Tally>,
    window: Window,
    number: u64,
    unshown: Unshown,
    path: PathBuf,
}

impl Walk {
    /// Opens a journal's folder or one segment. Events before the window are folded, not shown.
    pub fn open(journal: &Path, reading: Reading, window: Window) -> Result<Self, JournalError> {
        Self::from(journal, reading, window, Sequence(1), Some(Tally::new(&root_of(journal))))
    }

    /// As [`Self::open`], without the stores: nothing before the window is read, and nothing is
    /// remembered.
    pub fn events(journal: &Path, reading: Reading, window: Window) -> Result<Self, JournalError> {
        let from = window.from.unwrap_or(Sequence(1));
        Self::from(journal, reading, window, from, None)
    }

    fn from(
        journal: &Path,
        reading: Reading,
        window: Window,
        from: Sequence,
        tally: Option<Tally>,
    ) -> Result<Self, JournalError> {
        let reader = Rc::new(JournalReader::reading(journal, reading)?);
        let replay = reader.replay(from, None);
        let contents = Contents::of(Rc::clone(&reader));
        let (unshown, path) = (Unshown::default(), journal.to_owned());
        Ok(Self { reader, replay, contents, tally, window, number: 0, unshown, path })
    }

    pub fn id(&self) -> [u8; 16] {
        self.reader.id()
    }

    /// The folder or segment it was opened on.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folders that paths are told from, without what the journal says of them.
    pub fn roots(&self) -> Roots {
        Roots::new(&root_of(&self.path), None)
    }

    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// What could not be shown so far; of [`Self::events`] without the contents.
    pub fn unshown(&self) -> &Unshown {
        &self.unshown
    }

    pub fn window(&self) -> &Window {
        &self.window
    }

    /// One event again, by its place.
    pub fn get(&self, at: Sequence) -> Result<Option<Recorded>, JournalError> {
        self.reader.get(at)
    }

    fn step(&mut self, item: ReplayItem) -> Result<Option<Step>, JournalError> {
        let mut added = Added::default();
        let what = match item {
            ReplayItem::CommitEnd(_) => return Ok(None),
            ReplayItem::Event(recorded) => {
                added = self.fold(&recorded)?;
                if !self.window.holds(&recorded) {
                    return Ok(None);
                }
                What::Event(recorded)
            }
            ReplayItem::Skipped { sequence, kind } => What::Unknown { sequence, kind },
            ReplayItem::Undecodable { sequence, kind, error: EventError::Redacted { .. } } => {
                What::Redacted { sequence, kind }
            }
            ReplayItem::Undecodable { sequence, kind, error } => {
                What::Undecodable { sequence, kind, problem: with_causes(&error) }
            }
            ReplayItem::Lost(finding) => What::Lost(finding),
        };
        let stores = self.tally.as_ref().map(Tally::counts).unwrap_or_default();
        let step = Step { number: self.number + 1, what, added, stores };
        if !self.shows(&step.what) {
            return Ok(None);
        }
        self.number += 1;
        self.unshown.note(&step);
        if self.tally.is_some()
            && let What::Event(recorded) = &step.what
            && let Some(problem) = self.contents.missing(&recorded.event.body)
        {
            self.unshown.contents.add(recorded.sequence.0, with_causes(&problem));
        }
        Ok(Some(step))
    }

    fn fold(&mut self, recorded: &Recorded) -> Result<Added, JournalError> {
        let Some(tally) = &mut self.tally else { return Ok(Added::default()) };
        let started = match tally.wants(recorded).map(|at| self.reader.get(at)) {
            None => None,
            Some(Ok(started)) => started,
            // It is told where it lies.
            Some(Err(JournalError::Undecodable { .. })) => None,
            Some(Err(error)) => return Err(error),
        };
        let contents = &self.contents;
        let has = |content: &_| contents.has(content);
        Ok(tally.apply(recorded, started.as_ref(), &has))
    }

    /// Whether it is in the window. What cannot be read may be of any session and any time.
    fn shows(&self, what: &What) -> bool {
        match what {
            What::Event(_) => true,
            What::Unknown { sequence, .. }
            | What::Redacted { sequence, .. }
            | What::Undecodable { sequence, .. } => self.window.holds_at(*sequence),
            What::Lost(finding) => finding.lost.is_none_or(|(first, last)| {
                self.window.touches(Sequence(first.0), Sequence(last.0))
            }),
        }
    }

    fn is_past(&self, item: &ReplayItem) -> bool {
        let Some(through) = self.window.through else { return false };
        match item {
            ReplayItem::Event(recorded) => recorded.sequence > through,
            ReplayItem::Skipped { sequence, .. } | ReplayItem::Undecodable { sequence, .. } => {
                *sequence > through
            }
            ReplayItem::CommitEnd(_) | ReplayItem::Lost(_) => false,
        }
    }
}

impl Iterator for Walk {
    type Item = Result<Step, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let step = match self.replay.next()? {
                Ok(item) if self.is_past(&item) => return None,
                Ok(item) => self.step(item),
                Err(error) => Err(error),
            };
            match step {
                Ok(None) => {}
                Ok(Some(step)) => return Some(Ok(step)),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        text.push_str(&format!(": {source}"));
        cause = source.source();
    }
    text
}

/// The project's root, from which paths are told: the folder that holds `.annals/`.
fn root_of(journal: &Path) -> PathBuf {
    let annals = journal.parent().filter(|annals| annals.ends_with(FOLDER));
    annals.and_then(Path::parent).unwrap_or(journal).to_owned()
}

#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("nothing in the journal is {reference:?}")]
    NotFound { reference: String },
    #[error("{reference:?} begins more than one id; give more of it")]
    Ambiguous { reference: String },
    #[error("no session in the journal is {session:?}")]
    NoSession { session: String },
    #[error("the part that is asked for ends before it begins")]
    Reversed,
}

impl Fault for WalkError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Journal(error) => error.sorted(),
            Self::Reversed => Class::Refused.alone(),
            Self::NoSession { .. } => Class::Refused.with(Remedy::List(Listing::Sessions)),
            _ => Class::Refused.with(Remedy::List(Listing::Executions)),
        }
    }
}
