//! Hooks put into settings texts and taken out again: to the byte, in every style of writing them.

use serde_json::Value;

mod generated;

use super::*;

fn line(agent: Agent, mode: GateMode) -> HookLine {
    HookLine { agent, program: "annals".to_owned(), mode }
}

fn advise() -> HookLine {
    line(Agent::ClaudeCode, GateMode::Advise)
}

fn installed(text: &str) -> String {
    install(text, &advise(), false).expect("installed").text
}

fn removed(text: &str, before: Option<&str>) -> String {
    remove(text, Agent::ClaudeCode, before).expect("removed").expect("ours were there")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).expect(text)
}

const OWN: &str = r#"{
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [{ "type": "command", "command": "./check.sh" }]
      }
    ],
    "SubagentStart": []
  },
  "zzz": {"unknown": [1, 2.50, 1e3, "\u0041"]}
}
"#;

#[test]
fn what_is_written_into_nothing_is_what_people_are_shown() {
    let text = "\
{
  \"hooks\": {
    \"SessionStart\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"annals hook codex\", \"timeout\": 60}]}],
    \"UserPromptSubmit\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"annals hook codex\", \"timeout\": 60}]}],
    \"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"annals hook codex\", \"timeout\": 60}]}],
    \"PostToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"annals hook codex\", \"timeout\": 60}]}],
    \"PreCompact\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"annals hook codex\", \"timeout\": 60}]}],
    \"SubagentStop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"annals hook codex\", \"timeout\": 60}]}],
    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"annals hook codex\", \"timeout\": 60}]}],
    \"SessionEnd\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"annals hook codex\", \"timeout\": 3}]}]
  }
}
";
    let made = install("", &line(Agent::Codex, GateMode::Advise), false).expect("installed");
    // A release that writes anything else makes every user of Codex review the hooks again.
    assert_eq!(made.text, text);
}

#[test]
fn texts_of_every_style_come_back_to_the_byte() {
    let own_crlf = OWN.replace('\n', "\r\n");
    let big = format!("{{\n  \"list\": [{}0]\n}}", "\"x\", ".repeat(200_000));
    for text in [
        "",
        "\n",
        "  \r\n ",
        "{}",
        "{ }",
        "{\n}",
        "{}\n",
        "\u{feff}",
        "\u{feff}{}\n",
        "{\n\t\"a\": 1\n}",
        "{\n    \"a\": {\n        \"b\": 1\n    }\n}\n",
        "{\r\n  \"a\": 1\r\n}\r\n",
        "{\"a\":1,\"b\":[]}",
        "{\"a\": 1, \"hooks\": {}}",
        "{\"hooks\":{\"PreToolUse\":[]}}",
        "{\"hooks\": {\n}}",
        "{\n  \"hooks\": {\n    \"Stop\": [ ]\n  }\n}",
        "{ \"a\"\n:\n1\n,\n\"b\" : 2 }\n\n\n",
        "{\"\\u0068ooks\": {\"Stop\": [{\"hooks\": []}]}}",
        "{\"hooks\": {\"Stop\": [{}, {\"matcher\": \"x\"}, 5, \"text\"]}}",
        OWN,
        OWN.trim_end(),
        &own_crlf,
        &big,
    ] {
        let with = installed(text);
        let found = standing(&with, Agent::ClaudeCode).expect("read");
        assert_eq!(found.len(), Agent::ClaudeCode.events().len(), "{with}");
        assert_eq!(installed(&with), with, "twice is once");
        assert_eq!(removed(&with, Some(text)), *text, "{with}");
        if !text.trim_start_matches('\u{feff}').trim_ascii().is_empty() {
            let without = removed(&with, None);
            let found = standing(&without, Agent::ClaudeCode).expect("read");
            assert!(found.is_empty(), "{without}");
        }
        let crlf = with.matches("\r\n").count();
        assert!(
            crlf == 0 || crlf == with.matches('\n').count() || text.trim().is_empty(),
            "{with:?}"
        );
    }
}

#[test]
fn a_style_is_kept() {
    for (text, expect) in [
        ("{\n\t\"a\": 1\n}", "{\n\t\"a\": 1,\n\t\"hooks\": {\n\t\t\"SessionStart\": [{\"hooks\": "),
        ("{\"a\":1}", "{\"a\":1,\"hooks\":{\"SessionStart\":[{\"hooks\":["),
        ("{\"a\": 1, \"hooks\": {}}", "{\"a\": 1, \"hooks\": { \"SessionStart\": [{"),
        ("{\n    \"hooks\": {}\n}", "{\n    \"hooks\": {\n        \"SessionStart\": [{"),
        ("{\r\n  \"a\": 1\r\n}", "{\r\n  \"a\": 1,\r\n  \"hooks\": {\r\n    \"SessionStart\": "),
    ] {
        let with = installed(text);
        assert!(with.starts_with(expect), "{with}");
        json(&with);
    }
    let with = installed(OWN);
    assert!(with.contains("}]\n      },\n      {\"hooks\": [{\"type\": \"command\""), "{with}");
}

#[test]
fn only_our_lines_go_after_the_file_was_edited() {
    type Edited = fn(&str) -> String;
    let edits: [Edited; 4] = [
        |text| text.replace("\"model\": \"opus\"", "\"model\":\"haiku\",  \"new\": {}"),
        |text| text.replace("./check.sh", "./other.sh"),
        |text| text.replace("\"zzz\": {", "\"more\": 1,\n  \"zzz\": {"),
        |text| text.replace("\"SubagentStart\": []", "\"SubagentStart\": [{}]"),
    ];
    for (at, edit) in edits.iter().enumerate() {
        let with = edit(&installed(OWN));
        assert_ne!(with, installed(OWN), "edit {at}");
        assert_eq!(removed(&with, Some(OWN)), edit(OWN), "edit {at}");
    }
    for (before, with, expect) in [
        // Behind and before ours; in an event of ours; and where everything else was taken out.
        ("{}", "{\"hooks\": {\"Stop\": [@]}, \"a\": 1}", "{\"a\": 1}"),
        ("{}", "{\"a\": 1, \"hooks\": {\"Stop\": [@]}}", "{\"a\": 1}"),
        (
            "{}",
            "{\"hooks\": {\"Stop\": [5, @, @, 6], \"X\": [@]}}",
            "{\"hooks\": {\"Stop\": [5, 6]}}",
        ),
        ("{}", "{\"hooks\": {\"Stop\": [@, 6, @]}}", "{\"hooks\": {\"Stop\": [6]}}"),
        (
            "{\"hooks\": { }}",
            "{\"hooks\": {\"Stop\": [@]}, \"a\": 1}",
            "{\"hooks\": { }, \"a\": 1}",
        ),
        (
            "{\"hooks\": {\"Stop\": [\n]}}",
            "{\"hooks\": {\"Stop\": [@]},\n\"a\": 1}",
            "{\"hooks\": {\"Stop\": [\n]},\n\"a\": 1}",
        ),
        ("{ }", "{\"hooks\": {\"Stop\": [@]}}", "{ }"),
        ("{\"a\": 1}", "{\"hooks\": {\"Stop\": [@]}}", "{}"),
    ] {
        let ours = r#"{"hooks": [{"command": "'/a b/annals' hook claude-code --enforce"}]}"#;
        assert_eq!(removed(&with.replace('@', ours), Some(before)), expect);
    }
    let beside = r#"{"hooks": {"Stop": [{"matcher": "", "hooks": [{"command": "x"}, {"command": "annals hook claude-code"}]}]}}"#;
    let expect = r#"{"hooks": {"Stop": [{"matcher": "", "hooks": [{"command": "x"}]}]}}"#;
    assert_eq!(removed(beside, None), expect);
}

#[test]
fn a_line_of_ours_is_known_wherever_the_program_lies() {
    for (command, expect) in [
        ("annals hook claude-code", Some(GateMode::Advise)),
        ("annals hook claude-code --enforce", Some(GateMode::Enforce)),
        ("/usr/local/bin/annals hook claude-code", Some(GateMode::Advise)),
        ("'/home/a b/annals' hook claude-code", Some(GateMode::Advise)),
        (r"'/home/o'\''neil/annals' hook claude-code", Some(GateMode::Advise)),
        ("\"$HOME/bin/annals\" hook claude-code", Some(GateMode::Advise)),
        ("annals hook claude-code --observe", Some(GateMode::Observe)),
        ("annals hook claude-code --other", None),
        ("annals hook codex", None),
        ("annals hook claude-code; rm x", None),
        ("rm x; annals hook claude-code", None),
        ("echo annals hook claude-code", None),
        ("'a' 'annals' hook claude-code", None),
        ("other hook claude-code", None),
        (" hook claude-code", None),
        ("", None),
    ] {
        let found = HookLine::parse(command, Agent::ClaudeCode);
        assert_eq!(found.as_ref().map(|line| line.mode), expect, "{command}");
        if let Some(line) = found {
            assert_eq!(line.command(), command);
        }
    }
}

#[test]
fn another_mode_is_set_only_where_it_is_asked_for() {
    let with = installed(OWN);
    let enforce = line(Agent::ClaudeCode, GateMode::Enforce);
    let same = install(&with, &enforce, false).expect("installed");
    assert_eq!((same.text.as_str(), same.changed.len()), (with.as_str(), 0));
    let switched = install(&with, &enforce, true).expect("installed");
    assert_eq!(switched.text, with.replace("hook claude-code\"", "hook claude-code --enforce\""));
    assert_eq!(switched.changed.len(), Agent::ClaudeCode.events().len());
    assert_eq!(removed(&switched.text, Some(OWN)), OWN);
    let moved = with.replace("\"annals hook", "\"/opt/annals hook");
    assert_eq!(installed(&moved), moved, "a program elsewhere is one of ours, and left");
}

#[test]
fn a_hook_that_asks_for_more_time_than_its_agent_gives_asks_for_less() {
    for mode in [GateMode::Advise, GateMode::Enforce] {
        let codex = line(Agent::Codex, mode);
        let now = install("", &codex, false).expect("installed").text;
        let before = now.replace("\"timeout\": 3", "\"timeout\": 60");
        assert_ne!(before, now);
        let again =
            install(&before, &line(Agent::Codex, GateMode::Advise), false).expect("installed");
        assert_eq!((again.text.as_str(), again.switched), (now.as_str(), false));
        assert_eq!((again.changed, again.added.len()), (vec!["SessionEnd".to_owned()], 0));
        let done = install(&now, &codex, false).expect("installed");
        assert_eq!((done.text, done.changed.len()), (now, 0));
        assert_eq!(
            standing(&before, Agent::Codex).expect("read").len(),
            Agent::Codex.events().len()
        );
    }
    let own = installed(OWN);
    for left in [own.clone(), own.replace("\"timeout\": 60", "\"timeout\": 600")] {
        assert_eq!(installed(&left), left, "what a person set is theirs");
    }
}

#[test]
fn what_is_no_settings_text_is_named_with_its_place() {
    let deep = format!("{}1{}", "[".repeat(150), "]".repeat(150));
    for (text, at, says) in [
        ("{\"a\": 1,}", 8, "key must be a string"),
        ("{\n  // why\n  \"a\": 1\n}", 4, "key must be a string"),
        ("{\"a\": 1", 6, "EOF"),
        ("{} {}", 3, "trailing characters"),
        ("\u{feff}nothing", 4, "expected ident"),
        ("[1]", 0, "what is in the file is not an object"),
        ("{\"hooks\": []}", 10, "\"hooks\" is not an object"),
        ("{\"hooks\": null}", 10, "\"hooks\" is not an object"),
        ("{\"hooks\": {\"Stop\": {}}}", 19, "\"Stop\" is not a list"),
        ("{\"hooks\": {}, \"hooks\": {}}", 14, "stands there twice"),
        ("{\"hooks\": {\"Stop\": [], \"Stop\": []}}", 23, "stands there twice"),
        (&deep, 101, "nested more than 100 deep"),
    ] {
        for found in [
            install(text, &advise(), false).map(drop),
            remove(text, Agent::ClaudeCode, None).map(drop),
        ] {
            let (place, fault) = found.expect_err(text);
            assert!(fault.to_string().contains(says), "{text}: {fault}");
            assert_eq!(place, at, "{text}: {fault}");
        }
    }
}
