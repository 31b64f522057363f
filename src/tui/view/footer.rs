//! The last line: what is being typed, what the last key did not find, or the keys.

use super::super::text::{columns, shown};
use super::super::{State, Tone};
use super::Canvas;

/// Keys that are told whatever the width.
const ALWAYS: usize = 2;

pub fn draw(state: &State, canvas: &mut Canvas<'_>) {
    let theme = state.shown.theme;
    if let Some(typing) = &state.typing {
        let text = format!("{}{}▏", typing.prompt(), shown(&typing.text));
        return canvas.line(&text, theme.tone(Tone::Title));
    }
    if !state.note.is_empty() {
        return canvas.line(&shown(&state.note), theme.tone(Tone::Warning));
    }
    let keys = match state.help {
        true => &["any key goes back", "q quit"][..],
        false => state.screen.keys(),
    };
    canvas.line(&fitting(keys, canvas.columns()), theme.tone(Tone::Dim));
}

/// As many keys as there is room for, the last ones always.
fn fitting(keys: &[&str], wide: usize) -> String {
    let (most, always) = keys.split_at(keys.len().saturating_sub(ALWAYS));
    let always = always.join("  ");
    let mut line = String::new();
    for key in most {
        if columns(&line) + columns(key) + 2 + columns(&always) > wide {
            break;
        }
        line.push_str(key);
        line.push_str("  ");
    }
    line + &always
}
