//! Several journals made one: every record once, by its leaf or its call, with where it comes from.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::json_shapes::check;
use crate::project::{Project, Ran};
use crate::skipped::skipped;

/// A folder with projects in it.
struct Fleet(Project);

impl Fleet {
    fn new(names: &[&str]) -> Self {
        let fleet = Self(Project::empty());
        for name in names {
            fs::create_dir(fleet.0.path(name)).expect("made");
            fleet.run(name, &["init"]).code(0);
        }
        fleet
    }

    /// The program, in one of the projects.
    fn run(&self, name: &str, arguments: &[&str]) -> Ran {
        Ran::of(self.0.command().current_dir(self.0.path(name)).args(arguments))
    }

    fn merge(&self, arguments: &[&str]) -> Ran {
        self.0.annals([&["merge"], arguments, &["--json"]].concat())
    }

    fn ids(&self, name: &str) -> BTreeSet<String> {
        let log = self.run(name, &["log", "-n", "100000", "--json"]).code(0).json();
        let ids = log.as_array().expect("a list").iter();
        ids.map(|it| it["execution"].as_str().or(it["id"].as_str()).expect("an id").to_owned())
            .collect()
    }

    fn copy(&self, from: &str, to: &str) {
        let copied =
            Command::new("cp").arg("-a").arg(self.0.path(from)).arg(self.0.path(to)).status();
        assert!(copied.expect("cp").success());
    }
}

fn sum(report: &Value, field: &str) -> u64 {
    let sources = report["sources"].as_array().expect("sources").iter();
    sources.map(|it| it[field].as_u64().expect(field)).sum()
}

#[test]
fn a_merged_journal_is_the_union_in_one_order_and_says_where_each_record_comes_from() {
    let fleet = Fleet::new(&["a", "b"]);
    for (name, text) in [("a", "1"), ("b", "2"), ("a", "3"), ("b", "4")] {
        fleet.run(name, &["run", "--", "echo", text]).code(0);
    }
    // Twice the same output: the second refers to the first.
    let large = ["run", "--", "sh", "-c", "yes large | head -c 20000"];
    fleet.run("b", &large).code(0);
    fleet.run("b", &large).code(0);
    fleet.run("b", &["run", "--", "sh", "-c", "yes blob | head -c 300000"]).code(0);
    let report = fleet.merge(&["a", "b", "--into", "all"]).code(0);
    check("merge", &report.out());
    let report = report.json();
    assert_eq!((sum(&report, "known"), sum(&report, "contents_missing")), (0, 0));
    let all: BTreeSet<_> = fleet.ids("a").union(&fleet.ids("b")).cloned().collect();
    assert_eq!(fleet.ids("all"), all);
    fleet.run("all", &["verify"]).code(0);
    fleet.run("all", &["rebuild", "--check"]).code(0);
    let log = fleet.run("all", &["log", "--json"]).code(0).json();
    let at: Vec<_> = log.as_array().unwrap().iter().map(|it| it["at"].as_str().unwrap()).collect();
    assert!(at.is_sorted(), "{at:?}");
    // What was printed is here: inline, by reference, beside the segments.
    for name in ["5", "6", "7"] {
        let shown = fleet.run("all", &["show", name, "--json"]).code(0).json();
        let text = shown["artifacts"].to_string();
        assert!(text.contains("large\\nlarge") || text.contains("blob\\nblob"), "{name}");
    }
    // Each record by its own journal, number and leaf: what that journal proves.
    let shown = fleet.run("all", &["show", "4", "--json"]).code(0).json();
    let origin = &shown["origin"];
    let there = fleet.run("b", &["show", shown["id"].as_str().unwrap_or_default(), "--json"]);
    let there =
        if there.out().is_empty() { fleet.run("b", &["show", "2", "--json"]) } else { there }
            .json();
    assert_eq!(origin["sequence"], there["sequence"], "{shown}");
    check("show-merged", &shown.to_string());
    assert!(there["origin"].is_null());
    let proof =
        fleet.run("b", &["prove", "inclusion", &format!("@{}", origin["sequence"])]).code(0).out();
    assert!(proof.contains(&leaf_told(&fleet, &proof, origin)), "{proof}");
}

/// The 56 bytes that a proof gives of a leaf hash to the leaf that the merged journal tells.
fn leaf_told(_: &Fleet, proof: &str, origin: &Value) -> String {
    let extra = proof.lines().find_map(|it| it.strip_prefix("extra ")).expect("a leaf").to_owned();
    let script = "import base64,hashlib,sys;print(hashlib.sha256(b'\\0'+base64.b64decode(sys.argv[1])).hexdigest())";
    match Command::new("python3").args(["-c", script, &extra]).output() {
        Ok(told) => {
            assert_eq!(
                origin["leaf"].as_str(),
                std::str::from_utf8(&told.stdout).ok().map(str::trim)
            );
        }
        Err(_) => skipped("no python3 to hash a leaf"),
    }
    extra
}

#[test]
fn merging_again_adds_what_is_new_and_a_merge_of_merges_is_the_same() {
    let fleet = Fleet::new(&["a", "b"]);
    fleet.run("a", &["run", "--", "echo", "a"]).code(0);
    fleet.run("b", &["run", "--", "echo", "b"]).code(0);
    fleet.merge(&["a", "b", "--into", "all"]).code(0);
    let last =
        |name: &str| fleet.run(name, &["status", "--json"]).json()["journal"]["sequence"].clone();
    let before = last("all");
    let again = fleet.merge(&["b", "a", "--into", "all"]).code(0).json();
    assert_eq!((sum(&again, "taken"), last("all")), (0, before));
    // A longer copy, a bundle, and a merge of it.
    fleet.copy("a", "older");
    fleet.run("a", &["run", "--", "echo", "more"]).code(0);
    fleet.run("b", &["bundle", "../b.bundle"]).code(0);
    let grown = fleet.merge(&["older", "a", "b.bundle", "--into", "all"]).code(0).json();
    assert_eq!(sum(&grown, "taken"), 2, "{grown}");
    fleet.merge(&["all", "a", "--into", "second"]).code(0);
    assert_eq!(fleet.ids("second"), fleet.ids("all"));
    assert_eq!(fleet.ids("all").len(), 3);
    for name in ["all", "second"] {
        fleet.run(name, &["verify"]).code(0);
        fleet.run(name, &["rebuild", "--check"]).code(0);
    }
    let origin = |name: &str| fleet.run(name, &["show", "3", "--json"]).json()["origin"].clone();
    assert_eq!(origin("all"), origin("second"));
    assert!(origin("all").is_object());
}

#[test]
fn forks_are_refused_and_named_and_so_is_a_project_of_its_own() {
    let fleet = Fleet::new(&["a"]);
    fleet.run("a", &["run", "--", "echo", "both"]).code(0);
    fleet.copy("a", "fork");
    fleet.run("a", &["run", "--", "echo", "here"]).code(0);
    fleet.run("fork", &["run", "--", "echo", "there"]).code(0);
    let refused = fleet.merge(&["a", "fork", "--into", "all"]).code(6);
    assert!(refused.err().contains("forked at @"), "{}", refused.err());
    assert!(!fleet.0.path("all").exists(), "nothing is written");
    fleet.merge(&["a", "--into", "all"]).code(0);
    let refused = fleet.merge(&["fork", "--into", "all"]).code(6);
    assert!(refused.err().contains("forked at @"), "{}", refused.err());
    let own = fleet.merge(&["fork", "--into", "a"]).code(2);
    assert!(
        own.err().contains("records a project of its own") || own.err().contains("merged into")
    );
    let itself = fleet.merge(&["all", "--into", "all"]).code(2);
    assert!(itself.err().contains("is the journal that is merged into"), "{}", itself.err());
    fleet.run("all", &["verify"]).code(0);
}

/// Twelve journals of real sessions, one of them imported twice: the calls that an independent count finds.
#[test]
fn twelve_journals_of_real_sessions_are_their_union() {
    let packed = "../shared/data/claude-code-sessions/sessions-100.tar.xz";
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join(packed);
    let unpacked = tempfile::tempdir().expect("a folder");
    let mut tar = Command::new("tar");
    tar.arg("-xJf").arg(packed).arg("-C").arg(unpacked.path());
    if !tar.output().is_ok_and(|it| it.status.success()) {
        skipped("no real sessions in ../shared/data/claude-code-sessions");
        return;
    }
    let mut files: Vec<_> = walk(unpacked.path());
    files.retain(|it| fs::metadata(it).is_ok_and(|it| it.len() < 200_000));
    files.sort();
    files.truncate(12);
    assert_eq!(files.len(), 12);
    let names: Vec<String> = (0..12).map(|it| format!("j{it}")).collect();
    let named: Vec<&str> = names.iter().map(String::as_str).collect();
    let fleet = Fleet::new(&named);
    let import = |name: &str, file: &Path| {
        fleet.run(name, &["import", "claude-code", &file.to_string_lossy()]);
    };
    for (name, file) in named.iter().zip(&files) {
        import(name, file);
    }
    import("j7", &files[0]);
    let report = fleet.merge(&[&named[..], &["--into", "all"]].concat()).code(0).json();
    assert!(sum(&report, "same") > 0, "{report}");
    let union: BTreeSet<_> = named.iter().flat_map(|name| fleet.ids(name)).collect();
    assert_eq!(fleet.ids("all"), union);
    let again = fleet.merge(&[&named[..], &["--into", "all"]].concat()).code(0).json();
    assert_eq!(sum(&again, "taken"), 0);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/count_transcripts.py");
    match Command::new("python3").arg(script).args(&files).output() {
        Ok(told) => {
            let told: Value = serde_json::from_slice(&told.stdout).expect("JSON");
            assert_eq!(told["calls"].as_u64(), Some(union.len() as u64));
        }
        Err(_) => skipped("no python3 to count calls"),
    }
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|it| it.expect("an entry").path());
    entries.flat_map(|it| if it.is_dir() { walk(&it) } else { vec![it] }).collect()
}

#[test]
fn what_was_redacted_in_a_source_stays_redacted_and_is_told_here() {
    let (one, into) = (Project::new(), Project::empty());
    one.annals(["run", "--", "echo", "a-secret-thing"]).code(0);
    one.annals(["run", "--", "echo", "fine"]).code(0);
    let copy = Project::empty();
    Ran::of(&mut one.shell(&format!("cp -a .annals {}", copy.root().display()))).code(0);
    one.annals(["redact", "1", "--reason", "leaked", "--yes"]).code(0);
    let root = |project: &Project| project.root().to_string_lossy().into_owned();
    for sources in [[root(&copy), root(&one)], [root(&one), root(&copy)]] {
        let there = into.path(if sources[0] == root(&one) { "one" } else { "other" });
        let there = there.to_string_lossy().into_owned();
        let [first, second] = &sources;
        into.annals(["merge", first, second, "--into", &there]).code(0);
        into.annals(["--dir", &there, "verify"]).code(0).says("2 records redacted").says("leaked");
        let log = into.annals(["--dir", &there, "log"]).code(0).out();
        assert!(log.contains("fine") && !log.contains("a-secret"), "{log}");
    }
}
