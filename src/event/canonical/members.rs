//! The members of one object: put in RFC 8785's order where they did not come in it.

use std::cmp::Ordering;
use std::ops::Range;

pub(super) struct Members {
    /// Where the first member begins in the output.
    first: usize,
    in_order: bool,
    list: Vec<(String, Range<usize>)>,
}

impl Members {
    pub(super) fn new(first: usize) -> Self {
        Self { first, in_order: true, list: Vec::new() }
    }

    /// `written` is `"name":value` in the output; a comma follows it.
    pub(super) fn add(&mut self, name: String, written: Range<usize>) {
        if let Some((last, _)) = self.list.last() {
            self.in_order &= by_utf16(last, &name) == Ordering::Less;
        }
        self.list.push((name, written));
    }

    /// Ends the object: sorts, drops all but the last of equal names, replaces the last comma.
    pub(super) fn close(mut self, out: &mut String) {
        if !self.in_order {
            // Stable, so that of equal names the one written last comes last.
            self.list.sort_by(|a, b| by_utf16(&a.0, &b.0));
            let mut sorted = String::with_capacity(out.len() - self.first);
            for (at, (name, written)) in self.list.iter().enumerate() {
                let repeated = self.list.get(at + 1).is_some_and(|(next, _)| next == name);
                if !repeated {
                    sorted.push_str(&out[written.clone()]);
                    sorted.push(',');
                }
            }
            out.truncate(self.first);
            out.push_str(&sorted);
        }
        out.pop();
        out.push('}');
    }
}

/// RFC 8785 orders by UTF-16 code units, which differs from UTF-8 order above U+FFFF only.
fn by_utf16(a: &str, b: &str) -> Ordering {
    match a.is_ascii() && b.is_ascii() {
        true => a.cmp(b),
        false => a.encode_utf16().cmp(b.encode_utf16()),
    }
}
