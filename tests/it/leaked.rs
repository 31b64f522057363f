//! A secret that no rule knew: taken out of everything by the program alone, and kept from coming back by
//! whichever door.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::project::{Project, Ran};

/// No rule knows it.
const SECRET: &str = "plumbus-7731-Grommet";
const SESSION: &str = "0193a5b2-7c1e-4f00-8a00-0000000000aa";

fn redact(project: &Project, words: &[&str]) -> Ran {
    let mut command = project.command();
    command.arg("redact").args(words).write_stdin(format!("{SECRET}\n"));
    Ran::of(&mut command)
}

/// The agent's own transcript of calls with these outputs, where `import` and `redact` look for it.
fn transcript(project: &Project, outputs: &[&str]) -> PathBuf {
    let record = |kind: &str, at: usize, content: Value, result: Value| {
        json!({"type": kind, "uuid": format!("{kind}{at}"), "sessionId": SESSION,
            "cwd": project.root(), "timestamp": format!("2026-01-01T00:{at:02}:00Z"),
            "toolUseResult": result, "message": {"role": kind, "content": content}})
        .to_string()
    };
    let mut lines = vec![record("user", 0, json!("do what is to be done"), Value::Null)];
    for (at, output) in (1..).zip(outputs) {
        let call = json!([{"type": "tool_use", "id": format!("toolu_{at}"), "name": "Bash",
            "input": {"command": format!("cat part-{at}")}}]);
        let id = format!("toolu_{at}");
        let result = json!([{"type": "tool_result", "tool_use_id": id, "content": output}]);
        let told = json!({"stdout": output, "stderr": "", "interrupted": false});
        lines.push(record("assistant", at, call, Value::Null));
        lines.push(record("user", at, result, told));
    }
    let name: String = project.root().to_string_lossy().into_owned();
    let name: String =
        name.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '-' }).collect();
    project.write(&format!(".claude/projects/{name}/{SESSION}.jsonl"), &(lines.join("\n") + "\n"))
}

/// A hook after a call of the transcript.
fn hooked(project: &Project, at: usize, output: &str) {
    let told = json!({"hook_event_name": "PostToolUse", "session_id": SESSION, "cwd": project.root(),
        "transcript_path": project.path("none.jsonl"), "tool_name": "Bash",
        "tool_use_id": format!("toolu_{at}"), "tool_input": {"command": format!("cat part-{at}")},
        "tool_response": {"stdout": output, "stderr": "", "interrupted": false}});
    let mut command = project.command();
    Ran::of(command.args(["hook", "claude-code"]).write_stdin(told.to_string())).code(0);
}

/// The files below a folder that hold these bytes.
fn holding(folder: &Path, bytes: &[u8], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let about = fs::symlink_metadata(&path).expect("there");
        if about.is_dir() {
            holding(&path, bytes, found);
        } else if about.is_file() {
            let text = fs::read(&path).expect("readable");
            if text.windows(bytes.len()).any(|it| it == bytes) {
                found.push(path);
            }
        }
    }
}

fn kinds(project: &Project, kind: &str) -> usize {
    let events = project.annals(["export", "jsonl"]).out();
    events.matches(&format!("\"kind\":\"{kind}\"")).count()
}

#[test]
fn a_value_goes_from_everything_and_comes_back_by_no_door() {
    let project = Project::new();
    let told = transcript(&project, &[&format!("it is {SECRET}"), "nothing"]);
    project.annals(["import"]).code(0);
    project.annals(["run", "--", "echo", &format!("\"{SECRET}\"")]).code(0);
    let encoded = data_encoding::BASE64.encode(format!("x{SECRET}y").as_bytes());
    project.annals(["run", "--", "echo", &encoded]).code(0);
    project.annals(["search", "plumbus"]).code(0);
    let shown = redact(&project, &["--value-stdin", "--dry-run", "--json"]).code(1);
    assert!(!shown.out().contains(SECRET) && !shown.out().contains("7731"), "{}", shown.out());
    let forms: Vec<_> = shown.json()["occurrences"].as_array().expect("some").clone();
    assert!(forms.iter().any(|it| it["form"] == "base64"), "{forms:?}");
    // The transcript is the agent's own: it is named, with its lines.
    let done =
        redact(&project, &["--value-stdin", "--reason", "leaked", "--yes", "--json"]).code(1);
    let done = done.json();
    assert_eq!(done["is_clean"], true, "{done}");
    assert_eq!(done["files"][0]["lines"], json!([3]), "{done}");
    let mut found = Vec::new();
    holding(project.root(), SECRET.as_bytes(), &mut found);
    holding(project.root(), encoded.as_bytes(), &mut found);
    assert_eq!(found, std::slice::from_ref(&told));
    project.annals(["verify"]).code(0).says("redacted");
    // Neither an import, nor a hook, nor a run brings it back; what it stood in comes without it.
    project.annals(["import"]).code(0);
    hooked(&project, 1, &format!("it is {SECRET}"));
    project.annals(["run", "--", "echo", SECRET]).code(0);
    let mut found = Vec::new();
    holding(&project.path(".annals"), SECRET.as_bytes(), &mut found);
    assert_eq!(found, Vec::<PathBuf>::new());
    assert!(project.annals(["log"]).out().contains("[REDACTED:redacted-before]"));
    // Overwritten where it stands, byte for byte, and still a transcript.
    let before = fs::read(&told).expect("there");
    let again =
        redact(&project, &["--value-stdin", "--reason", "leaked", "--yes", "--transcripts"]);
    again
        .code(0)
        .says("overwritten")
        .says("clean: not in the journal, stores, caches, published files");
    let after = fs::read_to_string(&told).expect("there");
    assert_eq!(after.len(), before.len());
    assert!(!after.contains(SECRET) && after.lines().all(|it| it.starts_with('{')));
    assert!(after.lines().all(|it| serde_json::from_str::<Value>(it).is_ok()));
}

#[test]
fn a_value_in_pieces_takes_both_records_along() {
    let project = Project::new();
    let (first, rest) = SECRET.split_at(9);
    transcript(&project, &[&format!("begins {first}"), &format!("{rest} ends"), "no more"]);
    project.annals(["import"]).code(0);
    let done =
        redact(&project, &["--value-stdin", "--reason", "leaked", "--yes", "--json"]).code(0);
    let done = done.json();
    // What was told of the step quotes both.
    let steps = ["StepEnded", "SummaryAppended"].map(|kind| kinds(&project, kind));
    assert_eq!((done["redacted"].as_array().map(Vec::len), steps), (Some(4), [1, 1]), "{done}");
    assert_eq!(done["occurrences"][0]["form"], "in pieces", "{done}");
    let events = project.annals(["export", "jsonl"]).out();
    assert!(!events.contains(first) && !events.contains(rest), "{events}");
    assert!(events.contains("no more"), "{events}");
}

#[test]
fn what_was_redacted_by_reference_comes_back_by_neither_door() {
    let project = Project::new();
    transcript(&project, &["one", "two"]);
    project.annals(["import"]).code(0);
    let count = |kind| kinds(&project, kind);
    assert_eq!((count("ExecutionStarted"), count("ExecutionFinished")), (2, 2));
    redact(&project, &["1", "--reason", "by mistake", "--yes"]).code(1).says("records redacted");
    let gone = |project: &Project| {
        let events = project.annals(["export", "jsonl"]).out();
        assert!(!events.contains("cat part-1"), "{events}");
        assert!(events.contains("cat part-2"), "{events}");
    };
    gone(&project);
    project.annals(["import"]).code(0);
    hooked(&project, 1, "one");
    gone(&project);
    project.annals(["verify"]).code(0);
    // What keeps it out is the user's alone; where it is not, that is told.
    project.annals(["status"]).code(0);
    let withheld = project.path(".config/annals/withheld");
    fs::set_permissions(&withheld, fs::Permissions::from_mode(0o644)).expect("changed");
    project.annals(["status"]).code(1).says("what was redacted may be recorded again");
}

#[test]
fn nothing_goes_unasked_and_a_short_or_common_value_must_be_meant() {
    let project = Project::new();
    project.annals(["run", "--", "echo", SECRET]).code(0);
    let refused = |words: &[&str], says: &str| {
        redact(&project, words).code(2).says(says);
        assert_eq!(kinds(&project, "PayloadRedacted"), 0);
    };
    refused(&["--value-stdin", "--reason", "why"], "nothing is redacted unasked");
    refused(&["--value-stdin", "--yes"], "say why");
    refused(&["--yes"], "name what is to go");
    refused(&["--rule", "github-tokn", "--dry-run"], "no rule is called so");
    redact(&project, &["--rule", "github-token", "--dry-run"]).code(0);
    // What is refused is refused when it is only tried, too.
    refused(&["@1", "--dry-run"], "never redacted");
    refused(&["--reason", "why", "--yes"], "name what is to go");
    refused(&["@1", "--reason", "why", "--yes"], "never redacted");
    refused(&["@99", "--reason", "why", "--yes"], "has nothing of that reference");
    let reason = format!("{SECRET} was printed");
    refused(&["--value-stdin", "--reason", &reason, "--yes"], "would stay in the journal");
    let mut short = project.command();
    let short = short.args(["redact", "--value-stdin", "--reason", "why", "--yes"]);
    Ran::of(short.write_stdin("echo")).code(2).says("--common");
}

#[test]
fn a_bundle_is_rewritten_and_nothing_else_of_it_changes() {
    let project = Project::new();
    project.annals(["run", "--", "echo", SECRET]).code(0);
    project.annals(["run", "--", "echo", "harmless"]).code(0);
    project.annals(["bundle", "b.tar"]).code(0);
    let words = ["--value-stdin", "--reason", "leaked", "--yes", "--bundle", "b.tar"];
    redact(&project, &words).code(0).says("rewritten without 2 records");
    let bundle = fs::read(project.path("b.tar")).expect("there");
    assert!(!bundle.windows(SECRET.len()).any(|it| it == SECRET.as_bytes()));
    project
        .annals(["verify", "b.tar"])
        .code(0)
        .says("2 records redacted in this bundle since it was made")
        .says("the bundle says that 2 records went: leaked (annals@");
    let told = project.annals(["verify", "b.tar", "--json"]).code(0).json();
    assert_eq!(told[0]["left_out_by"][0]["reason"], "leaked", "{told}");
    let events = project.annals(["--dir", "b.tar", "export", "jsonl"]).out();
    assert!(events.contains("harmless"), "{events}");
    redact(&project, &words).code(0).says("holds none of it");
}

#[test]
fn what_is_beyond_its_time_is_forgotten_by_policy_and_is_not_imported_again() {
    let project = Project::new();
    transcript(&project, &["one", "two"]);
    project.annals(["import"]).code(0);
    project.annals(["run", "--", "echo", "new"]).code(0);
    let forget = |more: &[&str]| {
        let words = ["forget", "--before", "2026-02-01", "--reason", "our policy"];
        project.annals(words.iter().chain(more))
    };
    forget(&[]).code(2).says("nothing is forgotten unasked");
    let would = forget(&["--dry-run", "--json"]).code(1).json();
    assert_eq!(would["records"].as_array().expect("some").len(), 8, "{would}");
    for none in ["ffffffff", ""] {
        forget(&["--yes", "--session", none]).code(2).says("no session in the journal");
    }
    // Whether the transcript holds it only a value could say.
    forget(&["--yes"]).code(1).says("8 records").says("transcript, not looked through");
    project.annals(["import"]).code(0);
    let events = project.annals(["export", "jsonl"]).code(0).out();
    assert!(!events.contains("part-1") && !events.contains("what is to be done"), "{events}");
    assert!(events.contains("RetentionApplied") && events.contains("SessionStarted"), "{events}");
    project.annals(["verify"]).code(0);
    project.annals(["log"]).code(0).says("new");
}

#[test]
fn a_value_goes_from_an_archived_segment_and_its_archive_too() {
    let project = Project::new();
    project.annals(["run", "--", "echo", SECRET]).code(0);
    project.annals(["seal"]).code(0);
    project.annals(["run", "--", "echo", "later"]).code(0);
    let away = ["archive", "--before", "2999-01-01", "--to", "elsewhere"];
    project.annals(away).code(0);
    let words = ["--value-stdin", "--reason", "leaked", "--yes", "--json"];
    // Out of reach it is refused before anything is ordered.
    fs::rename(project.path("elsewhere"), project.path("gone")).expect("moved");
    redact(&project, &words).code(5);
    fs::rename(project.path("gone"), project.path("elsewhere")).expect("moved");
    let done = redact(&project, &words).code(0).json();
    assert_eq!((&done["is_clean"], &done["fetched"]), (&json!(true), &json!([0])), "{done}");
    let archive = Ran::of(&mut project.shell("find elsewhere -name '*.zst'")).out();
    assert_eq!(archive, "");
    // Moved again it is as it is now.
    project.annals(away).code(0);
    project.annals(["verify"]).code(0).says("2 records redacted").says("1 segment in an archive");
    assert_eq!(redact(&project, &words).code(0).json()["redacted"], json!([]));
}

#[test]
fn an_archives_copy_is_removed_by_the_project_it_is_of_and_by_no_copy_of_it() {
    let (project, copy) = (Project::new(), Project::empty());
    project.annals(["run", "--", "echo", SECRET]).code(0);
    project.annals(["seal"]).code(0);
    project.annals(["run", "--", "echo", "later"]).code(0);
    project.annals(["archive", "--before", "2999-01-01", "--to", "elsewhere"]).code(0);
    let copied = format!("cp -a .annals {}", copy.root().display());
    Ran::of(&mut project.shell(&copied)).code(0);
    let words = ["--value-stdin", "--reason", "leaked", "--yes", "--json"];
    let done = redact(&copy, &words).code(1).json();
    assert!(done["left"][0].as_str().expect("told").contains("delete it there"), "{done}");
    project.annals(["verify"]).code(0).says("1 segment in an archive");
    // What the event does not vouch for is somebody else's.
    let manifest = "f=$(find elsewhere -name '*.manifest'); cp $f kept; echo >>$f";
    project.annals(["fetch"]).code(0);
    Ran::of(&mut project.shell(manifest)).code(0);
    redact(&project, &words).code(1).says("delete it there");
    let data = || Ran::of(&mut project.shell("find elsewhere -name '*.zst'")).out();
    assert!(!data().is_empty());
    Ran::of(&mut project.shell("cp kept $(find elsewhere -name '*.manifest')")).code(0);
    project.annals(["repair"]).code(0);
}
