//! How a file's lines end. Agents' tools show lines without the carriage return that ends them with a newline, and
//! put it back when they edit: what a call tells of them may be the file's own bytes, or not.

use std::borrow::Cow;

use super::sheet::{Base, Sheet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnds {
    Lf,
    Crlf,
    /// Some so, some so.
    Mixed,
}

impl LineEnds {
    /// `None` where nothing ends a line.
    pub fn of(text: &[u8]) -> Option<Self> {
        let mut found = None;
        for (at, _) in text.iter().enumerate().filter(|it| *it.1 == b'\n') {
            let this = if text[..at].ends_with(b"\r") { Self::Crlf } else { Self::Lf };
            if found.is_some_and(|it| it != this) {
                return Some(Self::Mixed);
            }
            found = Some(this);
        }
        found
    }
}

/// A text without the carriage returns of its lines, where each has one; and how they end.
pub fn without_returns(text: &str) -> (Cow<'_, str>, Option<LineEnds>) {
    let ends = LineEnds::of(text.as_bytes());
    let text = match ends {
        Some(LineEnds::Crlf) => text.replace("\r\n", "\n").into(),
        _ => text.into(),
    };
    (text, ends)
}

/// What is put behind the lines of a diff.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    pub was: &'static str,
    pub is: &'static str,
}

impl Ends {
    const fn of(was: &'static str, is: &'static str) -> Self {
        Self { was, is }
    }

    /// The ends of a sheet's lines, where the file's end so today; an error says why they are not known.
    pub fn resolve(sheet: &Sheet, today: Option<LineEnds>) -> Result<Self, &'static str> {
        use LineEnds::{Crlf, Lf, Mixed};
        let end = |ends| if ends == Crlf { "\r" } else { "" };
        Ok(match (sheet.was, sheet.is) {
            _ if sheet.base != Base::Known => Self::of("", end(sheet.is.unwrap_or(Lf))),
            (Some(was), is) => Self::of(end(was), end(is.unwrap_or(was))),
            (None, None) if today == Some(Mixed) => {
                return Err("Its lines end in two ways, and which in which is not on record");
            }
            (None, Some(Crlf | Mixed)) => {
                return Err("How its lines ended before it was written is not on record");
            }
            // Tools keep the file's own ends.
            (None, _) if today == Some(Crlf) => Self::of("\r", "\r"),
            (None, _) => Self::of("", ""),
        })
    }
}
