//! Signals that reach us while a child runs, handed on to it.

use std::io::{self, IsTerminal};
use std::thread::JoinHandle;

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::{Handle, Signals};

/// Forwards signals to one child until it is dropped. While it lives they do not end us: the
/// record of the child's end is still to be written.
pub struct Forwarding {
    signals: Handle,
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
        // A keyboard's interrupt reaches the whole foreground group, the child among it: handing
        // it on would be a second one, which many programs take for "at once".
        let keyboard = io::stdin().is_terminal();
        let thread = std::thread::spawn(move || {
            for number in signals.forever() {
                if keyboard && matches!(number, SIGINT | SIGQUIT) {
                    continue;
                }
                if let Some(signal) = Signal::from_named_raw(number) {
                    // It may have ended meanwhile: then there is nobody to tell.
                    let _ = kill_process(pid, signal);
                }
            }
        });
        Ok(Self { signals: handle, thread: Some(thread) })
    }
}

impl Drop for Forwarding {
    fn drop(&mut self) {
        self.signals.close();
        if let Some(thread) = self.thread.take() {
            // It only sends signals; had it panicked, the child ran on all the same.
            let _ = thread.join();
        }
    }
}
