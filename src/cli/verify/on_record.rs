//! What a journal tells of itself: what was redacted in it, and what it lost.

use crate::event::wire::utc_text;
use crate::event::{Body, RecordedLoss, Sequence};
use crate::journal::redaction::Ordered;
use crate::journal::{Audit, JournalReader, ReplayItem};
use crate::output::wire;

pub fn redaction(order: &Ordered) -> wire::Redaction {
    wire::Redaction {
        sequence: order.at.0,
        order: order.order.to_string(),
        at: utc_text(order.at_ms),
        by: order.by.clone(),
        reason: order.reason.clone(),
        rule: order.rule.clone(),
        records: order.records,
        withheld: true,
    }
}

/// Which orders this user keeps from being undone.
pub fn withheld(verified: &mut wire::Verified, audit: &Audit) {
    let orders: Vec<_> = audit.orders.orders.iter().map(|it| it.order).collect();
    // What cannot be read keeps nothing out.
    let left = crate::journal::withheld::unkept(&orders).unwrap_or(orders);
    for (told, order) in verified.redactions.iter_mut().zip(&audit.orders.orders) {
        told.withheld = !left.contains(&order.order);
    }
}

/// So many events behind a loss are looked at for one that says that what is lost had been seen.
const SEEN_WITHIN: usize = 8;

/// Which losses were contradictions once, and are none any more.
pub fn accepted(verified: &mut wire::Verified, reader: &JournalReader) {
    for loss in &mut verified.recorded {
        let (Some(first), Some(last)) = (loss.first_sequence, loss.last_sequence) else { continue };
        let mut behind = reader.replay(Sequence(loss.sequence + 1), None).take(SEEN_WITHIN);
        loss.accepted = behind.any(|item| match item {
            Ok(ReplayItem::Event(it)) => match it.event.body {
                Body::HistoryContradicted(b) => (first..=last).contains(&b.seen_sequence),
                _ => false,
            },
            _ => false,
        });
    }
}

pub fn recorded(loss: &RecordedLoss) -> wire::RecordedLoss {
    wire::RecordedLoss {
        sequence: loss.at.0,
        verdict: loss.verdict.clone(),
        segment: loss.segment,
        offset: loss.offset,
        bytes: loss.bytes,
        first_sequence: loss.lost.map(|(first, _)| first.0),
        last_sequence: loss.lost.map(|(_, last)| last.0),
        accepted: false,
        message: loss.to_string(),
    }
}
