//! Charts: rectangles whose numbers stand beside them in words.

use super::Page;
use super::words::{clock, counted, duration, moment, number, short};
use crate::report::{Bucket, ToolUse};

const HEIGHT: f64 = 100.0;
const WIDTH: f64 = 10.0;
const WHAT_CHARS_MAX: usize = 70;

impl Page<'_> {
    /// Calls over time by how they ended, by tool, and the longest.
    pub(super) fn activity(&mut self) {
        let activity = &self.report.activity;
        let most = activity.buckets.iter().map(Bucket::count).max().unwrap_or(0);
        if most == 0 {
            return;
        }
        self.html.own("<section id=\"activity\" aria-labelledby=\"activity-title\"><h2 id=\"activity-title\">Activity</h2>");
        self.over_time(most);
        self.html.own("<div class=\"pair\">");
        self.tools();
        self.slow();
        self.html.own("</div></section>\n");
    }

    fn over_time(&mut self, most: u64) {
        let activity = &self.report.activity;
        let summary = &self.report.summary;
        let width = activity.buckets.len() as f64 * WIDTH;
        let label = format!(
            "Calls over time: {} ok, {} failed, {} refused, interrupted or redacted",
            summary.ok,
            summary.totals.failed,
            summary.totals.refused + summary.interrupted + summary.redacted
        );
        self.html.own("<figure class=\"chart\">");
        let view = format!("0 0 {width} {HEIGHT}");
        self.html.node(
            "svg",
            &[
                ("viewBox", &view),
                ("preserveAspectRatio", &"none"),
                ("role", &"img"),
                ("aria-label", &label),
            ],
            |html| {
                for (at, bucket) in activity.buckets.iter().enumerate() {
                    let Some(began_ms) = bucket.began_ms else { continue };
                    let (mut y, x) = (HEIGHT, at as f64 * WIDTH);
                    html.node("g", &[], |html| {
                        let told = format!(
                            "{}: {} ok, {} failed, {} other",
                            clock(began_ms),
                            bucket.ok,
                            bucket.failed,
                            bucket.other
                        );
                        html.says("title", "", told);
                        for (count, class) in
                            [(bucket.ok, "ok"), (bucket.other, "other"), (bucket.failed, "failed")]
                        {
                            let height = count as f64 / most as f64 * HEIGHT;
                            y -= height;
                            let (x, width) = (x + 1.0, WIDTH - 2.0);
                            if count > 0 {
                                html.node(
                                    "rect",
                                    &[
                                        ("class", &class),
                                        ("x", &x),
                                        ("y", &format_args!("{y:.2}")),
                                        ("width", &width),
                                        ("height", &format_args!("{height:.2}")),
                                    ],
                                    |_| {},
                                );
                            }
                        }
                    });
                }
                for pause in &activity.pauses {
                    let x = (pause.bucket + 1) as f64 * WIDTH;
                    let at: [(&'static str, &dyn std::fmt::Display); 5] =
                        [("class", &"pause"), ("x1", &x), ("x2", &x), ("y1", &0), ("y2", &HEIGHT)];
                    html.node("line", &at, |html| {
                        html.says("title", "", format!("a pause of {}", duration(pause.ms)));
                    });
                }
            },
        );
        self.html.own("<div class=\"axis\">");
        let (from, to) = (summary.began_ms.unwrap_or(0), summary.ended_ms.unwrap_or(0));
        self.html.says("span", "", moment(from));
        let pauses = match activity.pauses.len() as u64 {
            0 => String::new(),
            count => format!(" · {} left out", counted(count, "pause")),
        };
        let scale = format!(
            "at most {} in {}{pauses}",
            counted(most, "call"),
            duration(activity.bucket_ms)
        );
        self.html.says("span", "", scale);
        self.html.says("span", "", moment(to));
        self.html.own("</div><figcaption class=\"legend\">");
        for (class, name) in
            [("ok", "ok"), ("failed", "failed"), ("other", "refused, interrupted, redacted, open")]
        {
            self.html.node("span", &[("class", &format_args!("key {class}"))], |it| it.text(name));
        }
        self.html.own("</figcaption></figure>");
    }

    fn tools(&mut self) {
        let tools = &self.report.tools;
        let most = tools.items.iter().map(|it| it.calls).max().unwrap_or(1);
        self.html.own("<div><h3>By tool</h3><table class=\"bars\"><thead><tr><th scope=\"col\">Tool</th><th scope=\"col\" class=\"num\">Calls</th><th scope=\"col\" class=\"num\">Failed</th><td></td></tr></thead><tbody>");
        for ToolUse { tool, calls, failed, .. } in &tools.items {
            self.html.node("tr", &[], |html| {
                html.node("th", &[("scope", &"row")], |it| it.says("code", "", tool));
                html.says("td", "num", number(*calls));
                let class = if *failed > 0 { "num bad-text" } else { "num" };
                html.says("td", class, number(*failed));
                html.node("td", &[("class", &"bar")], |html| bar(html, *calls, *failed, most));
            });
        }
        self.html.own("</tbody></table></div>");
    }

    fn slow(&mut self) {
        let slow = &self.report.slow;
        let Some(most) = slow.first().map(|it| it.duration_ms) else { return };
        self.html.own("<div><h3>Longest</h3><table class=\"bars\"><thead><tr><th scope=\"col\">Call</th><th scope=\"col\" class=\"num\">Took</th><td></td></tr></thead><tbody>");
        for it in slow {
            self.html.own("<tr><th scope=\"row\">");
            self.html.says("span", "ref", format!("#{} ", it.reference));
            self.html.says("code", "", short(&it.what, WHAT_CHARS_MAX));
            self.html.own("</th>");
            self.html.says("td", "num", duration(it.duration_ms));
            self.html.node("td", &[("class", &"bar")], |html| bar(html, it.duration_ms, 0, most));
            self.html.own("</tr>");
        }
        self.html.own("</tbody></table></div>");
    }
}

/// A bar of what went well and what did not; its numbers stand beside it.
fn bar(html: &mut crate::cli::report::html::Html, count: u64, failed: u64, most: u64) {
    let of = |count: u64| count as f64 / most.max(1) as f64 * 100.0;
    let (well, failed) = (of(count.saturating_sub(failed)), of(failed));
    let view: [(&'static str, &dyn std::fmt::Display); 3] =
        [("viewBox", &"0 0 100 8"), ("preserveAspectRatio", &"none"), ("aria-hidden", &"true")];
    html.node("svg", &view, |html| {
        for (x, width, class) in [(0.0, well, "ok"), (well, failed, "failed")] {
            if width > 0.0 {
                html.node(
                    "rect",
                    &[
                        ("class", &class),
                        ("x", &format_args!("{x:.2}")),
                        ("y", &0),
                        ("width", &format_args!("{width:.2}")),
                        ("height", &8),
                    ],
                    |_| {},
                );
            }
        }
    });
}
