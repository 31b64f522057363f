//! Finds a regular expression and counts what that costs: all threads of its automaton go over the text
//! side by side, so that a step is a state at a byte, and nothing is remembered but where they stand.

use std::ops::Range;

use regex_automata::PatternID;
use regex_automata::nfa::thompson::{BuildError, Compiler, Config, NFA, State};
use regex_automata::util::{primitives::StateID, syntax};

use super::{Allowance, Spent};

/// Bytes at which nothing can begin cost so little of a step.
const SKIPPED_PER_STEP: usize = 16;

/// A regular expression, ready to be looked for.
#[derive(Clone, Debug)]
pub(super) struct Search {
    nfa: NFA,
    /// The group that narrows what is taken out: its first slot.
    secret: Option<usize>,
    /// The bytes that a match can begin with.
    begins: Box<[bool; 256]>,
}

/// What was found, and what of it is to be taken out.
pub(super) struct Found {
    pub whole: Range<usize>,
    pub secret: Range<usize>,
}

/// A state that waits for the next byte, and the way that led there.
#[derive(Clone, Copy)]
struct Thread {
    state: StateID,
    start: usize,
    secret: [Option<usize>; 2],
}

/// The threads at one place, those that are preferred first.
#[derive(Default)]
struct Threads {
    list: Vec<Thread>,
    stack: Vec<Thread>,
    /// For each state, the last list that it was put into.
    seen: Vec<u64>,
    number: u64,
}

impl Search {
    /// Made into no more than `bytes_max`.
    pub(super) fn new(written: &str, bytes_max: usize) -> Result<Self, Box<BuildError>> {
        let nfa = Compiler::new()
            .syntax(syntax::Config::new().utf8(false))
            .configure(Config::new().utf8(false).nfa_size_limit(Some(bytes_max)))
            .build(written)?;
        let secret = nfa.group_info().to_index(PatternID::ZERO, "secret").map(|group| 2 * group);
        let begins = Box::new(begins(&nfa));
        Ok(Self { nfa, secret, begins })
    }

    pub(super) fn matches_the_empty_text(&self) -> bool {
        let mut threads = Threads::new(&self.nfa);
        let start = Thread::at(self.nfa.start_anchored(), 0);
        threads.begin();
        let followed = self.follow(start, b"", 0, &mut threads, &mut Allowance::new());
        let ends = |it: &Thread| matches!(self.nfa.state(it.state), State::Match { .. });
        followed.is_err() || threads.list.iter().any(ends)
    }

    /// Shows every match, in order and apart from each other.
    pub(super) fn each(
        &self,
        text: &[u8],
        allowance: &mut Allowance,
        mut seen: impl FnMut(Found, &mut Allowance) -> Result<(), Spent>,
    ) -> Result<(), Spent> {
        let Some(mut at) = self.beginning(text, 0, allowance)? else { return Ok(()) };
        allowance.step(self.nfa.states().len() / SKIPPED_PER_STEP)?;
        let mut threads = Threads::new(&self.nfa);
        while let Some(found) = self.next(text, at, &mut threads, allowance)? {
            at = found.whole.end.max(found.whole.start + 1);
            seen(found, allowance)?;
        }
        Ok(())
    }

    /// The next place where a match can begin.
    fn beginning(
        &self,
        text: &[u8],
        at: usize,
        allowance: &mut Allowance,
    ) -> Result<Option<usize>, Spent> {
        let rest = text.get(at..).unwrap_or_default();
        let skipped = rest.iter().position(|byte| self.begins[usize::from(*byte)]);
        allowance.step(skipped.unwrap_or(rest.len()) / SKIPPED_PER_STEP)?;
        Ok(skipped.map(|skipped| at + skipped))
    }

    /// The leftmost match from `at` on, and of those that begin there the one that is preferred.
    fn next(
        &self,
        text: &[u8],
        mut at: usize,
        threads: &mut Threads,
        allowance: &mut Allowance,
    ) -> Result<Option<Found>, Spent> {
        let mut found = None;
        let mut current = Vec::new();
        threads.begin();
        loop {
            if current.is_empty() {
                if found.is_some() {
                    return Ok(found);
                }
                let Some(begin) = self.beginning(text, at, allowance)? else { return Ok(None) };
                at = begin;
                threads.begin();
            }
            if found.is_none() {
                threads.list.append(&mut current);
                let start = Thread::at(self.nfa.start_anchored(), at);
                self.follow(start, text, at, threads, allowance)?;
                std::mem::swap(&mut threads.list, &mut current);
            }
            threads.begin();
            for thread in &current {
                allowance.step(1)?;
                let next = match self.nfa.state(thread.state) {
                    State::ByteRange { trans } if trans.matches(text, at) => Some(trans.next),
                    State::Sparse(sparse) => sparse.matches(text, at),
                    State::Dense(dense) => dense.matches(text, at),
                    State::Match { .. } => {
                        found = Some(thread.found(at));
                        break;
                    }
                    _ => None,
                };
                if let Some(state) = next {
                    self.follow(Thread { state, ..*thread }, text, at + 1, threads, allowance)?;
                }
            }
            std::mem::swap(&mut threads.list, &mut current);
            threads.list.clear();
            if at >= text.len() {
                return Ok(found);
            }
            at += 1;
        }
    }

    /// Adds the threads that a thread becomes without another byte.
    fn follow(
        &self,
        from: Thread,
        text: &[u8],
        at: usize,
        threads: &mut Threads,
        allowance: &mut Allowance,
    ) -> Result<(), Spent> {
        threads.stack.clear();
        threads.stack.push(from);
        while let Some(mut thread) = threads.stack.pop() {
            allowance.step(1)?;
            let seen = &mut threads.seen[thread.state.as_usize()];
            if std::mem::replace(seen, threads.number) == threads.number {
                continue;
            }
            let mut go = |thread: Thread, state| threads.stack.push(Thread { state, ..thread });
            match self.nfa.state(thread.state) {
                State::Look { look, next } => {
                    if self.nfa.look_matcher().matches(*look, text, at) {
                        go(thread, *next);
                    }
                }
                State::Union { alternates } => {
                    alternates.iter().rev().for_each(|next| go(thread, *next));
                }
                State::BinaryUnion { alt1, alt2 } => {
                    go(thread, *alt2);
                    go(thread, *alt1);
                }
                State::Capture { next, slot, .. } => {
                    let slot = self.secret.and_then(|first| slot.as_usize().checked_sub(first));
                    if let Some(bound) = slot.and_then(|slot| thread.secret.get_mut(slot)) {
                        *bound = Some(at);
                    }
                    go(thread, *next);
                }
                State::Fail => (),
                _ => threads.list.push(thread),
            }
        }
        Ok(())
    }
}

impl Thread {
    fn at(state: StateID, start: usize) -> Self {
        Self { state, start, secret: [None; 2] }
    }

    fn found(&self, end: usize) -> Found {
        let whole = self.start..end;
        let secret = match self.secret {
            [Some(start), Some(end)] => start..end,
            _ => whole.clone(),
        };
        Found { whole, secret }
    }
}

impl Threads {
    fn new(nfa: &NFA) -> Self {
        Self { seen: vec![0; nfa.states().len()], ..Self::default() }
    }

    /// Begins another list.
    fn begin(&mut self) {
        self.number += 1;
    }
}

/// The bytes that a match can begin with; whatever stands around them.
fn begins(nfa: &NFA) -> [bool; 256] {
    let mut begins = [false; 256];
    let mut seen = vec![false; nfa.states().len()];
    let mut stack = vec![nfa.start_anchored()];
    while let Some(state) = stack.pop() {
        if std::mem::replace(&mut seen[state.as_usize()], true) {
            continue;
        }
        let mut takes = |start: u8, end: u8| {
            begins[usize::from(start)..=usize::from(end)].fill(true);
        };
        match nfa.state(state) {
            State::ByteRange { trans } => takes(trans.start, trans.end),
            State::Sparse(it) => it.transitions.iter().for_each(|it| takes(it.start, it.end)),
            State::Dense(it) => (0..=u8::MAX)
                .filter(|byte| it.matches_byte(*byte).is_some())
                .for_each(|byte| takes(byte, byte)),
            State::Look { next, .. } | State::Capture { next, .. } => stack.push(*next),
            State::Union { alternates } => stack.extend_from_slice(alternates),
            State::BinaryUnion { alt1, alt2 } => stack.extend([*alt1, *alt2]),
            State::Fail | State::Match { .. } => (),
        }
    }
    begins
}
