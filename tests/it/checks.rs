//! The reader of check outcomes, against what real sessions' outputs are labelled with.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use annals::internal::parse::check::{CheckReader, CheckReport, CheckRules, OutputStream, Verdict};
use serde_json::Value;

use crate::skipped::skipped;

const SESSIONS: &str = "../shared/data/claude-code-sessions/sessions-100.tar.xz";
const LABELS: &str = include_str!("../fixtures/checks/labels.jsonl");

/// A call of a shell, as a transcript has it.
struct Call {
    command: String,
    printed: String,
    is_error: bool,
}

/// What was right, of how many.
#[derive(Default)]
struct Score {
    right: usize,
    missing: usize,
    extra: usize,
}

impl Score {
    fn count(&mut self, mut wanted: Vec<String>, found: Vec<String>, allowed: &[String]) {
        for one in found {
            match wanted.iter().position(|it| *it == one) {
                Some(at) => {
                    wanted.remove(at);
                    self.right += 1;
                }
                None => self.extra += usize::from(!allowed.contains(&one)),
            }
        }
        self.missing += wanted.len();
    }

    #[track_caller]
    fn reaches(&self, what: &str, recall: f64, precision: f64) {
        let of = |other: usize| self.right as f64 / (self.right + other).max(1) as f64;
        let (found, sure) = (of(self.missing), of(self.extra));
        assert!(found >= recall && sure >= precision, "{what}: recall {found}, precision {sure}");
    }
}

fn calls(folder: &Path) -> HashMap<(String, String), Call> {
    let mut found = HashMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let session = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        let mut commands = HashMap::new();
        let lines = text.lines().filter_map(|it| serde_json::from_str::<Value>(it).ok());
        for line in lines {
            let blocks = line.pointer("/message/content").and_then(Value::as_array).cloned();
            for block in blocks.unwrap_or_default() {
                let text = |at: &str| block.pointer(at).and_then(Value::as_str).map(str::to_owned);
                if text("/name").as_deref() == Some("Bash") {
                    commands
                        .insert(text("/id").unwrap(), text("/input/command").unwrap_or_default());
                }
                let Some(id) = text("/tool_use_id") else { continue };
                let Some(command) = commands.get(&id).cloned() else { continue };
                let parts = block["content"].as_array().into_iter().flatten();
                let parts: Vec<&str> = parts.filter_map(|it| it["text"].as_str()).collect();
                let printed = text("/content").unwrap_or_else(|| parts.join("\n"));
                let is_error = block["is_error"] == true;
                let call = Call { command, printed, is_error };
                found.entry((session.clone(), id)).or_insert(call);
            }
        }
    }
    found
}

fn read(call: &Call) -> CheckReport {
    let mut reader = CheckReader::of(&call.command, &CheckRules::default());
    call.printed.as_bytes().chunks(4096).for_each(|it| reader.feed(OutputStream::Stdout, it));
    reader.finish(Some(i32::from(call.is_error)))
}

fn names(label: &Value, key: &str) -> Vec<String> {
    let list = label[key].as_array().into_iter().flatten();
    list.filter_map(|it| it.as_str().map(str::to_owned)).collect()
}

/// A test's name without its package.
fn bare(name: &str) -> String {
    name.find(".Test").map_or(name, |at| &name[at + 1..]).to_owned()
}

#[test]
fn real_outputs_are_read_as_they_are_labelled() {
    if !Path::new(SESSIONS).exists() {
        return skipped(&format!("{SESSIONS} is not here"));
    }
    let folder = tempfile::tempdir().unwrap();
    let unpacked =
        Command::new("tar").arg("-xJf").arg(SESSIONS).arg("-C").arg(folder.path()).status();
    if !unpacked.is_ok_and(|it| it.success()) {
        return skipped("tar cannot unpack the sessions");
    }
    let mut calls = calls(folder.path());
    let [mut known, mut failed, mut places, mut tests, mut told] =
        [(); 5].map(|()| Score::default());
    for label in LABELS.lines().map(|it| serde_json::from_str::<Value>(it).unwrap()) {
        let key = (
            label["session"].as_str().unwrap().to_owned(),
            label["id"].as_str().unwrap().to_owned(),
        );
        // A call without a result printed nothing that could be read.
        let Some(call) = calls.remove(&key) else { continue };
        let report = read(&call);
        let is_check = label["is_check"].is_string();
        match (is_check, report.kind.is_some()) {
            (true, true) => known.right += 1,
            (true, false) => known.missing += usize::from(label["doubt"].is_null()),
            (false, is) => known.extra += usize::from(is),
        }
        if !is_check {
            continue;
        }
        let also = names(&label, "also").contains(&"failed".to_owned());
        match (label["verdict"] == "failed", report.verdict == Verdict::Failed) {
            (true, true) => failed.right += 1,
            (true, false) => failed.missing += 1,
            (false, is) => failed.extra += usize::from(is && !also),
        }
        let place =
            |it: &Value| format!("{}:{}", it[0].as_str().unwrap().trim_start_matches("./"), it[1]);
        let wanted = label["diagnostics"].as_array().into_iter().flatten().map(place).collect();
        let found = report.findings.iter().map(|it| {
            let (file, line) = (it.diagnostic.file_name.as_deref(), it.diagnostic.line_start);
            let file = file.unwrap_or_default();
            let below = file.find("/cmd/entire/").filter(|_| file.starts_with('/'));
            format!("{}:{}", below.map_or(file, |at| &file[at + 1..]), line.unwrap_or(0))
        });
        places.count(wanted, found.collect(), &names(&label, "optional"));
        let found = report.failures.iter().map(|it| bare(&it.test_name)).collect();
        tests.count(names(&label, "failing_tests"), found, &names(&label, "failing_parents"));
        if label["verdict"] == "failed" {
            let line = report.telling.unwrap_or_default();
            let holds = names(&label, "telling").iter().any(|it| line.contains(it.as_str()));
            told.right += usize::from(holds);
            told.missing += usize::from(!holds);
        }
    }
    // What has no label is no check.
    let others = calls.values().filter(|it| read(it).kind.is_some()).count();
    assert!(
        known.extra + others <= calls.len() / 100,
        "{} and {others} are no checks",
        known.extra
    );
    known.reaches("recognition", 0.97, 0.99);
    failed.reaches("failing checks", 0.97, 0.99);
    places.reaches("places", 0.95, 0.98);
    tests.reaches("failing tests", 0.98, 0.98);
    told.reaches("telling lines", 0.97, 0.97);
}

/// A name with its levels joined as the labels have them.
fn levels(name: &str) -> String {
    name.replace(" \u{203a} ", " > ").replace("::", " > ")
}

#[test]
fn captured_outputs_of_other_tools_are_read_as_they_are_labelled() {
    let folder = Path::new("tests/fixtures/checks/captured");
    let expected = fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: HashMap<String, Value> = serde_json::from_str(&expected).unwrap();
    let [mut places, mut tests, mut told] = [(); 3].map(|()| Score::default());
    let mut wrong = Vec::new();
    for (name, label) in &expected {
        let printed = fs::read(folder.join(format!("{name}.txt"))).unwrap();
        let mut reader =
            CheckReader::of(label["command"].as_str().unwrap(), &CheckRules::default());
        reader.feed(OutputStream::Stdout, &printed);
        let code = label["exit"].as_i64().and_then(|it| i32::try_from(it).ok());
        let report = reader.finish(code);
        let is_check = label["is_check"].is_string();
        assert!(
            is_check == report.kind.is_some() || !label["doubt"].is_null(),
            "{name}: {report:?}"
        );
        if report.kind.is_none() {
            continue;
        }
        let verdict = format!("{:?}", report.verdict).to_lowercase();
        let is_right = label["verdict"] == verdict.as_str();
        if !is_right && !names(label, "also").contains(&verdict) {
            wrong.push(format!("{name}: {verdict}"));
        }
        let cwd = format!("{}/", label["cwd"].as_str().unwrap_or_default());
        let below = |file: &str| file.trim_start_matches("./").trim_start_matches(&cwd).to_owned();
        let place = |it: &Value| format!("{}:{}", below(it[0].as_str().unwrap_or_default()), it[1]);
        let wanted = label["diagnostics"].as_array().into_iter().flatten().map(place).collect();
        let files = names(label, "files");
        let found = report.findings.iter().filter_map(|it| {
            let file = below(it.diagnostic.file_name.as_deref().unwrap_or_default());
            let is_file = files.iter().any(|it| below(it) == file);
            (!is_file).then(|| format!("{file}:{}", it.diagnostic.line_start.unwrap_or(0)))
        });
        places.count(wanted, found.collect(), &[]);
        let flat = |key: &str| names(label, key).iter().map(|it| levels(it)).collect::<Vec<_>>();
        let allowed = [flat("failing_parents"), flat("optional_tests")].concat();
        let wanted = flat("failing_tests");
        // Some runners join the levels by a blank, or leave the file away.
        let same = |one: &str, other: &str| {
            one.replace(" > ", " ") == other.replace(" > ", " ")
                || one.ends_with(other)
                || other.ends_with(one)
        };
        let found = report.failures.iter().map(|it| {
            let bare = it.test_name.split(" (n=").next().unwrap(); // unittest's subtests
            let told = levels(bare);
            let known = wanted.iter().chain(&allowed).find(|it| same(it, &told));
            known.cloned().unwrap_or(told)
        });
        tests.count(wanted.clone(), found.collect(), &allowed);
        if label["verdict"] == "failed" {
            let line = levels(&report.telling.unwrap_or_default());
            let holds = names(label, "telling").iter().any(|it| line.contains(&levels(it)));
            told.right += usize::from(holds);
            told.missing += usize::from(!holds);
        }
    }
    assert_eq!(wrong, [""; 0]);
    places.reaches("places", 0.95, 0.98);
    tests.reaches("failing tests", 0.95, 0.95);
    told.reaches("telling lines", 0.95, 0.97);
}
