//! Keys as a terminal sends them, and what each asks for.

use std::io;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll, read};

use crate::output::escape;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Next,
    Back,
    First,
    /// By lines of the step's text.
    Scroll(isize),
    Failures,
    Type(Typed),
    Again,
    /// The terminal has another size.
    Redraw,
    Leave,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    Step,
    Search,
}

impl Typed {
    pub fn prompt(self) -> &'static str {
        match self {
            Self::Step => "step: ",
            Self::Search => "/",
        }
    }
}

/// The keys, as the last line tells them.
pub const KEYS: &str =
    "space next  b back  g step  / search  n again  f failures  ↑↓ scroll  q quit";

const TYPED_CHARS_MAX: usize = 200;
const PAGE_LINES: isize = 15;

/// What the next key asks for; `None` where none comes within the time, or it asks for nothing.
pub fn action(within: Duration) -> io::Result<Option<Action>> {
    if !poll(within)? {
        return Ok(None);
    }
    Ok(match read()? {
        Event::Key(key) if key.kind != KeyEventKind::Release => of(key),
        Event::Resize(..) => Some(Action::Redraw),
        _ => None,
    })
}

fn of(key: KeyEvent) -> Option<Action> {
    if is_interrupt(key) {
        return Some(Action::Leave);
    }
    Some(match key.code {
        KeyCode::Char(' ' | 'l') | KeyCode::Enter | KeyCode::Right => Action::Next,
        KeyCode::Char('b' | 'h') | KeyCode::Left | KeyCode::Backspace => Action::Back,
        KeyCode::Char('j') | KeyCode::Down => Action::Scroll(1),
        KeyCode::Char('k') | KeyCode::Up => Action::Scroll(-1),
        KeyCode::PageDown => Action::Scroll(PAGE_LINES),
        KeyCode::PageUp => Action::Scroll(-PAGE_LINES),
        KeyCode::Home => Action::First,
        KeyCode::Char('f') => Action::Failures,
        KeyCode::Char('g') => Action::Type(Typed::Step),
        KeyCode::Char('/') => Action::Type(Typed::Search),
        KeyCode::Char('n') => Action::Again,
        KeyCode::Char('q') | KeyCode::Esc => Action::Leave,
        _ => return None,
    })
}

fn is_interrupt(key: KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && matches!(key.code, KeyCode::Char('c' | 'd'))
}

/// Whether somebody presses Escape or Ctrl-C; other keys are dropped.
pub fn cancelled() -> io::Result<bool> {
    while poll(Duration::ZERO)? {
        if let Event::Key(key) = read()?
            && (key.code == KeyCode::Esc || is_interrupt(key))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A key of a line being typed: `Some(true)` where it is done, `Some(false)` where it is given up.
pub fn typed(within: Duration, text: &mut String) -> io::Result<Option<bool>> {
    if !poll(within)? {
        return Ok(None);
    }
    let Event::Key(key) = read()? else { return Ok(None) };
    if key.kind == KeyEventKind::Release {
        return Ok(None);
    }
    match key.code {
        _ if is_interrupt(key) => return Ok(Some(false)),
        KeyCode::Enter => return Ok(Some(true)),
        KeyCode::Esc => return Ok(Some(false)),
        KeyCode::Backspace => drop(text.pop()),
        KeyCode::Char(c) if !escape::is_hostile(c) && text.chars().count() < TYPED_CHARS_MAX => {
            text.push(c);
        }
        _ => {}
    }
    Ok(None)
}
