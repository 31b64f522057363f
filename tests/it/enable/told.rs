//! What `status` and the bare program tell of agents.

use std::fs;
use std::io::Write;

use super::{LOCAL, Scratch};

/// A call that no record is of.
const CALL: &str = r#"{"type":"assistant","uuid":"5f0c8f1e-0000-4000-8000-000000000001","sessionId":"5f0c8f1e-0000-4000-8000-000000000002","timestamp":"2026-01-02T03:04:05.000Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_unseen","name":"Read","input":{"file_path":"/a"}}]}}"#;

#[test]
fn the_bare_program_says_what_it_found_and_one_next_command() {
    let scratch = Scratch::new(&[]);
    let bare = || scratch.annals(&[]).code(0);
    bare().says("no project of annals yet").says("Next: annals init");
    fs::create_dir(scratch.home(".claude")).expect("made");
    bare().says("Next: annals enable");
    scratch.past_session();
    bare().says("Agents worked here: 1 transcript").says("Next: annals enable");
    scratch.annals(&["init"]).code(0);
    bare().says("no hooks of annals are installed").says("Next: annals enable");
    scratch.annals(&["enable", "--yes"]).code(0);
    bare().says("calls in 1 session").says("Next: annals ");
    assert!(!bare().out().contains("enable"));
    // Settings that cannot be read are no reason to say nothing.
    fs::write(scratch.project.path(LOCAL), "{").expect("written");
    bare().says("Next: ");
}

#[test]
fn status_tells_what_is_installed_and_what_is_on_record() {
    let scratch = Scratch::new(&[".claude"]);
    scratch.past_session();
    scratch.annals(&["init"]).code(0);
    scratch.annals(&["status"]).code(0).says("no hooks: annals enable").says(" 0 of ");
    scratch.annals(&["enable", "--yes", "--enforce"]).code(0);
    let status = || {
        let told = scratch.annals(&["status", "--json"]).code(0).json();
        (told["agents"][0].clone(), told["next"].clone())
    };
    let (agent, _) = status();
    assert_eq!(agent["agent"], "claude-code");
    assert_eq!(agent["installed"][0]["mode"], "enforce");
    assert_eq!(agent["installed"][0]["scope"], "local");
    assert_eq!(agent["installed"][0]["missing"], serde_json::json!([]));
    assert_eq!(agent["last_fired"], serde_json::Value::Null);
    let calls = agent["coverage"]["calls"].as_u64().expect("a count");
    assert!(calls > 0 && agent["coverage"]["recorded"] == calls, "{agent}");
    scratch.annals(&["status"]).code(0).says("none has fired here yet: begin a new session");

    let config = scratch.project.write(".annals/config.toml", "gate = \"observe\"\n");
    scratch.annals(&["status"]).code(0).says("(enforce; here observe, by .annals/config.toml)");
    fs::write(config, "").expect("written");

    // A call that only the transcript knows is missed, and importing it completes the record.
    let folder = fs::read_dir(scratch.home(".claude/projects")).expect("there").next();
    let transcript = folder.expect("one").expect("read").path().join("whole.jsonl");
    let mut file = fs::OpenOptions::new().append(true).open(&transcript).expect("opened");
    writeln!(file, "{CALL}").expect("written");
    let (agent, next) = status();
    assert_eq!(agent["coverage"]["calls"], calls + 1);
    assert_eq!(agent["coverage"]["recorded"], calls);
    assert_eq!(next, "annals import auto");
    scratch.annals(&["import", "auto"]).code(0);
    assert_eq!(status().0["coverage"]["recorded"], calls + 1);
    assert_eq!(
        scratch.annals(&["status", "--coverage", "--json"]).code(0).json()["agents"][0],
        status().0
    );

    // Settings that lost a hook, and settings that cannot be read.
    let text = fs::read_to_string(scratch.project.path(LOCAL)).expect("read");
    fs::write(scratch.project.path(LOCAL), text.replace("SessionEnd", "Other")).expect("written");
    scratch.annals(&["status"]).code(0).says("without SessionEnd: annals enable adds them");
    fs::write(scratch.project.path(LOCAL), "{,}").expect("written");
    scratch.annals(&["status"]).code(0).says("settings.local.json:1:2: not valid JSON");
    scratch.annals(&["status", "--evidence"]).code(0);
}
