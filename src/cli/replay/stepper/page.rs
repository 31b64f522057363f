//! What a screen shows: a title, a step's text, the stores, the keys.

use std::path::Path;

use super::action::KEYS;
use super::wrap::{cut, width, wrap};
use crate::cli::replay::Line;
use crate::cli::replay::end::Ended;
use crate::cli::replay::text::Told;
use crate::output::stream::{Colour, Output};

/// What a screen shows.
#[derive(Debug, Default)]
pub struct Page {
    head: Option<Line>,
    lines: Vec<Line>,
    stores: String,
}

/// Lines that are not the step's text: title, head, a blank one, two of the stores, note, keys.
const OTHER_LINES: usize = 6;

impl Page {
    pub fn step(told: Told) -> Self {
        Self { head: Some(told.head), lines: told.lines, stores: told.stores }
    }

    /// The last page: whether the journal holds, and what could not be shown.
    pub fn end(ended: &Ended, journal: &Path) -> Self {
        let line = |(colour, text)| Line { colour, margin: " ", text };
        let lines = ended.lines(journal).into_iter().map(line).collect();
        let text = " END".to_owned();
        Self {
            head: Some(Line { colour: Some(Colour::Bold), margin: "", text }),
            lines,
            stores: String::new(),
        }
    }

    /// The screen's lines, and how far it is really scrolled.
    pub fn lines(
        &self,
        title: &str,
        note: &str,
        columns: usize,
        rows: usize,
        scroll: usize,
        output: &Output,
    ) -> (Vec<String>, usize) {
        let paint = |colour: Option<Colour>, text: &str| match colour {
            Some(colour) => output.paint(colour, text),
            None => text.to_owned(),
        };
        let room = rows.saturating_sub(OTHER_LINES).max(1);
        let mut text = Vec::new();
        for line in &self.lines {
            let margin = line.margin.chars().map(width).sum::<usize>();
            for part in wrap(&line.text, columns.saturating_sub(margin)) {
                text.push(format!("{}{}", line.margin, paint(line.colour, &part)));
            }
        }
        let last = text.len().saturating_sub(room);
        let scroll = scroll.min(last);
        let mut drawn = vec![paint(Some(Colour::Dim), &cut(title, columns))];
        let head = self.head.as_ref();
        drawn.push(
            head.map_or_else(String::new, |line| paint(line.colour, &cut(&line.text, columns))),
        );
        drawn.extend(text.iter().skip(scroll).take(room).cloned());
        drawn.resize(2 + room, String::new());
        let stores = wrap(&self.stores, columns);
        let stores = stores.iter().take(2).map(|part| paint(Some(Colour::Dim), part));
        drawn.extend(stores);
        drawn.resize(rows - 2, String::new());
        let below = last - scroll;
        let more = if below > 0 { format!("↓ {below} more lines") } else { String::new() };
        let note = [note, more.as_str()].into_iter().find(|text| !text.is_empty());
        drawn.push(paint(Some(Colour::Yellow), &cut(note.unwrap_or_default(), columns)));
        // The last column of the last line would scroll some terminals.
        drawn.push(paint(Some(Colour::Dim), &cut(KEYS, columns - 1)));
        (drawn, scroll)
    }
}
