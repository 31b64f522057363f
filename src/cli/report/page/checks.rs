//! Checks over time, and how failures ended.

use super::Page;
use super::words::{clock, counted, moment, number, short};
use crate::cli::report::html::Html;
use crate::parse::check::Verdict;
use crate::report::{Check, Failure};

const WHAT_CHARS_MAX: usize = 140;
/// Of a mark.
const WIDTH: usize = 9;
const HEIGHT: usize = 22;

impl Page<'_> {
    pub(super) fn checks(&mut self) {
        let report = self.report;
        self.section("checks", |page| {
            if report.checks.is_empty() {
                page.html.says("p", "none", "No check ran.");
            }
            for check in &report.checks.items {
                page.check(check);
            }
            page.more(report.checks.left_out, "checks", "annals checks, annals log");
        });
    }

    fn check(&mut self, check: &Check) {
        self.html.own("<article class=\"check\"><header>");
        let what = self.near(&check.what);
        let what = short(&what, WHAT_CHARS_MAX);
        self.html.node("h3", &[], |it| it.says("code", "", what));
        let (class, word) = match check.last().map(|it| it.verdict) {
            Some(Verdict::Passed) => ("verdict good", "passed last"),
            Some(Verdict::Failed) if check.is_failing => ("verdict bad", "fails"),
            Some(Verdict::Failed) => ("verdict good", "failed last, mended by another check"),
            _ => ("verdict", "nobody knows how it ended last"),
        };
        self.html.says("span", class, word);
        self.html.own("</header>");
        marks(&mut self.html, check);
        let told = told(check);
        self.html.says("p", "about", told);
        let failing = check.last().filter(|_| check.is_failing);
        if let Some(last) = failing {
            self.html.own("<p class=\"why\">");
            self.reference(&last.call, last.sequence);
            let why = last.why.as_deref().unwrap_or("failed");
            self.html.text(format_args!(" {}: {why}", moment(last.at_ms)));
            self.html.own("</p>");
        }
        self.html.own("</article>\n");
    }

    pub(super) fn failures(&mut self) {
        let report = self.report;
        self.section("failures", |page| {
            if report.failures.is_empty() {
                page.html.says("p", "none", "Nothing failed.");
                return;
            }
            let all = &report.failures.items;
            let (once, rest): (Vec<_>, Vec<_>) =
                all.iter().partition(|it| it.mended.is_none() && !it.is_check);
            let (mended, pending): (Vec<_>, Vec<_>) =
                rest.into_iter().partition(|it| it.mended.is_some());
            page.list(pending.into_iter().chain(mended));
            if !once.is_empty() {
                page.html.own("<details class=\"fold\"><summary>");
                let count = counted(once.len() as u64, "other call");
                page.html
                    .text(format_args!("{count} failed, and had no later success on the same"));
                page.html.own("</summary>");
                page.list(once.into_iter());
                page.html.own("</details>");
            }
            page.more(report.failures.left_out, "failures", "annals failures");
        });
    }

    fn list<'f>(&mut self, failures: impl Iterator<Item = &'f Failure>) {
        self.html.own("<ol class=\"failures\">");
        failures.for_each(|it| self.failure(it));
        self.html.own("</ol>");
    }

    fn failure(&mut self, failure: &Failure) {
        let class = if failure.mended.is_some() { "failure mended" } else { "failure pending" };
        self.html.void("li", &[("class", &class)]);
        let what = failure.first.target.as_deref().unwrap_or_default();
        self.html.own("<p class=\"head\">");
        let (class, word) = match failure.mended {
            Some(_) => ("verdict good", "mended"),
            None => ("verdict bad", "pending"),
        };
        self.html.says("span", class, word);
        self.html.own(" ");
        self.html.says("span", "tool", &failure.first.tool);
        self.html.own(" ");
        let what = self.near(what);
        self.html.says("code", "", short(&what, WHAT_CHARS_MAX));
        self.html.own("</p>");
        if let Some(why) = &failure.why {
            self.html.says("p", "why", why);
        }
        self.html.own("<p class=\"about\">");
        self.html.text("failed ");
        if failure.times > 1 {
            self.html.text(format_args!("{} times, first ", number(failure.times)));
        }
        self.reference(&failure.first.call, failure.first.sequence);
        self.html.text(format_args!(" {}", moment(failure.first.at_ms)));
        if failure.times > 1 {
            self.html.text(", last ");
            self.reference(&failure.last.call, failure.last.sequence);
            self.html.text(format_args!(" {}", clock(failure.last.at_ms)));
        }
        if let Some(mended) = &failure.mended {
            self.html.text(" → passed ");
            self.reference(&mended.by.call, mended.by.sequence);
            self.html.text(format_args!(" {}", clock(mended.by.at_ms)));
        }
        self.html.own("</p>");
        self.between(failure);
        self.html.own("</li>\n");
    }

    /// What was changed before it passed: it may be why.
    fn between(&mut self, failure: &Failure) {
        let Some(mended) = &failure.mended else { return };
        if mended.changes.is_empty() {
            self.html.says("p", "about", "No change of a file is on record in between.");
            return;
        }
        self.html.own("<p class=\"about\">changed in between: ");
        if mended.changes_left_out > 0 {
            let more = counted(mended.changes_left_out, "change");
            self.html.text(format_args!("{more}, then "));
        }
        for (at, change) in mended.changes.iter().enumerate() {
            if at > 0 {
                self.html.text(", ");
            }
            let files = self.near(&change.files.join(" "));
            self.html.says("code", "", files);
            self.html.text(" ");
            self.reference(&change.call, change.sequence);
        }
        self.html.own("</p>");
    }
}

fn told(check: &Check) -> String {
    let runs = check.passed + check.failed + check.unknown;
    let mut parts = vec![counted(runs, "run")];
    for (count, word) in
        [(check.passed, "passed"), (check.failed, "failed"), (check.unknown, "unknown")]
    {
        if count > 0 {
            parts.push(format!("{} {word}", number(count)));
        }
    }
    if let Some(kind) = check.kind {
        let program = check.program.as_deref().filter(|it| !check.what.contains(*it));
        let by = program.map(|it| format!(" by {it}")).unwrap_or_default();
        parts.push(format!("{kind}{by}"));
    }
    if check.runs_left_out > 0 {
        parts.push(format!("the newest {} shown", number(check.runs.len() as u64)));
    }
    parts.join(" · ")
}

/// A mark a run: one that passed is low, one that failed is as high as there is room.
fn marks(html: &mut Html, check: &Check) {
    let width = check.runs.len() * WIDTH;
    let label = format!("Runs, the oldest first: {}", told(check));
    let view = format!("0 0 {width} {HEIGHT}");
    html.node(
        "svg",
        &[
            ("class", &"marks"),
            ("viewBox", &view),
            ("width", &width),
            ("height", &HEIGHT),
            ("role", &"img"),
            ("aria-label", &label),
        ],
        |html| {
            for (at, run) in check.runs.iter().enumerate() {
                let (class, height) = match run.verdict {
                    Verdict::Passed => ("ok", HEIGHT / 2),
                    Verdict::Failed => ("failed", HEIGHT),
                    Verdict::Unknown => ("other", 4),
                };
                let (x, y) = (at * WIDTH, HEIGHT - height);
                html.node(
                    "rect",
                    &[
                        ("class", &class),
                        ("x", &x),
                        ("y", &y),
                        ("width", &(WIDTH - 2)),
                        ("height", &height),
                        ("rx", &1),
                    ],
                    |html| {
                        let why = run.why.as_deref().map(|it| format!(": {}", short(it, 100)));
                        let (call, why) = (&run.call, why.unwrap_or_default());
                        let at = moment(run.at_ms);
                        html.says("title", "", format!("#{call} {at} {}{why}", run.verdict));
                    },
                );
            }
        },
    );
}
