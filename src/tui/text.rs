//! Texts as a screen's columns hold them: escaped, measured, cut, wrapped.
//!
//! Widths are those that the drawing library counts; what terminals disagree about (joined
//! pictures, presentation marks, piles of accents) is taken apart or left out, so that no text
//! moves what stands beside it.

use ratatui::style::Style;
use ratatui::text::Span;

use crate::output::escape;

/// Marks above and below one character that are drawn.
const MARKS_MAX: usize = 3;

/// A text of any origin as one line that a terminal obeys in nothing.
pub fn shown(text: &str) -> String {
    tame(&escape::line(text))
}

/// As [`shown`], its lines run together and cut: for a list.
pub fn brief(text: &str) -> String {
    shown(&crate::cli::rows::short(text))
}

/// Takes out what terminals draw in different widths.
fn tame(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut tamed = String::with_capacity(text.len());
    let (mut before, mut marks) = (None, 0);
    for c in text.chars() {
        let joins = matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}');
        // Between letters such a sign would make two names look alike.
        let in_picture = before.is_some_and(|it: char| !it.is_alphanumeric() && !it.is_ascii());
        match (joins, columns_of(c)) {
            (true, _) if in_picture => {}
            (true, _) => tamed.extend(c.escape_unicode()),
            (false, 0) if marks >= MARKS_MAX => {}
            (false, 0) => {
                marks += 1;
                tamed.push(c);
            }
            (false, _) => {
                (before, marks) = (Some(c), 0);
                tamed.push(c);
            }
        }
    }
    tamed
}

fn columns_of(c: char) -> usize {
    let mut bytes = [0; 4];
    Span::raw(&*c.encode_utf8(&mut bytes)).width()
}

pub fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { Span::raw(text).width() }
}

/// The text in at most so many columns, with an ellipsis where more would follow.
pub fn cut(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let mut kept = wrap(text, most.saturating_sub(1)).swap_remove(0);
    kept.push('…');
    kept
}

pub fn fit(text: &str, wide: usize) -> String {
    let mut fitted = cut(text, wide);
    fitted.extend(std::iter::repeat_n(' ', wide.saturating_sub(columns(&fitted))));
    fitted
}

/// The text in parts of at most so many columns; at least one part, each with something in it.
pub fn wrap(text: &str, wide: usize) -> Vec<String> {
    let wide = wide.max(2);
    if columns(text) <= wide {
        return vec![text.to_owned()];
    }
    let mut parts = vec![String::new()];
    let mut used = 0;
    for grapheme in Span::raw(text).styled_graphemes(Style::new()) {
        let taken = columns(grapheme.symbol);
        if used + taken > wide {
            parts.push(String::new());
            used = 0;
        }
        used += taken;
        if let Some(part) = parts.last_mut() {
            part.push_str(grapheme.symbol);
        }
    }
    parts
}

/// A sentence of ours in lines, broken between words.
pub fn sentence(text: &str, wide: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else { break };
        if !line.is_empty() && columns(line) + 1 + columns(word) > wide {
            lines.push(word.to_owned());
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines
}
