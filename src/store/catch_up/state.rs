//! Where a store stands against the journal, by its cursor.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::event::Sequence;
use crate::fault::{AGAIN, Class, Fault, Remedy, Sorted};
use crate::journal::trust::seen;
use crate::journal::trust::seen::Contradiction;
use crate::journal::{FOLDER, NO_JOURNAL, Reading, fault};
use crate::store::feed::ChainAt;
use crate::store::rebuild::is_crowded;
use crate::store::{
    Cursor, Feed, FeedError, Keep, Known, Position, Rows, StoreError, StoreLook, StoreName,
    StorePlaces, has_nothing, stamp,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has everything that the feed has, or more of the same journal: others go on meanwhile.
    Current,
    /// It has everything up to here.
    Behind(Sequence),
    Wrong(RebuildReason),
}

/// Why a store must be built anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RebuildReason {
    Missing,
    /// The file has nothing in it, and is nobody's data.
    Empty,
    Unreadable,
    SchemaDiffers,
    /// Another version of annals made it, which says nothing of its rows.
    OtherVersion,
    /// Files were changed, put in the way or removed by hand.
    FilesDiffer,
    /// A symbolic link, which nothing is read or written through.
    Linked,
    NoCursor,
    OtherJournal,
    Ahead,
    ChainDiffers,
    RowsDiffer,
    /// Rows were written by another program: a comparison with a fresh store found fault with it.
    ContentDiffers,
    /// Another program changed its file, and it holds nothing that is looked at for that.
    Touched,
    /// Nothing is wrong with it, but a bulk load takes less time than feeding it.
    FarBehind,
    Unfounded,
    Reindexed,
}

impl RebuildReason {
    /// Whether the store says something that its journal does not. It may be all that is left of
    /// what was lost, so that nothing is built over it unasked.
    pub fn is_evidence(self) -> bool {
        let says_more = matches!(self, Self::OtherJournal | Self::RowsDiffer | Self::Unfounded);
        self.is_loss() || says_more || self == Self::ContentDiffers
    }

    pub fn is_wound(self) -> bool {
        let is_changed = matches!(self, Self::SchemaDiffers | Self::FilesDiffer | Self::NoCursor);
        is_changed || self == Self::Unreadable
    }

    /// How a store is kept that another takes the place of for this. What a person changed is nowhere
    /// else either.
    pub fn keep(self) -> Keep {
        match self.is_evidence() || matches!(self, Self::FilesDiffer | Self::Linked) {
            true => Keep::Evidence,
            false => Keep::Replaced,
        }
    }

    /// As [`Self::keep`], of the store that lies there: whoever changed its tables by hand may have changed
    /// rows.
    pub fn keep_of(self, store: &Path) -> Keep {
        match self {
            Self::SchemaDiffers if stamp::was_changed(store) && !has_nothing(store) => {
                Keep::Evidence
            }
            reason => reason.keep(),
        }
    }

    /// The journal is damaged where it lacks what it once had.
    pub fn class(self) -> Class {
        if self.is_loss() { Class::Damaged } else { Class::Findings }
    }

    pub fn is_loss(self) -> bool {
        matches!(self, Self::Ahead | Self::ChainDiffers)
    }
}

impl fmt::Display for RebuildReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "it was missing",
            Self::Empty => "it was empty",
            Self::Unreadable => "it could not be read",
            Self::SchemaDiffers => "its tables were not the ones this build makes",
            Self::OtherVersion => "another version of annals had made it",
            Self::FilesDiffer => "its files had been changed by hand",
            Self::Linked => "a symbolic link lay in its place, and nothing is read through one",
            Self::NoCursor => "it did not say how far it had read",
            Self::OtherJournal => "it was made from another journal",
            Self::Ahead => "it had events that the journal has not",
            Self::ChainDiffers => "it was made from another history of this journal",
            Self::RowsDiffer => "rows had been added or removed by hand",
            Self::ContentDiffers => "it did not hold what the journal says",
            Self::Touched => "another program had changed it, or one of annals that was killed",
            Self::FarBehind => "it was far behind",
            Self::Unfounded => "the journal has nothing that it could be made of",
            Self::Reindexed => "the code was indexed again",
        })
    }
}

/// Judges a store's cursor and last rows, one question after the other: the first that fails is
/// the reason. Both are of one moment and were read before this is asked, so that the journal it
/// looks at is at least as new as they are.
pub fn standing(
    cursor: Option<Cursor>,
    found: Rows,
    feed: &dyn Feed,
) -> Result<Standing, FeedError> {
    judge(cursor, found, feed, |position| feed.chain_at(Sequence(position.sequence)))
}

/// As [`standing`], without a look at the journal before its end: of a store whose stamp says that nobody else wrote
/// it, its own word for the rest is enough.
pub fn standing_by_its_word(
    cursor: Option<Cursor>,
    found: Rows,
    feed: &dyn Feed,
) -> Result<Standing, FeedError> {
    judge(cursor, found, feed, |position| match Sequence(position.sequence) {
        at if at > feed.through().sequence => feed.chain_at(at), // others may have gone on
        _ => Ok(ChainAt::Is(position.chain)),
    })
}

fn judge(
    cursor: Option<Cursor>,
    found: Rows,
    feed: &dyn Feed,
    chain_at: impl Fn(&Position) -> Result<ChainAt, FeedError>,
) -> Result<Standing, FeedError> {
    let Some(Cursor { position, rows }) = cursor else {
        return Ok(Standing::Wrong(RebuildReason::NoCursor));
    };
    let (at, through) = (Sequence(position.sequence), feed.through());
    if feed.journal() == NO_JOURNAL && position.sequence > 0 {
        return Ok(Standing::Wrong(RebuildReason::Ahead));
    }
    if position.journal != feed.journal() {
        return Ok(Standing::Wrong(RebuildReason::OtherJournal));
    }
    if rows != found {
        return Ok(Standing::Wrong(RebuildReason::RowsDiffer));
    }
    let chain = match at {
        at if at == through.sequence => ChainAt::Is(through.chain),
        Sequence(0) => ChainAt::Is(position.chain),
        _ => chain_at(&position)?,
    };
    Ok(match chain {
        ChainAt::Is(chain) if chain != position.chain => {
            Standing::Wrong(RebuildReason::ChainDiffers)
        }
        ChainAt::NoCommitEnd => Standing::Wrong(RebuildReason::ChainDiffers),
        ChainAt::Beyond | ChainAt::Lost => Standing::Wrong(RebuildReason::Ahead),
        ChainAt::Is(_) if at >= through.sequence => Standing::Current,
        ChainAt::Is(_) => Standing::Behind(at),
    })
}

/// A store's own error as a reason to build it anew, where that helps.
pub(crate) fn rebuild_reason(error: StoreError) -> Result<RebuildReason, CatchUpError> {
    match error {
        StoreError::Missing { .. } => Ok(RebuildReason::Missing),
        StoreError::Empty { .. } => Ok(RebuildReason::Empty),
        StoreError::Unreadable { .. } => Ok(RebuildReason::Unreadable),
        StoreError::SchemaDiffers { .. } => Ok(RebuildReason::SchemaDiffers),
        StoreError::OtherVersion { .. } => Ok(RebuildReason::OtherVersion),
        StoreError::FilesDiffer { source, .. } => {
            let is_link = source.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
            Ok(if is_link { RebuildReason::Linked } else { RebuildReason::FilesDiffer })
        }
        StoreError::Differs { .. } => Ok(RebuildReason::ContentDiffers),
        other => Err(CatchUpError::Store(other)),
    }
}

/// The reason, where a store may be built over for it unasked: not where it says what the journal does not,
/// nor where what must be kept of it goes beyond what the quarantine is to hold.
pub(crate) fn replaceable(
    store: StoreName,
    reason: RebuildReason,
    places: &StorePlaces,
) -> Result<RebuildReason, CatchUpError> {
    let path = places.path(store);
    if store.is_on_demand() {
        return Ok(reason); // it says nothing but what others do
    }
    if reason.is_evidence() {
        return Err(CatchUpError::Contradicts { store, reason });
    }
    if reason == RebuildReason::SchemaDiffers && reason.keep_of(path) == Keep::Evidence {
        // Whoever reads it is told by its stamp.
        StoreLook::begin(path).map(|look| look.end(Known::Differs));
        return Err(CatchUpError::Contradicts { store, reason: RebuildReason::ContentDiffers });
    }
    if !matches!(reason, RebuildReason::Missing | RebuildReason::Empty)
        && let Some(found) =
            seen::contradiction(&places.root.join(FOLDER).join("journal"), Reading::Live)
    {
        return Err(CatchUpError::Contradicted { store, found: Box::new(found) });
    }
    match reason.keep() == Keep::Evidence && is_crowded(places) {
        true => Err(CatchUpError::Contradicts { store, reason }),
        false => Ok(reason),
    }
}

/// Why a store could not be caught up. What was recorded stands; the store lags.
#[derive(Debug, thiserror::Error)]
pub enum CatchUpError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    /// What ended the reading of several stores side by side is the error of each.
    #[error(transparent)]
    Ahead(Arc<CatchUpError>),
    #[error("building {store} went wrong; the new one was not put in its place")]
    Panicked { store: StoreName },
    #[error("{store} is kept as evidence, untouched: {reason}")]
    Contradicts { store: StoreName, reason: RebuildReason },
    #[error("{store} is left as it is: the journal is not the one that was seen. It was {found}")]
    Contradicted { store: StoreName, found: Box<Contradiction> },
    #[error("index.db has read up to event {read} only, and {wanted} is needed; try again")]
    IndexBehind { read: Sequence, wanted: Sequence },
    #[error("the journal changed while {store} was built from it ({reason}); try again")]
    Changed { store: StoreName, reason: RebuildReason },
}

impl Fault for CatchUpError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Store(error) => error.sorted(),
            Self::Ahead(error) => error.sorted(),
            Self::Changed { .. } | Self::IndexBehind { .. } => Class::Locked.with(AGAIN),
            Self::Contradicts { reason, .. } => reason.class().with(Remedy::KeptAsEvidence),
            Self::Contradicted { .. } => Class::Contradicted.with(Remedy::Accept),
            Self::Feed(_) | Self::Panicked { .. } => fault::of_causes(self),
        }
    }
}

impl CatchUpError {
    /// Whether someone else holds the store (exit code 4).
    pub fn is_locked(&self) -> bool {
        match self {
            Self::Ahead(error) => error.is_locked(),
            Self::Store(error) => error.is_locked(),
            _ => false,
        }
    }

    pub fn evidence(&self) -> Option<RebuildReason> {
        match self {
            Self::Contradicts { reason, .. } => Some(*reason),
            _ => None,
        }
    }
}
