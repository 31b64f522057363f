//! What was changed in files.

use super::Page;
use super::words::number;
use crate::cli::report::html::Html;
use crate::execution::query::diff::{FileDiff, StrayCommand};

impl Page<'_> {
    pub(super) fn files(&mut self) {
        let diff = &self.report.diff;
        self.section("files", |page| {
            if diff.files.is_empty() {
                page.html.says("p", "none", "No file was changed, as far as is recorded.");
            }
            for file in &diff.files {
                of_file(&mut page.html, file);
            }
            page.more(diff.left_out as u64, "files", "annals diff --stat");
            page.strays();
        });
    }

    /// Commands of which nobody knows what they changed.
    fn strays(&mut self) {
        let strays = &self.report.diff.strays;
        if strays.commands.is_empty() {
            return;
        }
        self.html
            .own("<div class=\"strays\"><h3>May also have changed files, and name none</h3><ul>");
        for StrayCommand { call, command, times } in &strays.commands {
            self.html.node("li", &[], |html| {
                html.says("span", "ref", format!("#{call} "));
                html.says("code", "", command);
                if *times > 1 {
                    html.text(format_args!(", {} times", number(*times as u64)));
                }
            });
        }
        self.html.own("</ul>");
        self.more(strays.left_out as u64, "commands", "annals diff");
        self.html.own("</div>");
    }
}

fn of_file(html: &mut Html, file: &FileDiff) {
    html.own("<details class=\"file\"><summary>");
    html.says("code", "path", &file.path);
    html.own(" <span class=\"lines\">");
    html.says("span", "good-text", format!("+{}", number(file.added as u64)));
    html.own(" ");
    html.says("span", "bad-text", format!("−{}", number(file.removed as u64)));
    html.own("</span></summary>");
    for section in &file.sections {
        let calls = section.calls.iter().map(|it| format!("#{it}")).collect::<Vec<_>>().join(" ");
        html.says("p", "about", format!("by {calls}"));
        for note in &section.notes {
            html.says("p", "note", note);
        }
        html.own("<pre class=\"diff\">");
        let lines = section.unplaced.iter().flat_map(|it| it.lines());
        for line in lines.chain(section.diff.lines()) {
            html.says("span", class(line), line);
            html.line();
        }
        html.own("</pre>");
    }
    for note in &file.notes {
        html.says("p", "note", note);
    }
    html.own("</details>\n");
}

/// What a line of a diff is; of how many there are is told above, so that no colour is needed.
fn class(line: &str) -> &'static str {
    match line.as_bytes() {
        _ if line.starts_with("+++ ") || line.starts_with("--- ") => "meta",
        [b'+', ..] => "add",
        [b'-', ..] => "del",
        [b'@', ..] => "hunk",
        [b' ' | b'\\', ..] | [] => "",
        _ => "meta",
    }
}
