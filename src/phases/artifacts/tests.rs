//! What a plan must have, and what is said where it has not.

use serde_json::{Value, json};

use super::{PhaseArtifacts, PlannedCommand, artifacts_of, extract_phase_artifacts, quoted};

fn whole() -> Value {
    json!({
        "phase_artifacts": {
            "download": { "commands": ["apt-get install -y gcc"], "notes": "n" },
            "coding": { "workspace": {
                "root": "/workspace",
                "tree": ["workspace/src/"],
                "files": [
                    { "path": "src/a.c", "mode": "0644", "encoding": "utf-8", "content": "int x;\n" },
                    { "path": "run.sh", "mode": "0755", "content": "" },
                ],
            }},
            "compile": {
                "build_plan": {
                    "language": "c", "compiler_selected": "gcc", "cflags": ["-O2"], "ldflags": "-lm",
                    "workdir": "/workspace", "output": "bin/a.out",
                },
                "commands": [["gcc", "-c", "src/a.c"]],
            },
            "run": { "commands": "./run.sh", "expected_outputs": ["out.json"], "notes": "r" },
        },
        "constraints": { "no_absolute_paths": true, "own": 5 },
    })
}

#[test]
fn a_plan_is_read_whole() {
    let read = PhaseArtifacts::of(&whole()).unwrap();
    assert_eq!(read.download.commands, [PlannedCommand::Line("apt-get install -y gcc".into())]);
    assert_eq!(read.download.notes, "n");
    assert_eq!(read.coding.root.as_deref(), Some("/workspace"));
    let files: Vec<_> = read.coding.files.iter().map(|it| (it.path.as_str(), it.mode)).collect();
    assert_eq!(files, [("src/a.c", Some(0o644)), ("run.sh", Some(0o755))]);
    assert_eq!(read.compile.compiler.as_deref(), Some("gcc"));
    assert_eq!(
        (read.compile.cflags.as_slice(), read.compile.ldflags.as_slice()),
        (["-O2".to_owned()].as_slice(), ["-lm".to_owned()].as_slice())
    );
    assert_eq!(read.compile.commands[0].shown(), "gcc -c src/a.c");
    assert_eq!(read.run.commands, [PlannedCommand::Line("./run.sh".into())]);
    assert_eq!(read.run.expected_outputs, ["out.json"]);
    assert_eq!(read.constraints.stated["no_absolute_paths"], json!(true));
    // What is recorded reads as the same plan.
    let again = PhaseArtifacts::of(&serde_json::from_str(&read.json).unwrap()).unwrap();
    assert_eq!(again, read);
}

#[test]
fn a_plan_is_found_in_the_shapes_that_models_give() {
    let value = whole();
    let (plan, rest) = (&value["phase_artifacts"], &value["constraints"]);
    let shapes = [
        value.to_string(),
        format!("Here it is:\n```json\n{value}\n```\nGood luck."),
        format!("<memory_update>{{}}</memory_update>\n{value}"),
        json!({ "plan": plan, "constraints": rest }).to_string(),
        json!({ "phase_artifacts": [plan], "constraints": [rest] }).to_string(),
        format!("{{\"note\": 1}} {value}"),
    ];
    for shape in shapes {
        let (_, read) = extract_phase_artifacts(&shape, false).expect(&shape);
        assert_eq!(read.run.expected_outputs, ["out.json"], "{shape}");
    }
    assert!(artifacts_of(&plan.to_string()).is_ok(), "the four sections alone");
    let error = extract_phase_artifacts(&value.to_string(), true).unwrap_err();
    assert_eq!(error.kind(), "missing_memory_update");
    for (reply, kind) in [
        ("", "missing_answer"),
        ("no plan today", "missing_answer"),
        ("{\"a\": 1}", "missing_answer"),
        ("{\"phase_artifacts\": {", "malformed_answer"),
        ("{'phase_artifacts': {}}", "malformed_answer"),
    ] {
        assert_eq!(artifacts_of(reply).unwrap_err().kind(), kind, "{reply}");
    }
}

#[test]
fn what_is_wrong_with_a_plan_is_named() {
    let big = "x".repeat(70_000);
    let many: Vec<Value> = vec![json!("true"); 201];
    let cases: &[(&str, Value, &str)] = &[
        // where, what is put there, what the error begins with
        ("/phase_artifacts", json!(5), "`phase_artifacts` is a number"),
        ("/phase_artifacts/download", json!("x"), "`phase_artifacts.download` is a text"),
        (
            "/phase_artifacts/download/commands",
            json!({}),
            "`phase_artifacts.download.commands` is an object",
        ),
        (
            "/phase_artifacts/download/commands",
            json!([5]),
            "`phase_artifacts.download.commands[0]` is a number",
        ),
        (
            "/phase_artifacts/download/commands",
            json!([" "]),
            "`phase_artifacts.download.commands[0]` is empty",
        ),
        (
            "/phase_artifacts/download/commands",
            json!([big]),
            "`phase_artifacts.download.commands[0]` has 70000",
        ),
        (
            "/phase_artifacts/download/commands",
            json!(many),
            "`phase_artifacts.download.commands` has 201",
        ),
        ("/phase_artifacts/coding", Value::Null, "`phase_artifacts.coding` is missing"),
        (
            "/phase_artifacts/coding/workspace",
            Value::Null,
            "`phase_artifacts.coding.workspace` is missing",
        ),
        (
            "/phase_artifacts/coding/workspace/root",
            json!(5),
            "`phase_artifacts.coding.workspace.root` is a number",
        ),
        (
            "/phase_artifacts/coding/workspace/tree",
            json!([5]),
            "`phase_artifacts.coding.workspace.tree[0]` is",
        ),
        (
            "/phase_artifacts/coding/workspace/files",
            Value::Null,
            "`phase_artifacts.coding.workspace.files` is missing",
        ),
        (
            "/phase_artifacts/coding/workspace/files",
            json!({}),
            "`phase_artifacts.coding.workspace.files` is an object",
        ),
        (
            "/phase_artifacts/coding/workspace/files/0",
            json!("a"),
            "`phase_artifacts.coding.workspace.files[0]` is a text",
        ),
        (
            "/phase_artifacts/coding/workspace/files/0/path",
            Value::Null,
            "`phase_artifacts.coding.workspace.files[0].path` is missing",
        ),
        (
            "/phase_artifacts/coding/workspace/files/1/content",
            json!(5),
            "`phase_artifacts.coding.workspace.files[1].content` is a number",
        ),
        (
            "/phase_artifacts/coding/workspace/files/0/mode",
            json!("04755"),
            "`phase_artifacts.coding.workspace.files[0].mode` has bits",
        ),
        (
            "/phase_artifacts/coding/workspace/files/0/mode",
            json!("rw"),
            "`phase_artifacts.coding.workspace.files[0].mode` is a text",
        ),
        (
            "/phase_artifacts/coding/workspace/files/0/encoding",
            json!("latin-1"),
            "`phase_artifacts.coding.workspace.files[0].encoding` is not utf-8",
        ),
        (
            "/phase_artifacts/coding/workspace/files/0/mode",
            json!(420),
            "`phase_artifacts.coding.workspace.files[0].mode` is a number; it must be a text of octal",
        ),
        (
            "/phase_artifacts/coding/workspace/tree",
            json!({}),
            "`phase_artifacts.coding.workspace.tree` is an object; it must be a list of texts",
        ),
        (
            "/phase_artifacts/compile/build_plan/cflags",
            json!(2),
            "`phase_artifacts.compile.build_plan.cflags` is a number; it must be a list of texts",
        ),
        (
            "/phase_artifacts/run/expected_outputs",
            json!({}),
            "`phase_artifacts.run.expected_outputs` is an object; it must be a list of texts",
        ),
        (
            "/phase_artifacts/compile/build_plan",
            json!([]),
            "`phase_artifacts.compile.build_plan` is a list",
        ),
        ("/phase_artifacts/run", Value::Null, "`phase_artifacts.run` is missing"),
        ("/phase_artifacts/run/commands", json!([]), "`phase_artifacts.run.commands` is empty"),
        ("/phase_artifacts/run/commands", Value::Null, "`phase_artifacts.run.commands` is missing"),
        (
            "/phase_artifacts/run/expected_outputs",
            json!([5]),
            "`phase_artifacts.run.expected_outputs[0]` is a number",
        ),
        ("/constraints", json!("x"), "`constraints` is a text"),
        (
            "/constraints/no_absolute_paths",
            json!("yes"),
            "`constraints.no_absolute_paths` is a text",
        ),
    ];
    for (at, put, begins) in cases {
        let mut value = whole();
        *value.pointer_mut(at).expect(at) = put.clone();
        let error = PhaseArtifacts::of(&value).expect_err(at).to_string();
        assert!(error.starts_with(begins), "{at}: {error}");
    }
    // What need not be there.
    for at in [
        "/phase_artifacts/download",
        "/phase_artifacts/compile",
        "/phase_artifacts/compile/build_plan",
        "/phase_artifacts/compile/build_plan/compiler_selected",
        "/phase_artifacts/compile/build_plan/language",
        "/phase_artifacts/coding/workspace/tree",
        "/phase_artifacts/run/expected_outputs",
        "/constraints",
    ] {
        let mut value = whole();
        *value.pointer_mut(at).unwrap() = Value::Null;
        assert!(PhaseArtifacts::of(&value).is_ok(), "{at}");
    }
}

#[test]
fn a_word_is_quoted_so_that_a_shell_reads_it_as_itself() {
    for (word, want) in [
        ("a-b_c/d.e", "a-b_c/d.e"),
        ("", "''"),
        ("a b", "'a b'"),
        ("$(x)", "'$(x)'"),
        ("it's", r"'it'\''s'"),
        ("ä", "'ä'"),
    ] {
        assert_eq!(quoted(word), want);
    }
}
