//! Recent history (spec 001), the newest at the bottom, and the failure loops below it.

use super::super::text::{brief, sentence};
use super::super::{State, Tone};
use super::rows::{self, Widths};
use super::{Canvas, Seen, split_last_lines, viewport};
use crate::grounding::timeline::FailureLoop;

/// Spec 001's words.
const LOOP: &str = "You are in a failure loop. Query memory for details before retrying.";
/// Below so many lines only the chosen failure says why.
const WHY_LINES_MIN: usize = 8;
/// Loops that are named.
const LOOPS_SHOWN: usize = 2;

pub fn draw(state: &State, canvas: &mut Canvas<'_>) -> Seen {
    let theme = state.shown.theme;
    let list = &state.history;
    canvas.line(&heading(state), theme.tone(Tone::Title));
    if list.items.is_empty() {
        for part in sentence(nothing(state), canvas.columns()) {
            canvas.line(&part, theme.tone(Tone::Plain));
        }
        return Seen::default();
    }
    let notices = notices(state, canvas.columns(), canvas.left());
    let lines = canvas.left() - notices.len();
    let is_tight = lines < WHY_LINES_MIN;
    let below = |at: usize| match is_tight && at != list.at {
        true => None,
        false => rows::why(&list.items[at]),
    };
    let heights: Vec<usize> =
        (0..list.items.len()).map(|at| 1 + usize::from(below(at).is_some())).collect();
    let widths = Widths::of(list.items.iter());
    let seen = viewport::seen(&heights, list.at, lines);
    let [_, last] = split_last_lines(canvas.rest(), notices.len());
    for at in seen.clone() {
        let row = &list.items[at];
        rows::draw(state, row, below(at).as_deref(), at == list.at, widths, canvas);
    }
    let mut end = canvas.within(last);
    for (text, tone) in &notices {
        end.line(text, theme.tone(*tone));
    }
    Seen { page_lines: seen.len(), scroll_max: 0 }
}

fn heading(state: &State) -> String {
    let (count, filter) = (state.history.items.len(), state.filter.words());
    match (count, filter.is_empty()) {
        (0, true) => "RECENT HISTORY:".to_owned(),
        (_, true) => format!("RECENT HISTORY (last {count}):"),
        (_, false) => format!("RECENT HISTORY (last {count}; {}):", brief(&filter)),
    }
}

fn nothing(state: &State) -> &'static str {
    if !state.filter.is_empty() {
        return "Nothing matches. x shows all again.";
    }
    match state.following {
        super::super::Following::Standing { .. } => "Nothing was recorded then.",
        _ => {
            "Nothing is recorded yet. What is recorded from now on appears here: annals run -- \
             COMMAND, or annals import auto for past sessions."
        }
    }
}

/// The failure loops, in lines; none where the history would have no room.
fn notices(state: &State, columns: usize, room: usize) -> Vec<(String, Tone)> {
    let mut lines = Vec::new();
    if state.loops.is_empty() {
        return lines;
    }
    if room > 10 {
        lines.push((String::new(), Tone::Plain));
    }
    for part in sentence(LOOP, columns) {
        lines.push((part, Tone::Bad));
    }
    if room > 12 {
        for one in state.loops.iter().take(LOOPS_SHOWN) {
            lines.push((told(one), Tone::Dim));
        }
    }
    lines.truncate(room.saturating_sub(2));
    lines
}

fn told(one: &FailureLoop) -> String {
    let about = one.execution.affected_path.as_deref().map(|path| format!(" {}", brief(path)));
    let about = about.unwrap_or_default();
    let numbers: Vec<String> = one.executions.iter().map(|no| format!("#{no}")).collect();
    let tool = brief(&one.execution.tool_name);
    format!("{tool}{about}: {} failures in a row ({})", one.failures, numbers.join(" "))
}
