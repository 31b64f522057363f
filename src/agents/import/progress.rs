//! How far an import is: a bar on a terminal, nothing elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Hears how far an import is.
pub trait Progress {
    /// Reading begins: these many bytes in all.
    fn begin(&mut self, bytes: u64);
    /// These many bytes more were read.
    fn advance(&mut self, bytes: u64);
    /// Reading has ended.
    fn end(&mut self);
}

/// Shows nothing.
#[derive(Debug, Default)]
pub struct Quiet;

impl Progress for Quiet {
    fn begin(&mut self, _: u64) {}
    fn advance(&mut self, _: u64) {}
    fn end(&mut self) {}
}

/// A bar on standard error, drawn only where that is a terminal.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    pub fn stderr() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template(
            "importing {bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
        );
        // The template is fixed text; were it wrong, the bar would only look plainer.
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Self { bar }
    }
}

impl Progress for Bar {
    fn begin(&mut self, bytes: u64) {
        self.bar.set_length(bytes);
    }

    fn advance(&mut self, bytes: u64) {
        self.bar.inc(bytes);
    }

    fn end(&mut self) {
        self.bar.finish_and_clear();
    }
}
