//! What is seen of a page in a real browser: light, dark, on a telephone, on paper, by keys, without its script.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::scene::{HOSTILE, Scene};
use crate::project::Project;
use crate::skipped::skipped;

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const SECTIONS: [&str; 9] = [
    "Timeline",
    "Step by step",
    "Checks",
    "Failures",
    "Files",
    "Gate and claims",
    "Memory",
    "Redactions",
    "Integrity",
];
/// What WCAG asks of text (AA).
const CONTRAST_MIN: f64 = 4.5;

/// Looks at a page, and says what is seen; `None` where there is no browser.
fn observe(page: &Path) -> Option<Value> {
    let works = |program: &&&str| {
        let version = Command::new(program).arg("--version").output();
        version.is_ok_and(|it| it.status.success())
    };
    let Some(browser) = BROWSERS.iter().find(works) else {
        skipped("no chromium is installed: nobody looked at the page");
        return None;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/report/browser.py");
    let mut python = Command::new("python3");
    python.arg(script).arg(browser).arg(page).arg(page.parent().expect("a folder"));
    let ran = match python.env("PYTHONDONTWRITEBYTECODE", "1").output() {
        Ok(ran) => ran,
        Err(_) => {
            skipped("python3 is not installed: nobody looked at the page");
            return None;
        }
    };
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    Some(serde_json::from_slice(&ran.stdout).expect("what was seen"))
}

#[test]
fn a_page_is_seen_as_it_is_meant() {
    let scene = Scene::new();
    let project = &scene.project;
    let page = project.path("page.html");
    project.annals(["report", "-o", "page.html"]).code(0);
    let Some(seen) = observe(&page) else { return };
    let number = |it: &Value| it.as_f64().expect("a number");
    // The head is on the first screen, the sections below one another, each seen and as wide as it needs.
    let places = seen["places"].as_array().expect("places");
    let headings: Vec<&str> = places.iter().filter_map(|it| it["what"].as_str()).collect();
    assert!(
        headings
            .iter()
            .any(|it| it.starts_with("None of 1 check") || it.contains("check that ran")),
        "{headings:?}"
    );
    assert_eq!(headings[headings.len() - SECTIONS.len()..], SECTIONS);
    let mut above = 0.0;
    for place in places {
        assert!(place["seen"] == true && number(&place["height"]) > 10.0, "{place}");
        assert!(number(&place["y"]) >= above, "{place} is not below what is before it");
        let is_tile = place["of"] == "" && number(&place["width"]) < 300.0;
        above = if is_tile { above } else { number(&place["y"]) };
        if place["of"] == "" {
            assert!(
                number(&place["y"]) + number(&place["height"]) < 900.0,
                "{place}: below the first screen"
            );
        }
    }
    // Whatever the scheme, all text can be read.
    for (scheme, ground) in [("light", "rgb(247, 247, 244)"), ("dark", "rgb(20, 22, 26)")] {
        let found = &seen[scheme];
        assert_eq!(found["ground"], ground);
        assert!(
            number(&found["texts"]) > 100.0 && number(&found["ratio"]) >= CONTRAST_MIN,
            "{scheme}: {found}"
        );
    }
    assert_eq!(seen["phone"]["page"], 360, "{}", seen["phone"]);
    // By keys alone, and one sees where one is.
    assert_eq!(seen["first"]["href"], "#timeline");
    for focus in seen["focus"].as_array().expect("places") {
        assert!(focus["outline"] != "none" && number(&focus["width"]) >= 2.0, "{focus}");
        assert!(focus["inside"] == true, "{focus}");
    }
    assert_eq!(seen["focus"].as_array().and_then(|it| it.last()).expect("one")["id"], "step");
    assert_eq!(seen["fold"][0].as_bool().map(|it| !it), seen["fold"][1].as_bool());
    let jump = &seen["jump"];
    assert!(jump["seen"] == true && (0.0..900.0).contains(&number(&jump["y"])), "{jump}");
    // Nothing was fetched, said or broken; what is smuggled in neither runs nor fetches.
    assert_eq!(seen["requests"], serde_json::json!([format!("file://{}", page.display())]));
    for nothing in ["broken", "log"] {
        assert_eq!(seen[nothing], serde_json::json!([]), "{nothing}");
    }
    assert_eq!((&seen["thrown"], &seen["smuggled"]), (&0.into(), &false.into()));
    assert_eq!(seen["refused"].as_array().map(Vec::len), Some(2), "{}", seen["refused"]);
    // On paper everything is there, on white, and nothing that one would have to press.
    let print = &seen["print"];
    assert_eq!((&print["nav"], &print["slider"]), (&false.into(), &false.into()));
    assert_eq!(print["ground"], "rgb(255, 255, 255)");
    let titles: Vec<&str> = seen["pdf"]["titles"]
        .as_array()
        .expect("titles")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    for section in SECTIONS {
        assert!(titles.contains(&section), "{section} is not on paper: {titles:?}");
    }
    assert!(number(&seen["pdf"]["pages"]) >= 2.0);
    // Without its script it is read all the same.
    let bare = &seen["bare"];
    assert_eq!(
        (&bare["slider"], bare["places"].as_array().map(Vec::len)),
        (&false.into(), Some(places.len()))
    );
    assert_eq!(bare["told"], seen["stands"][0]["told"]);
    slid(project, &seen);
}

/// What the slider showed is what is counted otherwise: in the log and the memory as of that event.
fn slid(project: &Project, seen: &Value) {
    let stands = seen["stands"].as_array().expect("stands");
    let max = stands[0]["max"].as_u64().expect("a number");
    let values: Vec<u64> = stands.iter().filter_map(|it| it["value"].as_u64()).collect();
    assert_eq!(values, [max, max - 1, max - 5, max - 3, 0]);
    for stand in stands.iter().take(4) {
        let told = stand["told"].as_str().expect("told");
        let at = told.split(", ").find(|it| it.starts_with('@')).expect("an event");
        let log = project.annals(["--at", at, "log", "-n", "1000", "--json"]).code(0).json();
        let log = log.as_array().expect("rows");
        let counts = &stand["counts"];
        for outcome in ["ok", "failed", "open", "refused"] {
            let count = log.iter().filter(|row| row["outcome"] == outcome).count();
            assert_eq!(counts[outcome], count, "{outcome} {told}");
        }
        assert_eq!(counts["executions"], log.len(), "{told}");
        let values = project.annals(["--at", at, "memory", "show", "main", "--json"]).json();
        let value = values["core"].as_array().and_then(|it| it.first());
        let value = value.map(|it| it["value"].as_str().expect("text").to_owned());
        let shown = stand["core"].as_array().expect("rows").first();
        let shown = shown.map(|row| row[2].as_str().expect("text").to_owned());
        let visible =
            value.map(|it| it.replace('\u{202e}', "\\u{202e}").replace('\u{1b}', "\\x1b"));
        assert_eq!(shown, visible, "{told}");
    }
    let all: std::collections::BTreeSet<String> =
        stands.iter().map(|it| it["core"].to_string()).collect();
    assert!(all.len() >= 2, "core values change on the way: {all:?}");
    let first = &stands[4]["counts"];
    assert!(first.as_object().expect("counts").values().all(|it| it == 0), "{first}");
    assert!(HOSTILE.contains("onerror"), "and none of it ran: see above");
}
