//! From where a transcript may be read on: places at which nothing of what stands before is held.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::item::{Item, Part};
use super::limits::FLAWS_MAX;
use super::lines::Line;
use super::transcript::Transcript;

/// A line from which a transcript may be read on, and what is known by then of what stands before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rest {
    /// Lines and bytes before it.
    pub lines: u64,
    pub offset: u64,
    /// What the dialect must know there.
    pub state: Option<String>,
    /// The session that was named last, its newest time, and the model that spoke last.
    pub session: Option<String>,
    pub last_ms: Option<u64>,
    pub model: Option<String>,
    /// Unreadable lines, and the first that is not recorded by itself.
    pub flaws: u64,
    pub beyond: u64,
}

/// The places from which what was read may be read on, the last ones dense.
#[derive(Clone, Debug, Default)]
pub struct Rests {
    kept: Vec<Rest>,
    due: u64,
    /// Where lines begin of which something may be held.
    starts: VecDeque<(u64, u64)>,
    /// Unreadable lines that are not counted yet.
    flawed: VecDeque<u64>,
    /// What is known by now.
    now: Rest,
    /// A last line that is not whole.
    unended: Option<u64>,
    is_over: bool,
}

/// Between two places that are kept.
const STEP_BYTES: u64 = 16 << 10;
/// Of what a dialect must know, more bytes than it takes are read before it is kept again.
const STATE_FACTOR: u64 = 16;
const KEPT_MAX: usize = 128;
/// A call without a result is read again with what follows it, where that is no more.
const BACK_BYTES_MAX: u64 = 4 << 20;
impl Rests {
    pub fn meet(&mut self, item: &Item) {
        if let Item::Unreadable { line, .. } = item {
            self.flawed.push_back(*line);
        }
        let Item::Record(record) = item else { return };
        let head = &record.head;
        if head.session.is_some() && head.session != self.now.session {
            (self.now.last_ms, self.now.model) = (None, None);
            self.now.session.clone_from(&head.session);
        }
        self.now.last_ms = self.now.last_ms.max(head.at_ms);
        let spoke = |part: &Part| matches!(part, Part::Said(message) if !message.is_synthetic);
        if head.actor.is_none() && head.model.is_some() && record.parts.iter().any(spoke) {
            self.now.model.clone_from(&head.model);
        }
    }

    pub fn read(&mut self, line: &Line<'_>) {
        if !line.ended {
            self.unended = Some(line.number);
        }
    }

    /// A last line is not ended yet: it is read again when it is.
    pub fn stop(&mut self, line: &Line<'_>) {
        self.unended = Some(line.number);
        self.is_over = true;
    }

    /// The first line of which anything is held, else the next one.
    fn place(&mut self, held: Option<u64>, here: (u64, u64)) -> (u64, u64) {
        let held = held.unwrap_or(u64::MAX);
        while self.starts.front().is_some_and(|(line, _)| *line < held) {
            self.starts.pop_front();
        }
        self.starts.front().map_or(here, |(line, offset)| (line - 1, *offset))
    }

    fn keep(&mut self, (lines, offset): (u64, u64), state: Option<String>) {
        let bytes = state.as_ref().map_or(0, |state| state.len() as u64 * STATE_FACTOR);
        // They are told at once, also where a message before them is held.
        while let Some(&line) = self.flawed.front().filter(|line| **line <= lines) {
            self.flawed.pop_front();
            self.now.flaws += 1;
            if self.now.flaws == FLAWS_MAX + 1 {
                self.now.beyond = line;
            }
        }
        self.due = offset + bytes.max(STEP_BYTES);
        self.kept.push(Rest { lines, offset, state, ..self.now.clone() });
        if self.kept.len() > KEPT_MAX {
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number > KEPT_MAX / 2 || number % 2 == 0
            });
        }
    }

    /// The last place before what must be read again, and before the first call without a result if that is near.
    pub(super) fn last(&self, open_line: Option<u64>) -> Option<&Rest> {
        let before = |line: Option<u64>| {
            let line = line.unwrap_or(u64::MAX);
            self.kept.iter().rev().find(|rest| rest.lines < line)
        };
        let held = before(self.unended).filter(|_| self.is_over)?;
        let open = before(self.unended.into_iter().chain(open_line).min());
        let near = open.filter(|rest| held.offset.saturating_sub(rest.offset) <= BACK_BYTES_MAX);
        Some(near.unwrap_or(held))
    }
}

impl<R> Transcript<R> {
    /// The reader is at this place.
    pub(super) fn read_on(&mut self, rest: &Rest) {
        (self.lines.offset, self.lines.number) = (rest.offset, rest.lines);
        self.from = (rest.offset, rest.lines);
        if let Some(state) = &rest.state {
            self.dialect.resume(state);
        }
        self.rests.now = rest.clone();
        self.rests.due = rest.offset;
    }

    /// A line is to be read, and nothing waits that was.
    pub(super) fn begin_line(&mut self) {
        if self.lines.offset >= self.rests.due {
            self.keep_rest();
        }
        if !self.dialect.has_state() {
            self.rests.starts.push_back((self.lines.number + 1, self.lines.offset));
        }
    }

    /// There is no further line.
    pub(super) fn end_lines(&mut self) {
        self.rests.starts.pop_back(); // the one that is not there
        self.keep_rest();
        self.rests.is_over = true;
    }

    /// A dialect with a state rests only where nothing is held.
    fn keep_rest(&mut self) {
        let (held, here) = (self.dialect.held_from(), (self.lines.number, self.lines.offset));
        if !self.dialect.has_state() {
            let place = self.rests.place(held, here);
            self.rests.keep(place, None);
        } else if held.is_none() {
            self.rests.keep(here, self.dialect.state());
        }
    }
}
