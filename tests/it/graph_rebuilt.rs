//! `codegraph.db` as a rebuild makes it: what catching up makes, whatever was printed before and whatever is there.

use serde_json::json;

use crate::graph::{calls, open, record};
use crate::project::Project;

#[test]
fn a_check_has_its_edges_also_where_it_printed_what_one_before_it_did() {
    let project = Project::new();
    let error = |nth: u32| {
        format!("error[E0308]: mismatched types {nth}\n  --> src/a{nth}.rs:{nth}:5\n   |\n\n")
    };
    let printed: String = (1..=60).map(error).collect();
    let line = json!({ "tool": "bash_exec", "arguments": { "command": "cargo check" },
        "outcome": "failed", "stdout": printed });
    let count = || {
        let sql = "SELECT count(*) FROM graph_edges WHERE edge_type = 'PRODUCED'";
        open(&project).query_row(sql, [], |row| row.get::<_, u32>(0)).expect("counted")
    };
    for nth in 1..=3 {
        record(&project, &line.to_string()).code(0);
        project.annals(["log", "-n", "1"]).code(0);
        assert_eq!(count(), nth * 60, "caught up");
    }
    project.annals(["rebuild", "--check"]).code(0);
    for words in [&["rebuild"][..], &["rebuild", "graph"], &["rebuild", "execution_log", "graph"]] {
        project.annals(words).code(0);
        assert_eq!(count(), 180, "{words:?}");
    }
    project.annals(["rebuild", "--check", "graph"]).code(0);
}

#[test]
fn a_rebuild_from_nothing_makes_the_graph_that_catching_up_makes() {
    let project = Project::new();
    let remove = || {
        for store in ["execution_log.db", "codegraph.db", ".annals/index.db"] {
            drop(std::fs::remove_file(project.path(store))); // none of a graph at first
        }
    };
    let rebuilt = |store: &str| {
        let json = project.annals(["rebuild", "--check", store, "--json"]).code(0).json();
        json[0]["after"].clone()
    };
    remove();
    project.annals(["rebuild"]).code(0);
    assert!(!project.path("codegraph.db").exists());
    record(&project, &calls(&project)).code(0);
    project.annals(["log"]).code(0);
    let caught_up = rebuilt("graph");
    assert!(caught_up.is_string(), "{caught_up}");
    remove();
    project.annals(["rebuild"]).code(0);
    assert_eq!(rebuilt("graph"), caught_up);
    project.annals(["rebuild", "--check"]).code(0);
}
