//! The files of a repository's memory: published, edited by hand, deleted, of another journal.

mod writers;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::project::Project;

/// The folder of the only repository that a project's home has.
fn folder(project: &Project) -> PathBuf {
    let repos = project.path(".codex-toolloop/repos");
    let mut found: Vec<PathBuf> =
        fs::read_dir(&repos).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn memory(project: &Project) -> Value {
    let text = fs::read(folder(project).join("memory.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// The row of `status` that tells of the files.
fn row(project: &Project, code: i32) -> Value {
    let status = project.annals(["status", "--json"]).code(code).json();
    let stores = status["stores"].as_array().unwrap();
    stores.iter().find(|store| store["store"] == "repo_memory").unwrap().clone()
}

#[test]
fn an_edited_memory_is_left_told_and_discarded_and_a_deleted_one_is_published_again() {
    let project = Project::new();
    project.annals(["repo", "note", "add", "the first", "--id", "one"]).code(0);
    assert_eq!(memory(&project)["notes"][0]["content"], "the first");
    assert_eq!(row(&project, 0)["problem"], Value::Null);

    let path = folder(&project).join("memory.json");
    let edited = fs::read_to_string(&path).unwrap().replace("the first", "by hand");
    fs::write(&path, &edited).unwrap();
    let second = ["repo", "note", "add", "the second", "--id", "two"];
    project.annals(second).code(0).says("annals repo diff");
    assert_eq!(fs::read_to_string(&path).unwrap(), edited);
    let problem = row(&project, 1)["problem"].to_string();
    assert!(problem.contains("edited by hand") && problem.contains("annals repo adopt"));
    let errors = fs::read_to_string(project.path(".annals/errors.jsonl")).unwrap();
    assert!(errors.contains("repo_memory"), "{errors}");

    project.annals(["repair", "--dry-run"]).code(1);
    project.annals(["repair"]).code(1).says("left as it is");
    project.annals(["rebuild", "repo_memory", "--check"]).code(1);
    project.annals(["rebuild", "repo_memory"]).code(1);
    assert_eq!(fs::read_to_string(&path).unwrap(), edited);

    let past = ["rebuild", "repo_memory", "--discard", "--at", "@1"];
    project.annals(past).code(2).says("--at asks about the past");
    project.annals(["rebuild", "repo_memory", "--discard"]).code(0);
    assert_eq!(memory(&project)["notes"][1]["content"], "the second");
    project.annals(["rebuild", "repo_memory", "--check"]).code(0);
    let whole = fs::read(&path).unwrap();
    // What only a person may move is not promised away, nor told in a circle.
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    project.annals(["status"]).code(1).says("Next: move it away");
    project.annals(["repo", "diff"]).code(0).says("Next: move away");
    project
        .annals(["rebuild", "repo_memory", "--discard"])
        .code(1)
        .says("is a folder: move it away");
    fs::remove_dir(&path).unwrap();
    let (repo, aside) = (folder(&project), project.path("aside"));
    fs::rename(&repo, &aside).unwrap();
    std::os::unix::fs::symlink(&aside, &repo).unwrap();
    let status = project.annals(["status"]).code(1);
    status.says("is a symbolic link: move it away").says("Next: move it away");
    fs::remove_dir_all(project.path(".codex-toolloop")).unwrap();
    assert_eq!(row(&project, 0)["lag"], 0);
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn another_journals_files_are_left_and_a_missing_home_stops_no_recording() {
    let project = Project::new();
    project.annals(["repo", "note", "add", "the first"]).code(0);
    fs::remove_dir_all(project.path(".annals")).unwrap();
    let _ = fs::remove_file(project.path("execution_log.db")); // it is of the other journal
    project.annals(["init"]).code(0);
    let before = fs::read(folder(&project).join("memory.json")).unwrap();
    let told = project.annals(["repo", "note", "add", "the second"]).code(0).err();
    assert_eq!(told.matches("kept by another journal").count(), 1, "{told}");
    assert_eq!(fs::read(folder(&project).join("memory.json")).unwrap(), before);
    assert!(row(&project, 1)["problem"].to_string().contains("another journal"));
    project.annals(["rebuild", "repo_memory", "--discard"]).code(0);
    assert_eq!(memory(&project)["notes"][0]["content"], "the second");

    let mut homeless = project.command();
    homeless.env_remove("HOME").args(["repo", "note", "add", "the third", "--id", "three"]);
    let output = homeless.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("HOME"), "{output:?}");
    row(&project, 0);
    assert_eq!(memory(&project)["notes"][1]["id"], "three");
}
