//! `annals report`: what a page says, held against what others say; and what of it is seen (`browser.rs`).

mod browser;
mod scene;

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;

use crate::damage::flip;
use scene::{HOSTILE, SESSION, Scene};

/// What of a folder's files each holds.
fn bytes(folder: &Path) -> BTreeMap<std::path::PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder").map(|it| it.expect("an entry").path())
    {
        match entry.is_dir() {
            true => all.extend(bytes(&entry)),
            false => drop(all.insert(entry.clone(), std::fs::read(&entry).expect("read"))),
        }
    }
    all
}

#[test]
fn a_page_is_one_file_that_needs_nothing_and_overwrites_nothing() {
    let scene = Scene::new();
    let project = &scene.project;
    project.annals(["report", "-o", "a.html"]).code(0).says("a.html: 9 calls of");
    let mode = std::fs::metadata(project.path("a.html")).expect("made").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    project.annals(["report", "-o", "a.html"]).code(2).says("name a new file");
    project.annals(["report"]).code(2).says("--output");
    project.annals(["report", "--json", "-o", "a.json"]).code(0);
    let told = std::fs::read_to_string(project.path("a.json")).expect("read");
    assert_eq!(serde_json::from_str::<Value>(&told).expect("JSON"), scene.json(&[]));
    let page = std::fs::read_to_string(project.path("a.html")).expect("read");
    assert_eq!(page, scene.page(&[]), "the same words give the same bytes");
    let policy = page.split("Content-Security-Policy\" content=\"").nth(1).expect("a policy");
    assert!(
        policy.starts_with("default-src &#39;none&#39;; style-src &#39;sha256-"),
        "{policy:.200}"
    );
    // Nothing is fetched, and no value is markup: every tag is one of the page's own.
    for (at, _) in page.match_indices("href=\"") {
        assert!(page[at + 6..].starts_with('#'), "{:.60}", &page[at..]);
    }
    for of_others in
        ["src=\"", "url(", "@import", "<script>window", "<img", "onerror=\"", "\u{1b}", "\u{202e}"]
    {
        assert!(!page.contains(of_others), "{of_others}");
    }
    assert!(page.contains("&lt;script&gt;window.ran=1") && page.contains("\\u{202e}\\x1b[31m"));
    assert!(!page.contains(&crate::redaction::scanned::secret()));
}

#[test]
fn a_report_says_what_the_questions_say() {
    let scene = Scene::new();
    let project = &scene.project;
    let report = scene.json(&[]);
    let stats = project.annals(["stats", "--json"]).code(0).json();
    assert_eq!(report["summary"]["totals"], stats["totals"]);
    let log = project.annals(["log", "-n", "1000", "--json"]).code(0).json();
    let log = log.as_array().expect("rows");
    let outcome = |word: &str| log.iter().filter(|row| row["outcome"] == word).count();
    assert_eq!(report["summary"]["ok"], outcome("ok"));
    assert_eq!(report["summary"]["totals"]["failed"], outcome("failed"));
    let turns = report["turns"]["items"].as_array().expect("turns");
    let items = turns.iter().flat_map(|it| it["items"]["items"].as_array().expect("items"));
    let calls: Vec<&Value> = items.filter(|it| it["what"] == "call").collect();
    let told = |rows: &[&Value]| -> Vec<(u64, String)> {
        let row =
            |it: &&Value| (it["sequence"].as_u64().expect("a place"), it["outcome"].to_string());
        let mut rows: Vec<_> = rows.iter().map(row).collect();
        rows.sort_unstable();
        rows
    };
    assert_eq!(told(&calls), told(&log.iter().collect::<Vec<_>>()));
    let diff = project.annals(["diff", &format!("..{}", log.len()), "--json"]).code(0).json();
    let paths = |of: &Value| -> Vec<Value> {
        of["files"].as_array().expect("files").iter().map(|it| it["path"].clone()).collect()
    };
    assert_eq!(paths(&report["diff"]), paths(&diff));
    // Both runs failed alike, and the one that passed ended both, after the second edit.
    let failures = report["failures"]["items"].as_array().expect("failures");
    let check = failures.iter().find(|it| it["is_check"] == true).expect("of a check");
    assert_eq!((&check["times"], &check["mended"]["by"]["call"]), (&2.into(), &"6".into()));
    assert_eq!(check["mended"]["changes"][0]["files"][0], "/w/shop/src/price.rs");
    let runs: Vec<_> =
        report["checks"]["items"][0]["runs"].as_array().expect("runs").iter().collect();
    let verdicts: Vec<_> = runs.iter().map(|it| it["verdict"].as_str().expect("a word")).collect();
    assert_eq!(verdicts, ["failed", "failed", "passed"]);
    assert_eq!(report["gate"]["items"][0]["word"], "refused");
    assert_eq!(report["memory"]["counts"]["CoreSet"], 2);
    assert!(report["redactions"]["taken_out"][0]["count"].as_u64().expect("a count") >= 1);
    let verified = project.annals(["verify", "--json"]).code(0).json();
    let integrity = &report["integrity"];
    assert_eq!(integrity["events"], verified[0]["events"]);
    assert_eq!(
        (&integrity["holds"], &integrity["checkpoints"][0]["is_contained"]),
        (&true.into(), &true.into())
    );
    assert_eq!(
        report["turns"]["items"][0]["answer"]["text"],
        "Prices are rounded to the cent, and the tests pass."
    );
}

#[test]
fn a_part_is_a_part_and_a_copy_stays_as_it_is() {
    let scene = Scene::new();
    let project = &scene.project;
    let whole = scene.json(&[]);
    let session = scene.json(&["--session", SESSION]);
    assert_eq!(session["summary"]["totals"]["calls"], 9);
    assert_eq!(session["sessions"]["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(session["gate"]["items"].as_array().map(Vec::len), Some(0), "another session's");
    let until = scene.json(&["--session", SESSION, "--to", "4"]);
    assert_eq!(until["summary"]["totals"]["calls"], 4);
    assert_eq!(until["failures"]["items"][0]["mended"], Value::Null);
    let past = scene.json(&["--at", "4"]);
    assert_eq!(
        (&past["summary"]["checks_failing"], &whole["summary"]["checks_failing"]),
        (&1.into(), &0.into())
    );
    let from = scene.json(&["--session", SESSION, "--from", "5"]);
    assert_eq!(from["summary"]["totals"]["calls"], 5);
    assert_eq!(from["stands"]["before"]["calls"], 4, "the stores were not empty before");
    project.annals(["report", "--session", "none", "-o", "-"]).code(2);
    let reversed = project.annals(["report", "--from", "5", "--to", "2", "-o", "-"]).code(2);
    reversed.says("ends before it begins");
    project.annals(["bundle", "copy.bundle"]).code(0);
    let before = bytes(&project.path(".annals/journal"));
    let read =
        |of: &str| project.annals(["--evidence", "--dir", of, "report", "-o", "-"]).code(0).out();
    let (here, bundle) = (read(".annals/journal"), read("copy.bundle"));
    assert_eq!(before, bytes(&project.path(".annals/journal")));
    let turns = |page: &str| page.matches("class=\"turn\"").count();
    assert_eq!((turns(&here), turns(&bundle)), (turns(&scene.page(&[])), turns(&here)));
}

#[test]
fn what_is_wrong_stands_on_top() {
    let scene = Scene::new();
    let project = &scene.project;
    assert!(!scene.page(&[]).contains("role=\"alert\""));
    flip(project);
    let ran = project.annals(["report", "-o", "-"]).code(3);
    let page = ran.out();
    let (above, _) = page.split_once("<h1").expect("a title");
    assert!(
        above.contains("The journal is damaged") && above.contains("exit code 3"),
        "{above:.2000}"
    );
    assert!(
        page.contains("none can be made") || page.contains("no tree can be made"),
        "there is no root"
    );
    assert!(page.contains(&crate::report::escaped(HOSTILE)[..20]), "the rest is told");
}

/// A text as it stands in a page.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}
