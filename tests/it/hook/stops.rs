//! The end of a turn through both agents' protocols: who claims is judged, who is honest passes.

use serde_json::{Value, json};

use super::play::{Agent, SESSION};
use crate::project::{Project, Ran};

pub const AGENTS: [&str; 2] = ["claude-code", "codex"];

const HONEST: [(&str, &str); 11] = [
    ("I did not run the tests; nothing was verified.", "unverified"),
    ("I changed the parser. Tests were not run.", "unverified"),
    ("Documentation updated; no code path changed, and I ran no checks.", "unverified"),
    ("I could not fix it; the tests still fail.", "failed"),
    ("Fixed the parser, but two tests still fail.", "failed"),
    ("All tests pass except b.", "failed"),
    ("Tests passed before my change, but b fails now.", "failed"),
    ("The goal is that all tests pass.", ""),
    ("I could not get all tests to pass.", "failed"),
    ("Which rounding do you want, half up or half even?", "asked"),
    ("Renamed `a` to `b` in src/a.rs.", ""),
];
pub const CLAIMS: [&str; 10] = [
    "Fixed. All tests pass.",
    "The bug is resolved and verified.",
    "All tests pass. Want me to commit?",
    "Implementation complete, the suite is green.",
    "0 tests fail.",
    "Zero failures.",
    "Everything passes now.",
    "CI should be happy: everything passes.",
    "The suite is back to green.",
    "The fix works.",
];

/// The bodies of a kind of event, in order.
fn bodies(project: &Project, kind: &str) -> Vec<Value> {
    let events = project.annals(["export", "jsonl", "events"]).code(0).out();
    let events = events.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    events.filter(|event| event["kind"] == kind).map(|event| event["body"].clone()).collect()
}

/// What its steps left in the repository's memory.
fn memory(project: &Project) -> String {
    let summaries = bodies(project, "SummaryAppended");
    let text = |it: &Value| it["summary"].as_str().expect("a text").to_owned();
    summaries.iter().map(text).collect::<Vec<_>>().join("\n")
}

/// An agent that has changed a file and checked nothing.
pub fn edited<'p>(project: &'p Project, name: &'static str) -> Agent<'p> {
    let agent = Agent::new(project, name, &["--enforce"]);
    agent.fire("SessionStart", json!({"source": "startup"}));
    agent.fire("UserPromptSubmit", json!({"prompt": "change it"}));
    let (tool, input) = agent.edit();
    agent.call("call_1a2b3c4d5e", tool, input.clone(), 0);
    let (passed, _) = agent.call("call_2a2b3c4d5e", tool, input, 0);
    assert_eq!(passed, json!({}), "{name}: the denial was the read");
    agent
}

/// As each agent tells it: more than is read, and in its own words.
pub fn stop(agent: &Agent<'_>, text: &str, again: bool) -> Value {
    agent.fire(
        "Stop",
        json!({"stop_hook_active": again, "last_assistant_message": text,
               "background_tasks": [], "session_crons": [], "effort": {"level": "high"}}),
    )
}

#[test]
fn the_honest_pass_and_are_recorded_as_what_they_are() {
    for name in AGENTS {
        for (text, report) in HONEST {
            let project = Project::new();
            let agent = edited(&project, name);
            assert_eq!(stop(&agent, text, false), json!({}), "{name}: {text}");
            let reported = bodies(&project, "OutcomeReported");
            let words: Vec<_> = reported.iter().map(|it| &it["report"]).collect();
            let expected: &[Value] = &[json!(report)][..usize::from(!report.is_empty())];
            assert!(words.iter().copied().eq(expected), "{name}: {text}: {words:?}");
            assert_eq!(bodies(&project, "SuccessClaimed"), [] as [Value; 0], "{name}: {text}");
            let memory = memory(&project);
            assert!(!memory.contains("borne out"), "{memory}");
        }
    }
}

#[test]
fn a_claim_is_blocked_once_and_only_what_finally_stood_is_remembered() {
    for name in AGENTS {
        for text in CLAIMS {
            let project = Project::new();
            project.write("go.mod", "module x\n");
            let agent = edited(&project, name);
            let blocked = stop(&agent, text, false);
            assert_eq!(blocked["decision"], "block", "{name}: {text}: {blocked}");
            let reason = blocked["reason"].as_str().expect("a reason");
            let told = reason.split("\n\n").next().expect("its beginning");
            assert!(told.contains("`go test ./...`"), "{told}");
            assert!(told.contains("annals checks add"), "{told}");
            assert!(!told.contains("lsp_check") && !told.contains("memory_query"), "{told}");
            assert_eq!(bodies(&project, "SuccessClaimed"), [] as [Value; 0], "{name}");
            let refused = bodies(&project, "GateRefused");
            assert_eq!(refused[1]["target"], *text, "{name}: what was refused is on record");

            let honest = stop(&agent, "Nothing was verified: go is missing here.", true);
            assert_eq!(honest, json!({}), "{name}");
            let memory = memory(&project);
            assert!(!memory.contains("borne out"), "{memory}");
            assert!(memory.contains("Nothing was verified"), "{memory}");
        }
        let project = Project::new();
        let agent = edited(&project, name);
        stop(&agent, CLAIMS[0], false);
        stop(&agent, CLAIMS[0], true);
        let memory = memory(&project);
        assert_eq!(memory.matches("claimed, not borne out").count(), 1, "{memory}");
        assert!(!memory.contains("lsp_check"), "{memory}");
        assert_eq!(bodies(&project, "SuccessClaimed").len(), 1);
    }
}

/// Without an edit it is judged by what ran; who only looked is not.
#[test]
fn where_nothing_was_changed_what_ran_is_what_counts() {
    for name in AGENTS {
        for (command, exit, text, is_blocked) in [
            ("pytest", 1, "All tests pass.", true),
            ("pytest", 1, "0 tests fail.", true),
            ("pytest", 1, "All tests pass except b.", false),
            ("pytest", 1, "The README says that the suite is green.", false),
            ("cat README.md", 0, "All tests pass, as its first line has it.", false),
            ("cat README.md", 1, "The parser is complete and works as expected.", false),
        ] {
            let project = Project::new();
            let agent = Agent::new(&project, name, &["--enforce"]);
            agent.fire("SessionStart", json!({"source": "startup"}));
            agent.call("call_1a2b3c4d5e", "Bash", json!({"command": command}), exit);
            let blocked = stop(&agent, text, false)["decision"] == "block";
            assert_eq!(blocked, is_blocked, "{name}: {command}: {text}");
        }
    }
}

/// What was claimed on the way, in a shell or at a stop that was blocked, is not what stood.
#[test]
fn of_a_turn_only_what_finally_stood_is_judged() {
    for name in AGENTS {
        for (last, judged) in [(HONEST[0].0, 0), (HONEST[4].0, 0), (CLAIMS[1], 1)] {
            let project = Project::new();
            let agent = edited(&project, name);
            let mut command = project.command();
            Ran::of(command.env("ANNALS_SESSION", SESSION).args(["claim", CLAIMS[0]])).code(1);
            assert_eq!(stop(&agent, CLAIMS[0], false)["decision"], "block", "{name}");
            let answer = stop(&agent, last, true);
            assert_eq!(answer["decision"], Value::Null, "{name}");
            let memory = memory(&project);
            assert_eq!(memory.matches("borne out").count(), judged, "{name}: {last}: {memory}");
            assert!(memory.contains(last) && !memory.contains(CLAIMS[0]), "{name}: {memory}");
        }
    }
}

/// The command and the hook read the same words alike, and say the same of them.
#[test]
fn words_are_read_alike_at_the_end_of_a_turn_and_by_the_command() {
    let claims = CLAIMS.iter().chain(&["Fixed issue #12.", "Fixed, see PR #3 and execution 999."]);
    let honest = HONEST.iter().filter(|(_, report)| !report.is_empty()).copied();
    for (text, report) in claims.map(|text| (*text, "")).chain(honest) {
        let project = Project::new();
        project.write("go.mod", "module x\n");
        let agent = edited(&project, "claude-code");
        let edit = json!({"tool": "file_edit", "arguments": {"path": "a.go"}, "session": "shell"});
        Ran::of(project.command().arg("record").write_stdin(edit.to_string())).code(0);
        let claim = ["claim", "--session", "shell", text];
        let hooked = stop(&agent, text, false);
        if report.is_empty() {
            let told = project.annals(claim).code(1).out();
            let reason = hooked["reason"].as_str().expect("it is blocked");
            let why = reason.split("\n\n").next().expect("its beginning");
            assert_eq!(told.lines().next(), Some(&*format!("refused: {why}")), "{text}");
            continue;
        }
        assert_eq!(hooked, json!({}), "{text}");
        project.annals(claim).code(0).says("no claim");
        let reported = bodies(&project, "OutcomeReported");
        assert_eq!(reported.len(), 2, "{text}");
        assert!(reported.iter().all(|it| it["report"] == report), "{text}: {reported:?}");
        assert_eq!(bodies(&project, "SuccessClaimed"), [] as [Value; 0], "{text}");
        let told = project.annals(["--json"].iter().chain(&claim)).code(0).json();
        assert_eq!((&told["accepted"], &told["report"]), (&json!(false), &json!(report)));
    }
}

/// What claims nothing by the words of either is nothing to both.
#[test]
fn what_claims_no_success_is_judged_by_neither() {
    for text in [
        "The compile step fails: undefined reference to `foo`.",
        "I am not sure this fixes the problem; it needs testing on your hardware.",
        "Haven't had a chance to execute the suite",
        "Renamed `a` to `b` in src/a.rs.",
    ] {
        let project = Project::new();
        let agent = edited(&project, "claude-code");
        assert_eq!(stop(&agent, text, false), json!({}), "{text}");
        let claim = ["claim", "--session", "shell", text];
        project.annals(claim).code(0).says("no claim");
        let told = project.annals(["--json"].iter().chain(&claim)).code(0).json();
        assert_eq!(told["accepted"], false, "{text}");
        assert!(!told["report"].is_null(), "{text}: {told}");
        assert_eq!(bodies(&project, "SuccessClaimed"), [] as [Value; 0], "{text}");
    }
}

/// Older agents do not hand the last message to the hook: it is in the transcript.
#[test]
fn the_last_message_is_read_from_the_transcript_where_the_hook_does_not_tell_it() {
    let line = |kind: &str, message: Value, at: usize| {
        json!({"type": kind, "uuid": format!("0193a5b2-7c1e-4f00-8a00-0000000001{at:02}"),
               "parentUuid": null, "isSidechain": false, "sessionId": SESSION, "cwd": "/x",
               "version": "2.0.76", "timestamp": format!("2026-01-05T12:17:{at:02}.000Z"),
               "message": message})
    };
    let says = |text: &str, at| {
        let content = json!([{"type": "text", "text": text}]);
        line(
            "assistant",
            json!({"id": format!("m{at}"), "role": "assistant", "content": content}),
            at,
        )
    };
    let asks = |text: &str, at| line("user", json!({"role": "user", "content": text}), at);
    let codex = |kind: &str, text: &str, at: usize| {
        json!({"timestamp": format!("2026-01-05T12:17:{at:02}.000Z"), "type": "event_msg",
               "payload": {"type": kind, "message": text}})
    };
    let meta = json!({"timestamp": "2026-01-05T12:17:00.000Z", "type": "session_meta",
                      "payload": {"id": SESSION, "cwd": "/x", "timestamp": "2026-01-05T12:17:00.000Z"}});
    for (name, first, second, blocked) in [
        ("claude-code", Some("Fixed. All tests pass."), None, true),
        ("claude-code", Some("Nothing was verified."), None, false),
        ("claude-code", Some("Fixed."), Some("I could not fix it."), false),
        ("codex", Some("Fixed. All tests pass."), None, true),
        ("codex", Some("Nothing was verified."), None, false),
        ("claude-code", None, None, false),
    ] {
        let project = Project::new();
        let agent = edited(&project, name);
        let mut lines = match name {
            "codex" => vec![meta.clone(), codex("user_message", "change it", 1)],
            _ => vec![asks("change it", 1)],
        };
        for (at, text) in [(2, first), (3, second)] {
            lines.extend(text.map(|text| match name {
                "codex" => codex("agent_message", text, at),
                _ => says(text, at),
            }));
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let path = project.root().join(format!("{SESSION}.jsonl"));
        std::fs::write(&path, text).expect("written");
        let answer =
            agent.fire("Stop", json!({"transcript_path": path, "stop_hook_active": false}));
        assert_eq!(answer["decision"] == "block", blocked, "{name} {first:?} {second:?}: {answer}");
    }
}
