//! The failures that a report holds.

use super::bounded_text::KeptText;
use super::limits::{CUT_BYTES, FAILURES_MAX, MESSAGE_BYTES, NAME_BYTES, STACK_BYTES, VALUE_BYTES};
use crate::event::TestFailure;

/// The failures that a report holds: as many as fit, each within its bounds; the others are counted.
#[derive(Debug, Default)]
pub struct Failures {
    kept: Vec<TestFailure>,
    left_out: u64,
}

impl Failures {
    pub fn add(&mut self, mut failure: TestFailure) {
        if self.kept.len() == FAILURES_MAX {
            self.left_out += 1;
            return;
        }
        unprefix(&mut failure);
        cut(&mut failure.test_name, NAME_BYTES);
        cut(&mut failure.error_message, MESSAGE_BYTES);
        let values = [&mut failure.expected, &mut failure.actual];
        values.into_iter().flatten().for_each(|it| cut(it, VALUE_BYTES));
        failure.stack_trace.iter_mut().for_each(|it| cut(it, STACK_BYTES));
        let places = [&mut failure.test_file];
        places.into_iter().flatten().for_each(|it| cut(it, NAME_BYTES));
        if let Some(place) = &mut failure.source_location {
            let texts = [&mut place.file, &mut place.function];
            texts.into_iter().flatten().for_each(|it| cut(it, NAME_BYTES));
        }
        self.kept.push(failure);
    }

    /// Counts so many that nothing is known of.
    pub fn leave_out(&mut self, count: u64) {
        self.left_out = self.left_out.saturating_add(count);
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.kept.len() as u64 + self.left_out
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.kept.len() == FAILURES_MAX
    }

    pub fn kept_mut(&mut self) -> &mut [TestFailure] {
        &mut self.kept
    }

    /// What is kept, and how many are not.
    pub fn finish(self) -> (Vec<TestFailure>, u64) {
        (self.kept, self.left_out)
    }
}

/// The type is told beside the message: `TypeError: x` is `x`, as the schema's example has it.
fn unprefix(failure: &mut TestFailure) {
    let message = failure.error_message.strip_prefix(failure.error_type.as_str());
    if let Some(message) = message.and_then(|it| it.strip_prefix(": ")).map(str::trim_start)
        && !message.is_empty()
    {
        failure.error_message = message.to_owned();
    }
}

fn cut(text: &mut String, bytes_max: usize) {
    // What a parser has cut already ends with its word on it.
    if text.len() > bytes_max + CUT_BYTES {
        *text = KeptText::cut(text, bytes_max);
    }
}
