//! What one sees first: whose work it was, how it ended, and whether the record holds.

use super::Page;
use super::words::{counted, duration, moment, number, rough, short, span};

/// What a message counts under that does not say by which model it is.
const UNNAMED: &str = "unknown";
const TITLE_CHARS_MAX: usize = 110;
const SAID_CHARS_MAX: usize = 240;

/// How something stands: its class says it in colour, its words without.
#[derive(Clone, Copy)]
enum Tone {
    Good,
    Bad,
    Plain,
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Self::Good => "tile good",
            Self::Bad => "tile bad",
            Self::Plain => "tile",
        }
    }
}

impl Page<'_> {
    pub(super) fn title(&self) -> String {
        let project = self.report.journal.project.clone();
        let session = self.report.session().and_then(|it| it.title.clone());
        short(&session.unwrap_or(project), TITLE_CHARS_MAX)
    }

    pub(super) fn head(&mut self) {
        self.warning();
        let report = self.report;
        let project = &report.journal.project;
        let kind = match report.session() {
            Some(_) => format!("Session in {project}"),
            None => format!("{project}, {}", counted(report.sessions.count(), "session")),
        };
        self.html.says("p", "kicker", kind);
        let title = self.title();
        self.html.says("h1", "", title);
        self.who();
        self.outcome();
        self.tiles();
        self.words();
    }

    /// What is wrong with the record itself, before anything else.
    fn warning(&mut self) {
        let report = self.report;
        if report.findings.is_empty() && report.integrity.holds {
            return;
        }
        self.html.node("div", &[("class", &"warning"), ("role", &"alert")], |html| {
            let what = match (report.exit_code, report.integrity.damaged) {
                (6, _) => "This journal is not the one that was seen before: what it says here may not be what happened.",
                (3, _) | (_, true) => "The journal is damaged: what is told here may lack what it held.",
                _ => "Not everything holds that verifying holds the journal to.",
            };
            html.says("strong", "", what);
            html.node("ul", &[], |html| {
                let found = report.findings.iter().chain(&report.integrity.findings.items);
                let found: std::collections::BTreeSet<_> = found.collect();
                for finding in found {
                    html.says("li", "", finding);
                }
            });
            let code = report.exit_code;
            let text = format!("A question about this journal ends with exit code {code}.");
            html.says("p", "", text);
        });
    }

    fn who(&mut self) {
        let summary = &self.report.summary;
        let mut parts = Vec::new();
        if !summary.agents.is_empty() {
            parts.push(summary.agents.join(", "));
        }
        let named = summary.models.iter().filter(|it| it.model != UNNAMED);
        let mut models: Vec<_> = named.map(|it| it.model.clone()).collect();
        if models.is_empty() {
            models.extend(self.report.session().and_then(|it| it.model.clone()));
        }
        if !models.is_empty() {
            parts.push(models.join(", "));
        }
        if let (Some(from), Some(to)) = (summary.began_ms, summary.ended_ms) {
            parts.push(format!("{} UTC", span(from, to)));
        }
        let asked = &self.report.asked;
        for (name, value) in [("from", &asked.from), ("to", &asked.to), ("as of", &asked.at)] {
            if let Some(value) = value {
                parts.push(format!("{name} {value}"));
            }
        }
        self.html.says("p", "who", parts.join(" · "));
    }

    fn outcome(&mut self) {
        let summary = &self.report.summary;
        let (pending, mended) = (summary.failures_pending, summary.failures_mended);
        let checks = match (summary.checks, summary.checks_failing) {
            (0, _) => "No check ran.".to_owned(),
            (1, 0) => "The one check that ran does not fail.".to_owned(),
            (1, _) => "The one check that ran fails.".to_owned(),
            (count, 0) => format!("None of {} fails.", counted(count, "check")),
            (count, failing) => {
                let fail = if failing == 1 { "fails" } else { "fail" };
                format!("Of {}, {} {fail}.", counted(count, "check"), number(failing))
            }
        };
        let failures = match (pending, mended) {
            (0, 0) => "Nothing failed.".to_owned(),
            (0, 1) => "One thing failed, and was mended.".to_owned(),
            (0, mended) => format!("{} things failed, and all were mended.", number(mended)),
            (pending, mended) => {
                let all = counted(pending + mended, "failure");
                format!(
                    "{all}: {} mended, {} without a later success.",
                    number(mended),
                    number(pending)
                )
            }
        };
        let class = match (summary.checks_failing, pending) {
            (0, 0) => "outcome good",
            (0, _) => "outcome warn",
            _ => "outcome bad",
        };
        self.html.says("p", class, format!("{checks} {failures}"));
    }

    fn tiles(&mut self) {
        self.html.own("<dl class=\"tiles\">");
        let summary = &self.report.summary;
        let totals = summary.totals;
        let wall = summary.ended_ms.unwrap_or(0).saturating_sub(summary.began_ms.unwrap_or(0));
        self.tile(
            Tone::Plain,
            "Worked",
            duration(totals.active_ms),
            format!("within {}", duration(wall)),
        );
        let prompts = counted(totals.prompts, "prompt");
        self.tile(Tone::Plain, "Calls", number(totals.calls), format!("for {prompts}"));
        let mut ended = vec![format!("{} ok", number(summary.ok))];
        for (count, what) in [
            (totals.refused, "refused"),
            (summary.interrupted, "interrupted"),
            (summary.redacted, "redacted"),
            (summary.open, "open"),
        ] {
            if count > 0 {
                ended.push(format!("{} {what}", number(count)));
            }
        }
        let tone = if totals.failed > 0 { Tone::Bad } else { Tone::Good };
        let tone = if summary.failures_pending == 0 { Tone::Good } else { tone };
        self.tile(tone, "Calls that failed", number(totals.failed), ended.join(", "));
        let mut lines =
            format!("+{} −{} lines", number(summary.lines_added), number(summary.lines_removed));
        if summary.files_uncounted > 0 {
            lines.push_str(&format!(", of {} not all known", number(summary.files_uncounted)));
        }
        self.tile(Tone::Plain, "Files changed", number(summary.files_changed), lines);
        let read = totals.input_tokens + totals.cache_read_tokens + totals.cache_write_tokens;
        match read + totals.output_tokens {
            0 => self.tile(Tone::Plain, "Tokens", "–".to_owned(), "not on record".to_owned()),
            _ => {
                let cost = summary.cost.as_ref().map(|it| format!("{:.2} {}", it.sum, it.currency));
                let share = totals.cache_read_tokens.saturating_mul(100) / read.max(1);
                let cached = if share > 0 { format!(", {share} % cached") } else { String::new() };
                let cost = cost.map(|cost| format!("; {cost}")).unwrap_or_default();
                let about = format!("{} read{cached}{cost}", rough(read));
                self.tile(Tone::Plain, "Tokens written", rough(totals.output_tokens), about);
            }
        }
        let integrity = &self.report.integrity;
        let holds = integrity.holds && self.report.findings.is_empty();
        let (tone, verdict) = match holds {
            true => (Tone::Good, "holds"),
            false => (Tone::Bad, "does not hold"),
        };
        let signed =
            integrity.checkpoints.iter().filter(|it| it.is_contained == Some(true)).count();
        let about = match signed as u64 + integrity.checkpoints_left_out {
            0 => format!("{}, none signed", counted(integrity.events, "record")),
            signed => format!(
                "{}, {}",
                counted(integrity.events, "record"),
                counted(signed, "checkpoint")
            ),
        };
        self.tile(tone, "Record", verdict.to_owned(), about);
        self.html.own("</dl>");
    }

    fn tile(&mut self, tone: Tone, name: &str, value: String, about: String) {
        self.html.node("div", &[("class", &tone.class())], |html| {
            html.says("dt", "", name);
            html.node("dd", &[], |html| {
                html.says("b", "", value);
                html.says("span", "", about);
            });
        });
    }

    /// What was asked first, and what was said last.
    fn words(&mut self) {
        let turns = &self.report.turns.items;
        let asked = turns.iter().find_map(|it| Some((it, it.prompt.as_ref()?)));
        let said = turns.iter().rev().find_map(|it| Some((it, it.answer.as_ref()?)));
        if self.report.session().is_none() || (asked.is_none() && said.is_none()) {
            return;
        }
        self.html.own("<div class=\"words\">");
        for (name, found) in [("Asked first", asked), ("Said last", said)] {
            let Some((turn, text)) = found else { continue };
            self.html.node("figure", &[], |html| {
                html.node("figcaption", &[], |html| {
                    html.text(format_args!("{name}, {}", moment(turn.began_ms)));
                });
                html.says("blockquote", "", short(&text.text, SAID_CHARS_MAX));
            });
        }
        self.html.own("</div>");
    }
}
