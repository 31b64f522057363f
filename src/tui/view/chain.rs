//! What lies around an execution, or what was done on a file.

use super::super::text::shown;
use super::super::{Chain, ChainLine, Row, State, Tone};
use super::rows::{self, Widths};
use super::{Canvas, Seen, viewport};

pub fn draw(state: &State, canvas: &mut Canvas<'_>) -> Seen {
    let Some(chain) = &state.chain else { return Seen::default() };
    let theme = state.shown.theme;
    canvas.line(&title(chain), theme.tone(Tone::Title));
    let height = |line: &ChainLine| match line {
        ChainLine::Row(_, came) if !came.is_empty() => 2,
        _ => 1,
    };
    let heights: Vec<usize> = chain.lines.iter().map(height).collect();
    let widths = Widths::of(chain.lines.iter().filter_map(row));
    let seen = viewport::seen(&heights, chain.at, canvas.left());
    for at in seen.clone() {
        match &chain.lines[at] {
            ChainLine::Text(line) => canvas.line(&line.text, theme.tone(line.tone)),
            ChainLine::Row(row, came) => {
                let came = Some(shown(came)).filter(|came| !came.is_empty());
                rows::draw(state, row, came.as_deref(), at == chain.at, widths, canvas);
            }
        }
    }
    Seen { page_lines: seen.len(), scroll_max: 0 }
}

fn title(chain: &Chain) -> String {
    match &chain.file {
        Some(file) => format!("{}   o: all that was done on {}", shown(&chain.title), shown(file)),
        None => shown(&chain.title),
    }
}

fn row(line: &ChainLine) -> Option<&Row> {
    match line {
        ChainLine::Row(row, _) => Some(row),
        ChainLine::Text(_) => None,
    }
}
