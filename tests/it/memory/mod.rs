//! `annals memory`: what each command does, and what a look leaves alone.

mod embed;
mod kept;

use serde_json::{Value, json};

use crate::project::{Project, Ran};

/// Commands on one project in order, what they say, and their exit code.
#[test]
fn each_command_does_what_it_says() {
    let project = Project::new();
    for (words, code, says) in [
        ("branches", 0, "Nothing is remembered yet"),
        ("fork root", 0, "Forked root (@"),
        ("set root compiler gcc --importance 5", 0, "Set compiler on root"),
        ("set root threads 8 --ttl 3600", 0, "Set threads on root"),
        ("set root x y --ttl never", 2, "must be a number of seconds"),
        ("set root x y --ttl 10m", 2, "above 0, as 600 or 0.5"),
        ("set root x y --ttl 0", 2, "must be a number of seconds above 0"),
        ("recall root -k 0", 2, "0 is not in 1.."),
        ("search root -k 0", 2, "0 is not in 1.."),
        ("show root -k 0", 2, "0 is not in 1.."),
        ("log -n 0", 2, "0 is not in 1.."),
        ("update 7", 2, "<--text <TEXT>|--tag <TAG>...>"),
        ("fork n1 --from root --run r --phase draft", 0, "Forked n1 from root"),
        ("fork n1 --from root", 0, "nothing was changed"),
        ("fork n1", 2, "choose another name"),
        ("fork n2 --from root --node node-2", 0, "Forked n2 from root"),
        ("set n1 threads 16", 0, "Set threads on n1"),
        ("del node-2 compiler", 0, "Deleted compiler"),
        ("get n2 compiler", 1, "(not set)"),
        ("get n1 compiler", 0, "gcc"),
        ("get nowhere", 2, "there is no branch or node"),
        ("append n1 failed --kind coding_failed --ref log", 0, "Remembered event 1"),
        ("append n1 failed --kind coding_failed --ref log", 0, "says the same"),
        ("recall n1 failed", 0, "coding_failed"),
        ("write n1 openmp --tag PERF", 0, "Archived as record 1"),
        ("search n1 openmp --tag PERF", 0, "PERF"),
        ("search n2 openmp", 0, "No record"),
        ("record 1", 0, "openmp"),
        ("record 7", 2, "no archival record 7"),
        ("update 1 --text other --branch n2", 2, "is of branch"),
        ("update 1 --text other", 0, "Changed record 1"),
        ("read n1 --scope core", 0, "gcc"),
        ("read n1 --scope some", 2, "is no scope"),
        ("render n1 --task openmp", 0, "Core Memory:"),
        ("show n1", 0, "n1 < root"),
        ("pressure n1", 0, "low"),
        ("consolidate n1 --level high", 0, "freed"),
        ("diff n1 n2", 0, "only n1 sees"),
        ("diff n1 n1 --exit-code", 0, "see the same"),
        ("diff n1 n2 --exit-code", 1, "threads"),
        ("evict n2 1", 1, "stay"),
        ("evict n1 1", 0, "went to the archive"),
        ("log n1", 0, "CoreSet threads"),
        ("why threads --branch n1", 0, "n1 sees threads: 16"),
        ("why compiler --branch n1", 0, "written by root"),
        ("why --record 1", 0, "ArchivalUpdated"),
        ("export out.sqlite", 0, "Wrote out.sqlite"),
        ("export out.sqlite", 2, "there already"),
        ("import out.sqlite", 0, "here already"),
    ] {
        let words = ["memory"].into_iter().chain(words.split(' '));
        project.annals(words).code(code).says(says);
    }
    let update =
        r#"{"core":{"plan":"p"},"core_get":["plan"],"archival_update":[{"id":99,"text":"x"}]}"#;
    for (text, code, says) in [
        (update.to_owned(), 1, "left out: archival_update[0]"),
        (
            format!("<memory_update>{}</memory_update>{{}}", r#"{"core":{"a":"b"}}"#),
            0,
            "Applied to n1: core",
        ),
        ("<memory_update>{".to_owned(), 2, "not closed"),
        ("[1]".to_owned(), 2, "JSON object"),
    ] {
        let mut command = project.command();
        Ran::of(command.args(["memory", "apply", "n1"]).write_stdin(text)).code(code).says(says);
    }
    project.annals(["memory", "append", "n1", " "]).code(2).says("is empty: give a text");
    project
        .annals(["memory", "fork", &"n".repeat(300)])
        .code(2)
        .says("name of a branch: give 1 to 256");
    project.annals(["rebuild", "--check"]).code(0);
}

/// Whatever is wrong with a reply: exit 2, and what to send back.
#[test]
fn a_reply_that_cannot_be_used_is_answered_with_what_to_send_back() {
    let project = Project::new();
    project.annals(["memory", "fork", "c"]).code(0);
    let apply = |given: &[u8], more: &[&str]| {
        let mut command = project.command();
        command.args(["memory", "apply", "c"]).args(more);
        Ran::of(command.write_stdin(given.to_vec()))
    };
    let long = "x".repeat(9 << 20);
    for (given, says) in [
        ("", "has no <memory_update> block"),
        ("words", "has no <memory_update> block"),
        (r#"Well: {"phase_artifacts":{}}"#, "has no <memory_update> block"),
        (r#"{"phase_artifacts":{}}"#, "has no <memory_update> block"),
        (r#"{"cores":{"x":"1"},"archivl":[]}"#, "`archivl`, `cores` means nothing"),
    ] {
        let ran = apply(given.as_bytes(), &[]).code(2).says(says);
        assert!(ran.out().contains("Nothing of it was applied"), "{given}");
        let error = apply(given.as_bytes(), &["--json"]).code(2).json();
        assert!(error["hint"].as_str().is_some_and(|it| it.contains("Answer again")), "{error}");
    }
    apply(long.as_bytes(), &[])
        .code(2)
        .says("the input has 9437184 bytes; at most 8388608 are read");
    let some = br#"{"core":{"k":{"value":"v","ttl":"10m"}},"cores":{"x":"1"}}"#;
    let ran = apply(some, &[]).code(1).says("Applied to c: core");
    for says in ["left out: cores: means nothing", "whose keys are core,", "left out: core.k.ttl"] {
        assert!(ran.out().contains(says), "{says}");
    }
    let told = apply(some, &["--json"]).code(1).json();
    assert_eq!(told["refused"][0]["at"], json!("cores"));
    let shown = "(ttl 10m: no number of seconds, kept for ever)";
    project.annals(["memory", "show", "c"]).code(0).says(shown);

    for words in [&["apply", "c"][..], &["set", "c", "k", "-"], &["append", "c", "-"]] {
        let mut command = project.command();
        command.arg("memory").args(words);
        Ran::of(command.write_stdin(b"a\xff".to_vec())).code(2).says("is no UTF-8 text");
    }
    // One limit, whichever the door.
    let (most, more) = ("k".repeat(1_024), "k".repeat(1_025));
    project.annals(["memory", "set", "c", &most, "v"]).code(0);
    project
        .annals(["memory", "set", "c", &more, "v"])
        .code(2)
        .says("name of a key: give 1 to 1024");
    let set = |key: &str| format!("{{\"core\":{{\"{key}\":\"v\"}}}}");
    apply(set(&most).as_bytes(), &[]).code(0);
    apply(set(&more).as_bytes(), &[]).code(2).says("at most 1024 are taken");
}

#[test]
fn a_look_at_the_past_or_at_a_copy_writes_nothing() {
    let project = Project::new();
    for words in ["fork root", "set root k one", "set root k two"] {
        project.annals(["memory"].into_iter().chain(words.split(' '))).code(0);
    }
    let last = || project.annals(["status", "--json"]).code(0).json()["journal"].clone();
    let before = last();
    let then = project.annals(["memory", "get", "root", "--json", "--at", "@4"]).code(0).json();
    assert_eq!(then["k"], json!("one"), "{then}");
    for words in
        ["get root", "search root x", "recall root", "render root", "read root", "pressure root"]
    {
        let words = ["--evidence", "memory"].into_iter().chain(words.split(' '));
        project.annals(words).code(0);
    }
    for words in ["show root", "branches", "log root", "why k", "diff root root"] {
        project.annals(["memory"].into_iter().chain(words.split(' '))).code(0);
    }
    assert_eq!(last(), before, "nothing was recorded");
    project
        .annals(["memory", "fork", "old", "--from", "root", "--at", "@4"])
        .code(0)
        .says("copies of what was seen then: 1");
    let old: Value = project.annals(["memory", "get", "old", "--json"]).code(0).json();
    assert_eq!(old["k"], json!("one"));
    project.annals(["memory", "set", "root", "k", "x", "--at", "@4"]).code(2);
    project.annals(["memory", "get", "old", "--at", "@4"]).code(2).says("was not there yet at @4");
}

#[test]
fn of_several_journals_each_row_says_whose_it_is() {
    let projects = [Project::new(), Project::new()];
    for (project, value) in projects.iter().zip(["one", "two"]) {
        for words in [&["fork", "root"][..], &["set", "root", "k", value]] {
            project.annals(["memory"].iter().chain(words)).code(0);
        }
        let append = ["memory", "append", "root", value];
        project.annals(append).code(0);
    }
    let [one, two] = [&projects[0], &projects[1]].map(|it| it.root().to_str().expect("UTF-8"));
    let ask = |words: &[&str]| {
        Project::empty().annals(["--dir", one, "--dir", two].iter().chain(words)).code(0)
    };
    let got = ask(&["memory", "get", "root", "k", "--json"]).json();
    assert_eq!((&got[0]["values"]["k"], &got[1]["values"]["k"]), (&json!("one"), &json!("two")));
    assert_ne!(got[0]["journal"], got[1]["journal"]);
    let names = [&got[0]["journal"], &got[1]["journal"]].map(|it| it.as_str().expect("a name"));
    for words in [&["memory", "get", "root"][..], &["memory", "recall", "root"], &["memory", "log"]]
    {
        let out = ask(words).out();
        assert!(names.iter().all(|name| out.contains(name)), "{words:?}: {out}");
    }
}
