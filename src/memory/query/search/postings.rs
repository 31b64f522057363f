//! The way by the full-text index.

use super::{Result, Wanted, Ways};
use crate::memory::store::{Listed, MemoryView, Place};

/// Postings and rows that are read at once.
const STEP: u64 = 8_192;

/// The chain's records that the full-text index finds, newest first, where it shows at once that they
/// are few: one word is rare, or there can be none. A word is asked for alone and in whichever column:
/// so many postings are read and no more, which two words together could not promise.
pub(super) fn rare(
    view: &MemoryView<'_>,
    wanted: &Wanted<'_>,
    branches: &[String],
    ways: Ways,
) -> Result<Option<Vec<Place>>> {
    for word in wanted.words() {
        let mut postings = Postings { view, query: format!("\"{word}\""), above: 0 };
        let found = postings.next(ways.rare_max as u64 + 1)?;
        if found.len() <= ways.rare_max {
            return looked_up(view, found, branches, None).map(Some);
        }
    }
    Ok(None)
}

/// The chain's records before `last` that the full-text index finds, newest first; `None` where
/// looking at all of the chain's rows is the shorter way.
pub(super) fn older(
    view: &MemoryView<'_>,
    wanted: &Wanted<'_>,
    branches: &[String],
    last: Place,
    ways: Ways,
) -> Result<Option<Vec<Place>>> {
    let Some(query) = wanted.asked() else { return Ok(Some(Vec::new())) };
    let mut postings = Postings { view, query, above: 0 };
    let rare = postings.next(ways.rare_max as u64 + 1)?;
    if rare.len() <= ways.rare_max {
        return looked_up(view, rare, branches, Some(last)).map(Some);
    }
    let chained = before(view, branches, last)?;
    let mut found = Vec::new();
    let mut read = 0;
    let mut step = rare;
    while !step.is_empty() {
        read += step.len();
        for id in step {
            if let Ok(at) = chained.binary_search_by_key(&id, |place| place.id) {
                found.push(chained[at]);
            }
        }
        if read / ways.postings_a_row > chained.len() {
            return Ok(None);
        }
        step = postings.next(STEP)?;
    }
    Ok(Some(newest_first(found)))
}

/// The places of those of these records that are of the branches, those before `last`.
pub(super) fn looked_up(
    view: &MemoryView<'_>,
    ids: Vec<u64>,
    branches: &[String],
    last: Option<Place>,
) -> Result<Vec<Place>> {
    let mut found = Vec::new();
    for id in ids {
        if let Some((branch, place)) = view.place_of_record(id)?
            && last.is_none_or(|last| place < last)
            && branches.contains(&branch)
        {
            found.push(place);
        }
    }
    Ok(newest_first(found))
}

/// Every place of the branches before `last`, by number.
fn before(view: &MemoryView<'_>, branches: &[String], last: Place) -> Result<Vec<Place>> {
    let mut found = Vec::new();
    for branch in branches {
        let mut from = Some(last);
        while let Some(place) = from {
            let step = view.newest(Listed::Archival, branch, Some(place), STEP)?;
            from = step.last().copied().filter(|_| step.len() as u64 == STEP);
            found.extend(step);
        }
    }
    found.sort_unstable_by_key(|place| place.id);
    Ok(found)
}

fn newest_first(mut places: Vec<Place>) -> Vec<Place> {
    places.sort_unstable_by(|a, b| b.cmp(a));
    places
}

/// What the full-text index finds in all branches, by number: upwards, the way it is written.
struct Postings<'p, 'v> {
    view: &'p MemoryView<'v>,
    query: String,
    above: i64,
}

impl Postings<'_, '_> {
    fn next(&mut self, limit: u64) -> Result<Vec<u64>> {
        let ids = self.view.postings(&self.query, self.above, limit)?;
        if let Some(highest) = ids.last() {
            self.above = i64::try_from(*highest).unwrap_or(i64::MAX);
        }
        Ok(ids)
    }
}
