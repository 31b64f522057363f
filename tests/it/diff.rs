//! What an agent changed, end to end: a session's diff, applied by git; its lines' authors, and its commit.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::project::Project;

/// Two edits of one file, a new one, and a commit.
const EDITED: &str = include_str!("../fixtures/examples/edited.jsonl");
const BEFORE: &str = "def total(items):\n    return sum(item.price for item in items)\n";
const AFTER: &str = "from money import cents\n\n\ndef total(items):\n    return cents(sum(item.price for item in items))\n";

fn apply(project: &Project, diff: &str) {
    let mut git = Command::new("git")
        .args(["apply", "-"])
        .current_dir(project.root())
        .stdin(Stdio::piped())
        .spawn()
        .expect("git");
    git.stdin.take().expect("a pipe").write_all(diff.as_bytes()).expect("written");
    assert!(git.wait().expect("ended").success(), "{diff}");
}

#[test]
fn a_session_s_diff_is_taken_by_git_and_its_lines_and_its_commit_are_told() {
    let project = Project::new();
    project.write("edited.jsonl", EDITED);
    project.annals(["import", "auto", "edited.jsonl"]).code(0);
    let price = project.write("src/price.py", BEFORE);

    let diff = project.annals(["diff", "22222222"]).code(0).out();
    apply(&project, &diff);
    assert_eq!(std::fs::read_to_string(&price).expect("src/price.py"), AFTER);
    let money = std::fs::read_to_string(project.path("src/money.py")).expect("src/money.py");
    assert_eq!(money, "def cents(value):\n    return round(value, 2)\n");

    std::fs::write(&price, format!("{AFTER}# by hand\n")).expect("written");
    let blame = project.annals(["blame", "src/price.py", "--json"]).code(0).json();
    let call = |line: usize| {
        blame["lines"][line]["call"].as_u64().map(|at| blame["calls"][at as usize]["no"].clone())
    };
    let wrote = [0, 3, 4, 5].map(call);
    // Its first edit was of what the fifth line is now; the second put lines before the fourth, and left it.
    let expected = [Some(3.into()), None, Some(2.into()), None];
    assert_eq!(wrote, expected, "{blame}");
    assert_eq!(blame["calls"][0]["prompt"], "totals must be rounded to the cent");

    project.annals(["sessions", "--commits"]).code(0).says("5e1f0aa").says("Round totals");
    project.annals(["trace", "5e1f0aa"]).code(0).says("src/money.py").says("rounded to the cent");
    // The two calls of a range, and a call alone.
    project
        .annals(["diff", "2..3", "--stat"])
        .code(0)
        .says("src/price.py")
        .says("4 lines added, 1 removed");
    project.annals(["diff", "dead"]).code(2).says("nothing is recorded");
    for no_step in ["/0", "/999", "22222222/999"] {
        project
            .annals(["diff", no_step])
            .code(2)
            .says(&format!("nothing is recorded under \"{no_step}\""));
    }
}

/// Calls of a session, each with what it printed, as a transcript has them.
fn transcript(root: &std::path::Path, calls: &[(&str, serde_json::Value, &str)]) -> String {
    let session = "22222222-3333-4444-8555-777777777777";
    let mut text = String::new();
    for (no, (tool, input, printed)) in calls.iter().enumerate() {
        let id = format!("toolu_{no}");
        let used =
            serde_json::json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]);
        let came =
            serde_json::json!([{"type": "tool_result", "tool_use_id": id, "content": printed}]);
        for (at, role, content) in [(0, "assistant", used), (1, "user", came)] {
            let line = serde_json::json!({
                "type": role, "sessionId": session, "cwd": root, "version": "2.1.9",
                "uuid": format!("00000000-0000-4000-8000-0000000030{no}{at}"),
                "timestamp": format!("2026-03-02T09:0{no}:0{at}.000Z"),
                "message": {"role": role, "id": format!("msg_{no}"), "content": content},
                "toolUseResult": {"type": "create"},
            });
            text += &format!("{line}\n");
        }
    }
    text
}

#[test]
fn a_pipe_gets_the_bytes_and_what_does_not_fit_is_left_to_nobody() {
    use serde_json::json;
    let project = Project::new();
    let edit = |file: &str, old: &str, new: &str| json!({"file_path": project.path(file), "old_string": old, "new_string": new});
    let read = |file: &str| json!({"file_path": project.path(file)});
    let bytes = "a\u{c}b\r\n\u{feff}\u{1b}[31m\n";
    let calls = [
        (
            "Write",
            json!({"file_path": project.path("bytes"), "content": bytes}),
            "File created successfully at: x",
        ),
        ("Read", read("dos"), "     1→one\n     2→two\n     3→"),
        ("Edit", edit("dos", "two", "zwei"), "The file has been updated."),
        ("Bash", json!({"command": "sed -i s/x/X/ sh"}), ""),
        ("Read", read("sh"), "     1→X\n     2→y\n     3→"),
        ("Edit", edit("sh", "y", "Y"), "The file has been updated."),
        ("Bash", json!({"command": "cargo fmt"}), ""),
        ("Edit", edit("back", "p", "q"), "The file has been updated."),
        ("Edit", edit("back", "q", "p"), "The file has been updated."),
    ];
    project.write("t.jsonl", &transcript(project.root(), &calls));
    project.annals(["import", "claude-code", "t.jsonl"]).code(0);
    let dos = project.write("dos", "one\r\ntwo\r\n");
    let sh = project.write("sh", "x\ny\n");

    let diff = project.annals(["diff", "22222222"]).code(0).out();
    assert!(diff.contains("# sh: Changed in between by call 4 (sed -i s/x/X/ sh)"), "{diff}");
    assert!(diff.contains("# back: Edited, and put back as it was\n"), "{diff}");
    let strays = "# May also have changed files, and names none:\n#   call 7 (cargo fmt)\n";
    assert!(diff.ends_with(strays), "{diff}");
    apply(&project, &diff);
    let held = |path| std::fs::read_to_string(path).expect("a file");
    assert_eq!(held(project.path("bytes")), bytes);
    assert_eq!(held(dos), "one\r\nzwei\r\n");
    assert_eq!(held(sh), "x\ny\n");

    // A commit that printed nothing is in git's own log, made while the session went on.
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b.c"]).args(args);
        git.env("GIT_COMMITTER_DATE", "2026-03-02T09:00:05Z").current_dir(project.root());
        let ran = git.output().expect("git");
        assert!(ran.status.success(), "{ran:?}");
        String::from_utf8_lossy(&ran.stdout).trim().to_owned()
    };
    git(&["init", "-q"]);
    git(&["commit", "-q", "--allow-empty", "-m", "Quietly"]);
    let commit = git(&["rev-parse", "--short", "HEAD"]);
    project.annals(["trace", &commit]).code(0).says("Quietly").says("22222222");
}
