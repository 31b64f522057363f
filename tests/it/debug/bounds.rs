//! Documents and logs that mean harm.

use std::io::Write;

use serde_json::{Value, json};

use super::{last, project, told};
use crate::project::Ran;

#[test]
fn documents_that_are_none_are_refused_and_said_why() {
    let project = project();
    let good = json!({"session_id": "x", "file_path": "a", "executions": []});
    let bomb = "a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n\
                c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]\n\
                e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]\nf: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]\n\
                g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f]\nh: [*g, *g, *g, *g, *g, *g, *g, *g, *g]\n";
    for (text, says) in [
        ("", "no document".to_owned()),
        ("[]", "no document".to_owned()),
        ("{", "JSON".to_owned()),
        ("\u{1b}[31m: :\n\t- x: [", "is refused".to_owned()),
        (&"[".repeat(20_000), "is refused".to_owned()),
        (bomb, "is refused".to_owned()),
        ("{\"session_id\": 7}", "required property".to_owned()),
        (&json!([good, {"session_id": "y"}]).to_string(), "document 2".to_owned()),
        (
            &json!({"session_id": "z", "file_path": "a", "executions": [{"attempt": 0}]})
                .to_string(),
            "executions/0".to_owned(),
        ),
        (&format!("{{\"session_id\": \"{}\"", "x".repeat(17 << 20)), "16777216".to_owned()),
    ] {
        project.write("d", text);
        let ran = project.annals(["debug", "import", "d"]).code(2).says(&says);
        assert!(!ran.err().contains('\u{1b}') && ran.err().len() < 4_000, "{}", ran.err());
    }
    // Of a list with one that is none, nothing was taken.
    assert_eq!(told(&project, &["list"]), json!([]));
    project.annals(["debug", "import", "nothing-there"]).code(5);
}

#[test]
fn names_from_a_document_or_a_log_are_printed_harmlessly_and_lead_nowhere() {
    let project = project();
    let evil = "\u{1b}]0;title\u{7}../../../../etc/passwd";
    let document = json!({
        "session_id": "../../../evil", "file_path": evil, "mood": evil,
        "executions": [{"attempt": 1, "timestamp": evil, "code_hash": evil,
            "test_results": {"total": 1, "passed": 0, "failed": 1},
            "failures": [{"test_name": evil, "error_type": "Other", "error_message": evil}]}],
    });
    project.write("d.json", &document.to_string());
    project.annals(["debug", "import", "d.json"]).code(0).says("/mood is none of the schema's");
    for words in
        [&["list"][..], &["show", "--full"], &["similar", "--test", evil], &["list", "--json"]]
    {
        let ran = project.annals(["debug"].iter().chain(words)).code(0);
        assert!(!ran.out().contains('\u{1b}') && !ran.out().contains('\u{7}'), "{words:?}");
    }
    let names = std::fs::read_dir(project.path(".annals/debug-memory")).expect("documents");
    for name in names {
        let name = name.expect("an entry").file_name().into_string().expect("text");
        assert!(!name.contains("evil"), "{name}");
    }
    assert!(last(&project)["session_id"].as_str().is_some_and(|id| id.len() == 36));
    assert_eq!(last(&project).get("mood"), None);
}

/// A long log through a pipe: read as it comes, kept in part.
#[test]
fn a_log_of_any_length_is_one_attempt_within_bounds() {
    let project = project();
    project.write("a.rs", "");
    project.annals(["debug", "open", "a.rs"]).code(0);
    let mut log = Vec::new();
    write!(log, "\nrunning 5000 tests\n").expect("written");
    for at in 0..5_000 {
        writeln!(log, "test t{at} ... FAILED").expect("written");
    }
    writeln!(log, "\nfailures:\n").expect("written");
    for at in 0..5_000 {
        writeln!(
            log,
            "---- t{at} stdout ----\n\nthread 't{at}' panicked at a.rs:1:1:\n{}\n",
            "x".repeat(1_000)
        )
        .expect("written");
    }
    writeln!(log, "\nfailures:").expect("written");
    for at in 0..5_000 {
        writeln!(log, "    t{at}").expect("written");
    }
    writeln!(log, "\ntest result: FAILED. 0 passed; 5000 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s")
        .expect("written");
    let words =
        ["debug", "attempt", "--log", "-", "--tests", "cargo test", "--exit-code", "101", "--json"];
    let ran = Ran::of(project.command().args(words).write_stdin(log)).code(0);
    let done: Value = ran.json();
    let execution = &done["document"]["executions"][0];
    assert_eq!(execution["test_results"]["failed"], json!(5_000));
    let kept = execution["failures"].as_array().expect("a list").len();
    assert!((1..=200).contains(&kept), "{kept}");
    assert!(done.to_string().len() < 4 << 20);
}
