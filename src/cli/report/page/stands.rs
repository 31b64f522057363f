//! The stores as of each step: a slider where a script runs, the end where none does.

use serde::Serialize;

use super::Page;
use super::words::{moment, number};
use crate::execution::tally::TallyCounts;
use crate::output::escape;
use crate::report::{CoreChange, MemoryCounts, Stand};

/// What is counted, and what it is called.
const COUNTS: [&str; 12] = [
    "executions",
    "ok",
    "failed",
    "refused",
    "interrupted",
    "open",
    "failures pending",
    "prompts",
    "files read or changed",
    "core values",
    "recall events",
    "archival records",
];

fn counts(stores: &TallyCounts, memory: &MemoryCounts) -> [u64; 12] {
    [
        stores.calls,
        stores.ok,
        stores.failed,
        stores.refused,
        stores.interrupted,
        stores.open,
        stores.pending,
        stores.prompts,
        stores.files,
        memory.core,
        memory.recall,
        memory.archival,
    ]
}

/// What the script goes by.
#[derive(Serialize)]
struct Data<'a> {
    steps: u64,
    before: [u64; 12],
    core: Vec<Core<'a>>,
    shown: Vec<Shown<'a>>,
}

/// Step, sequence, time, what happened, counts, core values that changed.
#[derive(Serialize)]
struct Shown<'a>(u64, u64, String, std::borrow::Cow<'a, str>, [u64; 12], Vec<Core<'a>>);

/// Branch, key, value.
#[derive(Serialize)]
struct Core<'a>(
    std::borrow::Cow<'a, str>,
    std::borrow::Cow<'a, str>,
    Option<std::borrow::Cow<'a, str>>,
);

impl<'a> Core<'a> {
    fn of(it: &'a CoreChange) -> Self {
        Self(escape::line(&it.branch), escape::line(&it.key), it.value.as_deref().map(escape::line))
    }
}

impl Page<'_> {
    pub(super) fn stands(&mut self) {
        let stands = &self.report.stands;
        self.section("stores", |page| {
            let Some(last) = stands.shown.last() else {
                page.html.says("p", "none", "There is no step.");
                return;
            };
            let text = "What the stores held after each step, of the whole project; behind it what came to it since the first.";
            page.html.says("p", "about", text);
            page.slider(last);
            page.numbers(last);
            page.core();
            let data = Data {
                steps: stands.steps,
                before: counts(&stands.before, &stands.before_memory),
                core: stands.before_core.iter().map(Core::of).collect(),
                shown: stands.shown.iter().map(shown).collect(),
            };
            page.html.data("stands", &data);
        });
    }

    fn slider(&mut self, last: &Stand) {
        let stands = &self.report.stands;
        let end = stands.shown.len();
        self.html
            .own("<div class=\"slider\" id=\"slider\" hidden><label for=\"step\">Step</label>");
        self.html.void(
            "input",
            &[
                ("type", &"range"),
                ("id", &"step"),
                ("min", &0),
                ("max", &end),
                ("value", &end),
                ("step", &1),
                ("aria-describedby", &"told"),
            ],
        );
        self.html.own("</div>");
        let told = format!(
            "Step {} of {}, @{}, {}: {}",
            number(last.step),
            number(stands.steps),
            last.sequence,
            moment(last.at_ms),
            last.told
        );
        self.html.node("output", &[("id", &"told"), ("for", &"step")], |it| it.text(told));
    }

    fn numbers(&mut self, last: &Stand) {
        let before = counts(&self.report.stands.before, &self.report.stands.before_memory);
        let now = counts(&last.stores, &last.memory);
        self.html.own("<dl class=\"counts\" id=\"counts\">");
        for (at, name) in COUNTS.iter().enumerate() {
            let (now, before) = (now[at], before[at]);
            self.html.node("div", &[], |html| {
                html.says("dt", "", name);
                html.node("dd", &[], |html| {
                    html.says("b", "", now);
                    let sign = if now < before { "−" } else { "+" };
                    html.says("span", "", format!("{sign}{}", now.abs_diff(before)));
                });
            });
        }
        self.html.own("</dl>");
    }

    /// Core values at the end.
    fn core(&mut self) {
        let stands = &self.report.stands;
        let mut core = std::collections::BTreeMap::new();
        let changes = stands.shown.iter().flat_map(|it| &it.core);
        for CoreChange { branch, key, value } in stands.before_core.iter().chain(changes) {
            match value {
                Some(value) => drop(core.insert((branch, key), value)),
                None => drop(core.remove(&(branch, key))),
            }
        }
        if stands.before_core.is_empty() && stands.shown.iter().all(|it| it.core.is_empty()) {
            return;
        }
        self.html.own("<h3>Core memory</h3><table class=\"core\"><thead><tr><th scope=\"col\">Branch</th><th scope=\"col\">Key</th><th scope=\"col\">Value</th></tr></thead><tbody id=\"core\">");
        for ((branch, key), value) in core {
            self.html.node("tr", &[], |html| {
                [branch, key, value].into_iter().for_each(|it| html.says("td", "", it));
            });
        }
        self.html.own("</tbody></table>");
        self.more(stands.core_left_out, "values or changes of them", "annals memory log");
    }
}

fn shown(it: &Stand) -> Shown<'_> {
    let core = it.core.iter().map(Core::of).collect();
    let counts = counts(&it.stores, &it.memory);
    Shown(it.step, it.sequence, moment(it.at_ms), escape::line(&it.told), counts, core)
}
