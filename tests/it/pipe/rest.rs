//! What a pipe keeps open, and what it lets go of.

use serde_json::json;

use super::Piped;
use crate::damage::flip;
use crate::project::Project;

#[test]
fn a_pipe_that_rests_lets_the_stores_be_replaced() {
    let project = Project::new();
    let mut pipe = Piped::with(&project, &["--session", "s"]);
    let call = json!({ "tool": "bash_exec", "arguments": { "command": "make" } });
    pipe.result("get_timeline_position", json!({}));
    pipe.result("record_execution", call.clone());
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    project.annals(["rebuild"]).code(0);
    pipe.result("record_execution", call.clone());
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    for name in ["index.db", "index.db-wal", "index.db-shm"] {
        // Not all of them are there.
        drop(std::fs::remove_file(project.path(".annals").join(name)));
    }
    project.annals(["log"]).code(0);
    assert!(project.path(".annals/index.db").exists());
    pipe.result("record_execution", call);
    let position = pipe.result("get_timeline_position", json!({}));
    assert_eq!(position["total_executions"], json!(3), "{position}");
    pipe.close();
}

#[test]
fn a_question_about_executions_feeds_only_what_answers_it() {
    let project = Project::new();
    let mut pipe = Piped::with(&project, &["--session", "s"]);
    let path = project.write("src/lib.rs", "pub fn f() {}\n");
    let call = |n: u64| json!({ "tool": "file_read", "arguments": { "path": path, "n": n } });
    pipe.result("record_execution", call(0));
    pipe.result("get_timeline_position", json!({}));
    let written = || {
        let about = std::fs::metadata(project.path("codegraph.db")).expect("the graph");
        about.modified().expect("a time")
    };
    let before = written();
    let mut last = json!(null);
    for n in 1..4_u64 {
        last = pipe.result("record_execution", call(n))["execution"].clone();
        let position = pipe.result("get_timeline_position", json!({}));
        assert_eq!(position["total_executions"], json!(n + 1), "{position}");
    }
    assert_eq!(written(), before, "the graph was fed for a question that it does not answer");
    // Who asks it is answered from all there is.
    let touched = pipe.result("files_touched_by_execution", json!({ "execution": last }));
    assert_eq!(touched[0]["path"], json!("src/lib.rs"), "{touched}");
    pipe.close();
}

#[test]
fn an_answer_from_a_damaged_journal_says_what_it_may_lack() {
    let project = Project::new();
    for number in 0..4 {
        project.annals(["run", "--", "echo", &format!("line {number}")]).code(0);
    }
    let mut pipe = Piped::new(&project);
    let list = |pipe: &mut Piped| pipe.answer("query_executions", json!({}));
    assert_eq!(list(&mut pipe).get("incomplete"), None);
    flip(&project);
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    let says = |answer: &serde_json::Value| {
        answer["incomplete"][0].as_str().is_some_and(|it| it.contains("damage"))
    };
    let answer = list(&mut pipe);
    assert!(says(&answer), "{answer}");
    let fork = json!({ "child_node_id": "root", "run": "r", "phase": "p0" });
    let answer = pipe.answer("mem_node_fork", fork);
    assert!(says(&answer), "{answer}");
    // What is only recorded lacks nothing.
    let call = json!({ "tool": "bash_exec", "arguments": { "command": "make" } });
    for (op, args) in [("record_execution", call), ("help", json!({}))] {
        assert_eq!(pipe.answer(op, args).get("incomplete"), None, "{op}");
    }
    pipe.close_with(3);
    // One that begins afterwards says so at once.
    let mut pipe = Piped::new(&project);
    let answer = list(&mut pipe);
    assert!(says(&answer), "{answer}");
    pipe.close_with(3);
}
