//! Older recall events as texts for the archive: each event in full, over as many records as that
//! takes.

use super::limits::{RECORD_CHARS_MIN, ROW_BYTES_MAX};
use super::texts::{beginning, fits};
use crate::memory::query::RecallEvent;

/// One record's share of the events of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub text: String,
    /// The events that begin in it.
    pub ids: Vec<u64>,
}

/// The events of one kind, in their order, as texts of at most so many characters.
pub(super) fn parts(kind: &str, what: &str, events: &[RecallEvent], chars_max: usize) -> Vec<Part> {
    let chars_max = chars_max.max(RECORD_CHARS_MIN);
    let heading = heading(kind, what, events);
    let heading = beginning(&heading, chars_max / 2, ROW_BYTES_MAX / 2);
    // Room for `(part 123 of 456)` and the line ends around it.
    let room = chars_max - heading.chars().count() - 40;
    let room_bytes = ROW_BYTES_MAX - heading.len() - 40;
    let mut bodies: Vec<Part> = vec![Part { text: String::new(), ids: Vec::new() }];
    for event in events {
        let line = line(event);
        let mut rest = line.as_str();
        let mut begun = false;
        while !rest.is_empty() || !begun {
            let Some(last) = bodies.last_mut() else { break };
            let used = last.text.chars().count();
            let left = room.saturating_sub(used);
            let left_bytes = room_bytes.saturating_sub(last.text.len());
            // An event goes on in the next record only where it would not fit into an empty one.
            let whole = fits(rest, left, left_bytes);
            if !whole && !last.text.is_empty() && (fits(rest, room, room_bytes) || left < room / 2)
            {
                end_last_line(last);
                bodies.push(Part { text: String::new(), ids: Vec::new() });
                continue;
            }
            let taken = if whole { rest } else { beginning(rest, left, left_bytes) };
            last.text.push_str(taken);
            if !begun {
                last.ids.push(event.id);
                begun = true;
            }
            rest = &rest[taken.len()..];
            if !rest.is_empty() {
                bodies.push(Part { text: String::new(), ids: Vec::new() });
            }
        }
    }
    bodies.last_mut().map(end_last_line);
    let count = bodies.len();
    for (number, part) in bodies.iter_mut().enumerate() {
        let which = match count {
            1 => String::new(),
            _ => format!(" (part {} of {count})", number + 1),
        };
        part.text = format!("{heading}{which}:\n{}", part.text);
    }
    bodies
}

/// Takes the line end of the last event away, and none of the event's own.
fn end_last_line(part: &mut Part) {
    if part.text.ends_with('\n') {
        part.text.pop();
    }
}

/// `2 earlier events [note], from 1700000062 to 1700000068`: Unix seconds.
fn heading(kind: &str, what: &str, events: &[RecallEvent]) -> String {
    let oldest = events.iter().map(|event| event.at_ms).min().unwrap_or(0) / 1_000;
    let newest = events.iter().map(|event| event.at_ms).max().unwrap_or(0) / 1_000;
    format!("{} {what} [{kind}], from {oldest} to {newest}", events.len())
}

/// An event as a line, with what its tags say besides its kind.
fn line(event: &RecallEvent) -> String {
    let tags: Vec<&str> = event
        .tags
        .iter()
        .map(String::as_str)
        .filter(|tag| *tag != "RECALL_EVENT" && !tag.starts_with("kind:"))
        .collect();
    match tags.as_slice() {
        [] => format!("- {}\n", event.text),
        tags => format!("- {} ({})\n", event.text, tags.join(", ")),
    }
}

#[cfg(test)]
mod tests;
