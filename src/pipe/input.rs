//! Lines of the input as they come: all that are there, up to a batch, without waiting for more.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::limits::{
    BATCH_BYTES_MAX, BATCH_REQUESTS_MAX, ID_BYTES_MAX, IDLE_S, LINE_BYTES_MAX, READ_BYTES,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Without its newline.
    Whole(Vec<u8>),
    /// It had more than [`LINE_BYTES_MAX`] bytes and was skipped; how it begins.
    TooLong(Vec<u8>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Came {
    /// Lines, one at least.
    Lines(Vec<Line>),
    /// Nothing for [`IDLE_S`].
    Nothing,
    End,
}

pub struct Input {
    from: File,
    /// Readable once a signal asked us to end.
    stop: UnixStream,
    buffer: Vec<u8>,
    /// Where the first byte lies that was not looked at for a newline.
    looked: usize,
    /// How the line begins that is being read, where it is longer than may be: its bytes are dropped.
    skips: Option<Vec<u8>>,
    /// Nothing more comes.
    ended: bool,
    /// We were asked to end: half a line is none.
    stopped: bool,
}

impl Input {
    /// Reads `from` until its end, or until `stop` has a byte.
    pub fn new(from: File, stop: UnixStream) -> Self {
        Self {
            from,
            stop,
            buffer: Vec::new(),
            looked: 0,
            skips: None,
            ended: false,
            stopped: false,
        }
    }

    /// Waits for a line – where `idle`, no longer than [`IDLE_S`] – then takes every whole line that
    /// is there.
    pub fn batch(&mut self, idle: bool) -> io::Result<Came> {
        let mut lines = Vec::new();
        let mut bytes = 0;
        loop {
            while let Some(line) = self.next_line() {
                bytes += if let Line::Whole(line) = &line { line.len() } else { 0 };
                lines.push(line);
                if lines.len() >= BATCH_REQUESTS_MAX || bytes >= BATCH_BYTES_MAX {
                    return Ok(Came::Lines(lines));
                }
            }
            if self.ended {
                lines.extend(self.rest());
                return Ok(if lines.is_empty() { Came::End } else { Came::Lines(lines) });
            }
            let wait = match (lines.is_empty(), idle) {
                (false, _) => Some(0),
                (true, true) => Some(IDLE_S),
                (true, false) => None,
            };
            if !self.wait(wait)? {
                return Ok(if lines.is_empty() { Came::Nothing } else { Came::Lines(lines) });
            }
            self.read()?;
        }
    }

    /// Whether something can be read, waited for so many seconds, or until there is.
    fn wait(&mut self, wait_s: Option<i64>) -> io::Result<bool> {
        let stop: BorrowedFd<'_> = self.stop.as_fd();
        let mut ready =
            [self.from.as_fd(), stop].map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        let timeout = wait_s.map(|tv_sec| Timespec { tv_sec, tv_nsec: 0 });
        // A signal interrupts: whether it was the one that ends us, the next look tells.
        while let Err(error) = poll(&mut ready, timeout.as_ref()) {
            if error != rustix::io::Errno::INTR {
                return Err(error.into());
            }
        }
        let [from, stop] = ready.map(|fd| !fd.revents().is_empty());
        if stop {
            // What was sent before stays answered; what comes now is not begun.
            (self.ended, self.stopped) = (true, true);
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
            if self.looked > LINE_BYTES_MAX && self.skips.is_none() {
                self.skips = Some(beginning(&self.buffer));
            }
            if self.skips.is_some() {
                (self.buffer, self.looked) = (Vec::new(), 0);
            }
            return None;
        };
        let rest = self.buffer.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.buffer, rest);
        self.looked = 0;
        line.truncate(end);
        if let Some(skipped) = self.skips.take() {
            return Some(Line::TooLong(skipped));
        }
        if line.len() > LINE_BYTES_MAX {
            return Some(Line::TooLong(beginning(&line)));
        }
        Some(Line::Whole(readable(line)))
    }

    /// What stands behind the last newline, at the end.
    fn rest(&mut self) -> Option<Line> {
        let line = std::mem::take(&mut self.buffer);
        self.looked = 0;
        if let Some(skipped) = self.skips.take() {
            return Some(Line::TooLong(skipped));
        }
        (!line.is_empty() && !self.stopped).then(|| Line::Whole(readable(line)))
    }
}

/// As much of a line as an id at its beginning takes.
fn beginning(line: &[u8]) -> Vec<u8> {
    line[..line.len().min(2 * ID_BYTES_MAX)].to_vec()
}

/// A line without what no text can hold, which agents leave where they cut what was printed.
fn readable(line: Vec<u8>) -> Vec<u8> {
    crate::agents::import::mended(&line).unwrap_or(line)
}
