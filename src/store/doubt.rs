//! Stores that another program changed, or one of ours that was killed: held against fresh ones, before
//! anything is answered from them.
//!
//! Nobody waits for it: what others of ours write meanwhile they carry over (`store/stamp`), and what anybody
//! else writes ends the look without a verdict.

use crate::event::Sequence;
use crate::journal::{Project, Reading, Source, enclosure};
use crate::store::catch_up::{Standing, standing};
use crate::store::evidence::{Cache, EvidenceError, Verdict, evidence_stores, found_of};
use crate::store::look::{Depth, look};
use crate::store::{Feed, JournalFeed, Known, StoreLook, StoreName, StorePlaces, stamp};

/// A question holds a store against the journal up to so many events, and bytes of the store: a copy of a project of a
/// hundred sessions, once, which takes two seconds.
const EVENTS_MAX: Sequence = Sequence(50_000);
/// The same of the end of an agent's session, which is killed where it takes long.
const BRIEF_EVENTS_MAX: Sequence = Sequence(2_000);
const BYTES_MAX: u64 = 32 << 20;

/// Looks at every store of a project that is in doubt; what it finds is noted in the store's stamp, and
/// catching up goes by that. Answers those that stay in doubt: too large for a cheap look, or not to be
/// looked at now.
pub fn settle_doubts(source: &Source, depth: Depth, cache: &Cache) -> Vec<StoreName> {
    settle(source, depth, EVENTS_MAX, cache)
}

fn settle(source: &Source, depth: Depth, events_max: Sequence, cache: &Cache) -> Vec<StoreName> {
    let Some(places) = StorePlaces::of_source(source) else { return Vec::new() };
    // Folders know themselves how their files ended, and of a shared one its file says nothing; one that is made
    // on demand is made anew by who asks it.
    let is_stamped =
        |store: &StoreName| !store.is_folder() && !store.is_shared() && !store.is_on_demand();
    let in_doubt = |store: &StoreName| {
        let path = places.path(*store);
        enclosure::look(path).is_ok() && stamp::is_in_doubt(path)
    };
    let stores = places.list.stores.iter().copied();
    let mut doubted: Vec<_> = stores.filter(is_stamped).filter(in_doubt).collect();
    if doubted.is_empty() {
        return doubted;
    }
    // What is wrong with the journal is told by who looks at it.
    let Ok(feed) = JournalFeed::reading(&source.journal) else { return Vec::new() };
    doubted.retain(|store| is_sound(*store, &places, &feed));
    // Of a journal that lost something a store may rightly say more: that is told as the journal's.
    if !doubted.is_empty() && look(source, Reading::Live, depth, cache).is_damaged() {
        return Vec::new();
    }
    let is_large = |store: &StoreName| stamp::bytes(places.path(*store)) > BYTES_MAX;
    let left = match depth {
        Depth::Whole => Vec::new(),
        _ if feed.through().sequence > events_max => std::mem::take(&mut doubted),
        _ => doubted.extract_if(.., |store| is_large(store)).collect(),
    };
    // Where no fresh ones can be built, the doubt stays.
    let unsettled = hold(&doubted, &places, source, cache).unwrap_or(doubted);
    left.into_iter().chain(unsettled).collect()
}

/// As [`settle_doubts`], before a question is answered; what stays in doubt is told by who looks at all of it.
pub fn settle_project(project: &Project, cache: &Cache) {
    // One that is no journal says so itself.
    if let Ok(source) = Source::of_around(project.root(), project.around()) {
        drop(settle_doubts(&source, Depth::Cheap, cache));
    }
}

/// As [`settle_project`], of little: at the end of an agent's session.
pub fn settle_little(project: &Project, cache: &Cache) {
    // As above.
    if let Ok(source) = Source::of_around(project.root(), project.around()) {
        drop(settle(&source, Depth::Cheap, BRIEF_EVENTS_MAX, cache));
    }
}

/// Whether catching a store up finds nothing wrong with it: what it finds it tells.
fn is_sound(store: StoreName, places: &StorePlaces, feed: &JournalFeed<'_>) -> bool {
    let stand = store
        .fold(places.path(store), places)
        .and_then(|_| store.open(places.path(store))?.stand());
    // What cannot be opened is built anew, or told as lagging.
    let Ok((cursor, rows)) = stand else { return false };
    matches!(standing(cursor, rows, feed), Ok(Standing::Current | Standing::Behind(_)))
}

/// Holds stores against fresh ones; answers those of which nothing is known still.
fn hold(
    stores: &[StoreName],
    places: &StorePlaces,
    source: &Source,
    cache: &Cache,
) -> Result<Vec<StoreName>, EvidenceError> {
    if stores.is_empty() {
        return Ok(Vec::new());
    }
    let mut looks: Vec<_> =
        stores.iter().map(|store| (*store, StoreLook::begin(places.path(*store)))).collect();
    let built = evidence_stores(places.list, &source.journal, Reading::Live, None, cache)?;
    let mut unsettled = Vec::new();
    for found in found_of(stores, source, Reading::Live, &built, cache)? {
        let begun = looks.iter_mut().find(|(store, _)| *store == found.store);
        let begun = begun.and_then(|(_, begun)| begun.take());
        let is_known = match (found.verdict, begun) {
            (Verdict::Same, Some(look)) => look.end(Known::Same),
            (Verdict::Differs, Some(look)) => look.end(Known::Differs),
            // Where none can be kept each looks anew.
            (Verdict::Same, None) => true,
            (Verdict::Absent | Verdict::OutOfDate | Verdict::Wrong(_), _) => true,
            (Verdict::Unreadable(error), Some(look))
                if !error.is_locked() && !error.is_of_machine() =>
            {
                look.end(Known::Differs)
            }
            (Verdict::Differs | Verdict::Unreadable(_), _) => false,
        };
        if !is_known {
            unsettled.push(found.store);
        }
    }
    Ok(unsettled)
}
