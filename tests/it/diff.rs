//! What an agent changed, end to end: a session's diff, applied by git; its lines' authors, and its commit.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::project::Project;

/// Two edits of one file, a new one, and a commit.
const EDITED: &str = include_str!("../fixtures/examples/edited.jsonl");
const BEFORE: &str = "def total(items):\n    return sum(item.price for item in items)\n";
const AFTER: &str = "from money import cents\n\n\ndef total(items):\n    return cents(sum(item.price for item in items))\n";

#[test]
fn a_session_s_diff_is_taken_by_git_and_its_lines_and_its_commit_are_told() {
    let project = Project::new();
    project.write("edited.jsonl", EDITED);
    project.annals(["import", "auto", "edited.jsonl"]).code(0);
    let price = project.write("src/price.py", BEFORE);

    let diff = project.annals(["diff", "22222222"]).code(0).out();
    let mut git = Command::new("git")
        .args(["apply", "-"])
        .current_dir(project.root())
        .stdin(Stdio::piped())
        .spawn()
        .expect("git");
    git.stdin.take().expect("a pipe").write_all(diff.as_bytes()).expect("written");
    assert!(git.wait().expect("ended").success(), "{diff}");
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
