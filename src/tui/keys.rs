//! What keys do to the state, and what they then ask of the feed.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::state::{ROWS_AT_ONCE, ROWS_MAX};
use super::{Ask, Following, Screen, State, Typed, Typing};

pub fn press(state: &mut State, key: KeyEvent) -> Ask {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    if control && matches!(key.code, KeyCode::Char('c')) {
        return Ask::Leave;
    }
    if state.typing.is_some() {
        return typed(state, key.code);
    }
    if control {
        return Ask::Nothing;
    }
    state.note.clear();
    if std::mem::take(&mut state.help) {
        // Any key closes the help; `q` means what it always does.
        return if key.code == KeyCode::Char('q') { Ask::Leave } else { Ask::Nothing };
    }
    match key.code {
        KeyCode::Char('q') => return Ask::Leave,
        KeyCode::Char('?') | KeyCode::F(1) => state.help = true,
        KeyCode::Char('p') => pause(state),
        KeyCode::Char('s') => return Ask::Sessions,
        KeyCode::Down | KeyCode::Char('j') => return go(state, 1),
        KeyCode::Up | KeyCode::Char('k') => return go(state, -1),
        KeyCode::PageDown | KeyCode::Char(' ') => return go(state, page(state)),
        KeyCode::PageUp => return go(state, -page(state)),
        KeyCode::Home | KeyCode::Char('g') => return go(state, isize::MIN),
        KeyCode::End | KeyCode::Char('G') => return go(state, isize::MAX),
        KeyCode::Esc | KeyCode::Backspace | KeyCode::Left | KeyCode::Char('h') => {
            if !state.back() && key.code == KeyCode::Esc {
                return clear(state);
            }
        }
        KeyCode::Char('c') if state.screen != Screen::Sessions => {
            return chosen(state, Ask::Around);
        }
        code => return of_screen(state, code),
    }
    Ask::Nothing
}

/// Keys that one screen alone has.
fn of_screen(state: &mut State, code: KeyCode) -> Ask {
    let enter = matches!(code, KeyCode::Enter | KeyCode::Right | KeyCode::Char('l'));
    match (state.screen, code) {
        (Screen::History | Screen::Chain, _) if enter => chosen(state, Ask::Detail),
        (Screen::History, KeyCode::Char('f')) => {
            state.filter.failed = !state.filter.failed;
            filtered(state)
        }
        (Screen::History, KeyCode::Char('t')) => {
            let tool = state.history.chosen().map(|row| row.execution.tool.clone());
            let text = state.filter.tool.clone().or(tool).unwrap_or_default();
            type_into(state, Typed::Tool, text)
        }
        (Screen::Found, _) if enter => hit(state, 0),
        (Screen::Found, KeyCode::Char('n')) => go(state, 1),
        (Screen::Found, KeyCode::Char('N')) => go(state, -1),
        (Screen::Said, KeyCode::Char('n')) => hit(state, 1),
        (Screen::Said, KeyCode::Char('N' | 'b')) => hit(state, -1),
        (Screen::Detail, KeyCode::Char('n')) if state.before == Screen::Found => hit(state, 1),
        (Screen::Detail, KeyCode::Char('N' | 'b')) if state.before == Screen::Found => {
            hit(state, -1)
        }
        (Screen::History | Screen::Found, KeyCode::Char('/')) => {
            let text = state.found.words.clone();
            type_into(state, Typed::Search, text)
        }
        (Screen::History, KeyCode::Char('x')) => clear(state),
        (Screen::Sessions, _) if enter => {
            state.session = state.sessions.chosen().cloned().flatten();
            state.screen = Screen::History;
            filtered(state)
        }
        (Screen::Detail, KeyCode::Char('n')) => beside(state, 1),
        (Screen::Detail, KeyCode::Char('b')) => beside(state, -1),
        (Screen::Chain, KeyCode::Char('o')) => match &state.chain {
            Some(chain) => match chain.file.clone() {
                Some(path) => Ask::File { journal: chain.journal, path },
                None => say(state, "it has no file"),
            },
            None => Ask::Nothing,
        },
        _ => Ask::Nothing,
    }
}

fn say(state: &mut State, text: &str) -> Ask {
    text.clone_into(&mut state.note);
    Ask::Nothing
}

fn chosen(state: &mut State, ask: Ask) -> Ask {
    match state.chosen() {
        Some(_) => ask,
        None => say(state, "nothing is chosen"),
    }
}

fn page(state: &State) -> isize {
    isize::try_from(state.seen.page_lines.max(2) - 1).unwrap_or(1)
}

fn go(state: &mut State, by: isize) -> Ask {
    match state.screen {
        Screen::History => {
            let wants_older = by < 0 && state.history.at == 0 && state.more;
            state.history.step(by);
            if wants_older && state.wanted < ROWS_MAX {
                state.wanted += ROWS_AT_ONCE;
                return Ask::History;
            }
            if wants_older {
                return say(state, "older ones: narrow the filter, or annals log");
            }
        }
        Screen::Sessions => state.sessions.step(by),
        Screen::Found => state.found.hits.step(by),
        Screen::Detail | Screen::Said => {
            let now = state.scroll.min(state.seen.scroll_max);
            state.scroll = now.saturating_add_signed(by).min(state.seen.scroll_max);
        }
        Screen::Chain => {
            if let Some(chain) = &mut state.chain {
                chain.step(by);
            }
        }
    }
    Ask::Nothing
}

fn pause(state: &mut State) {
    state.following = match &state.following {
        Following::Live => Following::Paused,
        Following::Paused => Following::Live,
        standing => {
            "it does not go on: nothing to pause".clone_into(&mut state.note);
            standing.clone()
        }
    };
}

/// The execution before or after the one that is shown, in the history.
fn beside(state: &mut State, by: isize) -> Ask {
    let Some(detail) = &state.detail else { return Ask::Nothing };
    let at = state.history.items.iter().position(|row| row.is_same(&detail.row));
    let before = state.history.at;
    state.history.at = at.unwrap_or(before);
    state.history.step(by);
    if state.history.at == at.unwrap_or(before) {
        return say(state, if by > 0 { "this is the newest" } else { "this is the oldest here" });
    }
    state.before = Screen::History;
    // What is asked for is the chosen one's detail: the shown one goes.
    state.detail =
        state.history.chosen().map(|row| super::Detail { row: row.clone(), lines: Vec::new() });
    state.scroll = 0;
    Ask::Detail
}

/// The chosen one of what was found, or one so many further.
fn hit(state: &mut State, by: isize) -> Ask {
    let before = state.found.hits.at;
    state.found.hits.step(by);
    if state.found.hits.items.is_empty() {
        return say(state, "nothing is chosen");
    }
    match by != 0 && state.found.hits.at == before {
        true => say(state, if by > 0 { "this is the last" } else { "this is the best" }),
        false => Ask::Hit,
    }
}

fn filtered(state: &mut State) -> Ask {
    state.restart();
    Ask::History
}

fn clear(state: &mut State) -> Ask {
    if state.filter.is_empty() {
        return Ask::Nothing;
    }
    state.filter = super::Filter::default();
    filtered(state)
}

fn type_into(state: &mut State, what: Typed, text: String) -> Ask {
    state.typing = Some(Typing { what, text });
    Ask::Nothing
}

/// A key of a line being typed.
fn typed(state: &mut State, code: KeyCode) -> Ask {
    let Some(mut typing) = state.typing.take() else { return Ask::Nothing };
    match code {
        KeyCode::Esc => return Ask::Nothing,
        KeyCode::Enter => {
            let text = Some(typing.text.trim().to_owned()).filter(|text| !text.is_empty());
            match typing.what {
                Typed::Tool => state.filter.tool = text,
                Typed::Search => match text {
                    Some(words) => {
                        state.found.words = words;
                        return Ask::Search;
                    }
                    None => return Ask::Nothing,
                },
            }
            return filtered(state);
        }
        KeyCode::Backspace => drop(typing.text.pop()),
        KeyCode::Char(c) => typing.push(c),
        _ => {}
    }
    state.typing = Some(typing);
    Ask::Nothing
}
