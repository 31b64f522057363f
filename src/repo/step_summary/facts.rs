//! What is told of a step: three lists of lines, and the text they make.

use crate::grounding::fold::step;
use crate::grounding::fold::step::{counted, counts};
use crate::grounding::fold::{Grounding, GroundingEntry, StepClaim, StepOutput, StepSoFar};
use crate::grounding::gate::Refusal;

/// Of a line.
const LINE_CHARS_MAX: usize = 300;
/// Of a line where not all lines fit.
const SHORT_LINE_CHARS_MIN: usize = 40;
/// Of what an agent said last, as it is told.
const ANSWER_CHARS_MAX: usize = 280;
/// Pending failures, and changed files, that are named.
const PENDING_MAX: usize = 16;
const FILES_MAX: usize = 16;

/// What is told of a step. Each line is one, without control characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub title: Option<String>,
    /// Counts, then failures.
    pub happened: Vec<String>,
    /// Files, checks that passed, what commands printed, what the agent said.
    pub outputs: Vec<String>,
    /// Pending failures, refusals, claims that nothing bears out.
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
            title: step.title.as_deref().map(|title| line(title, LINE_CHARS_MAX)),
            happened: happened(grounding, step),
            outputs: outputs(step, answer, claim),
            follow_up: follow_up(grounding, claim),
        }
    }

    /// The text, at most so many characters: whole lines, and of each part how many are left out.
    pub fn told(&self, chars_max: usize) -> String {
        let parts = [&self.follow_up, &self.happened, &self.outputs];
        let whole = self.text(parts.map(Vec::len), LINE_CHARS_MAX);
        if fits(&whole, chars_max) {
            return whole;
        }
        let line_chars = (chars_max / 6).clamp(SHORT_LINE_CHARS_MIN, LINE_CHARS_MAX);
        // A line of each in turn, what is still to be done first; a part ends at the first line that
        // there is no room for.
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
        let counts = || self.happened.first().map(String::as_str).unwrap_or_default();
        if fits(&told, chars_max) { told } else { shortened(counts(), chars_max) }
    }

    /// So many lines of what is to follow, what happened and what came out.
    fn text(&self, shown: [usize; 3], line_chars: usize) -> String {
        let [follow_up, happened, outputs] = shown;
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

fn fits(text: &str, chars_max: usize) -> bool {
    text.chars().nth(chars_max).is_none()
}

fn happened(grounding: &Grounding, step: &StepSoFar) -> Vec<String> {
    let mut lines = vec![counts(step)];
    let still = |entry: &GroundingEntry| {
        // Of a call whose beginning was not seen nobody knows what would resolve it.
        entry.key.0 == [0; 16]
            || grounding.pending.iter().any(|it| it.is_of(&entry.tool, entry.key))
    };
    lines.extend(step.failures.iter().map(|entry| {
        let since = if still(entry) { "" } else { " (resolved since)" };
        format!("failed {}{since}", line(&step::line(entry), LINE_CHARS_MAX - 24))
    }));
    let more = step.failed.saturating_sub(step.failures.len() as u64);
    if more > 0 {
        lines.push(format!("failed: {more} more"));
    }
    lines
}

fn outputs(step: &StepSoFar, answer: Option<&str>, claim: Option<&StepClaim>) -> Vec<String> {
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
    let answer = answer.map(|answer| line(answer, ANSWER_CHARS_MAX));
    lines.extend(answer.filter(|it| !it.is_empty()).map(|it| format!("said: {it}")));
    lines
}

fn output(word: &str, output: &StepOutput) -> String {
    let said = output.said.as_deref().map(|said| format!(": {said}")).unwrap_or_default();
    let called = line(&step::line(&output.entry), LINE_CHARS_MAX / 2);
    line(&format!("{word} {called}{said}"), LINE_CHARS_MAX)
}

fn follow_up(grounding: &Grounding, claim: Option<&StepClaim>) -> Vec<String> {
    let pending = &grounding.pending;
    let named = pending.iter().rev().take(PENDING_MAX);
    let mut lines: Vec<String> =
        named.map(|it| line(&format!("pending {}", step::follow_up(it)), LINE_CHARS_MAX)).collect();
    let more = pending.len().saturating_sub(PENDING_MAX);
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
    let unchecked = grounding.mutations_since_check;
    if unchecked > 0 && step.mutations > 0 {
        lines.push(format!("no check passed since {}", counted(unchecked, "change")));
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
