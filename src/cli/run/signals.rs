//! Signals that reach us while a child runs, handed on to it.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::{SigId, flag, low_level};

/// Signals that ask a process to end.
const ENDING: [i32; 4] = [SIGINT, SIGQUIT, SIGTERM, SIGHUP];

/// Forwards signals to one child until it is dropped. While it lives they do not end us: the
/// record of the child's end is still to be written.
pub struct Forwarding {
    signals: Handle,
    /// One that asks a process to end has come. Set where it is caught, for its thread may be late, and
    /// by the thread, for it may come before the flags are there.
    told_to_end: Arc<AtomicBool>,
    flags: Vec<SigId>,
    thread: Option<JoinHandle<()>>,
}

impl Forwarding {
    /// Begins forwarding to that process.
    ///
    /// # Errors
    /// Where the operating system refuses the handlers; signals then do what they do by default.
    pub fn to(pid: Pid) -> io::Result<Self> {
        let mut signals = Signals::new([SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2])?;
        let handle = signals.handle();
        let told_to_end = Arc::new(AtomicBool::new(false));
        let flag = |signal| flag::register(signal, Arc::clone(&told_to_end));
        let flags = ENDING.map(flag).into_iter().flatten().collect();
        // A keyboard's interrupt reaches the whole foreground group, the child among it: handing
        // it on would be a second one, which many programs take for "at once".
        let keyboard = io::stdin().is_terminal();
        let told = Arc::clone(&told_to_end);
        let thread = std::thread::spawn(move || {
            for number in signals.forever() {
                if ENDING.contains(&number) {
                    told.store(true, Ordering::SeqCst);
                }
                if keyboard && matches!(number, SIGINT | SIGQUIT) {
                    continue;
                }
                if let Some(signal) = Signal::from_named_raw(number) {
                    // It may have ended meanwhile: then there is nobody to tell.
                    let _ = kill_process(pid, signal);
                }
            }
        });
        Ok(Self { signals: handle, told_to_end, flags, thread: Some(thread) })
    }

    /// Whether a signal that asks a process to end has come to us.
    pub fn is_told_to_end(&self) -> bool {
        self.told_to_end.load(Ordering::SeqCst)
    }
}

impl Drop for Forwarding {
    fn drop(&mut self) {
        for flag in self.flags.drain(..) {
            low_level::unregister(flag);
        }
        self.signals.close();
        if let Some(thread) = self.thread.take() {
            // It only sends signals; had it panicked, the child ran on all the same.
            let _ = thread.join();
        }
    }
}
