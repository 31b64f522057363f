//! What `annals debug` prints with `--json` has the shape of its example in `tests/fixtures/json/`.

use serde_json::Value;

use super::{execution, failure, project, settle};
use crate::json_shapes::check;
use crate::project::Ran;

#[test]
fn what_debug_memory_prints_has_the_shape_of_its_example() {
    let project = project();
    settle(&project, "[debug]\nretention_days = 0\nretention_learned_days = 0\n");
    project.write("src/a.ts", "");
    let failed = |file: &str| execution(Some(failure("t", "boom", file)));
    let (of_a, of_b, passed) = (failed("src/a.ts"), failed("src/b.ts"), execution(None));
    let cause = "it reads the length of what may be null";
    let category = "null_undefined_access";
    project
        .write("bad.json", r#"{"session_id": "x", "file_path": "a", "executions": [], "mood": 1}"#);
    let run = ["run", "src/a.ts", "--json", "--", "sh", "-c"];
    let broken = r#"echo "test result: FAILED. 0 passed; 1 failed; 0 ignored"; exit 101"#;
    for (verb, code, words) in [
        ("debug-open", 0, &["open", "src/a.ts", "--agent", "a", "--task", "t"][..]),
        ("", 0, &["attempt", "--execution", &of_a]),
        (
            "debug-analyse",
            0,
            &["analyse", "--root-cause", cause, "--fix-strategy", cause, "--category", category],
        ),
        ("debug-fix", 0, &["fix", "--description", "Return early"]),
        ("debug-attempt-passed", 0, &["attempt", "--execution", &passed]),
        ("debug-learn", 0, &["learn", "--recommend", "x"]),
        ("debug-show", 0, &["show"]),
        ("", 0, &["open", "src/b.ts"]),
        ("debug-attempt", 0, &["attempt", "--execution", &of_b]),
        ("debug-similar", 0, &["similar"]),
        ("debug-templates", 0, &["templates"]),
        ("debug-list", 0, &["list"]),
        ("debug", 0, &[]),
        ("debug-verify", 0, &["verify", "passed"]),
        ("debug-close", 0, &["close", "--status", "escalated"]),
        ("debug-escalations", 0, &["escalations"]),
        ("debug-export", 0, &["export"]),
        ("debug-import", 0, &["import", "bad.json"]),
        ("debug-validate", 1, &["validate", "--strict", "bad.json"]),
        ("debug-expire", 0, &["expire", "--dry-run"]),
    ] {
        let words = ["debug"].iter().chain(words).chain(&["--json"]);
        let printed = project.annals(words).code(code).out();
        if !verb.is_empty() {
            check(verb, &printed);
        }
    }
    let call = r#"{"tool":"bash_exec","arguments":{"command":"cargo test"},"exit_code":101,"stdout":"BROKEN","session":"s"}"#;
    let call = call.replace(
        "BROKEN",
        "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\\n",
    );
    Ran::of(project.command().arg("record").write_stdin(call)).code(0);
    check("debug-infer", &project.annals(["debug", "infer", "--json"]).code(0).out());
    let ran = project.annals(["debug"].iter().chain(&run).chain(&[broken])).code(101);
    let err = ran.err();
    let verdict = err.lines().find(|line| line.starts_with('{')).expect("a verdict");
    let mut verdict: Value = serde_json::from_str(verdict).expect("JSON");
    // What there is to run in differs from machine to machine.
    let execution = verdict["document"]["executions"][0].as_object_mut().expect("an object");
    execution.remove("environment");
    check("debug-run", &verdict.to_string());
}
