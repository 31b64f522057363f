//! Results that a log tells beside their calls, held until their time has come in their session.

use crate::agents::import::item::TranscriptRecord;

/// Above this the earliest is told at once.
const HELD_MAX: usize = 256;
const BYTES_MAX: usize = 8 << 20;

#[derive(Debug, Default)]
pub struct Held {
    /// In the order in which they came.
    results: Vec<TranscriptRecord>,
    bytes: usize,
}

impl Held {
    pub fn hold(&mut self, record: TranscriptRecord, out: &mut Vec<TranscriptRecord>) {
        self.bytes += bytes(&record);
        self.results.push(record);
        while self.results.len() > HELD_MAX || self.bytes > BYTES_MAX {
            let Some(at) = self.earliest(&|_| true) else { return };
            self.put(at, out);
        }
    }

    /// Tells a record, and before it what ended before in its session.
    pub fn tell(&mut self, record: TranscriptRecord, out: &mut Vec<TranscriptRecord>) {
        // In the same millisecond a subagent is still at work for a call.
        let is_within = record.head.actor.is_some();
        let is_due = |held: &TranscriptRecord| {
            let (ended, at) = (held.head.at_ms, record.head.at_ms);
            held.head.session == record.head.session && (ended < at || ended == at && !is_within)
        };
        while let Some(at) = self.earliest(&is_due) {
            self.put(at, out);
        }
        out.push(record);
    }

    /// The log has ended.
    pub fn end(&mut self, out: &mut Vec<TranscriptRecord>) {
        while let Some(at) = self.earliest(&|_| true) {
            self.put(at, out);
        }
    }

    fn earliest(&self, is_wanted: &dyn Fn(&TranscriptRecord) -> bool) -> Option<usize> {
        let wanted = self.results.iter().enumerate().filter(|(_, it)| is_wanted(it));
        wanted.min_by_key(|(_, it)| it.head.at_ms).map(|(at, _)| at)
    }

    fn put(&mut self, at: usize, out: &mut Vec<TranscriptRecord>) {
        let record = self.results.remove(at);
        self.bytes = self.bytes.saturating_sub(bytes(&record));
        out.push(record);
    }
}

fn bytes(record: &TranscriptRecord) -> usize {
    use crate::agents::import::Part;
    let of = |part: &Part| match part {
        Part::Result(result) => result.printed_bytes(),
        _ => 0,
    };
    record.parts.iter().map(of).sum()
}
