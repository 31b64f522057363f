//! Turns of imported sessions, and what is kept of them.

use serde_json::{Value, json};

use super::{import_all, named, project, recorded};
use crate::event::{Body, SummaryAppended};
use crate::journal::Project;

/// A session's transcript, line by line, in this folder.
struct Transcript {
    session: &'static str,
    cwd: String,
    lines: Vec<String>,
}

impl Transcript {
    fn new(session: &'static str, cwd: &str) -> Self {
        Self { session, cwd: cwd.to_owned(), lines: Vec::new() }
    }

    fn line(mut self, kind: &str, more: Value) -> Self {
        let second = self.lines.len();
        let mut line = json!({
            "type": kind, "sessionId": self.session, "cwd": self.cwd, "isSidechain": false,
            "uuid": format!("{}-{second}", self.session),
            "timestamp": format!("2026-01-05T10:00:{second:02}.000Z"),
        });
        for (key, value) in more.as_object().unwrap() {
            line[key] = value.clone();
        }
        self.lines.push(line.to_string());
        self
    }

    fn asks(self, text: &str) -> Self {
        self.line("user", json!({"message": {"role": "user", "content": text}}))
    }

    fn says(self, text: &str) -> Self {
        let content = json!([{"type": "text", "text": text}]);
        self.line("assistant", json!({"message": {"role": "assistant", "content": content}}))
    }

    fn runs(self, id: &str, command: &str, printed: &str, is_error: bool) -> Self {
        let input = json!({"command": command});
        let call = json!([{"type": "tool_use", "id": id, "name": "Bash", "input": input}]);
        let result = json!([{
            "type": "tool_result", "tool_use_id": id, "content": printed, "is_error": is_error,
        }]);
        self.line("assistant", json!({"message": {"role": "assistant", "content": call}}))
            .line("user", json!({"message": {"role": "user", "content": result}}))
    }

    fn import(&self, project: &Project) -> u64 {
        let folder = project.root().join("transcripts");
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{}.jsonl", self.session));
        std::fs::write(&path, format!("{}\n", self.lines.join("\n"))).unwrap();
        import_all(project, &[path]).recorded
    }
}

fn summaries(project: &Project) -> Vec<SummaryAppended> {
    let bodies = recorded(project).into_iter().map(|it| it.event.body);
    bodies
        .filter_map(|body| match body {
            Body::SummaryAppended(summary) => Some(summary),
            _ => None,
        })
        .collect()
}

fn steps(project: &Project) -> Vec<String> {
    summaries(project).into_iter().map(|it| format!("{} {}", it.run_id, it.step_id)).collect()
}

fn worked(cwd: &str) -> Transcript {
    Transcript::new("one", cwd)
        .asks("# Mend the parser\nand more")
        .says("I look.")
        .runs("call_1", "cargo test", "Exit code 101\nerror: it broke", true)
        .says("It still fails. The lexer is to blame.")
        .asks("why?")
        .says("Because.")
        .asks("go on")
        .runs("call_2", "ls", "a", false)
        .says("Done.")
}

#[test]
fn an_import_leaves_a_summary_of_each_turn_in_which_something_ran_and_another_none() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let worked = worked(dir.path().to_str().unwrap());
    worked.import(&project);
    assert_eq!(steps(&project), ["one step-1", "one step-3"]);
    assert_eq!((named(&project, "StepBegun"), named(&project, "StepEnded")), (3, 2));
    assert_eq!(named(&project, "RepoIdentified"), 1);
    let first = &summaries(&project)[0];
    assert_eq!(
        first.summary,
        "What happened: Mend the parser\n\
         - said: It still fails. The lexer is to blame.\n\
         - 1 execution, 1 failed, 0 mutations, 0 checks passed\n\
         Important outputs: none\n\
         Follow-up:\n\
         - pending #1 bash_exec cargo test: error: it broke"
    );
    let repo = crate::repo::identify(project.root()).unwrap().hash;
    assert_eq!((first.repo, first.step.is_some()), (repo, true));
    assert_eq!(worked.import(&project), 0, "again");
    let grown = worked.asks("and the rest").runs("call_3", "ls -a", "b", false);
    assert!(grown.import(&project) > 0);
    assert_eq!(steps(&project), ["one step-1", "one step-3", "one step-4"]);
    assert_eq!(grown.import(&project), 0, "again");
}

#[test]
fn sessions_side_by_side_count_their_own_turns_and_all_executions() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let cwd = dir.path().to_str().unwrap();
    worked(cwd).import(&project);
    let two = Transcript::new("two", cwd).asks("look").runs(
        "call_4",
        "cargo test",
        "Exit code 101\nerror: it broke",
        true,
    );
    two.import(&project);
    assert_eq!(steps(&project)[2..], ["two step-1"]);
    let told = &summaries(&project)[2].summary;
    assert!(told.contains("- pending #3 bash_exec cargo test"), "{told}");
}

#[test]
fn a_session_of_another_folder_leaves_no_summary() {
    let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let inner = dir.path().join("inner/deep");
    std::fs::create_dir_all(&inner).unwrap();
    for (cwd, expect) in [
        (dir.path(), 2),
        (inner.as_path(), 2),
        // It came here from another machine.
        (std::path::Path::new("/nowhere/to/be/found"), 2),
        (other.path(), 0),
    ] {
        let at = tempfile::tempdir_in(dir.path()).unwrap();
        let root = if cwd == other.path() { at.path() } else { dir.path() };
        let fresh = root.join(".annals");
        if fresh.exists() {
            std::fs::remove_dir_all(fresh).unwrap();
        }
        let project = project(root);
        worked(cwd.to_str().unwrap()).import(&project);
        assert_eq!(summaries(&project).len(), expect, "{}", cwd.display());
        assert_eq!(named(&project, "StepBegun") > 0, expect > 0);
    }
}

#[test]
fn what_a_subagent_is_asked_begins_no_turn() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let side = json!({
        "isSidechain": true, "agentId": "a1", "message": {"role": "user", "content": "review it"},
    });
    Transcript::new("one", dir.path().to_str().unwrap())
        .asks("mend it")
        .runs("call_1", "ls", "a", false)
        .line("user", side)
        .runs("call_2", "ls -a", "b", false)
        .import(&project);
    assert_eq!((steps(&project).len(), named(&project, "StepBegun")), (1, 1));
}

#[test]
fn what_goes_on_from_import_to_import_behind_its_turn_s_end_is_told_of_once() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let mut all = Transcript::new("s", dir.path().to_str().unwrap()).asks("mend the parser");
    for call in 0..12 {
        all = all.runs(&format!("toolu_{call}"), &format!("ls {call}"), "a", false);
        all.import(&project);
    }
    assert_eq!(named(&project, "SummaryAppended"), 1, "it may go on");
    assert_eq!(all.import(&project), 0, "again");
    all.asks("now the lexer").runs("toolu_20", "ls 20", "a", false).import(&project);
    let told = summaries(&project);
    let titles: Vec<_> = told.iter().map(|it| it.summary.lines().next().unwrap()).collect();
    assert_eq!(
        titles,
        [
            "What happened: mend the parser",
            "What happened: mend the parser (goes on)",
            "What happened: now the lexer"
        ]
    );
}
