//! A question to the index over texts, which is caught up for it first.

use super::store::SearchReader;
use crate::store::catch_up::{CatchUpError, CaughtUp, catch_up_on_demand};
use crate::store::{Feed, Known, Result, StoreLook, StoreName, StorePlaces};

/// Asks the index once it has what the feed has. Where it cannot be read it is made anew, and asked again: all that
/// it says the journal says.
pub fn ask<T>(
    places: &StorePlaces,
    feed: &dyn Feed,
    question: impl Fn(&SearchReader) -> Result<T>,
) -> Result<(T, CaughtUp), CatchUpError> {
    let path = places.path(StoreName::SEARCH);
    let asked = || SearchReader::open(path).and_then(|reader| question(&reader));
    let done = catch_up_on_demand(StoreName::SEARCH, places, feed)?;
    match asked() {
        Err(error) if error.wants_rebuild() => {
            // Only the question met the page that is damaged.
            StoreLook::begin(path).map(|look| look.end(Known::Differs));
            let done = catch_up_on_demand(StoreName::SEARCH, places, feed)?;
            Ok((asked()?, done))
        }
        answer => Ok((answer?, done)),
    }
}
