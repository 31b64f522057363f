//! Lines of the input as they come: all that are there, up to a batch, without waiting for more.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::limits::{BATCH_BYTES_MAX, BATCH_REQUESTS_MAX, LINE_BYTES_MAX, READ_BYTES};

/// A line of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Without its newline.
    Whole(Vec<u8>),
    /// It had more than [`LINE_BYTES_MAX`] bytes and was skipped.
    TooLong,
}

/// The input of a pipe.
pub struct Input {
    from: File,
    /// Readable once a signal asked us to end.
    stop: UnixStream,
    buffer: Vec<u8>,
    /// Where the first byte lies that was not looked at for a newline.
    looked: usize,
    /// The line that is being read is longer than may be: its bytes are dropped.
    skips: bool,
    /// Nothing more comes.
    ended: bool,
}

impl Input {
    /// Reads `from` until its end, or until `stop` has a byte.
    pub fn new(from: File, stop: UnixStream) -> Self {
        Self { from, stop, buffer: Vec::new(), looked: 0, skips: false, ended: false }
    }

    /// Waits for a line, then takes every whole line that is there; empty at the end.
    ///
    /// # Errors
    /// Where the input cannot be read.
    pub fn batch(&mut self) -> io::Result<Vec<Line>> {
        let mut lines = Vec::new();
        let mut bytes = 0;
        loop {
            while let Some(line) = self.next_line() {
                bytes += if let Line::Whole(line) = &line { line.len() } else { 0 };
                lines.push(line);
                if lines.len() >= BATCH_REQUESTS_MAX || bytes >= BATCH_BYTES_MAX {
                    return Ok(lines);
                }
            }
            if self.ended {
                lines.extend(self.rest());
                return Ok(lines);
            }
            if !self.wait(lines.is_empty())? {
                return Ok(lines);
            }
            self.read()?;
        }
    }

    /// Whether something can be read; waits for it where that is asked for.
    fn wait(&mut self, blocking: bool) -> io::Result<bool> {
        let stop: BorrowedFd<'_> = self.stop.as_fd();
        let wanted = PollFlags::IN;
        let mut ready = [
            PollFd::from_borrowed_fd(self.from.as_fd(), wanted),
            PollFd::from_borrowed_fd(stop, wanted),
        ];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        let timeout = (!blocking).then_some(&at_once);
        match poll(&mut ready, timeout) {
            // A signal: whether it was the one that ends us, the next look tells.
            Err(rustix::io::Errno::INTR) => return Ok(true),
            found => found?,
        };
        let [from, stop] = ready.map(|fd| !fd.revents().is_empty());
        if stop {
            // What was sent before stays answered; what comes now is not begun.
            self.ended = true;
            return Ok(true);
        }
        Ok(from)
    }

    fn read(&mut self) -> io::Result<()> {
        if self.ended {
            return Ok(());
        }
        let held = self.buffer.len();
        self.buffer.resize(held + READ_BYTES, 0);
        let read = self.from.read(&mut self.buffer[held..]);
        self.buffer.truncate(held + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) => self.ended = true,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// A whole line of what was read.
    fn next_line(&mut self) -> Option<Line> {
        let found = self.buffer[self.looked..].iter().position(|byte| *byte == b'\n');
        let Some(end) = found.map(|at| self.looked + at) else {
            self.looked = self.buffer.len();
            if self.looked > LINE_BYTES_MAX {
                self.skips = true;
            }
            if self.skips {
                (self.buffer, self.looked) = (Vec::new(), 0);
            }
            return None;
        };
        let rest = self.buffer.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.buffer, rest);
        self.looked = 0;
        line.truncate(end);
        if std::mem::take(&mut self.skips) || line.len() > LINE_BYTES_MAX {
            return Some(Line::TooLong);
        }
        Some(Line::Whole(line))
    }

    /// What stands behind the last newline, at the end.
    fn rest(&mut self) -> Option<Line> {
        let line = std::mem::take(&mut self.buffer);
        self.looked = 0;
        if std::mem::take(&mut self.skips) {
            return Some(Line::TooLong);
        }
        (!line.is_empty()).then_some(Line::Whole(line))
    }
}
