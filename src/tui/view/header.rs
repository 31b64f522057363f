//! Where the session or the project stands: spec 001's panel, on every screen.

use super::super::text::brief;
use super::super::{Mark, Since, State, Tone};
use super::{Canvas, rows};
use crate::grounding::timeline::PENDING_MAX;

/// Draws it: three lines and a rule, or one line where there is little room.
pub fn draw(state: &State, is_roomy: bool, canvas: &mut Canvas<'_>) {
    let theme = state.shown.theme;
    let (plain, dim) = (theme.tone(Tone::Plain), theme.tone(Tone::Dim));
    let position = &state.timeline_position;
    let step = format!("Step {} of ???", position.current_step);
    let since = state.since();
    let mark = theme.tone(tone(since.mark));
    let last = position.last_execution.as_ref();
    if !is_roomy {
        let (no, outcome, style) = match last {
            Some(last) => (
                format!("  {} ", last.name()),
                rows::word(last.outcome, last.is_redacted()),
                theme.outcome(last.outcome),
            ),
            None => ("  nothing yet".to_owned(), "", plain),
        };
        let since = format!("  {}", told(&since));
        return canvas.parts(&[(&step, plain), (&since, mark), (&no, plain), (outcome, style)]);
    }
    let of = state.position_of.as_ref().map(|name| format!(" ({})", brief(name)));
    let of = of.unwrap_or_default();
    canvas.parts(&[
        (&format!("Timeline Position{of}: {step}"), plain),
        (&format!("   {}", counts(state)), dim),
    ]);
    match last {
        Some(last) => canvas.parts(&[
            (&format!("Last Execution: {} ({}) ", last.name(), brief(&last.tool_name)), plain),
            (rows::word(last.outcome, last.is_redacted()), theme.outcome(last.outcome)),
        ]),
        None => canvas.line("Last Execution: none yet", plain),
    }
    canvas.parts(&[("Time Since Query: ", plain), (&told(&since), mark)]);
    canvas.rule(dim);
}

fn counts(state: &State) -> String {
    let total = state.timeline_position.total_executions;
    let executions = crate::cli::counted(total, "execution");
    match state.pending {
        0 => executions,
        PENDING_MAX.. => format!("{executions}, {PENDING_MAX} or more failures pending"),
        pending => {
            let failures = crate::cli::counted(pending as u64, "failure");
            format!("{executions}, {failures} pending")
        }
    }
}

fn told(since: &Since) -> String {
    format!("{} {}", since.text, since.mark.sign())
}

fn tone(mark: Mark) -> Tone {
    match mark {
        Mark::Fresh => Tone::Good,
        Mark::Stale => Tone::Bad,
        Mark::Never => Tone::Warning,
    }
}
