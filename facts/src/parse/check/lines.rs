//! A command's two streams, cut into lines as they come.

use std::borrow::Cow;

use memchr::{memchr, memrchr};

/// Bytes of one line that are looked at.
const LINE_BYTES: usize = 64 << 10;
/// The same where the line begins as JSON or XML does: `jest --json` prints its whole report as one.
const DOCUMENT_LINE_BYTES: usize = 4 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputStream {
    Stdout,
    Stderr,
}

/// Cuts a stream's bytes into lines, however they come: text without colours, of each line no more than
/// is looked at.
#[derive(Debug, Default)]
pub struct Lines {
    pending: Vec<u8>,
}

impl Lines {
    /// Calls `each` with every line that these bytes end.
    pub fn feed(&mut self, mut bytes: &[u8], mut each: impl FnMut(&str)) {
        while let Some(end) = memchr(b'\n', bytes) {
            if self.pending.is_empty() && end <= LINE_BYTES {
                each(&plain(&bytes[..end]));
            } else {
                self.keep(&bytes[..end]);
                each(&plain(&self.pending));
                self.pending.clear();
            }
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    /// Calls `each` with what no line's end followed.
    pub fn finish(self, mut each: impl FnMut(&str)) {
        if !self.pending.is_empty() {
            each(&plain(&self.pending));
        }
    }

    fn keep(&mut self, mut bytes: &[u8]) {
        // What a `\r` wrote over is not seen: a progress bar is as long as its last state.
        let within = bytes.len().saturating_sub(1);
        if let Some(at) = memrchr(b'\r', &bytes[..within]) {
            self.pending.clear();
            bytes = &bytes[at + 1..];
        }
        let first = self.pending.first().or_else(|| bytes.first());
        let bytes_max = if matches!(first, Some(b'{' | b'[' | b'<')) {
            DOCUMENT_LINE_BYTES
        } else {
            LINE_BYTES
        };
        let room = bytes_max.saturating_sub(self.pending.len());
        self.pending.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

/// The text without escape sequences and other control characters; of what a `\r` wrote over, the end.
pub fn plain(mut line: &[u8]) -> Cow<'_, str> {
    while let Some((b'\r', before)) = line.split_last() {
        line = before;
    }
    // All bytes are looked at, which is done sixteen at a time.
    let has_control = line.iter().fold(false, |has, it| has | (*it < b' ' && *it != b'\t'));
    let is_plain = line.first() == Some(&b'{') || !has_control;
    let line = match std::str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(line),
    };
    if is_plain {
        return line;
    }
    let mut text = String::with_capacity(line.len());
    let mut rest = line.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            '\r' => text.clear(),
            '\u{1b}' => match rest.next() {
                // A control sequence ends with a letter or one of `@[\]^_{|}~`.
                Some('[') => drop(rest.by_ref().find(|it| ('@'..='~').contains(it))),
                // An operating system command ends with a bell or `ESC \`.
                Some(']') => drop(rest.by_ref().find(|it| matches!(it, '\u{7}' | '\\'))),
                Some('(' | ')') => drop(rest.next()),
                _ => {}
            },
            '\t' => text.push(next),
            _ if next.is_control() => {}
            _ => text.push(next),
        }
    }
    Cow::Owned(text)
}
