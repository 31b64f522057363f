//! Threads of a test that take turns: only one goes on at a time, and at every point a seed says which.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

thread_local! {
    static MINE: RefCell<Option<(Arc<Turns>, usize)>> = const { RefCell::new(None) };
}

/// Whose turn it is among some threads.
pub struct Turns(Mutex<State>);

struct State {
    random: u64,
    /// One point in so many passes the turn on.
    every: u64,
    /// Those that are to go on.
    threads: Vec<Option<Thread>>,
    /// How many have not begun.
    missing: usize,
    turn: usize,
    points: u64,
    /// Who got the turn, one after the other.
    order: Vec<u8>,
}

impl Turns {
    /// The turns of so many threads, in the order of a seed.
    pub fn of(seed: u64, threads: usize) -> Arc<Self> {
        let random = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let every = [2, 6, 20, 60, 200][(seed % 5) as usize];
        Arc::new(Self(Mutex::new(State {
            random,
            every,
            threads: vec![None; threads],
            missing: threads,
            turn: usize::MAX,
            points: 0,
            order: Vec::new(),
        })))
    }

    /// Acts as one of the threads, once all have come and it is its turn.
    pub fn take<T>(self: &Arc<Self>, me: usize, act: impl FnOnce() -> T) -> T {
        let mut state = self.state();
        state.threads[me] = Some(thread::current());
        state.missing -= 1;
        if state.missing == 0 {
            state.hand_on(None);
        }
        drop(state);
        MINE.set(Some((Arc::clone(self), me)));
        let _end = End;
        self.until(me);
        act()
    }

    /// Points that were passed, and who got the turn.
    pub fn order(&self) -> (u64, Vec<u8>) {
        let state = self.state();
        (state.points, state.order.clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn until(&self, me: usize) {
        while self.state().turn != me {
            thread::park();
        }
    }

    /// Whether the turn came back; not where there is nobody else.
    fn go_on(&self, me: usize, must: bool) -> bool {
        let mut state = self.state();
        state.points += 1;
        if !must && !state.next().is_multiple_of(state.every) {
            return true;
        }
        let came = state.hand_on(must.then_some(me));
        drop(state);
        if came {
            self.until(me);
        }
        came
    }
}

impl State {
    fn next(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random >> 11
    }

    /// Gives the turn to one of those that are to go on; `false` where there is none.
    fn hand_on(&mut self, but: Option<usize>) -> bool {
        let left = |(at, thread): (usize, &Option<Thread>)| {
            (thread.is_some() && Some(at) != but).then_some(at)
        };
        let left: Vec<usize> = self.threads.iter().enumerate().filter_map(left).collect();
        if left.is_empty() {
            return false;
        }
        self.turn = left[self.next() as usize % left.len()];
        self.order.push(self.turn as u8);
        if let Some(thread) = &self.threads[self.turn] {
            thread.unpark();
        }
        true
    }
}

/// Gives the turn on when a thread is done, however it ends.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        let Some((turns, me)) = MINE.take() else { return };
        let mut state = turns.state();
        state.threads[me] = None;
        state.hand_on(None);
    }
}

fn mine() -> Option<(Arc<Turns>, usize)> {
    MINE.with_borrow(Clone::clone)
}

/// Between two steps that others may come between.
pub fn pass() {
    if let Some((turns, me)) = mine()
        && !thread::panicking()
    {
        turns.go_on(me, false);
    }
}

/// Before trying again what somebody else holds.
pub fn wait(pause: Duration) {
    if !mine().is_some_and(|(turns, me)| turns.go_on(me, true)) {
        thread::sleep(pause);
    }
}

/// Whether this thread takes turns with others.
pub fn is_taking_turns() -> bool {
    mine().is_some()
}
