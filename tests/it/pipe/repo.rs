//! What repositories remember, through a pipe.

use serde_json::json;

use super::Piped;
use crate::project::Project;

/// A branch of git's is a repository of its own, whose hash nobody knows before.
pub fn linked(project: &Project, pipe: &mut Piped) {
    project.write(".git/config", "[remote \"origin\"]\nurl = https://example.com/o/r\n");
    let mut hashes = Vec::new();
    for branch in ["main", "topic"] {
        project.write(".git/HEAD", &format!("ref: refs/heads/{branch}\n"));
        pipe.result("upsert_note", json!({ "content": branch }));
        hashes.push(pipe.result("identify_repo", json!({}))["repoHash"].clone());
    }
    let result = pipe.result("link_repos", json!({ "with": hashes[0] }));
    assert_eq!(result["linked"].as_array().map(Vec::len), Some(2), "{result}");
}

/// Spec 004 writes its functions in camelCase.
#[test]
fn an_operation_has_its_name_in_camel_case_too() {
    let project = Project::new();
    let mut pipe = Piped::new(&project);
    let title = json!({ "title": "Format", "content": "cargo fmt" });
    let done = pipe.result("upsertConvention", title);
    pipe.result("appendSummary", json!({ "runId": "r", "stepId": "s", "summaryText": "t" }));
    let memory = pipe.result("getRepoMemory", json!({ "repoHash": done["repoHash"] }));
    assert_eq!(memory["conventions"][0]["id"], done["id"]);
    for name in ["GetRepoMemory", "getrepomemory", "get_RepoMemory"] {
        assert_eq!(pipe.answer(name, json!({}))["error"]["kind"], json!("unknown_op"), "{name}");
    }
    let told = pipe.answer("upsert_note", json!({ "content": " " }));
    assert_eq!(told["error"]["kind"], json!("arguments"), "{told}");
    let told = pipe.answer("remove_note", json!({ "id": "none" }));
    assert_eq!(told["error"]["kind"], json!("not_found"), "{told}");
    pipe.close();
}
