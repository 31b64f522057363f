//! Journals that lost an end which only stores know of: whoever asks is told, the loss becomes an event before
//! anything is put behind it, and stays told.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::project::{Project, Ran};
use crate::salvaged::{ids, lines, of};

/// What is done to the journal of a project whose last call is `echo LOST`.
const WOUNDS: [(&str, &str); 5] = [
    ("rolled back", "rm -r .annals/journal; cp -a ../before .annals/journal"),
    (
        "rolled back, and a store with it",
        "rm -r .annals/journal; cp -a ../before .annals/journal; cp -a ../before.db execution_log.db",
    ),
    (
        "cut, without LOCK",
        "truncate -s $(($(cat ../end) - 10)) .annals/journal/*.seg; rm .annals/journal/LOCK .annals/look.json",
    ),
    (
        "cut, LOCK as it was",
        "truncate -s $(cat ../ended) .annals/journal/*.seg; cp ../before/LOCK .annals/journal/LOCK",
    ),
    (
        "cut, LOCK forged",
        "truncate -s $(cat ../ended) .annals/journal/*.seg; head -c 4096 /dev/urandom > .annals/journal/LOCK; rm .annals/look.json",
    ),
];

const QUESTIONS: [&str; 12] = [
    "log",
    "sessions",
    "failures",
    "timeline",
    "show 1",
    "trace 1",
    "query recent bash_exec {}",
    "export jsonl",
    "sql SELECT/**/1",
    "replay",
    "status",
    "verify",
];

/// A folder, and in it a project that lost its last call, of which its stores know.
fn wounded(wound: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path().join("project");
    fs::create_dir(&root).expect("made");
    annals(&root, "init").code(0);
    for number in 0..3 {
        annals(&root, &format!("run -- echo line{number}")).code(0);
    }
    annals(&root, "log").code(0);
    shell(&root, "cp -a .annals/journal ../before; cp -a execution_log.db ../before.db");
    note_end(&root, "ended");
    annals(&root, "run -- echo LOST").code(0);
    annals(&root, "log").code(0);
    note_end(&root, "end");
    shell(&root, wound);
    forget(&root);
    (dir, root)
}

/// Takes away what the user's own state says, as on a machine that never saw it: `attacks.rs` is about that.
fn forget(root: &Path) {
    shell(root, "rm -rf .local/state/annals/seen-*");
}

fn note_end(root: &Path, name: &str) {
    let found = fs::read_dir(root.join(".annals/journal")).expect("listed");
    let mut found = found.map(|entry| entry.expect("an entry").path());
    let segment = found.find(|path| path.extension().is_some_and(|it| it == "seg"));
    let bytes = fs::read(segment.expect("a segment")).expect("read");
    let end = bytes.iter().rposition(|byte| *byte != 0).expect("events") + 1;
    fs::write(root.join("..").join(name), end.to_string()).expect("written");
}

fn annals(root: &Path, words: &str) -> Ran {
    let mut command = Project::empty().command();
    Ran::of(command.current_dir(root).env("HOME", root).args(words.split(' ')))
}

fn shell(root: &Path, script: &str) {
    let ran = Command::new("sh").args(["-ec", script]).current_dir(root).status();
    assert!(ran.expect("a shell").success(), "{script}");
}

/// Every file of the project, the user's own cache and state left out.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let script = "find . -path ./.cache -prune -o -path ./.local -prune -o -type f -print";
    let found = Command::new("sh").args(["-c", script]).current_dir(root).output();
    let found = String::from_utf8(found.expect("find runs").stdout).expect("names");
    let read = |name: &str| (PathBuf::from(name), fs::read(root.join(name)).expect("read"));
    found.lines().map(read).collect()
}

#[test]
fn every_question_of_evidence_is_told_and_writes_nothing() {
    for (what, wound) in WOUNDS {
        let (_dir, root) = wounded(wound);
        let before = files(&root);
        for _ in 0..2 {
            for question in QUESTIONS {
                let asked = annals(&root, &format!("--evidence {question}")).code(3);
                let told = match question {
                    "verify" | "status" => asked.out(),
                    _ => asked.err(),
                };
                assert!(told.contains("acknowledged loss"), "{what}: {question}: {told}");
                let told = asked.err().matches("the journal is damaged").count();
                assert!(told == usize::from(question != "verify"), "{what}: {}", asked.err());
            }
        }
        let shown = annals(&root, "--evidence show 1 --json").code(3).json();
        assert!(!shown["incomplete"].as_array().expect("a list").is_empty(), "{what}: {shown}");
        assert!(files(&root) == before, "{what}: something was written");
        // Without the stores nobody knows.
        shell(&root, "rm execution_log.db codegraph.db .annals/index.db");
        if what.starts_with("rolled back") {
            assert_eq!(annals(&root, "--evidence log").code(0).err(), "");
        }
    }
}

#[test]
fn a_journal_that_another_history_was_put_in_place_of_is_told() {
    let (dir, root) = wounded("cp -a . ../other");
    let other = dir.path().join("other");
    // Both go on from there.
    annals(&root, "run -- echo here").code(0);
    annals(&other, "run -- echo there").code(0);
    forget(&root);
    let both = format!("--dir {} --dir {}", root.display(), other.display());
    for evidence in ["", "--evidence "] {
        let told = annals(&root, &format!("{evidence}log {both}")).code(6).err();
        assert!(told.contains("are one journal that parted after event @11"), "{told}");
        assert!(told.contains("forked behind @12 at the latest"), "{told}");
        assert_eq!(told.lines().count(), 2, "{told}");
    }
    shell(&root, "rm -r .annals/journal; cp -a ../other/.annals/journal .annals/journal");
    forget(&root);
    let before = files(&root);
    for question in QUESTIONS.iter().filter(|it| **it != "verify") {
        let asked = annals(&root, &format!("--evidence {question}")).code(3).err();
        assert!(asked.contains("another history of this journal"), "{question}: {asked}");
        assert_eq!(asked.lines().count(), 1, "{question}: {asked}");
    }
    assert!(files(&root) == before);
}

#[test]
fn what_only_stores_know_becomes_an_event_and_stays_told() {
    let hook = "hook claude-code";
    let is_long = std::env::var_os("ANNALS_LONG").is_some();
    for (at, (what, wound)) in WOUNDS.into_iter().enumerate() {
        for (turn, first) in ["run -- true", "log", "repair", hook].into_iter().enumerate() {
            // In the short form each wound meets two of them.
            if !is_long && (at + turn) % 2 != 0 {
                continue;
            }
            let (_dir, root) = wounded(wound);
            let lost = ids(&root.join("execution_log.db"));
            let case = format!("{what}, {first}");
            if first == hook {
                fire(&root);
            } else {
                annals(&root, first);
            }
            let recorded = || annals(&root, "verify --json").json()[0]["recorded"].clone();
            let told = recorded();
            let last = told.as_array().and_then(|all| all.last()).expect("on record").clone();
            assert_eq!(last["last_sequence"], 11, "{case}: {told}");
            // Numbers of what is lost are nobody else's.
            assert!(last["sequence"].as_u64() > Some(11), "{case}: {told}");
            annals(&root, "run -- echo after").code(0);
            annals(&root, "repair");
            for turn in 0..2 {
                assert_eq!(recorded(), told, "{case}");
                annals(&root, "verify").code(1).says("on record as");
                annals(&root, "status").code(1).says("lost").says("Next: annals verify");
                assert_eq!(annals(&root, "log").code(0).err(), "", "{case}");
                assert_eq!(annals(&root, "--evidence log").code(0).err(), "", "{case}");
                if turn == 0 && first == "log" {
                    let line = "{\"tool\":\"file_read\",\"arguments\":{},\"outcome\":\"ok\"}\n";
                    fs::write(root.join("../lines"), line.repeat(1_000)).expect("written");
                    let binary = env!("CARGO_BIN_EXE_annals");
                    shell(&root, &format!("HOME=$PWD '{binary}' record < ../lines > ../said"));
                }
            }
            // The stores that had it are kept, and offer it.
            annals(&root, "salvage --from-store . ../rows.jsonl").code(1);
            let rows = lines(&root.join("../rows.jsonl"));
            let kept = of(&rows, "execution_log.db", "executions");
            let now = ids(&root.join("execution_log.db"));
            for id in lost.difference(&now) {
                assert!(kept.iter().any(|row| row["row"]["id"] == id.as_str()), "{case}: {id}");
            }
        }
    }
}

/// A hook of an agent's session.
fn fire(root: &Path) {
    let input = serde_json::json!({
        "hook_event_name": "UserPromptSubmit", "session_id": "one", "prompt": "go on",
        "cwd": root, "transcript_path": root.join("none.jsonl"),
    });
    let mut command = Project::empty().command();
    let ran = Ran::of(
        command
            .current_dir(root)
            .env("HOME", root)
            .args(["hook", "claude-code"])
            .write_stdin(input.to_string()),
    );
    ran.code(0);
}

#[test]
fn a_dry_run_foretells_that_a_loss_is_recorded() {
    for (what, wound) in WOUNDS {
        let (_dir, root) = wounded(wound);
        let before = files(&root);
        let told = annals(&root, "repair --dry-run").code(3).out();
        assert!(told.contains("would be loss recorded: "), "{what}: {told}");
        assert!(files(&root) == before, "{what}: something was written");
        let done = annals(&root, "repair").code(3).out();
        let steps = |text: &str| {
            let of = |line: &str| line.replace("would be ", "");
            let steps = text.lines().filter(|line| !line.starts_with("  ")).map(of);
            steps.filter(|line| !line.starts_with("in quarantine")).collect::<Vec<_>>()
        };
        assert_eq!(steps(&told), steps(&done), "{what}");
    }
}
