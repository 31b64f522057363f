//! Transcripts through the program: against an independent count, truncated, mutated.

use std::path::{Path, PathBuf};
use std::process::Command;

use annals::internal::agents::claude_code::parse;
use annals::internal::agents::import::salvage::salvage_bytes;
use annals::internal::agents::import::{Item, Ledger, LogSource};
use proptest::prelude::*;
use serde_json::Value;

use crate::project::{Project, Ran};
use crate::skipped::skipped;

/// Counts that the importer and the independent counter both give.
const COUNTS: &[&str] = &[
    "files",
    "lines",
    "records",
    "glued_lines",
    "unreadable_lines",
    "sessions",
    "calls",
    "results",
    "errors",
    "failed",
    "refused",
    "interrupted",
    "results_without_call",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn transcripts_in(folder: PathBuf) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(&folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    paths
}

fn fixtures() -> Vec<PathBuf> {
    transcripts_in(root().join("tests/fixtures/transcripts"))
}

/// Real sessions, where they lie beside the project; a test without them says so and holds nothing.
fn real() -> Vec<PathBuf> {
    let paths = transcripts_in(root().join("../shared/data/claude-code"));
    if paths.is_empty() {
        skipped("no real transcripts in ../shared/data/claude-code");
    }
    paths
}

fn counted(paths: &[PathBuf]) -> Option<Value> {
    let script = root().join("tests/count_transcripts.py");
    match Command::new("python3").arg(script).args(paths).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(serde_json::from_slice(&output.stdout).unwrap())
        }
        Err(_) => {
            skipped("no python3");
            None
        }
    }
}

#[track_caller]
fn imports_as_counted(paths: &[PathBuf]) {
    let Some(expect) = counted(paths) else { return };
    let project = Project::new();
    let words = ["--json".as_ref(), "import".as_ref(), "auto".as_ref()];
    let words: Vec<_> =
        words.into_iter().chain(paths.iter().map(|path| path.as_os_str())).collect();
    let ran = project.annals(words);
    let got = ran.json();
    let is_found = ["findings", "skipped"].iter().any(|it| got[*it] != serde_json::json!([]));
    ran.code(i32::from(is_found));
    for count in COUNTS {
        assert_eq!(got[count], expect[count], "{count} of {paths:?}\n{got:#}");
    }
    let status = project.annals(["--json", "status"]).json();
    for count in COUNTS.iter().filter(|count| !status["counts"][*count].is_null()) {
        assert_eq!(status["counts"][count], expect[count], "{count} of status\n{status:#}");
    }
    assert!(status["counts"]["calls"].is_u64(), "{status:#}");
    let unreadable: Vec<String> = got["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|finding| finding["kind"] == "unreadable line")
        .map(|finding| format!("{}:{}", finding["file"].as_str().unwrap(), finding["line"]))
        .collect();
    let named = |path: &Value| {
        let (file, line) = path.as_str().unwrap().rsplit_once(':').unwrap();
        format!("{}:{line}", std::fs::canonicalize(file).unwrap().display())
    };
    let mut expect: Vec<_> = expect["unreadable"].as_array().unwrap().iter().map(named).collect();
    let mut got = unreadable;
    got.sort();
    expect.sort();
    assert_eq!(got, expect);
}

#[test]
fn real_transcripts_give_the_counts_of_an_independent_script() {
    let paths = real();
    if !paths.is_empty() {
        imports_as_counted(&paths);
        for path in paths {
            imports_as_counted(&[path]);
        }
    }
}

#[test]
fn odd_transcripts_give_the_counts_of_an_independent_script() {
    imports_as_counted(&fixtures());
}

#[test]
fn past_sessions_of_the_project_are_found_without_a_path() {
    let project = Project::new();
    project.annals(["import"]).code(2).says("no past sessions");
    let root = std::fs::canonicalize(project.root()).unwrap();
    let folder: String = root
        .to_str()
        .unwrap()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let whole = root.join(".claude/projects").join(folder);
    std::fs::create_dir_all(&whole).unwrap();
    let fixture = self::root().join("tests/fixtures/transcripts/whole.jsonl");
    std::fs::copy(fixture, whole.join("11111111.jsonl")).unwrap();
    let got = project.annals(["--json", "import"]).code(0).json();
    assert_eq!(got["calls"], 6, "{got:#}");
}

#[test]
fn importing_again_into_caught_up_stores_adds_nothing() {
    let project = Project::new();
    let folder = root().join("tests/fixtures/transcripts");
    let import = |how: &[&str]| {
        let words = [&["--json", "import"], how].concat();
        Ran::of(project.command().args(words).arg(&folder)).json()
    };
    let first = import(&[]);
    let counts = || project.annals(["--json", "status"]).json()["counts"].clone();
    let before = counts();
    let again = import(&[]);
    assert_eq!((&again["recorded"], &counts()), (&0.into(), &before), "{again:#}");
    let again = import(&["--whole"]);
    assert_eq!(again["recorded"], 0, "{again:#}");
    assert_eq!((&again["calls"], &counts()), (&first["calls"], &before));
}

#[test]
fn a_result_that_comes_later_is_counted_instead_of_the_interruption() {
    let project = Project::new();
    let fixture = |name: &str| root().join("tests/fixtures/transcripts").join(name);
    let copy = project.path("session.jsonl");
    for (name, expect) in
        [("no-result.jsonl", [2, 1, 1, 0]), ("no-result-grown.jsonl", [2, 2, 0, 1])]
    {
        std::fs::copy(fixture(name), &copy).unwrap();
        project.annals(["import", "session.jsonl"]).code(0);
        let counts = &project.annals(["--json", "status"]).json()["counts"];
        let got = ["calls", "results", "interrupted", "corrected"].map(|count| &counts[count]);
        assert_eq!(got, expect.each_ref(), "{name}: {counts:#}");
    }
}

/// Everything a transcript goes through, without a journal: it must end, and salvage must give
/// records that parse.
fn survives(bytes: &[u8]) {
    let mut ledger = Ledger::new("claude-code");
    let mut events = Vec::new();
    ledger.read_on("mutated.jsonl", 0, true);
    for item in parse(bytes) {
        if let Item::Record(record) = item.unwrap() {
            ledger.take(Item::Record(record), &mut events);
        }
    }
    for loose in ledger.loose_results() {
        ledger.give_up(&loose);
    }
    ledger.close(&mut events);
    assert!(ledger.report.results <= ledger.report.calls);
    assert_eq!(ledger.report.calls, ledger.report.results + ledger.report.interrupted);

    let mut saved = Vec::new();
    let report = salvage_bytes(bytes, &mut saved).unwrap();
    let lines: Vec<_> =
        saved.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len() as u64, report.records);
    for line in lines {
        let parsed: Result<serde::de::IgnoredAny, _> = serde_json::from_slice(line);
        assert!(parsed.is_ok(), "{}", String::from_utf8_lossy(line));
    }
    let mut again = Vec::new();
    let report = salvage_bytes(&saved, &mut again).unwrap();
    assert_eq!(again, saved, "salvaging twice changes something");
    assert_eq!(report.lost_total, 0);
}

#[test]
fn transcripts_truncated_anywhere_are_read_and_salvaged() {
    for path in fixtures() {
        let bytes = std::fs::read(path).unwrap();
        for len in (0..bytes.len()).step_by(37) {
            survives(&bytes[..len]);
        }
    }
    for path in real() {
        let bytes = std::fs::read(path).unwrap();
        for part in 0..6 {
            survives(&bytes[..bytes.len() * part / 6 + 11 * part]);
        }
    }
}

/// A wound: what is done to the bytes at a place.
#[derive(Clone, Debug)]
enum Wound {
    Cut(usize),
    Zero(usize),
    Put(Vec<u8>),
    Double(usize),
}

fn wounds() -> impl Strategy<Value = Vec<(usize, Wound)>> {
    let wound = prop_oneof![
        (1usize..200).prop_map(Wound::Cut),
        (1usize..600).prop_map(Wound::Zero),
        prop::collection::vec(any::<u8>(), 1..6).prop_map(Wound::Put),
        prop::sample::select(vec!["\n", "{\"", "\"", "}", "[[[[", "\\ud800", "null", "{\"type\":"])
            .prop_map(|text| Wound::Put(text.as_bytes().to_vec())),
        (1usize..900).prop_map(Wound::Double),
    ];
    prop::collection::vec((any::<usize>(), wound), 1..8)
}

fn wounded(mut bytes: Vec<u8>, wounds: &[(usize, Wound)]) -> Vec<u8> {
    for (at, wound) in wounds {
        let at = at % (bytes.len() + 1);
        let to = |len: usize| (at + len).min(bytes.len());
        match wound {
            Wound::Cut(len) => drop(bytes.drain(at..to(*len))),
            Wound::Zero(len) => {
                let end = to(*len);
                bytes[at..end].fill(0);
            }
            Wound::Put(put) => drop(bytes.splice(at..at, put.iter().copied())),
            Wound::Double(len) => {
                let again = bytes[at..to(*len)].to_vec();
                drop(bytes.splice(at..at, again));
            }
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..Default::default() })]

    #[test]
    fn mutated_transcripts_never_panic(which in any::<prop::sample::Index>(), wounds in wounds()) {
        let paths = fixtures();
        survives(&wounded(std::fs::read(which.get(&paths)).unwrap(), &wounds));
    }

    #[test]
    fn any_bytes_are_sniffed_and_read(bytes in prop::collection::vec(any::<u8>(), 0..4096)) {
        LogSource::sniff(&bytes);
        survives(&bytes);
    }
}
