//! A journal that nothing can be appended to, or that is gone: every command tells the same way out, and
//! that way, followed to the letter, leads to recording again with nothing lost that was whole.

use std::fs;
use std::path::PathBuf;

use crate::hook::play::Agent;
use crate::project::{Project, Ran};
use crate::salvaged::{ids, lines, of};
use crate::verbs::{Does, PLAN, VERBS};

const CALLS: usize = 5;

fn filled() -> Project {
    let project = Project::new();
    for number in 0..CALLS {
        project.annals(["run", "--", "echo", &format!("line {number}")]).code(0);
    }
    project.annals(["status"]).code(0);
    project
}

fn last_sequence(project: &Project) -> u64 {
    project.annals(["verify", "--json"]).code(0).json()[0]["last_sequence"]
        .as_u64()
        .expect("events")
}

fn cut(project: &Project) {
    let file = fs::OpenOptions::new().write(true).open(project.segment()).expect("opened");
    file.set_len(100).expect("cut");
}

/// The commands that a line offers, run by a shell with the names that a reader makes up.
fn follow(project: &Project, told: &str, begin: &str) {
    let way = told.lines().find_map(|line| line.strip_prefix(begin));
    let way = way.unwrap_or_else(|| panic!("no {begin:?} in\n{told}"));
    let way = way.replace("OLD-FOLDER", "old").replace("NEW-FILE", "rows.jsonl");
    let script =
        format!("set -x; annals() {{ '{}' \"$@\"; }}\n{way}", env!("CARGO_BIN_EXE_annals"));
    let ran = Ran::of(&mut project.shell(&script));
    // A repair that did something says so.
    assert!(matches!(ran.output.status.code(), Some(0 | 1)), "{way}\n{}{}", ran.out(), ran.err());
}

/// Holds that recording works again, and that of what there was nothing is gone.
fn goes_on(project: &Project, calls_left: usize, lost: &[String]) {
    project.annals(["run", "--", "sh", "-c", "exit 7"]).code(7);
    assert_eq!(project.annals(["run", "--", "true"]).code(0).err(), "");
    let calls = project.annals(["log", "--json"]).code(0).json();
    assert_eq!(calls.as_array().expect("a list").len(), calls_left + 2);
    project.annals(["verify"]).code(0);
    project
        .annals(["salvage", "--from-store", ".", "left.jsonl"])
        .code(i32::from(!lost.is_empty()));
    if !lost.is_empty() {
        let rows = lines(&project.path("left.jsonl"));
        let kept = of(&rows, "execution_log.db", "executions");
        for id in lost {
            assert!(kept.iter().any(|row| row["row"]["id"] == id.as_str()), "{id}");
        }
    }
}

#[test]
fn a_journal_cut_to_a_stub_is_told_alike_by_all_and_the_way_out_is_one() {
    let project = filled();
    let last = last_sequence(&project);
    let calls: Vec<String> = ids(&project.path("execution_log.db")).into_iter().collect();
    cut(&project);
    let stub = fs::read(project.segment()).expect("a stub");
    for words in [
        "status",
        "log",
        "sessions",
        "failures",
        "timeline",
        "verify",
        "repair --dry-run",
        "repair",
    ] {
        let told = project.annals(words.split(' ')).code(3);
        let all = format!("{}{}", told.out(), told.err());
        assert!(!all.contains("is recorded yet") && !all.contains("annals init"), "{words}: {all}");
        let is_end = ["verify", "repair"].contains(&words.split(' ').next().expect("a word"));
        let next = if is_end { "Next: annals salvage" } else { "Next: annals verify" };
        assert!(all.contains(next), "{words}: {all}");
    }
    let ran = project.annals(["run", "--", "sh", "-c", "exit 7"]).code(7);
    assert!(
        ran.err().contains("annals verify") && !ran.err().contains("annals tool declare"),
        "{}",
        ran.err()
    );
    let said = project.annals(["salvage", ".annals/journal", "saved"]).code(1);
    assert!(said.out().starts_with(&format!("no event is whole, {last} lost\n")), "{}", said.out());
    assert!(!project.path("saved").exists());
    follow(&project, &said.out(), "To go on, recording: ");
    goes_on(&project, 0, &calls);
    let old: Vec<PathBuf> = fs::read_dir(project.path("old"))
        .expect("kept")
        .map(|it| it.expect("kept").path())
        .collect();
    let old =
        old.iter().find(|it| it.extension().is_some_and(|it| it == "seg")).expect("a segment");
    assert_eq!(fs::read(old).expect("read"), stub);
}

#[test]
fn without_a_lock_file_nobody_says_that_nothing_was_lost() {
    let project = filled();
    cut(&project);
    fs::remove_file(project.path(".annals/journal/LOCK")).expect("removed");
    let said = project.annals(["salvage", ".", "saved"]).code(1);
    said.says("no event is whole, and nothing says how many are lost");
}

#[test]
fn a_journal_whose_header_is_gone_goes_on_from_what_was_saved() {
    let project = filled();
    let mut bytes = fs::read(project.segment()).expect("read");
    bytes[..4096].fill(0);
    fs::write(project.segment(), bytes).expect("written");
    project.annals(["repair"]).code(3).says("nothing can be repaired").says("Next: annals salvage");
    let elsewhere = project.path("elsewhere");
    fs::create_dir(&elsewhere).expect("made");
    let mut command = project.command();
    let dir = project.root().to_str().expect("a path");
    let said = Ran::of(command.current_dir(&elsewhere).args(["salvage", dir, "../saved"])).code(1);
    assert!(said.out().contains(", 0 lost\n"), "{}", said.out());
    let told = said.out().replace(" ../saved ", " saved ");
    follow(&project, &told, "To go on, recording: ");
    goes_on(&project, CALLS, &[]);
}

/// How a journal is lost whose stores are left.
const LOST: &[(&str, &str)] = &[
    ("its folder", "rm -r .annals/journal"),
    ("its folder to a file", "rm -r .annals/journal; echo mine > .annals/journal"),
    ("its folder to a link to nowhere", "rm -r .annals/journal; ln -s /nowhere .annals/journal"),
    ("its segments", "rm .annals/journal/*.seg"),
    ("its segments and its lock", "rm .annals/journal/*.seg .annals/journal/LOCK"),
    ("all but the log of executions", "rm -r .annals/* codegraph.db"),
    ("all but what looks remember", "rm -r .annals/journal .annals/*.db *.db"),
];

fn lose(project: &Project, how: &str) {
    Ran::of(&mut project.shell(how)).code(0);
}

/// Every file but for what users have of their own, with its content.
fn files(project: &Project) -> Vec<(String, String)> {
    let listed =
        Ran::of(&mut project.shell(
            "find . -type f -not -path './.local/*' -not -path './.cache/*' -exec md5sum {} +",
        ));
    let line = |line: &str| line.split_once("  ").map(|(sum, name)| (name.into(), sum.into()));
    let mut files: Vec<_> = listed.code(0).out().lines().filter_map(line).collect();
    files.sort();
    files
}

#[test]
fn a_lost_journal_is_told_by_every_verb_and_changed_by_none() {
    for (what, how) in LOST {
        let project = filled();
        project.write("plan.json", PLAN);
        lose(&project, how);
        let before = files(&project);
        let mut faults = Vec::new();
        for (words, does) in VERBS {
            let code = match words.split(' ').next().expect("a verb") {
                // The way out, which is told below; and what asks for a terminal first.
                "init" | "tui" => continue,
                "run" | "disable" => 0,
                _ if *does == Does::IsApart => continue,
                _ => 3,
            };
            for how in ["", " --json", " --dir ."] {
                let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
                let words: Vec<_> =
                    format!("{verb}{how} {rest}").split_whitespace().map(str::to_owned).collect();
                let ran = Ran::of(project.command().args(&words).write_stdin(""));
                let err = ran.err();
                let lines = err.lines().filter(|line| {
                    line.contains("is lost: ") && line.contains("; annals init; annals repair")
                });
                if (ran.output.status.code(), lines.count()) != (Some(code), 1) {
                    faults.push(format!("{words:?}: {:?}: {err}", ran.output.status.code()));
                }
            }
        }
        let bare = project.annals::<&str>([]).code(3);
        assert!(bare.err().contains("is lost: "), "{}", bare.err());
        assert!(faults.is_empty(), "{what}:\n{}", faults.join("\n"));
        let changed = files(&project);
        let changed: Vec<_> = changed.iter().filter(|it| !before.contains(it)).collect();
        assert!(changed.is_empty(), "{what}: {changed:#?}");
        let ran = project.annals(["run", "--", "sh", "-c", "exit 7"]).code(7);
        assert!(ran.err().contains("not recorded: the journal of"), "{}", ran.err());
    }
}

#[test]
fn hooks_over_a_lost_journal_say_it_once_a_session_and_are_counted() {
    for agent in ["claude-code", "codex"] {
        let project = filled();
        lose(&project, LOST[0].1);
        let before = files(&project);
        let agent = Agent::new(&project, agent, &["--enforce"]);
        let (tool, input) = agent.edit();
        let began = agent.fire("SessionStart", serde_json::json!({"source": "startup"}));
        let message = began["systemMessage"].as_str().unwrap_or_default();
        assert!(message.contains("is lost: ") && message.contains("annals init"), "{began}");
        for _ in 0..2 {
            let told =
                serde_json::json!({"tool_name": tool, "tool_input": input, "tool_use_id": "t"});
            assert_eq!(agent.fire("PreToolUse", told), serde_json::json!({}));
        }
        let after = files(&project);
        let made: Vec<_> = after.iter().filter(|it| !before.contains(it)).collect();
        assert!(made.len() == 1 && made[0].0.starts_with("./.annals/hooks/"), "{made:#?}");
        // Once there is a journal again, whoever asks learns of them.
        project.annals(["init"]).code(0);
        let status = project.annals(["status", "--json"]).json();
        let told = status["agents"].as_array().expect("a list");
        assert!(told.iter().any(|it| it["not_recorded"] == 3), "{status}");
    }
}

#[test]
fn the_way_out_of_a_lost_journal_saves_what_stores_have_and_overwrites_none() {
    for (what, how) in &LOST[..6] {
        let project = filled();
        project.annals(["memory", "fork", "root"]).code(0);
        project.annals(["memory", "set", "root", "key", "value"]).code(0);
        project.annals(["log"]).code(0);
        lose(&project, how);
        let calls: Vec<String> = ids(&project.path("execution_log.db")).into_iter().collect();
        assert_eq!(calls.len(), CALLS);
        let before = files(&project);
        // It is no journal's damage that a user begins anew over it.
        let told = project.annals(["log"]).code(3).err();
        let told = told.replace("annals repair", "cp -a . \"$PWD-between\"; annals repair");
        let between = PathBuf::from(format!("{}-between", project.root().display()));
        let line = told.lines().next().expect("a line");
        let at = line.find("annals salvage").expect("a way");
        follow(&project, &line[at..], "");
        let rows = lines(&project.path("rows.jsonl"));
        let kept = of(&rows, "execution_log.db", "executions");
        assert_eq!(kept.len(), CALLS, "{what}");
        // Before the repair every store was as it had been.
        let stores = before.iter().filter(|(name, _)| {
            let is_store = name.ends_with(".db") || name.starts_with("./.annals/memory/");
            is_store && !name.contains("/journal/")
        });
        for (name, sum) in stores {
            let name = name.trim_start_matches("./");
            let now =
                Ran::of(&mut project.shell(&format!("md5sum '{}'", between.join(name).display())));
            assert!(now.out().starts_with(sum), "{what}: {name}");
        }
        drop(fs::remove_dir_all(&between));
        goes_on(&project, 0, &calls);
        // What was made from the lost journal stays told.
        project.annals(["status"]).says("kept as evidence");
    }
}

#[test]
fn beginning_anew_over_a_lost_journal_is_told() {
    let project = filled();
    lose(&project, LOST[0].1);
    let told = project.annals(["init"]).code(0).err();
    assert!(told.contains("is lost: ") && told.contains("annals salvage --from-store"), "{told}");
    assert!(!project.annals(["init"]).err().contains("is lost: "), "the new one is there");
}

#[test]
fn what_is_no_project_yet_has_lost_nothing() {
    // A graph is another program's, and so is a log of executions that we did not write.
    for name in ["codegraph.db", "execution_log.db"] {
        let project = Project::empty();
        project.write(".annals/config.toml", "");
        let store = rusqlite::Connection::open(project.path(name)).expect("opened");
        store.execute_batch("CREATE TABLE executions(id TEXT)").expect("made");
        drop(store);
        project.annals(["log"]).code(2);
    }
    // An `init` that was interrupted.
    let project = Project::empty();
    project.write(".annals/config.toml", "");
    fs::create_dir(project.path(".annals/journal")).expect("made");
    assert!(!project.annals(["log"]).err().contains("is lost: "));
    project.annals(["init"]).code(0);
}
