//! Building what is ours in `codegraph.db` anew: in its place, since the file is not ours (R12).

use super::build::Old;
use super::{Rebuild, RebuildMode, Site, StoreRebuild};
use crate::execution::graph::CodeGraphReader;
use crate::store::catch_up::{CatchUpError, CaughtUp, Feeding, is_wanted};
use crate::store::{Keep, StoreName};

const STORE: StoreName = StoreName::CodeGraph;

impl Rebuild<'_> {
    /// Builds the graph's rows anew, or compares them; `None` where there is no graph and no execution
    /// that one would hold.
    pub(super) fn graph(&self) -> Result<Option<StoreRebuild>, CatchUpError> {
        let places = self.from.places;
        let has_graph = || Ok::<_, CatchUpError>(places.has(STORE)? && !places.is_empty(STORE));
        let mut is_there = has_graph()?;
        if !is_there && self.mode == RebuildMode::Check {
            // One that nobody has begun to make is behind, not gone; one that is being made is waited for.
            if !Site::was_taken(places, STORE) {
                return Ok(None);
            }
            drop(Site::take(places, STORE)?);
            is_there = has_graph()?;
        }
        let old = match is_there {
            // One that cannot be read is nobody's to replace.
            true => {
                let (cursor, digest) = CodeGraphReader::open(&places.code_graph)?.digest()?;
                Old { digest: Some(digest), ..Old::of(cursor, self.from.feed)? }
            }
            false if !is_wanted(places)? => return Ok(None),
            false => Old::unread("there was no graph".to_owned(), Keep::Nothing),
        };
        let later = self.further(STORE, old.mark())?;
        let from = self.from.later(later.as_deref().unwrap_or(self.from.feed));
        let done = match self.mode {
            RebuildMode::Check => from.graph_beside(old)?,
            RebuildMode::Replace => StoreRebuild { replaced: true, ..from.graph_replaced(old)? },
        };
        Ok(Some(done))
    }
}

impl Feeding<'_> {
    /// Holds the graph against one built beside it.
    fn graph_beside(&self, old: Old) -> Result<StoreRebuild, CatchUpError> {
        let through = old.mark().unwrap_or_else(|| self.feed.through());
        let built = self.build(STORE, through)?;
        let done = old.report(STORE, &built.done, built.digest()?, through);
        built.discard()?;
        Ok(done)
    }

    /// What differs is replaced; of what does not, nothing is written.
    fn graph_replaced(&self, old: Old) -> Result<StoreRebuild, CatchUpError> {
        let done = if old.mark() == Some(self.feed.through()) {
            let done = self.graph_beside(old)?;
            let is_settled = || CodeGraphReader::open(&self.places.code_graph)?.is_settled();
            if done.same == Some(true) && is_settled()? {
                return Ok(done);
            }
            self.graph_anew()?;
            done
        } else {
            let made = match self.places.has(STORE)? {
                true => None,
                false => self.make_graph(Site::take(self.places, STORE)?)?,
            };
            let made = match made {
                Some(made) => made,
                None => self.graph_anew()?,
            };
            let (_, after) = CodeGraphReader::open(&self.places.code_graph)?.digest()?;
            old.report(STORE, &made, after, self.feed.through())
        };
        let later = self.feed.reopened()?;
        if later.through() != self.feed.through() {
            let later = self.later(later.as_ref());
            later.index()?;
            later.store(STORE)?;
        }
        Ok(done)
    }

    /// Makes our rows anew, once nobody else of ours writes them.
    fn graph_anew(&self) -> Result<CaughtUp, CatchUpError> {
        let _turn = Site::take(self.places, STORE)?;
        self.graph_in_place()
    }
}
