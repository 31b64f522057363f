//! `annals search`: everything that was said or printed is found, in a store of its own that nobody but who searches
//! makes, and that is made again from the journal alone.

use std::fs;

use serde_json::{Value, json};

use crate::project::{Project, Ran};

/// A token as a person would paste it.
const SECRET: &str = "ghp_8Fq2LmZx7RtYw0Kp3VbNc5HjD1GsE9uA4oTi";

/// A session of two turns, as an agent's transcript has it.
fn talked() -> Project {
    let project = Project::new();
    let mut lines = String::new();
    let mut say = |kind: &str, id: &str, message: Value| {
        let line = json!({
            "type": kind, "uuid": id, "sessionId": "11111111-2222-4333-8444-000000000001", "cwd": project.root(),
            "version": "2.1.9", "timestamp": format!("2026-03-01T10:00:{:02}.000Z", lines.lines().count()),
            "message": message,
        });
        lines.push_str(&format!("{line}\n"));
    };
    let answer = |id: &str, content: Value| {
        json!({"id": id, "role": "assistant", "model": "opus-4", "content": [content], "stop_reason": "end_turn",
               "usage": {"input_tokens": 1, "output_tokens": 2}})
    };
    let text = |text: &str| json!({"type": "text", "text": text});
    say("user", "u1", json!({"role": "user", "content": "Why was the shadow branch dropped?"}));
    say(
        "assistant",
        "a1",
        answer("m1", text("We decided to drop it: rebasing lost the checkpoints of defaultAgent.")),
    );
    say(
        "user",
        "u2",
        json!({"role": "user", "content": format!("run the tests, the token is {SECRET}")}),
    );
    let call = json!({"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "go test ./strategy/session_state.go"}});
    say("assistant", "a2", answer("m2", call));
    let result = json!({"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": "panic: nil map in Größenänderung\n日本語の出力"});
    say("user", "u3", json!({"role": "user", "content": [result]}));
    let path = project.write("talk.jsonl", &lines);
    project.annals(["import", "claude-code", &path.to_string_lossy()]).code(0);
    project
}

fn hits(project: &Project, words: &[&str]) -> Vec<Value> {
    let found = project.annals(["search", "--json"].iter().chain(words)).code(0).json();
    found["hits"].as_array().expect("hits").clone()
}

#[test]
fn what_was_said_asked_and_printed_is_found_in_its_turn() {
    let project = talked();
    assert!(
        !project.path(".annals/search.db").exists(),
        "an import of a project that nobody searches makes none"
    );
    for (words, part, turn) in [
        (vec!["shadow", "branches"], "prompt", 1),
        (vec!["decide", "to", "dropping"], "answer", 1),
        (vec!["agent"], "answer", 1),
        (vec!["\"default agent\""], "answer", 1),
        (vec!["defaultagent"], "answer", 1),
        (vec!["session_state"], "command", 2),
        (vec!["strategy/session*"], "command", 2),
        (vec!["großenanderung"], "error", 2),
        (vec!["日本語"], "error", 2),
        (vec!["力"], "error", 2),
        (vec!["panic", "in:error", "failed:yes", "tool:bash"], "error", 2),
        (vec!["model:opus", "checkpoints"], "answer", 1),
        (vec!["panic -shadow"], "error", 2),
        (vec!["checkpoints -shadow in:answer"], "answer", 1),
    ] {
        let found = hits(&project, &words);
        let first = found.first().unwrap_or_else(|| panic!("{words:?} finds nothing"));
        assert_eq!(
            (first["part"].as_str(), first["turn"].as_u64()),
            (Some(part), Some(turn)),
            "{words:?}: {first}"
        );
        let snippet = &first["snippet"];
        assert!(!snippet["text"].as_str().expect("a text").is_empty(), "{first}");
    }
    for words in [
        vec!["shadow -branch", "in:prompt"],
        vec!["checkpoints -shadow"],
        vec!["\"branch shadow\""],
        vec!["session:ffff", "branch"],
        vec!["since:2026-04-01", "branch"],
        vec!["panic", "--all", "shadow"],
        vec![SECRET],
        vec!["nothingofthekind"],
    ] {
        assert_eq!(hits(&project, &words), [] as [Value; 0], "{words:?}");
    }
    // What a hit names can be looked at.
    let first = hits(&project, &["checkpoints"]).remove(0);
    let reference = format!("@{}", first["sequence"]);
    let shown = project.annals(["show", &reference]).code(0).out();
    assert!(
        shown.contains("AssistantSaid") && shown.contains("rebasing lost the checkpoints"),
        "{shown}"
    );
    assert_eq!(
        project.annals(["show", &reference, "--json"]).code(0).json()["kind"],
        "AssistantSaid"
    );
    project.annals(["show", "@99999"]).code(2).says("nothing is recorded");
    let shown = project.annals(["search", "shadow"]).code(0).out();
    assert!(
        shown.contains("turn 1  prompt") && shown.contains("shadow branch dropped?"),
        "{shown}"
    );
    project.annals(["search", "x", "in:nowhere"]).code(2).says("prompt, answer");
    project.annals(["search", "nothingofthekind"]).code(0).says("Nothing matches");
    project.annals(["search", "!!!"]).code(2).says("no word to look for");
    let told = project.annals(["search", "--json", "shadow s* -b*"]).code(0);
    assert!(told.err().contains("not looked for: s*, -b*"), "{}", told.err());
    assert_eq!(told.json()["left_out_words"], json!(["s*", "-b*"]));
    project.annals(["search", "s*"]).code(2).says("a beginning has two letters");
    project.annals(["search", "shadow", "--page", "9"]).code(0).says("The last page is 1");
    let page = |page| {
        let found =
            project.annals(["search", "the", "-n", "1", "--json", "--page", page]).code(0).json();
        (found["turns"].clone(), found["has_next"].clone(), found["or_more"].clone())
    };
    assert_eq!(page("1"), (json!(2), json!(true), json!(false)));
    assert_eq!(page("2"), (json!(2), json!(false), json!(false)));
}

#[test]
fn the_store_is_made_from_the_journal_and_caught_up_by_who_searches_alone() {
    let project = talked();
    let first = project.annals(["search", "branch"]).code(0);
    assert_eq!(first.err(), "", "it was not there to be missed");
    let store = project.path(".annals/search.db");
    let digest = |project: &Project| {
        let told = project.annals(["status", "--digest", "--json"]).code(0).json();
        let stores =
            told[0]["stores"].as_array().or(told["stores"].as_array()).expect("stores").clone();
        stores.iter().find(|it| it["store"] == "search.db").expect("it is told")["digest"].clone()
    };
    let before = (digest(&project), fs::metadata(&store).expect("a store").len());
    // A hook records, and leaves it as it is.
    let input = json!({"session_id": "11111111-2222-4333-8444-000000000002", "cwd": project.root(),
                       "hook_event_name": "UserPromptSubmit", "prompt": "a later word"});
    let hook = |input: &Value| {
        Ran::of(project.command().args(["hook", "claude-code"]).write_stdin(input.to_string()))
            .code(0);
    };
    hook(&input);
    assert_eq!((digest(&project), fs::metadata(&store).expect("a store").len()), before);
    project.annals(["repair", "--dry-run"]).code(0).says("Nothing to repair");
    // A bundle is searched where it lies, and a moment of the past as it was.
    assert_eq!(hits(&project, &["later"]).len(), 1);
    assert_eq!(hits(&project, &["later", "--at", "@3"]).len(), 0);
    project.annals(["bundle", "all.annals"]).code(0);
    assert_eq!(hits(&project, &["later", "--dir", "all.annals"]).len(), 1);
    // Fed piece by piece it says what one says that is made at once.
    project.annals(["rebuild", "--check"]).code(0).says("nothing differs");
    let fed = digest(&project);
    fs::remove_file(&store).expect("it goes");
    hits(&project, &["branch"]);
    assert_eq!(digest(&project), fed);
    // With a page that says something else it is no evidence of anything.
    let mut bytes = fs::read(&store).expect("a store");
    bytes[24..64].fill(0);
    fs::write(&store, &bytes).expect("it is damaged");
    let told = project.annals(["search", "later"]).code(0);
    assert!(told.err().contains("search.db was rebuilt"), "{}", told.err());
    assert_eq!(digest(&project), fed);
    // Whatever became of its file, it is made anew, and nobody is told to save anything of it.
    let whole = fs::read(&store).expect("a store");
    let (half, last) = (whole.len() / 2, whole.len() - 1);
    let mut flipped = whole.clone();
    flipped[half + 100] ^= 4;
    for (what, bytes) in [
        ("half of it is gone", &whole[..half]),
        ("the last byte is gone", &whole[..last]),
        ("a page is gone", &whole[..whole.len() - 4096]),
        ("one bit differs", &flipped),
        ("a copy", &whole),
    ] {
        fs::remove_file(&store).expect("it goes");
        fs::write(&store, bytes).expect("it is there");
        let status = project.command().arg("status").output().expect("a status").stdout;
        assert!(!String::from_utf8_lossy(&status).contains("salvage"), "{what}");
        let told = project.annals(["search", "later"]).code(0);
        assert_eq!(
            told.err().matches("search.db was rebuilt").count(),
            1,
            "{what}: {}",
            told.err()
        );
        assert!(told.out().contains("a later word"), "{what}");
        assert_eq!(project.annals(["search", "later"]).code(0).err(), "", "{what}");
    }
    assert_eq!(digest(&project), fed);
}
