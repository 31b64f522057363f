//! The strings of a JSON text and where they stand, also of several texts in a row, of one that was
//! cut, and of what only looks like JSON.

use std::ops::Range;

/// How deep the names of members are remembered; deeper ones count as without a name.
const DEPTH_MAX: usize = 256;

/// A string of a JSON text.
pub(super) struct JsonString {
    /// Between its quotes, in the text as given.
    pub range: Range<usize>,
    /// Of the nearest member that holds it, through arrays: between its quotes. `None` for a name.
    pub name: Option<Range<usize>>,
}

/// Goes over a JSON text once, string by string.
pub(super) struct JsonStrings<'t> {
    text: &'t [u8],
    at: usize,
    /// For every open object or array: whether it is an object, and the member that it is in.
    open: Vec<(bool, Option<Range<usize>>)>,
    /// The member whose value comes.
    member: Option<Range<usize>>,
    /// Containers open beyond [`DEPTH_MAX`].
    beyond: usize,
}

impl<'t> JsonStrings<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0, open: Vec::new(), member: None, beyond: 0 }
    }

    fn structure(&mut self, byte: u8) {
        match byte {
            b'{' | b'[' if self.open.len() == DEPTH_MAX => self.beyond += 1,
            b'}' | b']' if self.beyond > 0 => self.beyond -= 1,
            b'{' => self.open.push((true, self.member.take())),
            b'[' => self.open.push((false, self.member.clone())),
            b'}' | b']' => {
                self.open.pop();
                self.member = None;
                self.in_array_again();
            }
            b',' if self.open.last().is_none_or(|(object, _)| *object) => self.member = None,
            b'\n' if self.open.is_empty() => self.member = None,
            _ => (),
        }
    }

    fn in_array_again(&mut self) {
        if let Some((false, member)) = self.open.last() {
            self.member = member.clone();
        }
    }

    /// The string that begins behind the quote at `self.at`.
    fn string(&mut self) -> Range<usize> {
        let start = self.at + 1;
        let mut end = start;
        while let Some(byte) = self.text.get(end) {
            match byte {
                b'"' => break,
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        let end = end.min(self.text.len());
        self.at = end + 1;
        start..end
    }

    /// Whether a colon comes next.
    fn is_name(&self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        // A pretty printer leaves no more than this before a colon.
        rest.iter().take(64).find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
    }
}

impl Iterator for JsonStrings<'_> {
    type Item = JsonString;

    fn next(&mut self) -> Option<JsonString> {
        loop {
            let byte = *self.text.get(self.at)?;
            if byte != b'"' {
                self.structure(byte);
                self.at += 1;
                continue;
            }
            let range = self.string();
            if self.is_name() {
                self.member = (self.beyond == 0).then(|| range.clone());
                return Some(JsonString { range, name: None });
            }
            return Some(JsonString { range, name: self.member.clone() });
        }
    }
}

/// What a string says whose escapes are those of JSON.
pub(super) fn unescaped(text: &[u8], range: &Range<usize>) -> View {
    let mut view = View::default();
    let mut at = range.start;
    while at < range.end {
        let rest = &text[at..range.end];
        let plain = rest.iter().position(|byte| *byte == b'\\').unwrap_or(rest.len());
        view.copy(&rest[..plain], at);
        at += plain;
        let Some(escape) = text.get(at + 1..range.end).filter(|escape| !escape.is_empty()) else {
            view.copy(&text[at..range.end], at);
            break;
        };
        let (bytes, length) = escaped(escape);
        view.decoded(&bytes, at);
        at += 1 + length;
    }
    view.end(range.end);
    view
}

/// What the escape behind a backslash says, and how long it is.
fn escaped(escape: &[u8]) -> (Vec<u8>, usize) {
    let one = |byte: u8| (vec![byte], 1);
    match escape[0] {
        b'n' => one(b'\n'),
        b't' => one(b'\t'),
        b'r' => one(b'\r'),
        b'b' => one(8),
        b'f' => one(12),
        b'u' => {
            let digits = escape.get(1..5).and_then(|digits| std::str::from_utf8(digits).ok());
            let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            match code {
                Some(code) => {
                    let char = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                    (char.to_string().into_bytes(), 5)
                }
                None => one(b'u'),
            }
        }
        other => one(other),
    }
}

// A text as it reads once something was decoded.

/// A text made from another, that knows where each of its bytes came from.
#[derive(Default)]
pub(in crate::redact) struct View {
    pub text: Vec<u8>,
    /// Where a stretch begins here and in the source, in order. Inside one both go on byte by byte,
    /// but for the last byte before the next, which may stand for several.
    starts: Vec<(usize, usize)>,
}

impl View {
    /// Adds bytes as they stand at `at` of the source.
    pub(super) fn copy(&mut self, bytes: &[u8], at: usize) {
        if bytes.is_empty() {
            return;
        }
        let goes_on = self.starts.last().is_some_and(|&(here, there)| {
            self.text.len().checked_sub(here).and_then(|length| there.checked_add(length))
                == Some(at)
        });
        if !goes_on {
            self.starts.push((self.text.len(), at));
        }
        self.text.extend_from_slice(bytes);
    }

    /// Adds what the source says in other bytes, from `at` on.
    pub(super) fn decoded(&mut self, bytes: &[u8], at: usize) {
        for byte in bytes {
            self.starts.push((self.text.len(), at));
            self.text.push(*byte);
        }
    }

    /// Ends the view: the source goes on at `at`.
    pub(super) fn end(&mut self, at: usize) {
        self.starts.push((self.text.len(), at));
    }

    /// Where a range of this text stands in the source.
    pub(super) fn in_source(&self, range: &Range<usize>) -> Range<usize> {
        self.place(range.start)..self.place(range.end)
    }

    fn place(&self, at: usize) -> usize {
        let next = self.starts.partition_point(|&(here, _)| here <= at);
        match next.checked_sub(1).and_then(|last| self.starts.get(last)) {
            Some(&(here, there)) => there + (at - here),
            None => at,
        }
    }
}
