//! A walk that can also go back: by what it remembers of the last steps, else from the beginning.

use std::collections::VecDeque;

use crate::cli::Result;
use crate::cli::journals::Named;
use crate::event::{Body, Outcome, Sequence};
use crate::execution::replay::{Contents, Step, Unshown, Walk, What, Window};
use crate::execution::tally::{Added, TallyCounts};

/// Steps remembered: where they are, what they added, the stores after them. Events are read again.
const REMEMBERED_MAX: usize = 2_048;

pub struct Track<'a> {
    named: &'a Named,
    window: Window,
    walk: Walk,
    /// The last step walked.
    head: u64,
    remembered: VecDeque<Remembered>,
    shown: Option<Step>,
    /// The numbers of steps that are failures.
    failures: Vec<u64>,
    done: bool,
}

struct Remembered {
    number: u64,
    added: Added,
    stores: TallyCounts,
    /// An event's place; anything else is kept as it is.
    what: Result<Sequence, What>,
}

impl<'a> Track<'a> {
    pub fn open(named: &'a Named, window: Window) -> Result<Self> {
        let walk = Walk::open(&named.journal, named.reading, window.clone())?;
        Ok(Self {
            named,
            window,
            walk,
            head: 0,
            remembered: VecDeque::new(),
            shown: None,
            failures: Vec::new(),
            done: false,
        })
    }

    /// The step shown.
    pub fn step(&self) -> Option<&Step> {
        self.shown.as_ref()
    }

    pub fn number(&self) -> u64 {
        self.shown.as_ref().map_or(0, |step| step.number)
    }

    pub fn contents(&self) -> &Contents {
        self.walk.contents()
    }

    pub fn window(&self) -> &Window {
        &self.window
    }

    pub fn unshown(&self) -> Unshown {
        self.walk.unshown().clone()
    }

    /// Whether the step shown is a failure, or cannot be read.
    pub fn is_failure(&self) -> bool {
        self.shown.as_ref().is_some_and(is_failure)
    }

    pub fn failure_before(&self, number: u64) -> Option<u64> {
        let before = self.failures.partition_point(|failure| *failure < number);
        before.checked_sub(1).map(|at| self.failures[at])
    }

    /// Shows the next step; `false` where there is none.
    pub fn next(&mut self) -> Result<bool> {
        let next = self.number() + 1;
        if next <= self.head && self.recall(next)? {
            return Ok(true);
        }
        if next <= self.head {
            self.go(next)?;
            return Ok(self.number() == next);
        }
        self.walk_on()
    }

    /// Shows a step by its number; the last one where there are fewer.
    pub fn go(&mut self, number: u64) -> Result<()> {
        if number <= self.head {
            if self.recall(number)? {
                return Ok(());
            }
            self.walk = Walk::open(&self.named.journal, self.named.reading, self.window.clone())?;
            (self.head, self.done, self.shown) = (0, false, None);
            self.remembered.clear();
        }
        while self.head < number {
            if !self.walk_on()? {
                let last = self.head;
                return self.recall(last).map(drop);
            }
        }
        Ok(())
    }

    fn walk_on(&mut self) -> Result<bool> {
        if self.done {
            return Ok(false);
        }
        let Some(step) = self.walk.next().transpose()? else {
            self.done = true;
            return Ok(false);
        };
        self.head = step.number;
        if is_failure(&step) && self.failures.last().is_none_or(|last| *last < step.number) {
            self.failures.push(step.number);
        }
        self.remember(&step);
        self.shown = Some(step);
        Ok(true)
    }

    fn remember(&mut self, step: &Step) {
        if self.remembered.len() == REMEMBERED_MAX {
            self.remembered.pop_front();
        }
        let what = match &step.what {
            What::Event(recorded) => Ok(recorded.sequence),
            other => Err(other.clone()),
        };
        let (number, added, stores) = (step.number, step.added.clone(), step.stores);
        self.remembered.push_back(Remembered { number, added, stores, what });
    }

    /// Shows a remembered step; `false` where it is not.
    fn recall(&mut self, number: u64) -> Result<bool> {
        let Some(first) = self.remembered.front().map(|step| step.number) else { return Ok(false) };
        let at = number.checked_sub(first).and_then(|at| usize::try_from(at).ok()); // not there
        let Some(found) = at.and_then(|at| self.remembered.get(at)) else { return Ok(false) };
        let what = match &found.what {
            Ok(sequence) => match self.walk.get(*sequence)? {
                Some(recorded) => What::Event(recorded),
                None => return Ok(false),
            },
            Err(kept) => kept.clone(),
        };
        let (added, stores) = (found.added.clone(), found.stores);
        self.shown = Some(Step { number, what, added, stores });
        Ok(true)
    }
}

fn is_failure(step: &Step) -> bool {
    match &step.what {
        What::Event(recorded) => match &recorded.event.body {
            // Refused is not failed (ruling 10).
            Body::ExecutionFinished(event) => event.closing.outcome == Outcome::Failed,
            Body::ExecutionCorrected(event) => event.closing.outcome == Outcome::Failed,
            _ => false,
        },
        What::Unknown { .. } | What::Redacted { .. } => false,
        What::Undecodable { .. } | What::Lost(_) => true,
    }
}
