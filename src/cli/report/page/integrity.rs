//! Whether the record holds, and what somebody else can hold it against.

use super::Page;
use super::words::{bytes, counted, moment, number};
use crate::cli::report::html::Html;
use crate::report::Integrity;

impl Page<'_> {
    pub(super) fn integrity(&mut self) {
        let report = self.report;
        let it = &report.integrity;
        self.section("integrity", |page| {
            let html = &mut page.html;
            let (class, verdict) = match (it.holds && report.findings.is_empty(), it.damaged) {
                (true, _) if it.commits_chained < it.commits => ("outcome good", "What is there holds: checksums, and the links of the chain that can be computed anew."),
                (true, _) => ("outcome good", "Everything holds: checksums, and the chain from the first record to the last."),
                (false, true) => ("outcome bad", "Something that was durable is lost or changed."),
                (false, false) => ("outcome bad", "Not everything holds."),
            };
            html.says("p", class, verdict);
            findings(html, it);
            html.own("<dl class=\"proof\">");
            fact(html, "Journal", &report.journal.id);
            fact(html, "Begun as", &format!("{} on {}", report.journal.root, report.journal.machine));
            let size = format!(
                "{} in {}, {}, {} written",
                counted(it.events, "record"),
                counted(it.commits, "commit"),
                counted(it.segments, "segment"),
                bytes(it.bytes)
            );
            fact(html, "Size", &size);
            fact(html, "Chain", &format!("{} of {} links computed anew", number(it.commits_chained), number(it.commits)));
            match (&it.root, it.size) {
                (Some(root), Some(size)) => fact(html, "Root", &format!("{root} over {}", counted(size, "record"))),
                _ => fact(html, "Root", it.no_root.as_deref().unwrap_or("none")),
            }
            if let (Some(at), Some(chain)) = (it.sequence, &it.chain) {
                fact(html, "Ends with", &format!("@{at}, chain {chain}"));
            }
            if it.seals > 0 {
                fact(html, "Sealed", &counted(it.seals, "segment"));
            }
            if it.redacted > 0 {
                fact(html, "Redacted", &format!("{}; their leaves still verify", counted(it.redacted, "record")));
            }
            let seen = match report.exit_code {
                6 => "it is not what was seen of it before",
                _ => "nothing that was seen of it before is missing or changed, as far as is known here",
            };
            fact(html, "Seen", seen);
            html.own("</dl>");
            checkpoints(html, it);
            html.says("p", "about", "To hold it against this page: annals verify; annals prove inclusion REF; annals check-proof.");
        });
    }
}

fn findings(html: &mut Html, it: &Integrity) {
    let found = it.findings.items.iter().chain(&it.unreadable);
    html.own("<ul class=\"findings\">");
    found.for_each(|finding| html.says("li", "", finding));
    if it.findings.left_out > 0 {
        html.says("li", "more", format!("{} more: annals verify", number(it.findings.left_out)));
    }
    html.own("</ul>");
}

fn fact(html: &mut Html, name: &str, value: &str) {
    html.node("div", &[], |html| {
        html.says("dt", "", name);
        html.says("dd", "", value);
    });
}

fn checkpoints(html: &mut Html, it: &Integrity) {
    html.says("h3", "", "Checkpoints");
    if it.checkpoints.is_empty() {
        html.says("p", "none", "None was signed: nobody outside vouches for it.");
        return;
    }
    if it.checkpoints_left_out > 0 {
        html.says("p", "more", format!("{} earlier ones", number(it.checkpoints_left_out)));
    }
    html.own("<ul class=\"facts\">");
    for signed in &it.checkpoints {
        let (class, word) = match signed.is_contained {
            Some(true) => ("verdict good", "contained"),
            Some(false) => ("verdict bad", "not contained"),
            None => ("verdict", "cannot be said"),
        };
        html.node("li", &[], |html| {
            html.says("time", "", moment(signed.at_ms));
            html.says("span", class, word);
            html.node("span", &[("class", &"what")], |html| {
                html.text(format_args!("{}, root ", counted(signed.size, "record")));
                html.says("code", "", &signed.root);
                html.says("span", "about", format!(" by {}", signed.key));
            });
        });
    }
    html.own("</ul>");
}
