//! Commit ends met while walking a segment, so that the next seek need not walk it again.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::units::{Mark, Offset, Sequence};

/// How far apart waypoints stand: what a seek walks at most, once a walk went by.
const STRIDE_BYTES: u64 = 64 << 10;

/// The end of a commit, from which a scan can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waypoint {
    pub offset: Offset,
    pub mark: Mark,
}

/// Commit ends of one segment, in order, at least a stride apart; and the furthest ever met.
#[derive(Debug, Default)]
pub struct Waypoints(Mutex<(Vec<Waypoint>, Option<Waypoint>)>);

impl Waypoints {
    /// Keeps a commit end where it is worth keeping; returns the offset from which on the next
    /// one is.
    pub fn note(&self, waypoint: Waypoint) -> Offset {
        let (list, _) = &mut *self.held();
        let last = list.last().map_or(0, |last| last.offset.0);
        if waypoint.offset.0 >= last + STRIDE_BYTES {
            list.push(waypoint);
        }
        Offset(last.max(waypoint.offset.0) + STRIDE_BYTES)
    }

    /// Keeps the end of the last commit there is.
    pub fn note_tail(&self, waypoint: Waypoint) {
        self.held().1 = Some(waypoint);
    }

    /// The last waypoint whose commit ends before `from`, and not behind `bound`.
    pub fn before(&self, from: Sequence, bound: Option<Offset>) -> Option<Waypoint> {
        let usable =
            |it: &Waypoint| it.mark.sequence < from && bound.is_none_or(|bound| it.offset <= bound);
        let (list, tail) = &*self.held();
        if let Some(tail) = tail.filter(usable) {
            return Some(tail);
        }
        let count = list.partition_point(|it| it.mark.sequence < from);
        list[..count].iter().rev().copied().find(usable)
    }

    /// The first waypoint whose commit ends at or after `from`, and not behind `bound`.
    pub fn at_or_after(&self, from: Sequence, bound: Option<Offset>) -> Option<Waypoint> {
        let (list, tail) = &*self.held();
        let start = list.partition_point(|it| it.mark.sequence < from);
        list.get(start)
            .copied()
            .or(tail.filter(|it| it.mark.sequence >= from))
            .filter(|it| bound.is_none_or(|bound| it.offset <= bound))
    }

    fn held(&self) -> MutexGuard<'_, (Vec<Waypoint>, Option<Waypoint>)> {
        // Whoever panicked left whole waypoints: each is pushed in one step.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
