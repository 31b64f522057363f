//! Imports that go on where the one before stopped record what imports of the whole file do.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use super::{fixture, import_all, named, project, recorded};
use crate::agents::import::{ImportReport, ImportRequest, import};
use crate::event::{Body, Outcome};
use crate::journal::Project;
use crate::store::StorePlaces;

fn import_whole(project: &Project, paths: &[PathBuf]) -> ImportReport {
    let request = ImportRequest { paths: paths.to_vec(), whole: true, ..ImportRequest::default() };
    import(project, &request, &ProgressBar::hidden()).unwrap()
}

/// What is on record, but for what is made by chance.
fn told(project: &Project) -> Vec<String> {
    let of = |body: &Body| match body {
        Body::JournalCreated(_) | Body::RepoIdentified(_) => None,
        Body::SummaryAppended(it) => Some(it.summary.clone()),
        body => Some(format!("{body:?}")),
    };
    recorded(project).iter().filter_map(|it| of(&it.event.body)).collect()
}

/// The same as one import and several tell it: of a call the last word, of a message the fullest.
fn come_to(project: &Project) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for (number, it) in recorded(project).into_iter().enumerate() {
        let (key, value) = match it.event.body {
            Body::ExecutionStarted(it) => (format!("start {}", it.execution), format!("{it:?}")),
            // Given up once more is nothing new.
            Body::ExecutionFinished(it) if it.closing.outcome == Outcome::Interrupted => {
                (format!("end {}", it.execution), "interrupted".to_owned())
            }
            Body::ExecutionFinished(it) => {
                (format!("end {}", it.execution), format!("{} {:?}", it.tool, it.closing))
            }
            Body::ExecutionCorrected(it) => {
                (format!("end {}", it.corrects), format!("{} {:?}", it.tool, it.closing))
            }
            Body::ExecutionInterrupted(it) => {
                (format!("end {}", it.execution), "interrupted".to_owned())
            }
            Body::PromptSubmitted(it) => (format!("prompt {number:?}"), format!("{it:?}")),
            Body::AssistantSaid(it) => (format!("said {}", it.native_id), format!("{it:?}")),
            Body::ModelChanged(it) => (format!("model {}", it.native_id), format!("{it:?}")),
            Body::StepBegun(it) => (format!("step {number:?}"), format!("{it:?}")),
            _ => continue,
        };
        let key = match key.split_once(' ') {
            // By place, whatever lies between.
            Some((kind @ ("prompt" | "step"), _)) => {
                let count = all.keys().filter(|it: &&String| it.starts_with(kind)).count();
                format!("{kind} {count:04}")
            }
            _ => key,
        };
        all.insert(key, value);
    }
    all
}

/// Numbers that look as if by chance, the same every time.
fn cuts(seed: u64, count: usize, len: usize) -> Vec<usize> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % len as u64) as usize
    };
    let mut cuts: Vec<_> = (0..count).map(|_| next()).chain([len]).collect();
    cuts.sort_unstable();
    cuts
}

const FIXTURES: [&str; 6] = [
    "whole.jsonl",
    "no-result-grown.jsonl",
    "refused.jsonl",
    "subagents.jsonl",
    "nul.jsonl",
    "codex",
];

fn fixtures() -> Vec<PathBuf> {
    let mut all = Vec::new();
    for path in FIXTURES.map(fixture) {
        match path.is_dir() {
            true => all.extend(fs::read_dir(path).unwrap().map(|it| it.unwrap().path())),
            false => all.push(path),
        }
    }
    all.retain(|path| path.extension().is_some_and(|it| it == "jsonl"));
    all.sort();
    all
}

#[test]
fn any_cut_comes_to_what_whole_imports_and_one_at_the_end_come_to() {
    let paths = fixtures();
    assert!(paths.len() > 6, "{paths:?}");
    for (seed, fixture) in paths.iter().enumerate() {
        let bytes = fs::read(fixture).unwrap();
        let dirs: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
        let [on, whole, once] = [0, 1, 2].map(|at| project(dirs[at].path()));
        let path = dirs[0].path().join("session.jsonl");
        let paths = [path.clone()];
        let is_by_line = seed % 2 == 0;
        for cut in cuts(seed as u64 + 1, 3, bytes.len()) {
            let newline = bytes[cut..].iter().position(|byte| *byte == b'\n');
            let cut = newline.filter(|_| is_by_line).map_or(cut, |at| cut + at + 1);
            // Grown in place, as agents do.
            let had = fs::metadata(&path).map_or(0, |it| it.len() as usize);
            let mut file = fs::File::options().create(true).append(true).open(&path).unwrap();
            std::io::Write::write_all(&mut file, &bytes[had..cut]).unwrap();
            import_all(&on, &paths);
            import_whole(&whole, &paths);
            assert_eq!(told(&on), told(&whole), "{} up to {cut}", fixture.display());
        }
        import_all(&once, &paths);
        if is_by_line {
            assert_eq!(come_to(&on), come_to(&once), "{}", fixture.display());
        }
        assert_eq!(import_all(&on, &paths).recorded, 0);
        assert_eq!(import_whole(&on, &paths).recorded, 0);
    }
}

fn line(session: &str, second: usize, kind: &str, message: &str) -> String {
    format!(
        r#"{{"type":"{kind}","uuid":"{session}-{second}","sessionId":"{session}","cwd":"/w","timestamp":"2026-01-05T12:{:02}:{:02}.000Z","message":{message}}}"#,
        second / 60 % 60,
        second % 60
    ) + "\n"
}

fn turn(session: &str, at: usize) -> String {
    let call = format!(
        r#"{{"id":"m{at}","role":"assistant","model":"one","content":[{{"type":"tool_use","id":"toolu_{at}","name":"Bash","input":{{"command":"ls {at}"}}}}]}}"#
    );
    let result = format!(
        r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_{at}","content":"a{at}"}}]}}"#
    );
    let asked = format!(r#"{{"role":"user","content":"look at {at}"}}"#);
    line(session, 3 * at, "user", &asked)
        + &line(session, 3 * at + 1, "assistant", &call)
        + &line(session, 3 * at + 2, "user", &result)
}

pub(super) fn turns(session: &str, of: std::ops::Range<usize>) -> String {
    of.map(|at| turn(session, at)).collect()
}

pub(super) fn append(path: &Path, text: &str) {
    let mut file = fs::File::options().create(true).append(true).open(path).unwrap();
    std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
}

#[test]
fn only_what_grew_is_read_and_what_was_written_anew_is_read_whole() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let path = dir.path().join("session.jsonl");
    let paths = [path.clone()];
    append(&path, &turns("s", 0..300));
    assert_eq!(import_all(&project, &paths).lines, 900);
    assert_eq!(
        (import_all(&project, &paths).lines <= 1, named(&project, "StepBegun")),
        (true, 300)
    );
    append(&path, &turns("s", 300..302));
    let grown = import_all(&project, &paths);
    assert!(grown.lines <= 8 && grown.calls == 2, "{grown:?}");
    // The same length, another word at the beginning; then shorter; then under another name in its place.
    let bytes = fs::read_to_string(&path).unwrap();
    fs::write(&path, bytes.replacen("look at 0", "look at X", 1)).unwrap();
    let anew = import_all(&project, &paths);
    assert_eq!((anew.lines, anew.recorded), (906, 2), "{anew:?}");
    fs::write(&path, turns("s", 0..20)).unwrap();
    assert_eq!(import_all(&project, &paths).lines, 60);
    let other = dir.path().join("other");
    fs::write(&other, turns("s", 0..20)).unwrap();
    fs::rename(&other, &path).unwrap();
    assert_eq!(import_all(&project, &paths).lines, 60);
    assert!(import_all(&project, &paths).lines <= 1);
    // Asked for, all of it is read.
    assert_eq!(import_whole(&project, &paths).lines, 60);
    // What is kept may be lost, or be anything.
    for entry in fs::read_dir(project.sessions_dir()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "stop") {
            fs::write(path, b"{\"rest\":{}}").unwrap();
        }
    }
    assert_eq!(import_all(&project, &paths).lines, 60);
    assert_eq!(named(&project, "ExecutionStarted"), 302);
}

#[test]
fn a_journal_that_lacks_what_was_read_gets_it_again() {
    let dir = tempfile::tempdir().unwrap();
    let first = project(dir.path());
    let path = dir.path().join("session.jsonl");
    append(&path, &turns("s", 0..3));
    import_all(&first, std::slice::from_ref(&path));
    let kept: Vec<_> = fs::read_dir(first.sessions_dir()).unwrap().map(|it| it.unwrap()).collect();
    let again = tempfile::tempdir().unwrap();
    let other = project(again.path());
    fs::create_dir_all(other.sessions_dir()).unwrap();
    for entry in kept {
        fs::copy(entry.path(), other.sessions_dir().join(entry.file_name())).unwrap();
    }
    assert_eq!(import_all(&other, &[path]).calls, 3);
}

#[test]
fn the_calls_of_a_subagent_and_a_late_result_find_what_stands_before() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let path = dir.path().join("session.jsonl");
    let call = r#"{"id":"m1","role":"assistant","model":"one","content":[{"type":"tool_use","id":"toolu_w","name":"Write","input":{"file_path":"/w/a.rs","content":"x"}}]}"#;
    append(&path, &turns("s", 0..400));
    append(&path, &line("s", 1200, "assistant", call));
    let paths = [path.clone()];
    assert_eq!(import_all(&project, &paths).interrupted, 1);
    let result = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_w","content":"done"}]}"#;
    append(&path, &line("s", 1201, "user", result));
    let late = import_all(&project, &paths);
    assert!((late.corrected, late.lines < 200) == (1, true), "{late:?}");
    let changed = recorded(&project).into_iter().find_map(|it| match it.event.body {
        Body::ExecutionCorrected(it) => Some(it.closing.changed),
        _ => None,
    });
    assert_eq!(changed.unwrap()[0].path, "/w/a.rs");
}

#[test]
fn no_secret_stands_in_what_is_kept_of_a_transcript() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let path = dir.path().join("session.jsonl");
    let secret = "ghp_8Fq2LmZx7RtYw0Kp3VbNc5HjD1GsE9uA4oTi";
    let said = format!(
        r#"{{"id":"m","role":"assistant","model":"{secret}","content":[{{"type":"text","text":"{secret}"}}]}}"#
    );
    append(&path, &(turns("s", 0..2) + &line("s", 9, "assistant", &said)));
    import_all(&project, &[path]);
    let mut kept = 0;
    for entry in fs::read_dir(project.sessions_dir()).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        kept += usize::from(text.contains("offset"));
        assert!(!text.contains(secret), "{text}");
    }
    assert_eq!(kept, 1);
}

#[test]
fn a_journal_that_lost_something_gets_all_of_it_again() {
    let dir = tempfile::tempdir().unwrap();
    let first = project(dir.path());
    let path = dir.path().join("session.jsonl");
    append(&path, &turns("s", 0..20));
    let paths = [path];
    assert_eq!(import_all(&first, &paths).lines, 60);
    let root = first.root().to_owned();
    let segment = fs::read_dir(first.journal_dir()).unwrap().map(|it| it.unwrap().path());
    let segment = segment.into_iter().find(|it| it.extension().is_some_and(|it| it == "seg"));
    drop(first);
    assert!(import_all(&Project::open(&root).unwrap(), &paths).lines <= 1);
    let segment = segment.unwrap();
    let mut bytes = fs::read(&segment).unwrap();
    let used = bytes.iter().rposition(|byte| *byte != 0).unwrap();
    (4..20).for_each(|part| bytes[used * part / 20] ^= 1);
    fs::write(&segment, &bytes).unwrap();
    // As a repair leaves it: the index has what the journal has.
    drop(fs::remove_file(StorePlaces::of(&Project::open(&root).unwrap()).index())); // if it was made
    let again = import_all(&Project::open(&root).unwrap(), &paths);
    assert_eq!((again.lines, again.recorded > 0), (60, true), "{again:?}");
}
