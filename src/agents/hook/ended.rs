//! What follows a turn and a session, of which an agent waits for little.

use std::time::{Duration, Instant};

use super::HookError;
use crate::debug::infer;
use crate::journal::Project;
use crate::journal::trust::{user_config, waiting};
use crate::store::catch_up::catch_up_briefly;
use crate::store::doubt::settle_little;
use crate::store::evidence::Cache;
use crate::store::{JournalFeed, StorePlaces};

/// How long an agent that has stopped waits for its stores.
const KEEP_UP_MS: u64 = 50;

/// Between two turns the stores that hooks answer from are brought up to date, as far as that goes in a moment. Why
/// one lags is told by `annals status`.
pub fn keep_up(project: &Project) {
    let most = Duration::from_millis(KEEP_UP_MS);
    let until = Instant::now() + most;
    if let Ok(feed) = JournalFeed::asked(project) {
        catch_up_briefly(&StorePlaces::of(project), &feed, most);
    }
    // What is not inferred now is by the next import, or `debug infer`.
    drop(infer::keep_up(project, until));
}

/// Nobody waits now: a small store that was copied or restored is held against the journal. Where journals are sent off the
/// machine it is noted that this one is due: nothing is sent here.
pub fn settle(project: &Project) -> Option<HookError> {
    settle_little(project, &Cache::of_user());
    // Settings that cannot be used are told by who goes by them.
    let is_sent = user_config().is_ok_and(|it| it.ship.to.is_some_and(|to| !to.is_empty()));
    let is_due = is_sent && project.is_believed();
    is_due.then(|| waiting::note(project.root()).err()).flatten().map(HookError::Waiting)
}
