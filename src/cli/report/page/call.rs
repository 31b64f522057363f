//! A call in a line, and what was said between calls.

use super::Page;
use super::words::{clock, duration, number};
use crate::report::{Call, Item, Text};

impl Page<'_> {
    pub(super) fn item(&mut self, item: &Item) {
        match item {
            Item::Call(call) => self.call(call),
            Item::Said { sequence, actor, text, .. } => {
                let who = match actor {
                    Some(actor) => format!("said by {actor}"),
                    None => "said".to_owned(),
                };
                self.aside(*sequence, "said", &who, text);
            }
            Item::Asked { sequence, actor, text } => {
                self.aside(*sequence, "said", &format!("asked of {actor}"), text);
            }
            Item::Given { sequence, given, chars } => {
                let text = format!("{given}: {} characters", number(*chars));
                let text = Text { text, chars_left_out: 0 };
                self.aside(*sequence, "given", "given to the model", &text);
            }
            Item::Noted { sequence, text } => {
                let text = Text { text: text.clone(), chars_left_out: 0 };
                self.aside(*sequence, "given", "session", &text);
            }
        }
    }

    fn aside(&mut self, sequence: u64, class: &'static str, who: &str, text: &Text) {
        let id = format!("e{sequence}");
        self.html.node("li", &[("id", &id), ("class", &class)], |html| {
            html.says("span", "tag", who);
            html.node("div", &[("class", &"prose")], |html| {
                html.text(&text.text);
                if text.chars_left_out > 0 {
                    let more = format!(" … {} characters more", number(text.chars_left_out));
                    html.says("span", "more", more);
                }
            });
        });
    }

    fn call(&mut self, call: &Call) {
        let id = format!("e{}", call.sequence);
        let target = self.near(call.target.as_deref().unwrap_or_default());
        let files = self.near(&call.files.join(", "));
        let class = match call.outcome {
            "ok" => "call ok",
            "failed" => "call failed",
            _ => "call other",
        };
        self.html.node("li", &[("id", &id), ("class", &class)], |html| {
            html.says("time", "", clock(call.at_ms));
            let (mark, word) = mark(call);
            html.node("span", &[("class", &"mark"), ("title", &word)], |html| {
                html.node("span", &[("aria-hidden", &"true")], |it| it.text(mark));
                html.says("span", "unseen", &word);
            });
            html.node("span", &[("class", &"what")], |html| {
                html.says("span", "tool", &call.tool);
                html.own(" ");
                html.says("code", "", &target);
                if let Some(actor) = &call.actor {
                    html.says("span", "tag", format!(" by {actor}"));
                }
            });
            let took = call.duration_ms.map(duration).unwrap_or_default();
            let took = if call.is_bound { format!("≤ {took}") } else { took };
            html.says("span", "took", took);
            html.says("span", "ref", format!("#{}", call.call));
            if let Some(why) = &call.why {
                let code = call.exit_code.filter(|code| *code != 0);
                let code = code.map(|code| format!("exit {code}: ")).unwrap_or_default();
                html.says("span", "why", format!("{code}{why}"));
            }
            // An edit's target is what it changed.
            if !files.is_empty() && files != target {
                html.says("span", "changed", format!("changed {files}"));
            }
        });
    }
}

/// How it ended, as a sign and in words.
fn mark(call: &Call) -> (&'static str, String) {
    let word = match call.behind_a_pipe {
        true => "failed, behind a pipe".to_owned(),
        false => call.outcome.to_owned(),
    };
    let mark = match call.outcome {
        "ok" => "✓",
        "failed" => "✗",
        "refused" => "⊘",
        "open" => "…",
        _ => "‖",
    };
    (mark, word)
}
