//! Open calls whose agent cannot be looked at from here, a row a session.

use std::path::Path;

use crate::cli::quote;
use crate::output::wire;
use crate::stores::StorePlaces;
use crate::stores::repair::{UnseenCalls, unseen_calls};

/// Sessions with such calls; none where the index cannot be asked, which its own line tells.
pub fn rows(owners: &Path, places: &StorePlaces) -> Vec<wire::Unseen> {
    unseen_calls(owners, places).unwrap_or_default().into_iter().map(row).collect()
}

fn row(found: UnseenCalls) -> wire::Unseen {
    let UnseenCalls { agent, native_id: session, calls } = found;
    let close =
        format!("annals session end {} --agent {}", quote::word(&session), quote::word(&agent));
    wire::Unseen { session, agent, calls, close }
}
