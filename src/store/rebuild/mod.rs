//! Building stores anew from the journal: beside the old one, then in its place (R12).

mod build;
mod old;
mod shared;

use std::path::PathBuf;

use super::catch_up::{CatchUpError, Due, Feeding};
use super::{Bound, Digest, Feed, Keep, Quarantined, Swap};
use crate::event::Ordered;
use crate::journal::{Mark, trust};
use crate::store::{StoreName, StorePlaces};
pub use build::Built;
use old::Old;

pub use build::{Site, WAIT_MAX};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RebuildMode {
    Replace,
    Check,
}

/// Builds stores anew, all of them where none is named, and replaces or compares the old ones.
///
/// Fails with a locked store while another program has it open: the old one is kept.
pub fn rebuild(
    places: &StorePlaces,
    feed: &dyn Feed,
    stores: &[StoreName],
    mode: RebuildMode,
) -> Result<RebuildReport, CatchUpError> {
    let (list, anew) = (places.list, Rebuild { from: Feeding::of(places, feed), mode });
    let named = list.stores.iter().copied();
    // What is made on demand is not made for who asks for all.
    let is_made = |store: &StoreName| !store.is_on_demand() || places.has(*store).unwrap_or(true);
    let is_meant = |store: &StoreName| match stores.is_empty() {
        true => is_made(store),
        false => stores.contains(store),
    };
    let named = named.filter(is_meant);
    let (index, others): (Vec<_>, Vec<_>) = named.partition(|it| list.is_index(*it));
    // Those of all events side by side, from one replay: none reads of another.
    let (mut all, some): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|it| it.concern().is_none());
    let beside = |from: Feeding<'_>, store: StoreName| {
        let anew = Rebuild { from, mode };
        store.shared().map_or_else(|| anew.due(store), |part| anew.shared(store, part))
    };
    let (mut report, mut rebuilt) = (RebuildReport::default(), Vec::new());
    for index in index {
        let old = Old::open(index, anew.from)?;
        if mode == RebuildMode::Check || all.is_empty() || anew.is_further(old.mark()) {
            report.stores.push(anew.held_against(index, old)?);
            continue;
        }
        // The index is built from that replay as well.
        let build = |from: Feeding<'_>| Rebuild { from, mode }.held_against(index, old);
        let (done, made) = anew.from.beside_index(index, build, &all, beside)?;
        report.stores.push(done);
        rebuilt = made;
        all.clear();
    }
    if !(all.is_empty() && some.is_empty()) {
        match anew.from.index() {
            Err(error) if error.evidence().is_some() && !report.stores.is_empty() => {
                report.failed = Some(error);
                return Ok(report);
            }
            caught_up => drop(caught_up?),
        }
    }
    rebuilt.extend(anew.from.side_by_side(&all, beside));
    rebuilt.extend(some.into_iter().map(|store| (store, anew.due(store))));
    rebuilt.order_by_key(|(store, _)| list.stores.iter().position(|it| it == store));
    for (store, built) in rebuilt {
        match built {
            Ok(built) => report.stores.extend(built),
            // Where it was not asked for by name, what was done stands, and is told.
            Err(error) if store.is_shared() && stores.is_empty() => report.failed = Some(error),
            Err(error) => return Err(error),
        }
    }
    Ok(report)
}

#[derive(Clone, Copy)]
struct Rebuild<'a> {
    from: Feeding<'a>,
    mode: RebuildMode,
}

impl Rebuild<'_> {
    /// As [`Self::store`]; `None` where nothing in the journal concerns the store.
    fn due(&self, store: StoreName) -> Result<Option<StoreRebuild>, CatchUpError> {
        if Due::of(store, self.from.places)? != Due::Nothing {
            return self.store(store).map(Some);
        }
        if self.mode == RebuildMode::Replace {
            match self.from.store(store) {
                // Asked for, it goes where it is kept.
                Err(error) if error.evidence().is_some() => {
                    take_away(store, self.from.places, Keep::Evidence)?;
                }
                caught_up => drop(caught_up?),
            }
        }
        Ok(None)
    }

    fn store(&self, store: StoreName) -> Result<StoreRebuild, CatchUpError> {
        self.held_against(store, Old::open(store, self.from)?)
    }

    fn held_against(&self, store: StoreName, old: Old) -> Result<StoreRebuild, CatchUpError> {
        let (mut old, mode) = (old, self.mode);
        let later = self.further(store, old.mark())?;
        let from = self.from.later(later.as_deref().unwrap_or(self.from.feed));
        // To be compared, both must have read equally far.
        let through = match (self.mode, old.mark()) {
            (RebuildMode::Check, Some(mark)) => mark,
            _ => from.feed.through(),
        };
        let built = old.beside(store, mode, || from.build(store, through))?;
        if old.digest.is_none() && old.problem.is_none() {
            old.problem = Some("it is damaged".to_owned());
            old.keep = Keep::Replaced;
        }
        let path = self.from.places.path(store);
        let keep = match old.stood {
            Some(_) => old.keep,
            // Another may have made it while this one waited for its turn.
            None => Old::open(store, from)?.keep,
        };
        let is_replaced = mode == RebuildMode::Replace && !store.is_folder();
        let (after, same) = match is_replaced {
            true => old.digest_of(path, &built)?,
            false => (built.digest()?, None),
        };
        let mut done = old.report(store, &built.done, after, built.at);
        match self.mode {
            RebuildMode::Check => built.discard()?,
            RebuildMode::Replace => {
                // Only what cannot be made again is kept.
                let keep = if done.same == Some(false) { Keep::Evidence } else { keep };
                done.quarantined = from.replace(built, keep)?;
                done.replaced = true;
            }
        }
        drop(same);
        Ok(done)
    }

    fn is_further(&self, read: Option<Mark>) -> bool {
        read.is_some_and(|mark| mark.sequence > self.from.feed.through().sequence)
    }

    /// The journal as of now, where others went on since the feed was opened and a store has read that too:
    /// what it is held against must have it.
    fn further(
        &self,
        store: StoreName,
        read: Option<Mark>,
    ) -> Result<Option<Box<dyn Feed + '_>>, CatchUpError> {
        if !self.is_further(read) {
            return Ok(None);
        }
        self.from.leave(store)?;
        let later = self.from.feed.reopened()?;
        if !self.from.places.list.is_index(store) {
            self.from.later(later.as_ref()).index()?;
        }
        Ok(Some(later))
    }
}

impl Feeding<'_> {
    /// Puts a built store in the old one's place, caught up with what came meanwhile.
    pub fn replace(&self, built: Built, keep: Keep) -> Result<Option<PathBuf>, CatchUpError> {
        let store = built.store();
        self.behind_index(store)?;
        let swap = Swap::begin(self.places.path(store), &self.places.quarantine)?;
        // Nobody of ours writes the old one now: what is in the journal by now is all it can have.
        let later = self.feed.reopened()?;
        if later.through() != built.through {
            let from = self.later(later.as_ref());
            if !self.places.list.is_index(store) {
                from.index()?;
            }
            let beside = self.places.clone().with(store, built.path());
            Feeding { places: &beside, ..from }.built(store)?;
        }
        let kept = swap.finish(built.path(), keep)?;
        built.discard()?;
        make_room(self.places);
        Ok(kept)
    }
}

pub(crate) fn take_away(
    store: StoreName,
    places: &StorePlaces,
    keep: Keep,
) -> Result<Option<PathBuf>, CatchUpError> {
    let kept = Swap::begin(places.path(store), &places.quarantine)?.take_away(keep)?;
    make_room(places);
    Ok(kept)
}

/// Keeps the quarantine within the bound that the project sets.
fn make_room(places: &StorePlaces) {
    // What could not go lies there still, and `status` tells it.
    drop(Quarantined::bound(&places.quarantine, bound(places)));
}

/// Whether so much evidence lies in the quarantine already that more goes there only where somebody asks.
pub(crate) fn is_crowded(places: &StorePlaces) -> bool {
    // What cannot be listed is told by whoever puts something there.
    let aside = Quarantined::of(&places.quarantine).unwrap_or_default();
    aside.evidence_files >= bound(places).files
}

fn bound(places: &StorePlaces) -> Bound {
    let config = places.quarantine.with_file_name("config.toml");
    let config = trust::config_at(&config).config.quarantine;
    Bound { files: config.files_max, bytes: config.bytes_max }
}

#[derive(Debug, Default)]
pub struct RebuildReport {
    pub stores: Vec<StoreRebuild>,
    /// Why one that is not ours alone could not be: the others were.
    pub failed: Option<CatchUpError>,
}

#[derive(Debug)]
pub struct StoreRebuild {
    pub store: StoreName,
    pub events: u64,
    pub anomalies: u64,
    /// The old store's digest; `None` where it could not be read.
    pub before: Option<Digest>,
    pub problem: Option<String>,
    pub after: Digest,
    /// Whether old and new hold the same; `None` where they had not read equally far.
    pub same: Option<bool>,
    pub replaced: bool,
    pub quarantined: Option<PathBuf>,
}

impl RebuildReport {
    /// Whether any store differed from its journal, or could not be read (exit code 1 of
    /// `--check`).
    pub fn differs(&self) -> bool {
        self.stores.iter().any(|store| store.same == Some(false) || store.problem.is_some())
    }
}
