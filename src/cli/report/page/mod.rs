//! A report as a page: one file, nothing from elsewhere, read without its script too.

mod call;
mod charts;
mod checks;
mod facts;
mod files;
mod integrity;
mod stands;
mod timeline;
mod top;
mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::html::Html;
use crate::event::Ordered;
use crate::event::base64;
use crate::report::{Item, Report};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What a section is found by, and called.
const SECTIONS: [(&str, &str); 9] = [
    ("timeline", "Timeline"),
    ("stores", "Step by step"),
    ("checks", "Checks"),
    ("failures", "Failures"),
    ("files", "Files"),
    ("gate", "Gate and claims"),
    ("memory", "Memory"),
    ("redactions", "Redactions"),
    ("integrity", "Integrity"),
];

/// What writes a page, and what it is of.
struct Page<'r> {
    html: Html,
    report: &'r Report,
    /// Calls that stand in the timeline: only they can be gone to.
    shown: BTreeSet<u64>,
    /// Where its sessions worked, with the slash behind, the longest first.
    folders: Vec<String>,
}

/// Where a browser lets a style or a script run that has this digest, and no other.
fn digest(text: &str) -> String {
    format!("'sha256-{}'", base64(&Sha256::digest(text)))
}

pub fn page(report: &Report) -> String {
    let items = report.turns.items.iter().flat_map(|turn| &turn.items.items);
    let calls = items.filter_map(|item| match item {
        Item::Call(call) => Some(call.sequence),
        _ => None,
    });
    let cwds = report.sessions.items.iter().filter_map(|it| it.cwd.as_deref());
    let folders: BTreeSet<&str> = cwds.chain([&*report.journal.root]).collect();
    let folders = folders.into_iter().filter(|it| it.starts_with('/') && it.len() > 1);
    let mut folders: Vec<_> = folders.map(|it| format!("{}/", it.trim_end_matches('/'))).collect();
    folders.order_by_key(|it| std::cmp::Reverse(it.len()));
    let (html, shown) = (Html::default(), calls.collect());
    let mut page = Page { html, report, shown, folders };
    page.whole();
    page.html.end()
}

impl Page<'_> {
    fn whole(&mut self) {
        let policy = format!(
            "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
            digest(STYLE),
            digest(SCRIPT)
        );
        let title = format!("{} · annals report", self.title());
        self.html.own("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
        self.html.void("meta", &[("http-equiv", &"Content-Security-Policy"), ("content", &policy)]);
        self.html.own("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        self.html.own("<meta name=\"referrer\" content=\"no-referrer\">");
        self.html.own("<meta name=\"color-scheme\" content=\"light dark\">\n");
        self.html.says("title", "", title);
        self.html.own("\n<style>");
        self.html.own(STYLE);
        self.html.own(
            "</style></head>\n<body>\n<a class=\"skip\" href=\"#timeline\">To the timeline</a>\n",
        );
        self.html.own("<header>");
        self.head();
        self.html.own("</header>\n<nav aria-label=\"Sections\"><ul>");
        for (id, name) in SECTIONS {
            self.html.node("li", &[], |it| it.link(id, name));
        }
        self.html.own("</ul></nav>\n<main>\n");
        self.activity();
        self.timeline();
        self.stands();
        self.checks();
        self.failures();
        self.files();
        self.gate();
        self.memory();
        self.redactions();
        self.integrity();
        self.html.own("</main>\n<footer>");
        self.foot();
        self.html.own("</footer>\n<script>");
        self.html.own(SCRIPT);
        self.html.own("</script>\n</body></html>\n");
    }

    fn foot(&mut self) {
        let text = format!(
            "Made by annals {} from the journal alone, as it stood at event @{}. Times are UTC. Nothing in this \
             file comes from elsewhere, and it asks for nothing.",
            self.report.program,
            self.report.integrity.sequence.unwrap_or_default()
        );
        self.html.says("p", "", text);
    }

    /// A section with its heading; of those the navigation names.
    fn section(&mut self, id: &'static str, inside: impl FnOnce(&mut Self)) {
        let name = SECTIONS.iter().find(|it| it.0 == id).map_or(id, |it| it.1);
        let heading = format!("{id}-title");
        self.html.void("section", &[("id", &id), ("aria-labelledby", &heading)]);
        self.html.node("h2", &[("id", &heading)], |it| it.text(name));
        inside(self);
        self.html.own("</section>\n");
    }

    /// What is not shown, and how to see it.
    fn more(&mut self, left_out: u64, what: &str, how: &str) {
        if left_out > 0 {
            let text = format!("{} more {what}: {how}", words::number(left_out));
            self.html.says("p", "more", text);
        }
    }

    /// A text without the folders that everything lies in.
    fn near(&self, text: &str) -> String {
        self.folders.iter().fold(text.to_owned(), |text, folder| text.replace(folder, ""))
    }

    /// A call by its number, as a link where it stands in the timeline.
    fn reference(&mut self, call: &str, sequence: u64) {
        let text = format!("#{}", call);
        match self.shown.contains(&sequence) {
            true => self.html.link(format_args!("e{sequence}"), text),
            false => self.html.says("span", "ref", text),
        }
    }
}
