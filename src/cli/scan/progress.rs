//! How much was looked over so far: a line on a terminal, nothing elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How much was looked over so far.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// On standard error, drawn only where that is a terminal.
    pub fn stderr() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        // The template is fixed text; were it wrong, the line would only look plainer.
        if let Ok(style) = ProgressStyle::with_template("scanning {bytes} {bytes_per_sec}") {
            bar.set_style(style);
        }
        Self { bar }
    }

    pub fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    /// Does something that may print, with the line out of the way.
    pub fn aside<T>(&self, what: impl FnOnce() -> T) -> T {
        self.bar.suspend(what)
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
