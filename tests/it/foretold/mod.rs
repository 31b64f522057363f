//! A dry run tells what a repair then does: one wound after the other, told, mended, and mended no more.

mod barred;
mod folders;
mod graph;
mod wounds;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::project::Project;
use wounds::{
    LOCK, LOG, crowd, cut, cut_graph, edit, flip, flip_at, leave_open, leave_wal, litter,
    lose_blobs, lose_the_end_unseen, remove, remove_all, remove_folder, remove_notes,
    replace_by_folder, roll, roll_back, ruin, sql, stray, tear,
};

/// What is wrong, how it comes about, and how each step begins that is due then, or what is said.
type Wound = (&'static str, fn(&Project), &'static [&'static str]);

const STORES: &[Wound] = &[
    ("nothing", |_| {}, &[]),
    ("missing", |it| remove(it, LOG), &["rebuilt: execution_log.db: it was missing"]),
    ("unreadable", |it| ruin(it, LOG), &["rebuilt: execution_log.db: it could not be read"]),
    (
        "a row changed",
        |it| sql(it, LOG, "UPDATE executions SET exit_code = 9 WHERE rowid = 2"),
        &["rebuilt: execution_log.db: it did not hold"],
    ),
    (
        "a row removed",
        |it| sql(it, LOG, "DELETE FROM executions WHERE rowid = 2"),
        &["rebuilt: execution_log.db: it did not hold"],
    ),
    (
        "the last row removed",
        |it| sql(it, LOG, "DELETE FROM executions WHERE rowid = 5"),
        &["rebuilt: execution_log.db: rows had been added or removed"],
    ),
    ("rolled back", roll_back, &["caught up: execution_log.db, 5 events"]),
    (
        "rolled back and changed",
        |it| {
            roll_back(it);
            sql(it, LOG, "UPDATE executions SET exit_code = 9 WHERE rowid = 2");
        },
        &["rebuilt: execution_log.db: it did not hold"],
    ),
    (
        "a change in what a dead writer left beside it",
        leave_wal,
        &["rebuilt: execution_log.db: it did not hold"],
    ),
    (
        "a line of a log edited",
        |it| edit(it, ".annals/memory", "jsonl"),
        &["rebuilt: memory_calls: its files had been changed"],
    ),
    ("a log missing", |it| remove_folder(it, ".annals/memory"), &["rebuilt: memory_calls: it was"]),
    (
        "a folder in a store's place",
        |it| replace_by_folder(it, ".annals/memory.db"),
        &["rebuilt: memory.db: something else was in its place"],
    ),
    ("the index unreadable", |it| ruin(it, ".annals/index.db"), &["rebuilt: index.db: it could"]),
    (
        "a folder in the index's place",
        |it| replace_by_folder(it, ".annals/index.db"),
        &["rebuilt: index.db: something else was in its place"],
    ),
    (
        "a row of the index changed",
        |it| {
            sql(
                it,
                ".annals/index.db",
                "UPDATE sessions SET title = 'forged'; UPDATE executions SET tool = 'x'",
            )
        },
        &["rebuilt: index.db: it did not hold"],
    ),
    (
        "all stores missing",
        remove_all,
        &[
            "rebuilt: index.db",
            "rebuilt: execution_log.db",
            "rebuilt: memory.db",
            "rebuilt: memory_calls",
            "rebuilt: codegraph.db",
        ],
    ),
    ("a graph of nobody's", |it| ruin(it, "codegraph.db"), &["codegraph.db: "]),
    ("a graph cut short", cut_graph, &["codegraph.db: "]),
    (
        "a store of what never happened",
        |it| fs::write(it.path(".annals/experiments"), "a file").expect("written"),
        &["set aside: experiments: its files had been changed"],
    ),
    ("a file of repo memory missing", remove_notes, &["published: "]),
    ("the quarantine over its bound", crowd, &["quarantine emptied: 2 files"]),
    ("what dead writers left", litter, &[]),
];

const JOURNAL: &[Wound] = &[
    (
        "half a commit",
        tear,
        &["lock made anew: it was missing", "tail cut: torn tail in segment 0"],
    ),
    ("a byte far behind the end", stray, &["tail cut: torn tail in segment 0"]),
    ("a bit of the header's second copy", |it| flip_at(it, 2_050), &[]),
    (
        "the end lost",
        lose_the_end_unseen,
        &[
            "loss recorded: acknowledged loss in segment 0",
            "rebuilt: index.db: it had events",
            "rebuilt: execution_log.db: it had events",
            "rebuilt: memory.db: it had events",
            "rebuilt: memory_calls: it had events",
            "rebuilt: codegraph.db: it had events",
        ],
    ),
    (
        "the end and its witness lost",
        |it| {
            lose_the_end_unseen(it);
            remove(it, LOCK)
        },
        &[
            "lock made anew: it was missing",
            "loss recorded: acknowledged loss in segment 0",
            "rebuilt: index.db: it had events",
            "rebuilt: execution_log.db: it had events",
            "rebuilt: memory.db: it had events",
            "rebuilt: memory_calls: it had events",
            "rebuilt: codegraph.db: it had events",
        ],
    ),
    (
        "the end and all that remembers it lost",
        |it| {
            lose_the_end_unseen(it);
            remove(it, LOCK);
            remove(it, ".annals/look.json")
        },
        &[
            "lock made anew: it was missing",
            "loss recorded: acknowledged loss in segment 0",
            "rebuilt: index.db: it had events",
            "rebuilt: execution_log.db: it had events",
            "rebuilt: memory.db: it had events",
            "rebuilt: memory_calls: it had events",
            "rebuilt: codegraph.db: it had events",
        ],
    ),
    (
        "a bit flipped",
        flip,
        &[
            "rebuilt: index.db: it did not hold",
            "rebuilt: execution_log.db: it did not hold",
            "damage in segment 0",
        ],
    ),
    ("a segment of a hundred bytes", |it| cut(it, 100), &["header damaged", "the journal in "]),
    ("an empty segment", |it| cut(it, 0), &["header damaged", "the journal in "]),
    ("a roll without a successor", roll, &["lock made anew: it was missing"]),
    (
        "the blobs missing",
        lose_blobs,
        &["rebuilt: execution_log.db: it did not hold", "blob missing"],
    ),
    ("the lock unreadable", |it| ruin(it, LOCK), &["lock made anew: it was damaged"]),
    ("the lock missing", |it| remove(it, LOCK), &["lock made anew: it was missing"]),
    (
        "a folder in the lock's place",
        |it| replace_by_folder(it, LOCK),
        &["lock made anew: something else was in its place"],
    ),
    (
        "a call left open",
        leave_open,
        &[
            "interrupted: 1 calls",
            "caught up: index.db, 1 events",
            "caught up: execution_log.db, 1 events",
            "caught up: codegraph.db, 1 events",
        ],
    ),
    (
        "a call left open, and no index",
        |it| {
            leave_open(it);
            remove(it, ".annals/index.db")
        },
        &[
            "rebuilt: index.db: it was missing",
            "interrupted: 1 calls",
            "caught up: execution_log.db, 1 events",
            "caught up: codegraph.db, 1 events",
        ],
    ),
];

fn scene() -> Project {
    let project = Project::new();
    let all = |lines: &[&str]| {
        lines.iter().for_each(|words| drop(project.annals(words.split(' ')).code(0)));
    };
    all(&["run -- echo 1", "run -- echo 2", "memory fork root", "memory set root key value"]);
    all(&["run -- echo 3", "repo note add first --id one"]);
    fs::copy(project.path(LOG), project.path("older.db")).expect("copied");
    all(&["run -- echo 4", "run -- echo 5", "memory set root other thing", "status"]);
    project
}

#[test]
fn what_is_wrong_with_stores_is_foretold() {
    all_foretold(STORES);
}

#[test]
fn what_is_wrong_with_the_journal_is_foretold() {
    all_foretold(JOURNAL);
}

fn all_foretold(wounds: &[Wound]) {
    let failed = |wound: &&Wound| std::panic::catch_unwind(|| is_foretold(wound)).is_err();
    let failed: Vec<_> = wounds.iter().filter(failed).map(|(name, ..)| name).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

fn is_foretold((name, deal, due): &Wound) {
    let project = scene();
    deal(&project);
    let before = digest(project.root());
    let dry = project.annals(["repair", "--dry-run", "--json"]);
    assert!(digest(project.root()) == before, "{name}: a dry run changes nothing");
    let told = items(&dry.json());
    let as_due =
        told.len() == due.len() && told.iter().zip(*due).all(|(it, due)| it.starts_with(due));
    assert!(as_due, "{name}: {told:#?} is not {due:#?}");
    let done = project.annals(["repair", "--json"]);
    assert_eq!(items(&done.json()), told, "{name}: {}", done.err());
    let again = project.annals(["repair", "--json"]).json();
    assert_eq!(again["steps"], serde_json::json!([]), "{name}: twice is once");
    let stays = |json: &Value| ["damage", "lags", "left", "blocked"].map(|key| json[key].clone());
    assert_eq!(stays(&again), stays(&done.json()), "{name}");
    let dry_again = project.annals(["repair", "--dry-run", "--json"]).json();
    assert_eq!(items(&dry_again), items(&again), "{name}");
    let is_fine = done.json()["fine"] == true;
    assert_eq!(done.output.status.code() == Some(0), is_fine, "{name}");
    assert!(is_fine || dry.output.status.code() == done.output.status.code(), "{name}");
    if !name.starts_with("a graph") && again["blocked"].is_null() {
        // What was built of a damaged journal is told as every other answer from it.
        let asked = project.annals(["log"]).output.status.code();
        let same = project.annals(["rebuild", "--check"]);
        assert_eq!(same.output.status.code(), asked, "{name}: {}", same.out());
        assert!(!same.out().contains("DIFFERS"), "{name}: {}", same.out());
    }
}

/// All that a repair tells, in order.
fn items(json: &Value) -> Vec<String> {
    let text = |it: &Value| it.as_str().map(str::to_owned).expect("a text");
    let list = |key: &str| json[key].as_array().expect("a list").clone();
    let steps =
        list("steps").into_iter().map(|it| format!("{}: {}", text(&it["step"]), text(&it["what"])));
    let others = ["damage", "lags", "left"].into_iter().flat_map(list).map(|it| text(&it));
    steps.chain(others).chain(json["blocked"].as_str().map(str::to_owned)).collect()
}

/// All below a project but for the user's cache, with what is in it.
fn digest(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("listed") {
            let path = entry.expect("an entry").path();
            if path.file_name() == Some(OsStr::new(".cache")) {
                continue;
            }
            let bytes = match path.is_dir() {
                true => Vec::new(),
                false => blake3::hash(&fs::read(&path).expect("read")).as_bytes().to_vec(),
            };
            if path.is_dir() {
                folders.push(path.clone());
            }
            found.insert(path, bytes);
        }
    }
    found
}
