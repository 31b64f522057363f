//! Building stores anew from the journal: beside the old one, then in its place (R12).

mod build;
mod graph;

use std::path::PathBuf;
use std::thread;

use super::catch_up::{BATCH_EVENTS_MAX, CatchUpError, Due, advance_built, catch_up_store};
use super::{Bound, Digest, Feed, Keep, Quarantined, Swap};
use crate::config::ConfigRead;
use crate::journal::Mark;
use crate::store::{StoreName, StorePlaces};
use build::{Old, content};

pub(crate) use build::{Build, Built, Site};

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
    let named = |store: StoreName| stores.is_empty() || stores.contains(&store);
    let mut report = RebuildReport::default();
    if named(StoreName::Index) {
        report.stores.push(rebuild_store(StoreName::Index, places, feed, mode)?);
    }
    let graph = named(StoreName::CodeGraph);
    let others = StoreName::ALL.iter().copied().filter(|store| named(*store) && is_plain(*store));
    let others: Vec<StoreName> = others.collect();
    if graph || !others.is_empty() {
        // Starts are looked up in it, and what there is for a store.
        match catch_up_store(StoreName::Index, places, feed, BATCH_EVENTS_MAX) {
            Err(error) if error.evidence().is_some() && !report.stores.is_empty() => {
                report.failed = Some(error);
                return Ok(report);
            }
            caught_up => drop(caught_up?),
        }
    }
    // Side by side: neither reads of the other.
    let (others, graph) = thread::scope(|scope| {
        let graph = graph.then(|| scope.spawn(|| graph::rebuild_graph(places, feed, mode)));
        let rebuilt = others.iter().map(|store| rebuild_due(*store, places, feed, mode));
        let others: Result<Vec<_>, CatchUpError> = rebuilt.collect();
        let graph = graph.map(|graph| {
            let panicked = CatchUpError::Panicked { store: StoreName::CodeGraph };
            graph.join().unwrap_or(Err(panicked))
        });
        (others, graph)
    });
    report.stores.extend(others?.into_iter().flatten());
    match graph.transpose() {
        Ok(graph) => report.stores.extend(graph.flatten()),
        // Where it was not asked for by name, what was done stands, and is told.
        Err(error) if stores.is_empty() => report.failed = Some(error),
        Err(error) => return Err(error),
    }
    Ok(report)
}

fn is_plain(store: StoreName) -> bool {
    !matches!(store, StoreName::Index | StoreName::CodeGraph)
}

/// As [`rebuild_store`]; `None` where nothing in the journal concerns the store.
fn rebuild_due(
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
    mode: RebuildMode,
) -> Result<Option<StoreRebuild>, CatchUpError> {
    if Due::of(store, places)? != Due::Nothing {
        return rebuild_store(store, places, feed, mode).map(Some);
    }
    if mode == RebuildMode::Replace {
        match catch_up_store(store, places, feed, BATCH_EVENTS_MAX) {
            // Asked for, it goes where it is kept.
            Err(error) if error.evidence().is_some() => {
                take_away(store, places, Keep::Evidence)?;
            }
            caught_up => drop(caught_up?),
        }
    }
    Ok(None)
}

fn rebuild_store(
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
    mode: RebuildMode,
) -> Result<StoreRebuild, CatchUpError> {
    let mut old = Old::open(store, places, feed)?;
    let later = further(store, old.mark(), places, feed)?;
    let feed = later.as_deref().unwrap_or(feed);
    // To be compared, both must have read equally far.
    let through = match (mode, old.mark()) {
        (RebuildMode::Check, Some(mark)) => mark,
        _ => feed.through(),
    };
    // The old one is digested while the new one is built: each has its own file and core.
    let reader = old.reader.take();
    let (built, before) = thread::scope(|scope| {
        let before =
            scope.spawn(move || reader.map_or(Ok(None), |reader| content(reader.as_ref())));
        let built = Build { store, places, feed }.run(through);
        (built, before.join())
    });
    let built = built?;
    old.take_digest(before.map_err(|_| CatchUpError::Panicked { store })??);
    let new = built.digest()?;
    if old.digest.is_none() && old.problem.is_none() {
        old.problem = Some("it is damaged".to_owned());
        old.keep = Keep::Replaced;
    }
    let comparable = old.mark().is_some_and(|mark| mark == built.at);
    let mut done = StoreRebuild {
        store,
        events: built.events,
        anomalies: built.anomalies,
        before: old.digest,
        problem: old.problem,
        after: new,
        same: old.digest.filter(|_| comparable).map(|digest| digest == new),
        replaced: false,
        quarantined: None,
    };
    match mode {
        RebuildMode::Check => built.discard()?,
        RebuildMode::Replace => {
            // Only what cannot be made again is kept.
            let keep = match done.same {
                Some(false) => Keep::Evidence,
                _ => old.keep,
            };
            done.quarantined = replace(built, places, feed, keep)?;
            done.replaced = true;
        }
    }
    Ok(done)
}

/// The journal as of now, where others went on since the feed was opened and a store has read that too:
/// what it is held against must have it.
fn further<'f>(
    store: StoreName,
    read: Option<Mark>,
    places: &StorePlaces,
    feed: &'f dyn Feed,
) -> Result<Option<Box<dyn Feed + 'f>>, CatchUpError> {
    if read.is_none_or(|mark| mark.sequence <= feed.through().sequence) {
        return Ok(None);
    }
    let later = feed.reopened()?;
    if store != StoreName::Index {
        catch_up_store(StoreName::Index, places, later.as_ref(), BATCH_EVENTS_MAX)?;
    }
    Ok(Some(later))
}

/// Puts a built store in the old one's place, caught up with what came meanwhile.
pub(crate) fn replace(
    built: Built,
    places: &StorePlaces,
    feed: &dyn Feed,
    keep: Keep,
) -> Result<Option<PathBuf>, CatchUpError> {
    let store = built.store;
    let swap = Swap::begin(places.path(store), &places.quarantine)?;
    // Nobody of ours writes the old one now: what is in the journal by now is all it can have.
    let later = feed.reopened()?;
    if later.through() != built.through {
        if store != StoreName::Index {
            catch_up_store(StoreName::Index, places, later.as_ref(), BATCH_EVENTS_MAX)?;
        }
        let beside = built.places(places);
        advance_built(store, &beside, later.as_ref())?;
    }
    let kept = swap.finish(built.path(), keep)?;
    built.discard()?;
    make_room(places);
    Ok(kept)
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
    let config = ConfigRead::of(&config).config.quarantine;
    Bound { files: config.files_max, bytes: config.bytes_max }
}

#[derive(Debug, Default)]
pub struct RebuildReport {
    pub stores: Vec<StoreRebuild>,
    /// Why the graph, which is not ours alone, could not be: the others were.
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
