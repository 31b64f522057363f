//! Calls that may never end, since nobody here can look at their agent.

use std::collections::BTreeMap;
use std::path::Path;

use crate::event::SessionId;
use crate::execution::query::{Identity, QueryError};
use crate::journal::is_unseen;
use crate::stores::StorePlaces;

/// Open calls of a session whose agent cannot be looked at from here: it runs in another container, on
/// another machine, or nobody could tell which process it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnseenCalls {
    pub agent: String,
    /// The agent's own name of the session.
    pub native_id: String,
    pub calls: u64,
}

/// Every session with such calls that has not ended.
///
/// # Errors
/// Where the index cannot be asked.
pub fn unseen_calls(owners: &Path, places: &StorePlaces) -> Result<Vec<UnseenCalls>, QueryError> {
    let identity = Identity::open(&places.index)?;
    let mut sessions: BTreeMap<SessionId, u64> = BTreeMap::new();
    for known in identity.open_executions(None)? {
        if let Some(session) = known.session
            && is_unseen(owners, known.source, known.session)
        {
            *sessions.entry(session).or_default() += 1;
        }
    }
    let mut list = Vec::new();
    for (session, calls) in sessions {
        if let Some(session) = identity.session(session)?.filter(|it| !it.ended) {
            list.push(UnseenCalls { agent: session.agent, native_id: session.native_id, calls });
        }
    }
    Ok(list)
}
