//! Commands that fail, hang and flood, here and through a prefix.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::{CommandsRan, Executor, run_commands_with_logging, words};
use crate::phases::artifacts::PlannedCommand;
use crate::phases::limits::{LOG_HEAD_BYTES, LOG_TAIL_BYTES};

fn executor(folder: &std::path::Path, prefix: &[&str], within_ms: u64) -> Executor {
    Executor {
        prefix: prefix.iter().map(|word| (*word).to_owned()).collect(),
        workspace: folder.to_owned(),
        mount: "/workspace".to_owned(),
        within: Duration::from_millis(within_ms),
    }
}

fn ran(executor: &Executor, lines: &[&str]) -> CommandsRan {
    let commands: Vec<_> =
        lines.iter().map(|line| PlannedCommand::Line((*line).to_owned())).collect();
    let stop = AtomicBool::new(false);
    run_commands_with_logging(None, None, executor, &commands, &[], &stop).unwrap()
}

#[test]
fn commands_run_in_order_until_one_fails() {
    let folder = tempfile::tempdir().unwrap();
    let here = executor(folder.path(), &[], 60_000);
    let all = ran(&here, &["echo one > a", "cat a; echo why >&2; exit 4", "echo never > b"]);
    assert_eq!(all.executions.len(), 2);
    assert!(!folder.path().join("b").exists());
    assert_eq!(all.exit_code, Some(4));
    let error = all.error.unwrap();
    assert!(error.contains("exit status: 4") && error.ends_with("why"), "{error}");
    let log = all.log.text();
    for part in ["$ echo one > a\n[ok, ", "$ cat a; echo why", "one\n[stderr]\nwhy\n[failed, "] {
        assert!(log.contains(part), "{part:?} in {log}");
    }
    assert_eq!(all.printed, "one\n");
    let none = ran(&here, &[]);
    assert_eq!((none.error, none.log.text(), none.executions.len()), (None, "", 0));
}

#[test]
fn a_prefix_runs_them_somewhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let mount = root.to_string_lossy().into_owned();
    let there = Executor { mount, ..executor(folder.path(), &["env", "BOX=yes"], 60_000) };
    let all = ran(&there, &["echo $BOX 'a b'"]);
    assert_eq!(all.printed.trim(), "yes a b");
    assert_eq!(ran(&there, &["pwd"]).printed.trim(), there.mount, "not where we stand");
    // Where there is no such folder nothing runs, also not what is behind a `;`.
    let nowhere = Executor { mount: "/no/such".into(), ..there.clone() };
    let none = ran(&nowhere, &["true; echo ran"]);
    assert!(none.error.unwrap().contains("/no/such") && none.printed.is_empty());
    assert!(all.log.text().starts_with("$ env BOX=yes sh -c 'echo $BOX"), "{}", all.log.text());
    let words = PlannedCommand::Words(vec!["echo".into(), "$BOX".into()]);
    let stop = AtomicBool::new(false);
    let all = run_commands_with_logging(None, None, &there, &[words], &[], &stop).unwrap();
    assert_eq!(all.printed.trim(), "$BOX", "words are no shell's");
    let missing = ran(&executor(folder.path(), &["no-such-runtime"], 1_000), &["true"]);
    assert!(missing.error.unwrap().contains("could not be started"));
}

#[test]
fn a_prefix_is_cut_as_a_shell_cuts_it() {
    let cases: &[(&str, Option<&[&str]>)] = &[
        ("", Some(&[])),
        ("  docker  exec box ", Some(&["docker", "exec", "box"])),
        ("run 'a b'\"c d\"e", Some(&["run", "a bc de"])),
        (r#"a\ b '\' "\"\n" ''"#, Some(&["a b", r"\", r#""\n"#, ""])),
        ("a 'b", None),
        ("a \"b", None),
        (r"a\", None),
    ];
    for (line, want) in cases {
        let want = want.map(|words| words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
        assert_eq!(words(line), want, "{line}");
    }
}

#[test]
fn a_command_that_hangs_is_ended_with_its_whole_group() {
    let folder = tempfile::tempdir().unwrap();
    let alive = folder.path().join("alive");
    let here = executor(folder.path(), &[], 300);
    let began = Instant::now();
    let all =
        ran(&here, &["(trap '' TERM; while :; do date +%s%N > alive; sleep 0.05; done) & wait"]);
    assert!(began.elapsed() < Duration::from_secs(20));
    assert!(all.error.unwrap().contains("took longer"));
    std::thread::sleep(Duration::from_millis(300));
    let before = std::fs::read_to_string(&alive).unwrap();
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(std::fs::read_to_string(&alive).unwrap(), before, "something of it lives");
}

#[test]
fn nobody_waiting_ends_it_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = executor(folder.path(), &[], 60_000);
    let stop = AtomicBool::new(true);
    let began = Instant::now();
    let commands = ["sleep 30", "true"].map(|line| PlannedCommand::Line(line.to_owned()));
    let all = run_commands_with_logging(None, None, &here, &commands, &[], &stop).unwrap();
    assert!(all.unwanted && all.executions.len() == 1 && began.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_flood_is_kept_by_its_ends() {
    let folder = tempfile::tempdir().unwrap();
    let here = executor(folder.path(), &[], 60_000);
    let all =
        ran(&here, &["echo first; head -c 20000000 /dev/zero | tr '\\0' x; echo; echo metric: 7"]);
    assert!(all.log.text().len() < 3 * (LOG_HEAD_BYTES + LOG_TAIL_BYTES));
    assert!(all.log.text().contains("bytes left out"));
    assert!(all.printed.starts_with("first\n"));
    assert_eq!(crate::phases::node::metric_of(&all.printed).as_deref(), Some("7"));
}
