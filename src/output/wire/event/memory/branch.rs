//! A branch's beginning in JSON.

use serde::Serialize;

use super::Origin;
use crate::event;

/// A branch began.
#[derive(Debug, Serialize)]
pub struct Branch<'a> {
    pub branch: &'a str,
    pub parent: Option<&'a str>,
    pub node: Option<&'a str>,
    pub auto_created: bool,
    pub copied_from: Option<CopiedFrom<'a>>,
    pub origin: Origin<'a>,
}

/// A branch as it was seen after one event.
#[derive(Debug, Serialize)]
pub struct CopiedFrom<'a> {
    pub branch: &'a str,
    pub through_sequence: u64,
}

pub fn forked(b: &event::BranchForked) -> Branch<'_> {
    Branch {
        branch: &b.branch,
        parent: b.parent.as_deref(),
        node: b.node.as_deref(),
        auto_created: b.auto_created,
        copied_from: b.copied_from.as_ref().map(|from| CopiedFrom {
            branch: &from.branch,
            through_sequence: from.through_sequence,
        }),
        origin: Origin::of(&b.origin),
    }
}
