//! What goes by policy or by reference is what was shown before, and nothing else.

use std::fs;

use serde_json::{Value, json};

use crate::project::{Project, Ran};

/// Two calls with one output, which is long enough to be kept once: the later one refers to it.
fn twice() -> (Project, String) {
    let (project, output) = (Project::new(), "the same line each time\n".repeat(400));
    for (call, at) in [("old", "2026-09-01T10:00:00Z"), ("new", "2026-11-26T10:00:00Z")] {
        let line = json!({"tool": "bash_exec", "arguments": {"command": format!("cat {call}")},
            "call": call, "stdout": output, "at": at});
        let mut command = project.command();
        Ran::of(command.arg("record").write_stdin(format!("{line}\n"))).code(0);
        project.annals(["log"]).code(0);
    }
    assert_eq!(event(&project, 7)["body"]["stdout"]["repeats"], 4);
    (project, output)
}

fn event(project: &Project, at: u64) -> Value {
    event_of(&project.annals(["export", "jsonl", "events"]).code(0).out(), at)
}

fn event_of(events: &str, at: u64) -> Value {
    let mut events = events.lines().map(|it| serde_json::from_str::<Value>(it).expect("JSON"));
    events.find(|it| it["sequence"] == at).expect("it is there")
}

#[test]
fn a_later_call_keeps_the_output_that_it_has_in_common_with_a_forgotten_one() {
    let (project, output) = twice();
    let forget = |how: &[&str], code: i32| {
        let words = ["forget", "--before", "2026-10-01", "--reason", "old", "--json"];
        project.annals(words.iter().chain(how)).code(code).json()
    };
    let would = forget(&["--dry-run"], 1);
    assert_eq!((&would["records"], &would["repeated"]), (&json!([3, 4]), &json!([7])), "{would}");
    project.annals(["bundle", "before.tar"]).code(0);
    assert_eq!(forget(&["--yes"], 1)["records"], json!([3, 4]));
    project.annals(["verify"]).code(0).says("2 records redacted");
    assert_eq!(event(&project, 8)["body"]["records"], 2, "what the policy tells of");
    project.annals(["rebuild", "--check"]).code(0);
    // Also in a bundle, and in what that is merged into.
    project.annals(["bundle", "b.tar"]).code(0);
    project.annals(["merge", "b.tar", "--into", "merged"]).code(0);
    project.annals(["merge", "before.tar", "--into", "of-before"]).code(0);
    let told = project.annals(["--dir", "of-before", "export", "jsonl", "events"]).code(0).out();
    assert!(told.contains("cat new") && !told.contains("cat old"), "{told}");
    for folder in [".", "b.tar", "merged", "of-before"] {
        let events = project.annals(["--dir", folder, "export", "jsonl", "events"]).code(0).out();
        let data = output.replace('\n', "\\n");
        assert!(events.contains(&data), "{folder}");
    }
    // It is found by what it says, and goes then.
    let mut command = project.command();
    command.args(["redact", "--value-stdin", "--reason", "leaked", "--yes", "--common", "--json"]);
    let done = Ran::of(command.write_stdin("same line each")).json();
    assert_eq!(done["redacted"], json!([7]), "{done}");
    let blobs = fs::read_dir(project.path(".annals/journal/blobs")).expect("a folder");
    assert_eq!(blobs.count(), 0);
}

#[test]
fn a_bundle_that_lost_a_content_with_an_order_makes_no_damaged_project() {
    let (project, output) = (Project::new(), "the same line each time\n".repeat(400));
    for (call, told) in [("old", SECRET), ("new", "")] {
        let line = json!({"tool": "bash_exec", "arguments": {"command": format!("cat {call}")},
            "call": call, "stdout": output, "stderr": told});
        let mut command = project.command();
        Ran::of(command.arg("record").write_stdin(format!("{line}\n"))).code(0);
        project.annals(["log"]).code(0);
    }
    project.annals(["bundle", "x.tar"]).code(0);
    let mut command = project.command();
    command.args(["redact", "--value-stdin", "--reason", "leaked", "--yes", "--bundle", "x.tar"]);
    Ran::of(command.write_stdin(SECRET)).code(0);
    project.annals(["merge", "x.tar", "--into", "alone"]).code(1).says("1 contents missing");
    project.annals(["merge", "x.tar", ".", "--into", "both"]).code(0);
    for folder in ["alone", "both"] {
        project.annals(["--dir", folder, "verify"]).code(0);
        project.annals(["--dir", folder, "log"]).code(0);
    }
    let events = project.annals(["--dir", "both", "export", "jsonl", "events"]).code(0).out();
    assert!(events.contains(&output.replace('\n', "\\n")), "{events}");
}

#[test]
fn a_later_call_that_repeats_what_is_named_is_shown_before_it_goes_along() {
    let (project, _) = twice();
    let redact = |how: &[&str]| project.annals(["redact", "1"].iter().chain(how));
    let would = redact(&["--dry-run", "--json"]).code(1).json();
    assert_eq!((&would["records"], &would["along"]), (&json!([3, 4, 7]), &json!([7])), "{would}");
    redact(&["--dry-run"]).code(1).says("only refer to a content of these: 1, @7");
    let done = redact(&["--reason", "by mistake", "--yes", "--json"]).code(0).json();
    assert_eq!(done["redacted"], json!([3, 4, 7]), "{done}");
}

const SECRET: &str = "plumbus-7731-Grommet";

/// Tests that failed, and what was changed then, as an agent's transcript tells of it; debug memory infers a session.
fn repaired() -> Project {
    let project = Project::new();
    project.write("src/a.rs", "x\n");
    let root = project.root().to_string_lossy().into_owned();
    let session = "0193a5b2-7c1e-4f00-8a00-0000000000ab";
    let record = |at: usize, kind: &str, content: Value, result: Value| {
        json!({"type": kind, "uuid": format!("u{at}"), "sessionId": session, "cwd": root,
            "timestamp": format!("2026-10-01T10:00:0{at}.000Z"), "toolUseResult": result,
            "message": {"id": format!("m{at}"), "role": kind, "content": content}})
        .to_string()
    };
    let call = |id: &str, name: &str, input: Value| json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
    let result = |id: &str, is_error: bool, text: String| json!([{"type": "tool_result", "tool_use_id": id, "is_error": is_error, "content": text}]);
    let file = format!("{root}/src/a.rs");
    let failed = format!(
        "test tests::a ... FAILED\nthread tests::a panicked at src/a.rs:1:1:\n{SECRET}\ntest result: FAILED. 0 passed; 1 failed"
    );
    let edit = json!({"file_path": file, "old_string": "x", "new_string": SECRET});
    let edited =
        json!({"filePath": file, "oldString": "x", "newString": SECRET, "structuredPatch": []});
    let test = json!({"command": format!("cargo test {SECRET}")});
    let lines = [
        record(1, "user", json!("please mend it"), Value::Null),
        record(2, "assistant", call("toolu_1", "Bash", test), Value::Null),
        record(3, "user", result("toolu_1", true, failed), json!("Error: 101")),
        record(4, "assistant", call("toolu_2", "Edit", edit), Value::Null),
        record(5, "user", result("toolu_2", false, "updated".to_owned()), edited),
    ];
    let name: String =
        root.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '-' }).collect();
    project.write(&format!(".claude/projects/{name}/{session}.jsonl"), &(lines.join("\n") + "\n"));
    project.annals(["import"]).code(0);
    project.annals(["debug", "infer"]).code(0);
    project
}

#[test]
fn what_debug_memory_inferred_of_forgotten_calls_goes_with_them() {
    let project = repaired();
    let told = |project: &Project| {
        let events = project.annals(["export", "jsonl", "events"]).code(0).out();
        (events.contains("\"attempt\":1"), events.contains(SECRET))
    };
    assert_eq!(told(&project), (true, true));
    let forget = |how: &str| {
        project.annals(["forget", "--before", "2026-11-01", "--reason", "old", "--json", how])
    };
    let would = forget("--dry-run").code(1).json();
    assert!(!would["along"].as_array().expect("a list").is_empty(), "{would}");
    assert_eq!(forget("--yes").code(1).json()["records"], would["records"]);
    assert_eq!(told(&project), (false, false));
    let held = project.shell(&format!("grep -rl {SECRET} .annals || true"));
    assert_eq!(Ran::of(&mut { held }).out(), "");
    project.annals(["rebuild", "--check"]).code(0);
}

/// What still holds the secret below the user's folders.
fn holding(project: &Project) -> String {
    let mut held = project.shell(&format!("grep -rlE '{SECRET}' . || true"));
    Ran::of(&mut held).out()
}

#[test]
fn a_store_goes_with_the_last_that_it_was_made_of() {
    let project = Project::new();
    project.annals(["debug", "open", &format!("src/{SECRET}.rs")]).code(0);
    project.annals(["memory", "fork", &format!("b-{SECRET}")]).code(0);
    project.annals(["repo", "note", "add", SECRET, "--id", "i"]).code(0);
    assert!(holding(&project).contains("memory.json"), "{}", holding(&project));
    let events = project.annals(["export", "jsonl", "events"]).code(0).out();
    let events = events.lines().map(|it| serde_json::from_str::<Value>(it).expect("JSON"));
    let named: Vec<_> = events
        .filter(|it| it["sequence"].as_u64() > Some(2))
        .map(|it| format!("@{}", it["sequence"]))
        .collect();
    let mut words = vec!["redact", "--reason", "leaked", "--yes"];
    words.extend(named.iter().map(String::as_str));
    project.annals(words).code(0);
    assert_eq!(holding(&project), "");
    project.annals(["rebuild", "--check"]).code(0);
    project.annals(["memory", "fork", "another"]).code(0);
}

#[test]
fn what_was_published_is_cleaned_also_after_the_project_moved() {
    for how in ["mv", "cp -a"] {
        let project = Project::empty();
        fs::create_dir(project.path("one")).expect("made");
        let ran = |folder: &str, words: &[&str]| {
            let mut command = project.command();
            Ran::of(command.current_dir(project.path(folder)).args(words))
        };
        ran("one", &["init"]).code(0);
        ran("one", &["repo", "note", "add", SECRET, "--id", "i"]).code(0);
        ran("one", &["run", "--", "echo", "k"]).code(0);
        Ran::of(&mut project.shell(&format!("{how} one two"))).code(0);
        let redact = ["redact", "@4", "--reason", "leaked", "--yes"];
        let done = ran("two", &redact);
        if how == "mv" {
            done.code(0);
            assert_eq!(holding(&project), "");
        } else {
            // The one that it was copied from keeps it.
            done.code(1).says("redact it there as well");
            ran("one", &redact).code(0);
            assert_eq!(holding(&project), "");
        }
    }
}

#[test]
fn what_was_redacted_comes_in_by_no_merge_and_is_told_of_what_was_salvaged() {
    let project = Project::empty();
    let ran = |folder: &str, words: &[&str]| {
        let mut command = project.command();
        Ran::of(command.current_dir(project.path(folder)).args(words).write_stdin(SECRET))
    };
    for folder in ["one", "other"] {
        fs::create_dir(project.path(folder)).expect("made");
        ran(folder, &["init"]).code(0);
        ran(folder, &["run", "--", "echo", SECRET]).code(0);
        ran(folder, &["run", "--", "echo", "by reference"]).code(0);
        ran(folder, &["run", "--", "echo", "nothing of the kind"]).code(0);
    }
    ran("one", &["bundle", "../old.tar"]).code(0);
    // The bundle from before is named.
    ran("one", &["redact", "--value-stdin", "2", "--reason", "leaked", "--yes"]).code(1);
    for sources in [&["one", "other"][..], &["old.tar"], &["other"]] {
        let into = format!("into-{}", sources.join("-"));
        let words = [&["merge"], sources, &["--into", &into, "--json"]].concat();
        let told = ran(".", &words).code(0).json();
        let withheld: u64 = told["sources"]
            .as_array()
            .expect("some")
            .iter()
            .map(|it| it["withheld"].as_u64().expect("a number"))
            .sum();
        // What went by reference is known where it is the same record.
        assert_eq!(withheld, if sources == ["old.tar"] { 4 } else { 2 }, "{told}");
        let events = ran(&into, &["export", "jsonl", "events"]).code(0).out();
        assert!(!events.contains(SECRET) && events.contains("nothing of the kind"), "{events}");
        assert_eq!(events.contains("by reference"), sources != ["old.tar"], "{events}");
        ran(&into, &["verify"]).code(0).says("it was redacted before, or holds what was");
        ran(&into, &["rebuild", "--check"]).code(0);
    }
    // A saved journal is the bytes that were whole: it is told, and goes once it is a project's.
    fs::create_dir_all(project.path("saved/.annals")).expect("made");
    let saved = ran(".", &["salvage", "old.tar", "saved/.annals/journal", "--json"]).code(1).json();
    assert_eq!(saved["withheld"], 4, "{saved}");
    let redact = ["redact", "--from-withheld", "--reason", "again", "--yes", "--json"];
    let done = ran("saved", &redact).code(0).json();
    assert_eq!(done["redacted"].as_array().map(Vec::len), Some(4), "{done}");
    let held = project.shell(&format!("grep -rl {SECRET} saved into-* || true"));
    assert_eq!(Ran::of(&mut { held }).out(), "");
}

#[test]
fn a_value_in_many_pieces_takes_all_of_them_along() {
    let value = "alpha-Bravo-7731-Charlie-9921-Delta";
    for between in [&[][..], &["other"], &["an other", "and one more"]] {
        let project = Project::new();
        for piece in [&value[..12], &value[12..24], &value[24..]] {
            for text in [&[piece], between].concat() {
                project.write("f", text);
                project.annals(["run", "--", "cat", "f"]).code(0);
            }
        }
        let mut command = project.command();
        command.args(["redact", "--value-stdin", "--reason", "leaked", "--yes", "--json"]);
        let done = Ran::of(command.write_stdin(value)).json();
        assert_eq!(done["redacted"].as_array().map(Vec::len), Some(3), "{between:?}: {done}");
        let events = project.annals(["export", "jsonl", "events"]).code(0).out();
        let pieces = [&value[..12], &value[12..24], &value[24..]];
        assert!(!pieces.iter().any(|it| events.contains(it)), "{events}");
        assert!(between.iter().all(|it| events.contains(it)));
    }
}

#[test]
fn a_copy_that_stays_in_an_archive_is_not_called_clean() {
    let project = Project::empty();
    let ran = |folder: &str, words: &[&str]| {
        let mut command = project.command();
        Ran::of(command.current_dir(project.path(folder)).args(words).write_stdin(SECRET))
    };
    fs::create_dir(project.path("one")).expect("made");
    ran("one", &["init"]).code(0);
    ran("one", &["run", "--", "echo", SECRET]).code(0);
    ran("one", &["seal"]).code(0);
    ran("one", &["run", "--", "echo", "later"]).code(0);
    ran("one", &["archive", "--before", "2999-01-01", "--to", "../elsewhere"]).code(0);
    fs::rename(project.path("one"), project.path("two")).expect("moved");
    let redact = ["redact", "--value-stdin", "--reason", "leaked", "--yes", "--json"];
    let done = ran("two", &redact).code(1).json();
    assert_eq!(done["is_clean"], false, "{done}");
    assert_eq!(done["left"].as_array().map(Vec::len), Some(1), "{done}");
}
