//! Stores whose rows somebody rewrote by hand: whoever asks notices, before anything is answered from them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use rusqlite::Connection;

use crate::leash::start;
use crate::project::Project;

const LOG: &str = "execution_log.db";
const INDEX: &str = ".annals/index.db";
const MEMORY: &str = ".annals/memory.db";
const STAMPS: &str = ".annals/stamps";

/// What is done to a store, and whether that leaves something in it that the journal has not.
type Wound = (&'static str, &'static str, bool);

const WOUNDS: &[Wound] = &[
    (LOG, "UPDATE executions SET success = 1, exit_code = 0 WHERE success = 0", true),
    (LOG, "DELETE FROM executions WHERE rowid = 2", false),
    (LOG, "DELETE FROM executions WHERE rowid = 4", false),
    (
        LOG,
        "INSERT INTO executions (rowid, id, tool_name, arguments_json, timestamp, success) \
         SELECT -1, 'forged', tool_name, '{\"forged\":1}', timestamp, 1 FROM executions WHERE rowid = 1",
        true,
    ),
    (INDEX, "UPDATE executions SET outcome = 'ok', exit_code = 0, error = NULL", true),
    (INDEX, "DELETE FROM executions WHERE ordinal = 2", false),
    (INDEX, "INSERT INTO tools VALUES (99, 'forged', 1, 'me')", true),
    (MEMORY, "UPDATE core_kv SET value = 'forged'", true),
    (MEMORY, "DELETE FROM core_kv", false),
    (MEMORY, "INSERT INTO core_kv VALUES ('root', 'forged', 'forged', 1.0)", true),
];

const QUESTIONS: &[&[&str]] = &[
    &["log"],
    &["failures"],
    &["sql", "SELECT count(*), sum(success) FROM executions"],
    &["memory", "get", "root"],
];

fn scene() -> Project {
    let project = Project::new();
    let all = |lines: &[&str]| {
        lines.iter().for_each(|words| drop(project.annals(words.split(' ')).code(0)));
    };
    all(&["run -- echo 1", "run -- echo 2", "memory fork root", "memory set root key value"]);
    project.annals(["run", "--", "false"]).code(1);
    all(&["run -- echo 4", "status"]);
    project
}

fn rewrite(project: &Project, store: &str, sql: &str) {
    let store = Connection::open(project.path(store)).expect("opened");
    store.execute_batch(&format!("PRAGMA foreign_keys = OFF; {sql}")).expect("changed");
}

fn name(store: &str) -> &str {
    store.rsplit('/').next().expect("a name")
}

/// What is said of a store that is kept as evidence.
fn kept(store: &str) -> String {
    format!("{} is kept as evidence, untouched", name(store))
}

/// What is known of each store; how far it has read may be asked at any time, and answers are kept beside.
fn stamps(project: &Project) -> BTreeMap<String, String> {
    let listed = fs::read_dir(project.path(STAMPS)).expect("listed");
    let paths = listed.map(|entry| entry.expect("an entry").path());
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("read");
        let said = text.split_once(' ').map_or("", |(_, said)| said);
        let said =
            serde_json::from_str::<serde_json::Value>(said).map_or(text.clone(), |mut said| {
                said.as_object_mut().map(|it| it.remove("reached"));
                said.to_string()
            });
        (path.to_string_lossy().into_owned(), said)
    };
    paths.filter(|path| path.extension().is_none()).map(read).collect()
}

#[test]
fn every_question_notices_and_answers_from_fresh_stores() {
    for (at, (store, sql, is_left)) in WOUNDS.iter().enumerate() {
        let project = scene();
        let asked = |question: &[&str]| project.annals(question).code(0).out();
        let before: Vec<_> = QUESTIONS.iter().map(|question| asked(question)).collect();
        rewrite(&project, store, sql);
        let file = fs::read(project.path(store)).expect("read");
        // Each is the first to notice in its turn.
        for turn in 0..QUESTIONS.len() {
            let number = (at + turn) % QUESTIONS.len();
            // An operation on memory is recorded: it refuses where it would decide by what was rewritten.
            let (code, answer) = match (QUESTIONS[number][0], *store) {
                ("memory", MEMORY) => (1, ""),
                ("memory", _) => (0, before[number].as_str()),
                _ => (1, before[number].as_str()),
            };
            let told = project.annals(QUESTIONS[number]).code(code);
            assert!(told.err().contains(&kept(store)), "{sql}: {}", told.err());
            assert_eq!(told.out(), answer, "{sql}");
        }
        project.annals(["status"]).code(1).says("kept as evidence");
        let errors = fs::read_to_string(project.path(".annals/errors.jsonl")).expect("read");
        assert_eq!(errors.matches("kept as evidence").count(), 1, "{sql}: {errors}");
        assert!(fs::read(project.path(store)).expect("read") == file, "{sql}: it was written");

        // Recording goes on.
        project.annals(["run", "--", "echo", "5"]).code(0);
        let saved = project.annals(["salvage", "--from-store", ".", "saved.jsonl"]);
        saved.code(i32::from(*is_left));
        let mended = format!("rebuilt: {}", name(store));
        project.annals(["repair", "--dry-run"]).code(1).says(&mended);
        project.annals(["repair"]).code(0).says(&mended);
        let aside = project.path(".annals/quarantine").join(format!("{}.1.evidence", name(store)));
        assert!(aside.exists(), "{sql}");
        for question in QUESTIONS {
            assert_eq!(project.annals(*question).code(0).err(), "", "{sql}");
        }
        project.annals(["status"]).code(0);
    }
}

#[test]
fn what_was_rewritten_before_others_went_on_is_noticed() {
    for (store, sql, _) in [WOUNDS[0], WOUNDS[4], WOUNDS[7]] {
        let project = scene();
        rewrite(&project, store, sql);
        for _ in 0..3 {
            project.annals(["run", "--", "true"]).code(0);
        }
        assert!(project.annals(["log"]).code(1).err().contains(&kept(store)), "{sql}");
        project.annals(["status"]).code(1);
        project.annals(["repair"]).code(0);
        project.annals(["rebuild", "--check"]).code(0);
        project.annals(["status"]).code(0);
    }
}

#[test]
fn a_runner_that_goes_on_all_the_while_hides_nothing() {
    let project = scene();
    let until = Instant::now() + Duration::from_secs(3);
    thread::scope(|scope| {
        scope.spawn(|| {
            while Instant::now() < until {
                project.annals(["run", "--", "true"]).code(0);
            }
        });
        thread::sleep(Duration::from_millis(800));
        let log = Connection::open(project.path(LOG)).expect("opened");
        log.busy_timeout(Duration::from_secs(5)).expect("patience");
        log.execute("UPDATE executions SET exit_code = 9 WHERE rowid = 2", []).expect("changed");
    });
    assert!(project.annals(["log"]).code(1).err().contains(&kept(LOG)));
}

#[test]
fn what_is_too_large_for_a_question_is_told_and_left_to_status() {
    let project = scene();
    rewrite(
        &project,
        LOG,
        "UPDATE executions SET error_message = zeroblob(40 << 20) WHERE rowid = 2",
    );
    let told = project.annals(["log"]).code(1);
    assert!(told.err().contains("`annals status` looks"), "{}", told.err());
    assert_eq!(told.err().lines().count(), 1, "{}", told.err());
    project.annals(["status"]).code(1).says("kept as evidence");
    assert!(project.annals(["log"]).code(1).err().contains(&kept(LOG)));
}

#[test]
fn a_copy_is_no_false_alarm() {
    let project = scene();
    let copy = tempfile::tempdir().expect("a folder");
    let to = copy.path().join("copy");
    let copied = Command::new("cp").arg("-a").arg(project.root()).arg(&to).status();
    assert!(copied.expect("cp runs").success());
    for question in QUESTIONS.iter().chain([&["status"][..]].iter()) {
        let asked = project.command().args(*question).current_dir(&to).output().expect("it runs");
        let said = String::from_utf8_lossy(&asked.stderr).into_owned();
        assert_eq!((asked.status.code(), said.as_str()), (Some(0), ""), "{question:?}");
    }
}

#[test]
fn a_stamp_that_is_gone_old_or_anything_else_costs_one_look() {
    let wounds: &[(&str, fn(&Path))] = &[
        ("missing", |stamp| fs::remove_file(stamp).expect("removed")),
        ("empty", |stamp| fs::write(stamp, "").expect("written")),
        ("huge", |stamp| {
            fs::File::create(stamp).and_then(|file| file.set_len(1 << 40)).expect("grown");
        }),
        ("no words", |stamp| fs::write(stamp, [0xff; 700]).expect("written")),
        ("nested", |stamp| fs::write(stamp, "[".repeat(600)).expect("written")),
    ];
    for (name, deal) in wounds {
        let project = scene();
        for stamp in stamps(&project).keys() {
            deal(Path::new(stamp));
        }
        assert_eq!(project.annals(["log"]).code(0).err(), "", "{name}");
        let after = stamps(&project);
        assert_eq!(after.len(), 3, "{name}");
        project.annals(["status"]).code(0);
        assert_eq!(stamps(&project), after, "{name}: it was looked at once");
    }
    // Where none can be written, each asks anew and nobody fails.
    let project = scene();
    fs::remove_dir_all(project.path(STAMPS)).expect("removed");
    fs::write(project.path(STAMPS), "").expect("written");
    project.annals(["run", "--", "true"]).code(0);
    assert_eq!(project.annals(["log"]).code(0).err(), "");
    assert_eq!(project.annals(["status"]).code(1).says("in the way").err(), "");
}

#[test]
fn who_is_killed_anywhere_accuses_nobody() {
    let project = scene();
    for number in 0..40 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        let words = ["run", "--", "true"];
        command.args(words).current_dir(project.root()).env("HOME", project.root());
        for name in ["ANNALS_DIR", "ANNALS_SESSION", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let run = start(&mut command);
        thread::sleep(Duration::from_millis(5 + 4 * number));
        drop(run);
    }
    assert!(!project.annals(["status"]).err().contains("evidence"));
    let after = stamps(&project);
    project.annals(["status"]).code(0);
    assert_eq!(stamps(&project), after, "it was looked at once");
    project.annals(["rebuild", "--check"]).code(0);
    // Killed between its commit and the stamp.
    let old = stamps(&project);
    project.annals(["run", "--", "true"]).code(0);
    old.iter().for_each(|(stamp, text)| fs::write(stamp, text).expect("written"));
    assert_eq!(project.annals(["status"]).code(0).err(), "");
    let after = stamps(&project);
    assert_ne!(after, old);
    project.annals(["status"]).code(0);
    assert_eq!(stamps(&project), after);
}
