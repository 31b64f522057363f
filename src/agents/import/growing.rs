//! Records of a transcript in order, held while a message in them may go on.
//!
//! Agents write a message in several lines, one a block, and the results of its first calls may stand
//! between them. It is told once, in its first line's place.

use std::collections::VecDeque;

use super::item::{Message, Part, TranscriptRecord};
use super::limits::{GROWING_BYTES_MAX, GROWING_MAX, GROWING_RECORDS_MAX};

#[derive(Debug, Default)]
pub struct Growing {
    queue: VecDeque<(TranscriptRecord, usize)>,
    /// How many were let go before the queue's first.
    gone: u64,
    bytes: usize,
    /// The messages that may go on, the oldest first.
    open: Vec<Open>,
}

#[derive(Debug)]
struct Open {
    actor: Option<String>,
    id: String,
    place: u64,
}

impl Growing {
    /// Takes the next record, a line's of so many bytes, and lets go what is whole.
    pub fn take(
        &mut self,
        mut record: TranscriptRecord,
        bytes: usize,
        out: &mut Vec<TranscriptRecord>,
    ) {
        let actor = &record.head.actor;
        let said = record.parts.iter().position(|part| matches!(part, Part::Said(_)));
        if let Some(at) = said {
            if let Part::Said(message) = &mut record.parts[at] {
                match self.met(actor.as_deref(), message) {
                    true => drop(record.parts.remove(at)),
                    false => {
                        self.open.retain(|open| open.actor != *actor);
                        self.begin(actor.clone(), message.id.clone());
                    }
                }
            }
        } else if record.parts.iter().any(|part| matches!(part, Part::Prompt(_))) {
            self.open.retain(|open| open.actor != *actor);
        }
        self.bytes += bytes;
        self.queue.push_back((record, bytes));
        while self.bytes > GROWING_BYTES_MAX || self.queue.len() > GROWING_RECORDS_MAX {
            if self.open.is_empty() {
                break;
            }
            self.open.remove(0);
            self.let_go(out);
        }
        self.let_go(out);
    }

    /// Adds to a message that is open what a further line says of it; `false` where it is none.
    fn met(&mut self, actor: Option<&str>, more: &mut Message) -> bool {
        let is = |open: &&Open| {
            more.id.as_deref() == Some(open.id.as_str()) && open.actor.as_deref() == actor
        };
        let place = self.open.iter().find(is).map(|open| open.place - self.gone);
        let record = place.and_then(|place| self.queue.get_mut(place as usize));
        let Some((record, _)) = record else { return false };
        let first = record.parts.iter_mut().find_map(|part| match part {
            Part::Said(message) => Some(message),
            _ => None,
        });
        first.is_some_and(|first| {
            first.grow(std::mem::take(more));
            true
        })
    }

    /// One without an id is whole as it is.
    fn begin(&mut self, actor: Option<String>, id: Option<String>) {
        let Some(id) = id else { return };
        if self.open.len() >= GROWING_MAX {
            self.open.remove(0);
        }
        let place = self.gone + self.queue.len() as u64;
        self.open.push(Open { actor, id, place });
    }

    fn let_go(&mut self, out: &mut Vec<TranscriptRecord>) {
        while let Some((_, bytes)) = self.queue.front() {
            if self.open.iter().any(|open| open.place == self.gone) {
                return;
            }
            self.bytes -= bytes;
            self.gone += 1;
            out.extend(self.queue.pop_front().map(|(record, _)| record));
        }
    }

    /// No open message goes on.
    pub fn end(&mut self, out: &mut Vec<TranscriptRecord>) {
        self.open.clear();
        self.let_go(out);
    }

    /// The first line of which anything is held.
    pub fn held_from(&self) -> Option<u64> {
        self.queue.front().map(|(record, _)| record.line)
    }
}
