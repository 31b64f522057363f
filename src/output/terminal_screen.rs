//! The terminal's second screen: taken at the beginning, given back whatever happens.

use std::io::{self, Write};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::queue;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// Whether the terminal is ours just now.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal, in raw mode and on its second screen; given back when this is dropped, and before
/// a panic is told, which nobody would see otherwise.
pub struct TerminalScreen(());

impl TerminalScreen {
    pub fn enter() -> io::Result<Self> {
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        let screen = Self(());
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |told| {
            give_back();
            before(told);
        }));
        let mut out = io::stdout();
        queue!(out, EnterAlternateScreen, Hide)?;
        out.flush()?;
        Ok(screen)
    }
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Once, whoever is first.
fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    // Where the terminal has gone nobody is left to be told.
    let _ = queue!(out, Show, LeaveAlternateScreen);
    let _ = out.flush();
    let _ = disable_raw_mode();
}
