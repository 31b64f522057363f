//! What was asked, and what was done for it.

use super::Page;
use super::words::{clock, counted, duration, moment, number, short};
use crate::report::{Text, Turn};

const LINE_CHARS_MAX: usize = 160;
/// A longer prompt is folded.
const PROMPT_CHARS: usize = 400;
/// Of an answer, what is not folded.
const ANSWER_CHARS: usize = 280;
/// Turns whose calls are shown at once where there are no more of them.
const FEW: u64 = 1;

impl Page<'_> {
    pub(super) fn timeline(&mut self) {
        let report = self.report;
        self.section("timeline", |page| {
            page.sessions();
            if report.turns.is_empty() {
                page.html.says("p", "none", "Nothing was asked, and nothing was done.");
            }
            for turn in &report.turns.items {
                page.turn(turn);
            }
            page.more(report.turns.left_out, "turns", "annals log, annals replay");
        });
    }

    /// The sessions, where there are several.
    fn sessions(&mut self) {
        let sessions = &self.report.sessions;
        if sessions.count() < 2 {
            return;
        }
        self.html.node("details", &[("class", &"fold"), ("open", &"")], |html| {
            html.says("summary", "", counted(sessions.count(), "session"));
            html.own("<ul class=\"sessions\">");
            for it in &sessions.items {
                html.node("li", &[], |html| {
                    html.says("time", "", moment(it.first_ms));
                    let title = it.title.clone().unwrap_or_else(|| it.id.to_string());
                    html.says("span", "name", short(&title, LINE_CHARS_MAX));
                    let failed = match it.failed {
                        0 => String::new(),
                        failed => format!(", {} failed", number(failed)),
                    };
                    let agent = it.model.as_deref().unwrap_or(&it.agent);
                    let about = format!("{agent} · {}{failed}", counted(it.calls, "call"));
                    html.says("span", "about", about);
                });
            }
            html.own("</ul>");
        });
        self.more(sessions.left_out, "sessions", "annals sessions");
    }

    fn turn(&mut self, turn: &Turn) {
        let id = format!("t{}", turn.sequence);
        self.html.void("article", &[("id", &id), ("class", &"turn")]);
        self.html.own("<header>");
        self.html.says("time", "", moment(turn.began_ms));
        if self.report.sessions.count() > 1
            && let Some(name) = self.report.session_name(turn.session)
        {
            self.html.says("span", "tag", short(&name, 60));
        }
        self.html.says("span", "about", counts(turn));
        self.html.own("</header>");
        match &turn.prompt {
            Some(text) => self.prompt(text),
            None => self.html.says("p", "none", "Before anybody asked for anything"),
        }
        self.items(turn);
        if let Some(answer) = &turn.answer {
            self.answer(answer);
        }
        self.html.own("</article>\n");
    }

    fn prompt(&mut self, text: &Text) {
        if text.text.chars().count() <= PROMPT_CHARS && text.chars_left_out == 0 {
            self.html.says("h3", "prompt", text.text.trim());
            return;
        }
        self.html.says("h3", "prompt", short(&text.text, LINE_CHARS_MAX));
        self.html.node("details", &[("class", &"fold")], |html| {
            html.says("summary", "", "All of what was asked");
            prose(html, text);
        });
    }

    /// What the agent said last: its beginning, and all of it behind.
    fn answer(&mut self, text: &Text) {
        self.html.own("<div class=\"answer\"><h4 class=\"unseen\">What the agent said last</h4>");
        let beginning = short(&text.text, ANSWER_CHARS);
        match beginning.ends_with('…') || text.chars_left_out > 0 {
            false => prose(&mut self.html, text),
            true => self.html.node("details", &[("class", &"fold")], |html| {
                html.says("summary", "", beginning);
                prose(html, text);
            }),
        }
        self.html.own("</div>");
    }

    fn items(&mut self, turn: &Turn) {
        if turn.items.is_empty() {
            return;
        }
        let open = self.report.turns.count() <= FEW;
        match open {
            true => self.html.void("details", &[("class", &"calls"), ("open", &"")]),
            false => self.html.void("details", &[("class", &"calls")]),
        }
        let took = turn.ended_ms.saturating_sub(turn.began_ms);
        let what = format!(
            "What was done: {}, {} to {}, {}",
            counted(turn.items.count(), "line"),
            clock(turn.began_ms),
            clock(turn.ended_ms),
            duration(took)
        );
        self.html.says("summary", "", what);
        self.html.own("<ol class=\"items\">");
        for item in &turn.items.items {
            self.item(item);
        }
        self.html.own("</ol>");
        self.more(turn.items.left_out, "lines", "annals log, annals replay");
        self.html.own("</details>");
    }
}

fn counts(turn: &Turn) -> String {
    let mut parts = Vec::new();
    if turn.calls > 0 {
        parts.push(counted(turn.calls, "call"));
    }
    for (count, what) in [
        (turn.failed, "failed"),
        (turn.refused, "refused"),
        (turn.interrupted, "interrupted"),
        (turn.redacted, "redacted"),
    ] {
        if count > 0 {
            parts.push(format!("{} {what}", number(count)));
        }
    }
    if !turn.files.is_empty() {
        parts.push(format!("{} changed", counted(turn.files.count(), "file")));
    }
    parts.join(", ")
}

fn prose(html: &mut crate::cli::report::html::Html, text: &Text) {
    html.node("div", &[("class", &"prose")], |html| {
        html.text(text.text.trim());
        if text.chars_left_out > 0 {
            let more = format!(" … {} characters more", number(text.chars_left_out));
            html.says("span", "more", more);
        }
    });
}
