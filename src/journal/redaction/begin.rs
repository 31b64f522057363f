//! The event, before anything is destroyed.

use super::{Order, RedactionError, marker};
use crate::event::{
    Body, Envelope, Event, ExecutionInterrupted, PayloadRedacted, RedactedRecord, Source,
};
use crate::journal::{Appended, Project, clock};

/// Records an order: from here on it is carried out, by whoever opens the journal if not by who gave it. On disk
/// when it returns.
///
/// Who gives it answers for the order's own texts: they stay in the journal.
///
/// # Errors
/// Where it destroys nothing, or could not be recorded.
pub fn begin(project: &Project, order: &Order) -> Result<Appended, RedactionError> {
    if order.records.is_empty() {
        return Err(RedactionError::Nothing);
    }
    project.must_contain_seen()?;
    marker::put(project, order.id)?;
    let journal = project.journal()?;
    let events = events(order, journal.id());
    let appended = journal.append(&events, clock::now_ms())?;
    journal.sync()?;
    Ok(appended)
}

/// One, or as many as the records need.
fn events(order: &Order, journal: [u8; 16]) -> Vec<Event> {
    let mut rest = (order.records.as_slice(), order.beside.as_slice(), order.links.as_slice());
    let mut events = Vec::new();
    while !(rest.0.is_empty() && rest.1.is_empty() && rest.2.is_empty()) {
        let records = take(&mut rest.0, RedactedRecord::LEN_MAX);
        let beside = take(&mut rest.1, RedactedRecord::LEN_MAX - records.len());
        let links = take(&mut rest.2, RedactedRecord::LEN_MAX);
        let body = PayloadRedacted {
            order: order.id,
            journal,
            records,
            beside,
            links,
            reason: order.reason.clone(),
            by: order.by.clone(),
            rule: order.rule.clone(),
        };
        let envelope = Envelope::new(None, Source::Annals, order.at_ms);
        events.push(Event { envelope, body: Body::PayloadRedacted(body) });
    }
    events.extend(order.ended.iter().map(|call| {
        let body = ExecutionInterrupted::redacted(call.execution, call.tool.clone(), order.id);
        let envelope = Envelope::new(call.session, Source::Annals, call.at_ms);
        Event { envelope, body: Body::ExecutionInterrupted(body) }
    }));
    events
}

fn take<T: Copy>(rest: &mut &[T], count: usize) -> Vec<T> {
    let (taken, left) = rest.split_at(count.min(rest.len()));
    *rest = left;
    taken.to_vec()
}
