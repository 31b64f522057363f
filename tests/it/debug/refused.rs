//! What is not done unasked, or not as it was asked, and is said.

use serde_json::json;

use super::{failure, last, project};

#[test]
fn what_is_here_is_replaced_only_where_that_is_asked_for() {
    let project = project();
    project.annals(["debug", "open", "src/a.rs", "--attempts-max", "1"]).code(0);
    let nothing = ["debug", "attempt", "--total", "0", "--passed", "0", "--code-hash", "0"];
    project.annals(nothing).code(0).says("the session is in_progress");
    let older = last(&project);
    project.write("older.json", &older.to_string());
    // One of two is known to have failed: the other passed. What neither ran nor failed is no attempt
    // that failed.
    let told = failure("t", "boom", "src/a.rs").to_string();
    let failed = ["debug", "attempt", "--total", "2", "--failed", "1", "--code-hash", "1"];
    let given = ["--failure", &told];
    project
        .annals(failed.iter().chain(&given))
        .code(0)
        .says("1 attempt failed: a person is to look");
    let now = last(&project);
    assert_eq!(now["executions"][1]["test_results"], json!({"total": 2, "passed": 1, "failed": 1}));
    let import = ["debug", "import", "older.json"];
    let id = older["session_id"].as_str().expect("an id");
    project.annals(import).code(2).says(id).says("--replace");
    assert_eq!(last(&project), now);
    project.annals(import.iter().chain(&["--replace"])).code(0);
    assert_eq!(last(&project), older);
}

#[test]
fn what_contradicts_itself_or_would_be_lost_is_refused_and_what_is_cut_is_told() {
    let project = project();
    project.annals(["debug", "open", "src/a.rs"]).code(0);
    let told = failure("t", "boom", "src/a.rs");
    let mut more = told.clone();
    more["mood"] = json!(1);
    for (total, passed, given, says) in [
        ("1", "1", &told, "test_results.failed"),
        ("1", "0", &more, "/mood"),
        ("1", "0", &json!(["t", null, null, "Other", "m"]), "must be an object"),
    ] {
        let given = given.to_string();
        let words = ["debug", "attempt", "--total", total, "--passed", passed, "--code-hash", "1"];
        let given = ["--failure", given.as_str()];
        project.annals(words.iter().chain(&given)).code(2).says(says);
    }
    let given = json!({"test_results": {"total": 250, "passed": 0, "failed": 250}, "code_hash": "1",
        "failures": vec![told; 250]});
    let given = given.to_string();
    let attempt = project.annals(["debug", "attempt", "--execution", &given]).code(0);
    attempt.says("50 more failed, of which nothing is kept");
    // What the schema takes of a document and import does not, validate tells too.
    let mut document = last(&project);
    document["executions"][0]["test_results"]["total"] = json!(1e30);
    project.write("d.json", &document.to_string());
    let at = "/executions/0/test_results/total";
    project.annals(["debug", "validate", "d.json"]).code(0).says(at).says("import refuses it");
    project.annals(["debug", "import", "d.json"]).code(2).says(at);
}
