//! `annals memory kv` and `thread`: what each command does, then, in a copy and in a search.

use serde_json::{Value, json};

use crate::project::Project;

#[test]
fn each_command_on_values_and_threads_does_what_it_says() {
    let project = Project::new();
    project.annals(["memory", "fork", "root"]).code(0).says("Forked root (@3)");
    assert!(!project.path(".annals/state.db").exists(), "nothing is kept yet");
    for (words, code, says) in [
        ("kv put root city Oslo --namespace users/anna", 0, "Put version 1 of city on root (@4)"),
        ("kv put root city Rome --namespace users/anna", 0, "version 2"),
        ("kv put root size 1.0 --as-json", 0, "version 1"),
        ("kv put root size {bad --as-json", 2, "event is refused"),
        ("kv put root size 1 --ttl 0", 2, "above 0"),
        ("kv get root city --namespace users/anna", 0, "Rome\n"),
        ("kv get root city --namespace users/anna --version 1", 0, "Oslo\n"),
        ("kv get root city", 1, "No value is seen"),
        ("kv get nowhere city", 2, "there is no branch or node"),
        ("kv search root romes", 0, "users/anna"),
        ("thread append root t user hello", 0, "Appended message 1 to t on root"),
        ("thread append root t user hello", 0, "Appended message 2 to t on root"),
        ("thread show root t -n 1", 0, "2  user  "),
        ("thread show root t -n 0", 2, "0 is not in 1.."),
        ("kv search root rome -k 0", 2, "0 is not in 1.."),
        ("thread list root", 0, "t              2"),
        ("thread pop root t", 0, "Took message 2 of t back"),
        ("kv delete root size", 0, "Deleted size on root"),
        ("kv delete root size", 0, "nothing was changed"),
        ("kv history root size", 0, "(deleted)"),
        ("thread clear root t", 0, "t begins anew on root: 1 message"),
        ("log root -n 2", 0, "ThreadCleared"),
    ] {
        let words = ["memory"].into_iter().chain(words.split(' '));
        project.annals(words).code(code).says(says);
    }
    let json_of = |words: &str| project.annals(words.split(' ')).code(0).json();
    let listed = json_of("memory kv list root --json");
    let expected = json!({
        "namespace": ["users", "anna"], "key": "city", "version": 2, "value": "Rome",
        "created": listed[0]["created"], "updated": listed[0]["updated"], "expires": null,
        "branch": "root", "journal": null,
    });
    assert_eq!(listed, json!([expected]));
    assert!(listed[0]["created"].as_str() < listed[0]["updated"].as_str(), "{listed}");
    // As it was then, also in a copy.
    let then = json_of("memory kv get root city --namespace users/anna --at @4 --json");
    assert_eq!(then["value"], json!("Oslo"));
    let copy = tempfile::tempdir().expect("a folder");
    let to = copy.path().join("journal");
    project.shell(&format!("cp -r .annals/journal {}", to.display())).assert().success();
    let evidence = ["--dir", to.to_str().expect("text"), "--evidence", "--at", "@8", "--json"];
    let show = ["memory", "thread", "show", "root", "t"].into_iter().chain(evidence);
    let messages: Value = project.annals(show).code(0).json();
    assert_eq!(messages.as_array().map(Vec::len), Some(2), "{messages}");
    let found = json_of("search in:memory rome --json");
    assert!(found.to_string().contains("Rome"), "{found}");
    project.annals(["rebuild", "--check"]).code(0);
}
