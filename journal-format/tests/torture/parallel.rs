//! Trials spread over two threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const THREADS: usize = 2;

/// Runs `trial` on every case; returns the sum of what the trials return.
pub fn each<T: Sync>(cases: &[T], trial: impl Fn(&T) -> u64 + Sync) -> u64 {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut sum = 0;
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            sum += trial(case);
        }
        sum
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|it| it.join().unwrap_or_else(|panic| resume_unwind(panic))).sum()
    })
}

/// Whether the long form was asked for: `ANNALS_TORTURE=full`.
pub fn is_full() -> bool {
    std::env::var_os("ANNALS_TORTURE").is_some_and(|form| form == "full")
}
