//! A line of a step: escaped, with its colour.

use crate::output::escape;
use crate::output::stream::Colour;

/// A line of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub colour: Option<Colour>,
    /// What stands before it, and before each of its parts where it is wrapped.
    pub margin: &'static str,
    /// Escaped.
    pub text: String,
}

/// Before what annals itself says of a step.
pub const SAID: &str = "       ";
/// Before what came from elsewhere: nothing that was recorded can look like a step.
pub const QUOTED: &str = "       | ";

/// How much of what was printed or given is shown.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub lines_max: usize,
    pub bytes_max: usize,
}

/// Of a whole replay, and of a step on a screen that can be scrolled.
pub const PRINTED: Bounds = Bounds { lines_max: 40, bytes_max: 8 << 10 };
pub const SCROLLED: Bounds = Bounds { lines_max: 4_000, bytes_max: 512 << 10 };
/// Prompts are shown whole.
pub const WHOLE: Bounds = Bounds { lines_max: usize::MAX, bytes_max: usize::MAX };

/// The lines of a step.
#[derive(Debug, Default)]
pub struct Lines {
    pub lines: Vec<Line>,
}

impl Lines {
    /// What annals says.
    pub fn say(&mut self, colour: Option<Colour>, text: &str) {
        let text = escape::line(text).into_owned();
        self.lines.push(Line { colour, margin: SAID, text });
    }

    /// A name and what it has, where it has something.
    pub fn field(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            self.say(None, &format!("{name} {value}"));
        }
    }

    /// A text from elsewhere, line by line, up to the bounds.
    pub fn quote(&mut self, text: &str, bounds: Bounds) {
        let shown = &text[..text.floor_char_boundary(bounds.bytes_max)];
        let mut left = text.len() - shown.len();
        for (at, line) in shown.strip_suffix('\n').unwrap_or(shown).split('\n').enumerate() {
            if at >= bounds.lines_max {
                left += shown.split('\n').skip(at).map(|line| line.len() + 1).sum::<usize>();
                break;
            }
            let line = line.strip_suffix('\r').unwrap_or(line);
            let text = escape::block(line).into_owned();
            self.lines.push(Line { colour: None, margin: QUOTED, text });
        }
        if left > 0 {
            self.say(Some(Colour::Dim), &format!("… {left} more bytes: --format jsonl has all"));
        }
    }
}
