//! Every form of one thing, as a table.

use super::*;
use crate::agents::Agent;
use crate::agents::codex::result;
use crate::agents::codex::result::output;
use crate::agents::import::LogSource;

#[test]
fn an_output_s_header_is_taken_off_and_only_that() {
    // text → exit code, milliseconds, process that runs on, body
    for (text, exit_code, ms, running, body) in [
        ("Exit code: 7\nWall time: 1.2 seconds\nOutput:\nx\ny", Some(7), Some(1200), None, "x\ny"),
        ("Exit code: -1\nWall time: 0 seconds\nOutput:\n", Some(-1), Some(0), None, ""),
        ("Process exited with code 3", Some(3), None, None, ""),
        ("Chunk ID: a\nProcess running with session ID 9\nOutput:\n", None, None, Some("9"), ""),
        (
            r#"{"output":"x","metadata":{"exit_code":0,"duration_seconds":0.1}}"#,
            Some(0),
            Some(100),
            None,
            "x",
        ),
        (r#"{"output":"x","metadata":7}"#, None, None, None, r#"{"output":"x","metadata":7}"#),
        (
            r#"{"metadata":{"exit_code":1.5}}"#,
            None,
            None,
            None,
            r#"{"metadata":{"exit_code":1.5}}"#,
        ),
        ("note: Process exited with code 3", None, None, None, "note: Process exited with code 3"),
        ("Output:\nExit code: 1", None, None, None, "Output:\nExit code: 1"),
        ("Exit code: many\nx", None, None, None, "Exit code: many\nx"),
        ("Exit code: 1\r\nOutput:\r\nx", Some(1), None, None, "x"),
        ("Wall time: 1e300 seconds\nx", None, None, None, "Wall time: 1e300 seconds\nx"),
        ("", None, None, None, ""),
    ] {
        let got = output(text.to_owned());
        let got = (got.exit_code, got.duration_ms, got.running.as_deref(), got.body.as_str());
        assert_eq!(got, (exit_code, ms, running, body), "{text:?}");
    }
}

#[test]
fn the_agent_s_words_tell_how_a_call_ended() {
    for (exit_code, success, body, expect) in [
        (Some(0), None, "exec command rejected by user", Outcome::Ok),
        (Some(1), Some(true), "", Outcome::Failed),
        (None, None, "fine", Outcome::Ok),
        (None, Some(false), "boom", Outcome::Failed),
        (None, Some(false), "patch rejected by user", Outcome::Refused),
        (None, None, "exec command rejected: too dangerous", Outcome::Refused),
        (None, None, "user rejected MCP tool call", Outcome::Refused),
        (None, None, "unsupported call: frobnicate", Outcome::Refused),
        (
            None,
            None,
            "approval policy is Never; reject command — you should not ask",
            Outcome::Refused,
        ),
        (
            None,
            None,
            "`rm -rf /` rejected: policy forbids commands starting with `rm`",
            Outcome::Refused,
        ),
        (None, None, "aborted by user after 5.0s", Outcome::Failed),
        (None, None, "err: \"no such server\"", Outcome::Failed),
        (None, None, "the log says: exec command rejected by user", Outcome::Ok),
    ] {
        assert_eq!(result::outcome(exit_code, success, body), expect, "{body}");
    }
}

#[test]
fn ids_that_are_counted_need_their_session() {
    for (call, drawn) in [
        ("call_kvUlSBKYjSSXVz4rbUfxBqFW", true),
        ("call_kvUlSBKYjSSXVzxrbUfxBqFW", true),
        ("exec-1a2b3c4d-0000-4000-8000-000000000001", true),
        ("chatcmpl-tool-0f1e2d3c4b5a69788796a5b4c3d2e1f0", true),
        ("functions.exec_command:10", false),
        ("functions.searchDocumentation:0", false),
        ("call_1", false),
        ("call_1762345678901", false),
        ("web_search:0", false),
        ("", false),
    ] {
        assert_eq!(crate::agents::codex::scope(Some("s"), call).is_none(), drawn, "{call}");
    }
    assert_eq!(crate::agents::codex::scope(None, "call_1"), None);
}

#[test]
fn a_script_that_applies_a_patch_is_known() {
    let patch = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n";
    for (script, expect) in [
        (format!("apply_patch <<'EOF'\n{patch}EOF"), Some((None, true))),
        (format!("  applypatch <<EOF\n{patch}EOF"), Some((None, true))),
        (format!("cd 'core/src' && apply_patch <<EOF\n{patch}EOF"), Some((Some("core/src"), true))),
        (format!("cat x && apply_patch <<EOF\n{patch}EOF"), Some((None, false))),
        (format!("cat > p <<EOF\n{patch}EOF"), None),
        ("apply_patch --help".to_owned(), None),
    ] {
        let got = crate::agents::codex::call::patch_script(&script)
            .map(|found| (found.folder, found.alone));
        assert_eq!(got, expect, "{script}");
    }
}

#[test]
fn calls_aim_at_what_their_arguments_name() {
    let add = r"*** Begin Patch\n*** Add File: a b.rs\n+x\n*** End Patch";
    for (native, arguments, tool, paths, cwd) in [
        (
            "shell",
            r#"{"command":["ls"],"workdir":"/w"}"#.to_owned(),
            "bash_exec",
            vec![],
            Some("/w"),
        ),
        ("apply_patch", format!(r#"{{"input":"{add}"}}"#), "file_create", vec!["a b.rs"], None),
        (
            "shell",
            format!(r#"{{"command":["apply_patch","{add}"]}}"#),
            "file_create",
            vec!["a b.rs"],
            None,
        ),
        (
            "shell_command",
            format!(r#"{{"command":"cat x; apply_patch <<E\n{add}\nE"}}"#),
            "bash_exec",
            vec!["a b.rs"],
            None,
        ),
        ("view_image", r#"{"path":"/p.png"}"#.to_owned(), "view_image", vec!["/p.png"], None),
        ("read_file", r#"{"file_path":"/f"}"#.to_owned(), "file_read", vec!["/f"], None),
        ("my tool", "{}".to_owned(), "my_tool", vec![], None),
        ("shell", r#"{"command":7,"cmd":[[]],"workdir":[]}"#.to_owned(), "bash_exec", vec![], None),
        ("apply_patch", "[]".to_owned(), "file_edit", vec![], None),
    ] {
        let got = crate::agents::codex::call::aim(native, &arguments);
        let named: Vec<&str> = got.paths.iter().map(String::as_str).collect();
        assert_eq!(
            (got.tool.as_str(), named, got.cwd.as_deref()),
            (tool, paths, cwd),
            "{native} {arguments}"
        );
    }
    let many: String = (0..2_000).map(|n| format!("*** Add File: {n}\n")).collect();
    assert_eq!(
        crate::agents::codex::changes(&format!("*** Begin Patch\n{many}"), None).len(),
        1_000
    );
}

#[test]
fn what_the_agent_says_in_the_user_s_name_is_no_prompt() {
    for (text, expect) in [
        ("fix it", Some("fix it")),
        ("  \n", None),
        ("<environment_context>\n  <cwd>/w</cwd>\n</environment_context>", None),
        ("# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>", None),
        ("<hook_note>be quick</hook_note>", None),
        ("<b>bold</b> and more", Some("<b>bold</b> and more")),
        (
            "# Context from my IDE setup:\n\n## Open tabs:\n- a\n\n## My request for Codex:\nfix a",
            Some("fix a"),
        ),
    ] {
        assert_eq!(crate::agents::codex::asked(text).as_deref(), expect, "{text}");
    }
}

#[test]
fn a_beginning_tells_the_format_and_the_folder() {
    let meta = r#"{"timestamp":"2026-04-02T09:00:00Z","type":"session_meta","payload":{"id":"s","timestamp":"2026-04-02T08:00:00Z","cwd":"/w/shop","base_instructions":{"text":""#;
    let cut = format!("{meta}{}", "x".repeat(70_000));
    let whole = format!("{meta}\"}}}}}}\n");
    for head in [&cut, &whole] {
        let head = &head.as_bytes()[..head.len().min(64 << 10)];
        assert_eq!(LogSource::sniff(head), Some(Agent::Codex.source()));
        let expect = super::super::session::Beginning {
            cwd: Some("/w/shop".into()),
            began_ms: Some(1_775_120_400_000),
        };
        assert_eq!(beginning(head), expect);
    }
    for (head, expect) in [
        ("garbage\n{\"type\":\"event_msg\",\"payload\":{}}\n", Some(Agent::Codex.source())),
        ("{\"type\":\"message\",\"role\":\"user\",\"content\":[]}\n", Some(Agent::Codex.source())),
        ("{\"type\":\"message\",\"content\":[]}\n", None),
        (
            "{\"type\":\"user\",\"sessionId\":\"s\",\"payload\":{}}\n",
            Some(Agent::ClaudeCode.source()),
        ),
        ("{\"type\":\"other\",\"payload\":{}}\n", None),
        ("", None),
    ] {
        assert_eq!(LogSource::sniff(head.as_bytes()), expect, "{head}");
    }
    assert_eq!(beginning(b"\0\0{\"cwd\":"), super::super::session::Beginning::default());
}
