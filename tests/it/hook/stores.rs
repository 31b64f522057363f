//! What hooks are answered from: the journal's own stores, and no others that lie in their places.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::met::prepared;
use super::play::Agent;
use super::session::{Session, given};
use crate::project::Project;

const CHECK: &str = "go build ./...";
const ERROR: &str = "# m\n./strange.go:3:2: undefined: total";

/// A session that breaks something in a file, and mends it.
fn worked(project: &Project, number: u32) {
    let session = Session::new(project, number);
    session.check(CHECK, Some(ERROR));
    session.edit("strange.go", "totl", "total := 0");
    session.check(CHECK, None);
    session.stop();
}

/// What a session is told at its beginning: its model, and its user.
fn begun(project: &Project, number: u32) -> (String, String) {
    let id = format!("0193a5b2-7c1e-4f00-8a00-00000000000{number}");
    let told = json!({"session_id": id, "source": "startup"});
    let answer: Value = Agent::new(project, "claude-code", &[]).fire("SessionStart", told);
    (given(&answer), answer["systemMessage"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn a_strangers_stores_beside_the_own_journal_are_told_of_and_not_from() {
    let (stranger, project) = (prepared(), prepared());
    worked(&stranger, 1);
    let own = Session::new(&project, 1);
    own.check("go build ./own", Some("# m\n./own.go:3:2: undefined: own"));
    own.stop();
    let (pack, message) = begun(&project, 2);
    assert!(pack.contains("own.go") && message.is_empty(), "{pack}{message}");
    for store in [".annals/index.db", "execution_log.db"] {
        for end in ["-wal", "-shm"] {
            // There is none where the last one that had it open put it away.
            drop(fs::remove_file(project.path(&format!("{store}{end}"))));
        }
        fs::copy(stranger.path(store), project.path(store)).expect("copied");
    }
    let (pack, message) = begun(&project, 3);
    assert!(!pack.contains("strange"), "{pack}");
    assert!(message.contains("index.db: it was made from another journal"), "{message}");
    let session = Session::new(&project, 4);
    assert_eq!(session.check(CHECK, Some("# m\n./own.go:3:2: undefined: total")), "");
    session.stop();
    assert!(!begun(&project, 5).0.contains("strange"));
    // His own, with a row of the stranger's: the cursor is the journal's, the file another program's.
    project.annals(["salvage", "--from-store", ".", "x.jsonl"]);
    project.annals(["repair"]);
    assert!(begun(&project, 6).0.contains("own.go"));
    // A copy of it, as a copied folder has: who ends a session waits for a look.
    fs::copy(project.path(".annals/index.db"), project.path("copy.db")).expect("copied");
    fs::rename(project.path("copy.db"), project.path(".annals/index.db")).expect("renamed");
    assert!(begun(&project, 7).1.contains("another program changed its files"));
    let session = Session::new(&project, 7);
    session.end();
    let (pack, message) = begun(&project, 7);
    assert!(pack.contains("own.go") && message.is_empty(), "{pack}{message}");
    let index = rusqlite::Connection::open(project.path(".annals/index.db")).expect("opened");
    index.execute("UPDATE sessions SET title = 'strange.go'", []).expect("changed");
    drop(index);
    let (pack, message) = begun(&project, 9);
    assert!(!pack.contains("strange"), "{pack}");
    assert!(message.contains("another program changed its files"), "{message}");
}

/// Too many events for a hook to hold a store against them.
fn long_past(project: &Project) {
    let line = |at: usize| {
        json!({"type": "user", "sessionId": "0193a5b2-7c1e-4f00-8a00-0000000000ff", "uuid": format!("u{at}"),
            "cwd": project.root(), "timestamp": format!("2026-11-20T10:{:02}:{:02}Z", at / 60, at % 60),
            "message": {"role": "user", "content": format!("go on with {at}")}})
    };
    let lines: String = (0..1_400).map(|at| format!("{}\n", line(at))).collect();
    project.write("past.jsonl", &lines);
    project.annals(["import", "claude-code", "past.jsonl"]).code(0);
}

#[test]
fn a_repair_lets_hooks_answer_from_large_stores_that_were_copied() {
    let project = prepared();
    long_past(&project);
    worked(&project, 1);
    for store in [".annals/index.db", "execution_log.db"] {
        fs::copy(project.path(store), project.path("copy.db")).expect("copied");
        fs::rename(project.path("copy.db"), project.path(store)).expect("renamed");
    }
    let (pack, message) = begun(&project, 2);
    assert!(!pack.contains("strange.go"), "{pack}");
    assert!(message.contains("another program changed its files"), "{message}");
    let session = Session::new(&project, 3);
    session.end();
    assert!(begun(&project, 4).1.contains("another program"), "too many for the end of a session");
    project.annals(["repair"]).code(0);
    let (pack, message) = begun(&project, 5);
    assert!(pack.contains("strange.go") && message.is_empty(), "{pack}{message}");
}

#[test]
fn what_ended_a_failure_in_another_repository_is_no_answer_here() {
    let (project, elsewhere) = (prepared(), prepared());
    let stranger = Session::of(&project, "claude-code", 1, elsewhere.root());
    stranger.check(CHECK, Some(ERROR));
    stranger.edit("strange.go", "totl", "total := 0");
    stranger.check(CHECK, None);
    stranger.stop();
    let own = Session::new(&project, 2);
    assert_eq!(own.check(CHECK, Some(ERROR)), "");
}

#[test]
fn a_store_that_is_missing_is_told_of_once_and_made_when_the_agent_stops() {
    let project = prepared();
    worked(&project, 1);
    for store in [".annals/index.db", "execution_log.db"] {
        fs::remove_file(project.path(store)).expect("removed");
        let (_, message) = begun(&project, 2);
        let name = store.trim_start_matches(".annals/");
        assert!(message.contains(&format!("{name}: it was missing")), "{message}");
        Session::new(&project, 2).stop();
        let (pack, message) = begun(&project, 3);
        assert!(pack.contains("strange.go") && message.is_empty(), "{pack}{message}");
    }
}

#[test]
fn what_failed_in_another_working_tree_is_told_as_that() {
    let project = prepared();
    let set_up = "git init -qb main . && git -c user.name=n -c user.email=e@x commit -qm one --allow-empty && \
        git worktree add -q -b side side";
    let git = Command::new("sh").args(["-c", set_up]).current_dir(project.root()).status();
    assert!(git.expect("git runs").success());
    project.annals(["checks", "add", CHECK]).code(0);
    let side = project.path("side");
    let other = Session::of(&project, "claude-code", 1, &side);
    other.begin();
    other.check(CHECK, Some(ERROR));
    other.stop();
    let last = || project.annals(["checks", "--last", "--json"]).code(0).json()[0]["last"].clone();
    assert_eq!((&last()["verdict"], &last()["tree"]), (&json!("failed"), &json!("side")));
    let own = Session::of(&project, "claude-code", 2, project.root());
    let pack = own.begin();
    let pending = pack.split("## Pending failures").nth(1).unwrap_or_default();
    assert!(pending.contains("(in side)"), "{pack}");
    own.check(CHECK, None);
    own.stop();
    assert_eq!((&last()["verdict"], &last()["tree"]), (&json!("passed"), &Value::Null));
    let other = Session::of(&project, "claude-code", 5, &side);
    other.check(CHECK, Some(ERROR));
    other.edit("strange.go", "totl", "total := 0");
    other.check(CHECK, None);
    other.check(CHECK, Some("# m\n./strange.go:9:9: undefined: sum"));
    other.stop();
    let answer = Session::of(&project, "claude-code", 4, project.root()).check(CHECK, Some(ERROR));
    assert!(answer.contains("in another working tree: side\n"), "{answer}");
    // A pass here says nothing of the other one.
    let told = Session::of(&project, "claude-code", 3, &side).begin();
    let checks = told.split("## Checks").nth(1).unwrap_or_default();
    assert!(checks.contains("failed") && !checks.contains("passed"), "{told}");
}

#[test]
fn a_store_that_one_of_ours_writes_was_changed_by_nobody_else() {
    let project = prepared();
    worked(&project, 1);
    assert_eq!(begun(&project, 2).1, "");
    let stamp = fs::File::options().write(true).open(project.path(".annals/stamps/index"));
    let stamp = stamp.expect("one of ours made it");
    rustix::fs::flock(&stamp, rustix::fs::FlockOperation::LockExclusive).expect("held");
    let touched = Command::new("touch").arg(project.path(".annals/index.db")).status();
    assert!(touched.expect("touch").success());
    let message = begun(&project, 3).1;
    assert!(message.contains("index.db: it is being written"), "{message}");
    drop(stamp);
    assert!(begun(&project, 4).1.contains("another program changed its files"));
}
