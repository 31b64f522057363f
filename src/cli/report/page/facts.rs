//! What the gate said, what was remembered, and what was taken out.

use super::Page;
use super::words::{counted, moment, number};
use crate::report::GateWord;

impl Page<'_> {
    pub(super) fn gate(&mut self) {
        let gate = &self.report.gate;
        self.section("gate", |page| {
            if gate.is_empty() {
                page.html.says("p", "none", "The gate refused nothing, and nothing was claimed.");
                return;
            }
            page.html.own("<ul class=\"facts\">");
            for fact in &gate.items {
                let class = match fact.word {
                    GateWord::Refused | GateWord::PlanRefused | GateWord::ClaimRefused => {
                        "verdict warn"
                    }
                    GateWord::Bypassed => "verdict bad",
                    GateWord::ClaimAccepted => "verdict good",
                };
                page.html.node("li", &[], |html| {
                    html.says("time", "", moment(fact.at_ms));
                    html.says("span", class, fact.word);
                    html.node("span", &[("class", &"what")], |html| {
                        html.text(&fact.about);
                        let told = [fact.rule, fact.mode].into_iter().flatten();
                        for word in told {
                            html.says("span", "tag", format!(" {}", word.replace('_', " ")));
                        }
                        if let Some(reason) = &fact.reason {
                            html.says("span", "about", format!(" {reason}"));
                        }
                    });
                });
            }
            page.html.own("</ul>");
            page.more(gate.left_out, "of them", "annals replay");
        });
    }

    pub(super) fn memory(&mut self) {
        let memory = &self.report.memory;
        self.section("memory", |page| {
            if memory.counts.is_empty() {
                page.html.says("p", "none", "Nothing was remembered, and no memory was asked.");
                return;
            }
            let counts =
                memory.counts.iter().map(|(kind, count)| format!("{kind} {}", number(*count)));
            page.html.says("p", "about", counts.collect::<Vec<_>>().join(" · "));
            page.html.own("<ul class=\"facts\">");
            for op in &memory.written.items {
                page.html.node("li", &[], |html| {
                    html.says("time", "", moment(op.at_ms));
                    html.says("span", "tag", op.kind);
                    html.node("span", &[("class", &"what")], |html| {
                        if let Some(branch) = &op.branch {
                            html.says("code", "", branch);
                            html.text(" ");
                        }
                        html.text(&op.text.text);
                        if op.text.chars_left_out > 0 {
                            html.says(
                                "span",
                                "more",
                                format!(" … {} characters more", number(op.text.chars_left_out)),
                            );
                        }
                    });
                });
            }
            page.html.own("</ul>");
            page.more(memory.written.left_out, "of them", "annals replay, annals memory log");
        });
    }

    pub(super) fn redactions(&mut self) {
        let redactions = &self.report.redactions;
        self.section("redactions", |page| {
            let html = &mut page.html;
            if redactions.taken_out.is_empty()
                && redactions.destroyed.is_empty()
                && redactions.gone == 0
            {
                html.says("p", "none", "Nothing was taken out.");
                return;
            }
            if !redactions.taken_out.is_empty() {
                html.says("h3", "", "Never recorded");
                html.says(
                    "p",
                    "about",
                    "Secrets that were found before anything was written, by rule:",
                );
                html.own("<ul class=\"chips\">");
                for it in &redactions.taken_out {
                    html.says("li", "", format!("{} × {}", number(it.count), it.rule));
                }
                html.own("</ul>");
            }
            if redactions.gone > 0 {
                let gone = counted(redactions.gone, "record");
                html.says(
                    "p",
                    "about",
                    format!(
                        "{gone} of this span have no payload any more; their places still verify."
                    ),
                );
            }
            if redactions.destroyed.is_empty() {
                return;
            }
            html.says("h3", "", "Recorded, and destroyed later");
            html.own("<ul class=\"facts\">");
            for it in &redactions.destroyed.items {
                html.node("li", &[], |html| {
                    html.says("time", "", moment(it.at_ms));
                    let more = it.records - 1;
                    let records = match more {
                        0 => format!("@{}", it.first),
                        _ => format!("@{} and {more} more", it.first),
                    };
                    html.says("span", "ref", records);
                    html.says("span", "what", format!("{} (by {})", it.reason, it.by));
                });
            }
            html.own("</ul>");
            page.more(redactions.destroyed.left_out, "of them", "annals replay");
        });
    }
}
