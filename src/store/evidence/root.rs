//! The folder that a journal was recorded in: a copy lies elsewhere, and its paths are told from
//! there.

use std::path::PathBuf;

use crate::event::{Body, Sequence};
use crate::store::Feed;
use crate::store::feed::Step;

/// Events that are looked at, the first ones.
const EVENTS_MAX: u64 = 1_000;

/// The project's root on the machine where the journal was recorded, as its first event says; where
/// that is lost (a later segment alone), the first working folder.
pub(super) fn recorded(feed: &dyn Feed) -> Option<PathBuf> {
    let through = Sequence(feed.through().sequence.0.min(EVENTS_MAX));
    // What cannot be read tells no folder.
    for step in feed.replay(Sequence(0), through).ok()?.map_while(Result::ok) {
        let Step::Event(recorded) = step else { continue };
        let folder = match recorded.event.body {
            Body::JournalCreated(created) => Some(created.root),
            Body::SessionStarted(session) => session.cwd,
            Body::ExecutionStarted(started) => started.cwd,
            _ => None,
        };
        if let Some(folder) = folder.filter(|folder| folder.starts_with('/')) {
            return Some(PathBuf::from(folder));
        }
    }
    None
}
