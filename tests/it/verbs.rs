//! A flipped bit under every verb that `annals --help` lists: the line is there, and the exit code is 3
//! where the verb answers.

use std::path::Path;

use crate::damage::{filled, flip};
use crate::project::{Project, Ran};

/// What a verb does on a damaged journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// It answers from the journal: the line, and exit 3.
    Answers,
    /// As [`Self::Answers`], and its document says `incomplete`.
    AnswersInAnObject,
    /// It records, or asks nothing of the journal: the line, and its own exit code.
    Keeps(u8),
    /// It tells of the damage itself, in its own words: its exit code.
    TellsItself(u8),
    /// It is about no journal, or about one of its own.
    IsApart,
}

use Does::{Answers, AnswersInAnObject, IsApart, Keeps, TellsItself};

pub const VERBS: &[(&str, Does)] = &[
    ("enable claude-code --yes", Keeps(0)),
    ("disable", Keeps(0)),
    ("init", Keeps(0)),
    ("tour --help", IsApart),
    ("run -- sh -c exit", Keeps(0)),
    ("record --tool file_read --outcome ok", Keeps(0)),
    ("import claude-code none.jsonl", Keeps(5)),
    ("session start --name q", Keeps(0)),
    ("session end q", Keeps(0)),
    ("seen list", IsApart),
    ("key new", IsApart),
    ("seal --help", IsApart),
    ("archive --help", IsApart),
    ("fetch --help", IsApart),
    ("merge --help", IsApart),
    ("ship --to away", Keeps(3)),
    ("fleet --help", IsApart),
    ("checkpoint --help", IsApart),
    ("prove inclusion @1", Answers),
    ("check-proof --help", IsApart),
    ("sessions", Answers),
    ("log", Answers),
    ("show 1", AnswersInAnObject),
    ("timeline", AnswersInAnObject),
    ("search x", AnswersInAnObject),
    ("failures", Answers),
    ("checks", Answers),
    ("trace 1", AnswersInAnObject),
    ("diff", AnswersInAnObject),
    ("blame none", Answers),
    ("query recurring", Answers),
    ("replay", Answers),
    ("tui", Keeps(2)),
    ("memory fork b", Keeps(0)),
    ("memory branches", Answers),
    ("repo note add careful", Keeps(0)),
    ("repo show", AnswersInAnObject),
    ("debug list", Answers),
    ("debug flaky", Answers),
    ("debug infer", Keeps(0)),
    ("context", AnswersInAnObject),
    ("stats", AnswersInAnObject),
    ("stats loop", Answers),
    ("gate check --tool file_read --path a", AnswersInAnObject),
    ("gate check --tool file_edit --path a", AnswersInAnObject),
    ("gate plan plan.json", AnswersInAnObject),
    ("gate plan plan.json --session s", AnswersInAnObject),
    ("step begin it", Keeps(0)),
    ("step end", AnswersInAnObject),
    ("claim fixed", AnswersInAnObject),
    ("pipe", Keeps(0)),
    ("status", AnswersInAnObject),
    ("verify", TellsItself(3)),
    ("repair", TellsItself(3)),
    ("salvage . saved", TellsItself(1)),
    ("rebuild", Answers),
    ("rebuild --check", Answers),
    ("rebuild --check --evidence", Answers),
    ("trust --show", Keeps(0)),
    ("report -o -", AnswersInAnObject),
    ("bundle out.tar", AnswersInAnObject),
    ("bundle out.tar --evidence", AnswersInAnObject),
    ("scan .", AnswersInAnObject),
    ("scan plan.json", Keeps(0)),
    ("redact @2 --dry-run", Keeps(1)),
    ("forget --before 2020-01-01 --reason why --dry-run", Keeps(0)),
    ("export csv", Answers),
    ("sql select(1)", Answers),
    ("tool file_read --path plan.json", Keeps(0)),
    ("tool memory_query", AnswersInAnObject),
    ("tool declare x_y", Keeps(0)),
];

pub const PLAN: &str =
    r#"[{"tool":"memory_query"},{"tool":"file_edit","arguments":{"path":"src/a.rs"}}]"#;

/// The verbs that `annals --help` lists.
fn listed() -> Vec<String> {
    let help = Project::empty().annals(["--help"]).code(0).out();
    let commands = help.split("\nOptions:").next().expect("the commands");
    let lines = commands.lines().filter_map(|line| line.strip_prefix("  "));
    let lines = lines.filter(|line| !line.starts_with(' '));
    lines.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn every_verb_of_the_help_says_what_it_does_on_damage() {
    let listed = listed();
    assert!(listed.len() > 30, "{listed:?}");
    for verb in listed {
        let of_it = |(words, _): &&(&str, Does)| words.split(' ').next() == Some(&verb);
        assert!(VERBS.iter().find(of_it).is_some(), "`annals {verb}` is not in the table");
    }
}

/// Puts one folder's content in the place of another's. Folders stay those that they are: a journal whose
/// folder is another one is a copy.
fn copy(from: &Path, to: &Path) {
    clear(from, to);
    let copied = std::process::Command::new("cp").arg("-a").arg(from.join(".")).arg(to).status();
    assert!(copied.expect("cp runs").success());
}

/// Empties a folder of all but the folders that the other one has as well.
fn clear(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(to).expect("listed") {
        let (entry, path) = entry.map(|entry| (entry.file_name(), entry.path())).expect("an entry");
        match (path.is_dir(), from.join(&entry).is_dir()) {
            (true, true) => clear(&from.join(entry), &path),
            (true, false) => std::fs::remove_dir_all(path).expect("removed"),
            (false, _) => std::fs::remove_file(path).expect("removed"),
        }
    }
}

#[test]
fn every_verb_tells_of_a_flipped_bit_and_who_answers_exits_with_it() {
    let (project, kept) = (filled(), tempfile::TempDir::new().expect("a folder"));
    project.write("plan.json", PLAN);
    project.annals(["log"]).code(0);
    flip(&project);
    copy(project.root(), kept.path());
    let mut faults = Vec::new();
    for (words, does) in VERBS {
        copy(kept.path(), project.root());
        let ran = Ran::of(project.command().args(words.split(' ')).write_stdin(""));
        let (code, err) = (ran.output.status.code(), ran.err());
        let lines = err.lines().filter(|line| line.contains("is damaged")).count();
        let (code_wanted, lines_wanted) = match does {
            Answers | AnswersInAnObject => (3, 1),
            Keeps(code) => (i32::from(*code), 1),
            TellsItself(code) => (i32::from(*code), 0),
            IsApart => (0, 0),
        };
        if (code, lines) != (Some(code_wanted), lines_wanted) {
            faults.push(format!("{words}: {code:?}, {lines} lines, should be {does:?}: {err}"));
        }
        if *does == AnswersInAnObject {
            copy(kept.path(), project.root());
            let ran = Ran::of(project.command().args(words.split(' ')).arg("--json"));
            let json: Option<serde_json::Value> = serde_json::from_str(&ran.out()).ok(); // told below
            if !json.is_some_and(|json| json["incomplete"][0].is_string()) {
                faults.push(format!("{words} --json does not say incomplete: {}", ran.out()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
