//! A line of text on the screen, its tone, and how that looks: in colours, or without any.

use ratatui::style::{Color, Modifier, Style};

use crate::event::Outcome;

/// What a text says by its looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Title,
    Dim,
    Good,
    Bad,
    Warning,
}

/// A line of text, escaped already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub tone: Tone,
    pub text: String,
}

impl Line {
    /// A line of any origin: escaped here.
    pub fn of(tone: Tone, text: &str) -> Self {
        Self { tone, text: super::text::shown(text) }
    }
}

/// How things look. Without colour (`NO_COLOR`) nothing but characters tells anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    pub colour: bool,
}

impl Theme {
    pub fn tone(self, tone: Tone) -> Style {
        let style = match tone {
            Tone::Plain => Style::new(),
            Tone::Title => Style::new().add_modifier(Modifier::BOLD),
            Tone::Dim => Style::new().add_modifier(Modifier::DIM),
            Tone::Good => Style::new().fg(Color::Green),
            Tone::Bad => Style::new().fg(Color::Red),
            Tone::Warning => Style::new().fg(Color::Yellow),
        };
        if self.colour { style } else { Style::new() }
    }

    /// The chosen line, besides its sign.
    pub fn chosen(self) -> Style {
        match self.colour {
            true => Style::new().add_modifier(Modifier::REVERSED),
            false => Style::new(),
        }
    }

    pub fn outcome(self, outcome: Option<Outcome>) -> Style {
        self.tone(match outcome {
            Some(Outcome::Ok) => Tone::Good,
            Some(Outcome::Failed) => Tone::Bad,
            Some(Outcome::Refused | Outcome::Interrupted) | None => Tone::Warning,
        })
    }
}
