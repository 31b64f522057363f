//! What the keys do.

use super::super::{Theme, Tone};
use super::Canvas;

const KEYS: &[(&str, &str)] = &[
    ("↑ ↓  j k", "one up, one down"),
    ("PgUp PgDn", "a page up, a page down (also space)"),
    ("Home End", "the oldest here, the newest (also g G)"),
    ("⏎  →  l", "the chosen one whole, or into it"),
    ("Esc ←  h", "back; Esc in the history shows all again"),
    ("s", "sessions: one of them, or all"),
    ("f", "failures only, and all again"),
    ("t", "only one tool"),
    ("/", "search everything, as annals search does; n N go on"),
    ("x", "no filter any more"),
    ("c", "what lies around the chosen one"),
    ("o", "in there: all that was done on its file"),
    ("n  b", "in a detail: the next one, the one before"),
    ("p", "pause: nothing moves; and on again"),
    ("q  Ctrl-C", "quit"),
];

pub fn draw(theme: Theme, canvas: &mut Canvas<'_>) {
    canvas.line("KEYS", theme.tone(Tone::Title));
    for (keys, what) in KEYS {
        let (bold, plain) = (theme.tone(Tone::Title), theme.tone(Tone::Plain));
        canvas.parts(&[(&format!("{keys:<11}"), bold), (what, plain)]);
    }
    for text in [
        "",
        "Time Since Query: ✓ read within the window, ✗ longer ago, – never.",
        "Looking at this records nothing: it is no read of the timeline.",
    ] {
        canvas.line(text, theme.tone(Tone::Dim));
    }
}
