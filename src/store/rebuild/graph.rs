//! Building what is ours in `codegraph.db` anew: in its place, since the file is not ours (R12).

use super::{Build, RebuildMode, Site, StoreRebuild, further};
use crate::event::Sequence;
use crate::execution::graph::CodeGraphReader;
use crate::journal::Mark;
use crate::store::catch_up::{
    BATCH_EVENTS_MAX, CatchUpError, CaughtUp, Standing, catch_up_store, is_wanted, make_graph,
    rebuild_in_place, standing,
};
use crate::store::{Cursor, Digest, Feed, StoreName, StorePlaces};

const STORE: StoreName = StoreName::CodeGraph;

/// The graph as it was. One that cannot be read is nobody's to replace: that is an error.
struct Before {
    /// Only of one that is of this journal's making.
    mark: Option<Mark>,
    digest: Option<Digest>,
    problem: Option<String>,
}

/// Builds the graph's rows anew, or compares them; `None` where there is no graph and no execution
/// that one would hold.
pub fn rebuild_graph(
    places: &StorePlaces,
    feed: &dyn Feed,
    mode: RebuildMode,
) -> Result<Option<StoreRebuild>, CatchUpError> {
    let mut is_there = has_graph(places)?;
    if !is_there && mode == RebuildMode::Check {
        // One that nobody has begun to make is behind, not gone; one that is being made is waited for.
        if !Site::was_taken(places, STORE) {
            return Ok(None);
        }
        drop(Site::take(places, STORE)?);
        is_there = has_graph(places)?;
    }
    let before = match is_there {
        true => Before::of(places, feed)?,
        false if !is_wanted(places)? => return Ok(None),
        false => {
            let problem = Some("there was no graph".to_owned());
            Before { mark: None, digest: None, problem }
        }
    };
    let later = further(STORE, before.mark, places, feed)?;
    let feed = later.as_deref().unwrap_or(feed);
    let done = match mode {
        RebuildMode::Check => checked(places, feed, before)?,
        RebuildMode::Replace => replaced(places, feed, before)?,
    };
    Ok(Some(done))
}

fn has_graph(places: &StorePlaces) -> Result<bool, CatchUpError> {
    Ok(places.has(STORE)? && !places.is_empty(STORE))
}

fn checked(
    places: &StorePlaces,
    feed: &dyn Feed,
    before: Before,
) -> Result<StoreRebuild, CatchUpError> {
    let through = before.mark.unwrap_or_else(|| feed.through());
    let built = Build { store: STORE, places, feed }.run(through)?;
    let after = built.digest()?;
    let done = before.report(built.events, built.anomalies, after, through, false);
    built.discard()?;
    Ok(done)
}

/// What differs is replaced; of what does not, nothing is written.
fn replaced(
    places: &StorePlaces,
    feed: &dyn Feed,
    before: Before,
) -> Result<StoreRebuild, CatchUpError> {
    if before.mark == Some(feed.through()) {
        let built = Build { store: STORE, places, feed }.run(feed.through())?;
        let after = built.digest()?;
        let done = before.report(built.events, built.anomalies, after, feed.through(), true);
        built.discard()?;
        if done.same == Some(true) && is_settled(places)? {
            return Ok(done);
        }
        anew(places, feed)?;
        return with_later(places, feed, done);
    }
    let made = match places.has(STORE)? {
        true => None,
        false => make_graph(Site::take(places, STORE)?, places, feed)?,
    };
    let done = match made {
        Some(made) => made,
        None => anew(places, feed)?,
    };
    let (_, after) = CodeGraphReader::open(&places.code_graph)?.digest()?;
    let done = before.report(done.events, done.anomalies, after, feed.through(), true);
    with_later(places, feed, done)
}

/// Makes our rows anew, once nobody else of ours writes them.
fn anew(places: &StorePlaces, feed: &dyn Feed) -> Result<CaughtUp, CatchUpError> {
    let _turn = Site::take(places, STORE)?;
    rebuild_in_place(places, feed)
}

fn with_later(
    places: &StorePlaces,
    feed: &dyn Feed,
    done: StoreRebuild,
) -> Result<StoreRebuild, CatchUpError> {
    let later = feed.reopened()?;
    if later.through() != feed.through() {
        catch_up_store(StoreName::Index, places, later.as_ref(), BATCH_EVENTS_MAX)?;
        catch_up_store(STORE, places, later.as_ref(), BATCH_EVENTS_MAX)?;
    }
    Ok(done)
}

fn is_settled(places: &StorePlaces) -> Result<bool, CatchUpError> {
    Ok(CodeGraphReader::open(&places.code_graph)?.is_settled()?)
}

impl Before {
    fn of(places: &StorePlaces, feed: &dyn Feed) -> Result<Self, CatchUpError> {
        let reader = CodeGraphReader::open(&places.code_graph)?;
        let (cursor, digest) = reader.digest()?;
        let rows = cursor.map(|cursor| cursor.rows).unwrap_or_default();
        let (mark, problem) = match (cursor, standing(cursor, rows, feed)?) {
            (_, Standing::Wrong(reason)) => (None, Some(reason.to_string())),
            (None, _) => (None, None),
            (Some(Cursor { position, .. }), _) => {
                let sequence = Sequence(position.sequence);
                (Some(Mark { sequence, chain: position.chain }), None)
            }
        };
        Ok(Self { mark, digest: Some(digest), problem })
    }

    fn report(
        self,
        events: u64,
        anomalies: u64,
        after: Digest,
        through: Mark,
        replaced: bool,
    ) -> StoreRebuild {
        let comparable = self.mark == Some(through);
        StoreRebuild {
            store: STORE,
            events,
            anomalies,
            before: self.digest,
            same: self.digest.filter(|_| comparable).map(|digest| digest == after),
            problem: self.problem,
            after,
            replaced,
            quarantined: None,
        }
    }
}
