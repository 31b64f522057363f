//! A copy that is asked: every question looks at all of it, and what it is answered from is made meanwhile.

use super::{Context, damage};
use crate::journal::{Reading, Source};
use crate::store::StoreName;
use crate::store::catch_up::told;
use crate::store::evidence::wanted_stores;
use crate::stores::STORES;

/// The copy that is asked, where it is the only one.
pub fn only(context: &Context) -> Option<Source> {
    let sources = context.sources().ok()?; // told by the command itself
    let [source] = sources.as_slice() else { return None };
    (source.reading(context.evidence) == Reading::Evidence).then(|| source.clone())
}

/// Looks at a copy, which every question does, and makes meanwhile what the question is answered from, of what
/// that look reads.
pub fn note(copy: &Source, context: &mut Context) {
    let (cache, wants) = (context.cache.clone(), context.wants);
    let read = (copy.journal.as_path(), Reading::Evidence);
    let (told, tap) = told(StoreName::INDEX);
    let made = std::thread::scope(|scope| {
        let made =
            scope.spawn(move || wanted_stores(&STORES, read, None, wants, &cache, Some(tap)));
        damage::note_telling(copy, Some(told), context);
        made.join().ok() // what panicked is made again by who asks
    });
    context.made = made.map(|made| (copy.journal.clone(), made));
}
