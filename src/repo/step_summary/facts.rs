//! What is told of a step: three lists of lines, and the text they make.

use super::conclusion::conclusion;
use crate::grounding::fold::step;
use crate::grounding::fold::step::counts;
use crate::grounding::fold::{
    CheckKind, Grounding, GroundingEntry, Hex, PendingFailure, StepClaim, StepOutput, StepSoFar,
    is_answer,
};
use crate::grounding::gate::Refusal;

/// Of a line.
const LINE_CHARS_MAX: usize = 300;
/// Of a line where not all lines fit.
const SHORT_LINE_CHARS_MIN: usize = 40;
/// Of what an agent said last, as it is told.
const ANSWER_CHARS_MAX: usize = 280;
/// Failures of checks, and changed files, that are named.
const FAILING_MAX: usize = 3;
const FILES_MAX: usize = 16;

/// What is told of a step. Each line is one, without control characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub title: Option<String>,
    /// What the agent concluded, counts, failures of checks that are over.
    pub happened: Vec<String>,
    /// Files, checks that passed, what commands printed.
    pub outputs: Vec<String>,
    /// Failures of checks that are not over, refusals, a claim that a gate did not accept.
    pub follow_up: Vec<String>,
}

const HAPPENED: &str = "What happened";
const OUTPUTS: &str = "Important outputs";
const FOLLOW_UP: &str = "Follow-up";

impl Facts {
    /// Of the session's step. `answer`: what its agent said last, redacted; `claim`: what became of
    /// a claim that is not on record yet.
    pub fn of(grounding: &Grounding, answer: Option<&str>, claim: Option<&StepClaim>) -> Self {
        let step = &grounding.step;
        let claim = claim.or(step.claim.as_ref());
        Self {
            title: match &step.title {
                Some(title) => Some(titled(title, grounding)),
                // Nobody asked anew since the last one ended.
                None if step.began.is_none() => grounding.about.as_deref().map(going_on),
                None => None,
            },
            happened: happened(grounding, answer),
            outputs: outputs(step, claim),
            follow_up: follow_up(grounding, claim),
        }
    }

    /// The text, at most so many characters: whole lines, and of each part how many are left out.
    pub fn told(&self, chars_max: usize) -> String {
        let parts = [&self.happened, &self.follow_up, &self.outputs];
        let whole = self.text(parts.map(Vec::len), LINE_CHARS_MAX);
        if fits(&whole, chars_max) {
            return whole;
        }
        let line_chars = (chars_max / 6).clamp(SHORT_LINE_CHARS_MIN, LINE_CHARS_MAX);
        // A line of each in turn, what the agent concluded first; a part ends at the first line that there
        // is no room for.
        let (mut shown, mut open) = ([0; 3], [true; 3]);
        while open.contains(&true) {
            for at in 0..3 {
                open[at] &= shown[at] < parts[at].len();
                if !open[at] {
                    continue;
                }
                shown[at] += 1;
                if !fits(&self.text(shown, line_chars), chars_max) {
                    shown[at] -= 1;
                    open[at] = false;
                }
            }
        }
        let told = self.text(shown, line_chars);
        // Too little for three headings.
        let first = || self.happened.first().map(String::as_str).unwrap_or_default();
        if fits(&told, chars_max) { told } else { shortened(first(), chars_max) }
    }

    /// So many lines of what happened, what is to follow and what came out.
    fn text(&self, shown: [usize; 3], line_chars: usize) -> String {
        let [happened, follow_up, outputs] = shown;
        let mut text = String::new();
        let title = self.title.as_deref();
        for (name, title, lines, shown) in [
            (HAPPENED, title, &self.happened, happened),
            (OUTPUTS, None, &self.outputs, outputs),
            (FOLLOW_UP, None, &self.follow_up, follow_up),
        ] {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(name);
            text.push(':');
            let none = lines.is_empty().then_some("none");
            if let Some(word) = title.or(none) {
                text.push(' ');
                text.push_str(&shortened(word, line_chars));
            }
            for line in &lines[..shown] {
                text.push_str("\n- ");
                text.push_str(&shortened(line, line_chars));
            }
            let left = lines.len() - shown;
            if left > 0 {
                text.push_str(&format!("\n- (left out: {left} more)"));
            }
        }
        text
    }
}

/// What is only an answer to the turn before is called by what that was about, too.
fn titled(title: &str, grounding: &Grounding) -> String {
    let about = grounding.about.as_deref().filter(|_| is_answer(title));
    let about = about.map(|about| format!(" (after: {about})")).unwrap_or_default();
    line(&format!("{title}{about}"), LINE_CHARS_MAX)
}

fn going_on(about: &str) -> String {
    line(&format!("{about} (goes on)"), LINE_CHARS_MAX)
}

fn fits(text: &str, chars_max: usize) -> bool {
    text.chars().nth(chars_max).is_none()
}

fn happened(grounding: &Grounding, answer: Option<&str>) -> Vec<String> {
    let step = &grounding.step;
    let said = answer.map(|answer| line(&conclusion(answer, ANSWER_CHARS_MAX), ANSWER_CHARS_MAX));
    let said = said.filter(|it| !it.is_empty()).map(|it| format!("said: {it}"));
    let mut lines: Vec<String> = said.into_iter().chain([counts(step)]).collect();
    let left = grounding.left_by_step();
    let is_of_check = |it: &GroundingEntry| it.check != CheckKind::None && !it.was_stopped();
    let is_told = |entry: &GroundingEntry| {
        let says_same =
            |it: &PendingFailure| it.last.error.is_some() && it.last.error == entry.error;
        left.iter().any(|it| it.is_of(&entry.tool, entry.key) || says_same(it))
    };
    let mut failed: Vec<&GroundingEntry> =
        step.failures.iter().filter(|it| is_of_check(it) && !is_told(it)).collect();
    failed.dedup_by_key(|it| (it.key, it.error.as_deref()));
    lines.extend(failed.into_iter().take(FAILING_MAX).map(|entry| {
        let is_pending = grounding.pending.iter().any(|it| it.is_of(&entry.tool, entry.key));
        let since = match (entry.key == Hex::default(), is_pending) {
            // Of a call whose beginning was not seen nobody knows what would resolve it.
            (true, _) => "",
            (_, false) => " (resolved since)",
            (_, true) => " (a check of its kind passed since)",
        };
        // First: the end of a line may be cut.
        line(&format!("failed{since} {}", step::line(entry)), LINE_CHARS_MAX)
    }));
    lines
}

fn outputs(step: &StepSoFar, claim: Option<&StepClaim>) -> Vec<String> {
    let mut lines = Vec::new();
    if !step.changed.is_empty() {
        let named = step.changed.iter().take(FILES_MAX).map(String::as_str).collect::<Vec<_>>();
        let more = (step.changed.len() - named.len()) as u64 + step.changed_more;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let files = line(&named.join(", "), LINE_CHARS_MAX - 40);
        lines.push(format!("changed {files}{more}"));
    }
    // Checks first: they say how the work stands.
    let (checks, printed): (Vec<_>, Vec<_>) = step.outputs.iter().partition(|it| it.is_check);
    lines.extend(checks.into_iter().map(|it| output("passed", it)));
    lines.extend(printed.into_iter().map(|it| output("printed", it)));
    let accepted = claim.filter(|it| it.unverified.is_none() && !it.text.is_empty());
    lines.extend(accepted.map(|it| format!("claimed, borne out: {}", line(&it.text, 200))));
    lines
}

fn output(word: &str, output: &StepOutput) -> String {
    let said = output.said.as_deref().map(|said| format!(": {said}")).unwrap_or_default();
    let called = line(&step::line(&output.entry), LINE_CHARS_MAX / 2);
    line(&format!("{word} {called}{said}"), LINE_CHARS_MAX)
}

fn follow_up(grounding: &Grounding, claim: Option<&StepClaim>) -> Vec<String> {
    let left = grounding.left_by_step();
    let named = left.iter().take(FAILING_MAX);
    let mut lines: Vec<String> =
        named.map(|it| line(&format!("pending {}", step::follow_up(it)), LINE_CHARS_MAX)).collect();
    let more = left.len().saturating_sub(FAILING_MAX);
    if more > 0 {
        lines.push(format!("pending: {more} more"));
    }
    let step = &grounding.step;
    lines.extend(step.refusals.iter().map(|it| {
        let target = it.target.as_deref().map(|it| format!(" {it}")).unwrap_or_default();
        line(&format!("refused {}{target}: {}", it.tool, it.reason), LINE_CHARS_MAX)
    }));
    if let Some(StepClaim { text, unverified: Some(why) }) = claim {
        let text = match text.as_str() {
            "" => String::new(),
            text => format!(": {}", line(text, 100)),
        };
        let why = match why.as_str() {
            Refusal::UNVERIFIED => "no check passed after the last change and failure",
            why => why,
        };
        lines.push(line(&format!("claimed, not borne out{text} ({why})"), LINE_CHARS_MAX));
    }
    lines
}

/// A text without control characters: those that colour or move go with what they ask for, line ends
/// stay.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' => out.push('\n'),
            '\t' => out.push(' '),
            '\u{1b}' if rest.peek() == Some(&'[') => {
                rest.next();
                // Parameters, up to the letter that ends them.
                while rest.next_if(|c| matches!(c, ' '..='?')).is_some() {}
                rest.next_if(|c| matches!(c, '@'..='~'));
            }
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// A text in one line of at most so many characters; one that was cut ends in `…`.
pub fn line(text: &str, chars_max: usize) -> String {
    let plain = plain(text);
    shortened(&plain.split_whitespace().collect::<Vec<_>>().join(" "), chars_max)
}

/// A line's beginning, at most so many characters; one that was cut ends in `…`.
pub fn shortened(line: &str, chars_max: usize) -> String {
    if line.chars().nth(chars_max).is_none() {
        return line.to_owned();
    }
    let mut kept: String = line.chars().take(chars_max.saturating_sub(1)).collect();
    kept.truncate(kept.trim_end().len());
    if chars_max > 0 {
        kept.push('…');
    }
    kept
}

/// A text's first lines, whole, and how many are left out; at most so many characters.
pub fn whole_lines(text: &str, chars_max: usize) -> String {
    let text = text.trim();
    if text.chars().nth(chars_max).is_none() {
        return text.to_owned();
    }
    let count = text.lines().count();
    let (mut kept, mut chars) = (Vec::new(), 0);
    for line in text.lines() {
        chars += line.chars().count() + 1;
        let left = left_out(count - kept.len() - 1);
        if chars + left.chars().count() > chars_max {
            break;
        }
        kept.push(line);
    }
    if kept.is_empty() {
        return shortened(text.lines().next().unwrap_or_default(), chars_max);
    }
    let left = left_out(count - kept.len());
    format!("{}\n{left}", kept.join("\n"))
}

fn left_out(lines: usize) -> String {
    format!("(left out: {lines} more lines)")
}
