//! `phases prompts`, and what a person is told.

use super::{json, plan, project, set};

#[test]
fn prompts_are_listed_exported_and_changed() {
    let project = project();
    let list = json(&project.annals(["phases", "prompts", "--json"]).code(0));
    assert_eq!(list.as_array().unwrap().len(), 32);
    project.annals(["phases", "prompts", "--export", "texts"]).code(0).says("32 texts");
    project.annals(["phases", "prompts", "--export", "texts"]).code(2).says("is there already");
    set(&project, "# prompts = \"prompts\"", "prompts = \"texts\"");
    let path = "prompt/agent/parallel/tasks/draft/introduction_with_memory.txt";
    project.write(&format!("texts/{path}"), "DO AS I SAY");
    project.annals(["phases", "prompts"]).code(0).says(&format!("{path}  (yours)"));
    // The model sees it: `cat` answers its prompt, which is no plan.
    project.annals(["phases", "run", "n", "--model", "tee -a seen"]).code(1);
    let seen = std::fs::read_to_string(project.path("seen")).unwrap();
    assert!(seen.starts_with("# Introduction\n\nDO AS I SAY\n"), "{seen}");
    std::fs::write(project.path(&format!("texts/{path}")), b"\xff").unwrap();
    project.annals(["phases", "run", "m", "--model", "cat"]).code(2).says("no UTF-8 text");
}

#[test]
fn a_person_is_told_how_it_went() {
    let project = project();
    project.annals(["phases", "list"]).code(0).says("No node was run yet");
    let file = project.write("plan.json", &plan("echo metric: 3").to_string());
    let file = file.to_str().unwrap();
    project.annals(["phases", "run", "n", "--artifacts", file]).code(0).says("n reached 3");
    project.annals(["phases", "list"]).code(0).says("download coding compile run");
    project.annals(["phases", "show", "n"]).code(0).says("metric: 3");
    let then = project.annals(["--at", "@2", "phases", "list"]).code(0);
    then.says("No node was run yet");
    project.annals(["--evidence", "phases", "list"]).code(0).says("draft");
    let ill = project.write("ill.json", &plan("echo why >&2; exit 1").to_string());
    let ran = project.annals(["phases", "run", "m", "--artifacts", ill.to_str().unwrap()]).code(1);
    ran.says("m is buggy").says("why");
}
