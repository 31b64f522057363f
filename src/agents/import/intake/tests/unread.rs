//! Parts of records that could not be read: told, and the rest kept.

use super::*;

/// What an import of this text tells, and how much of what it holds is kept.
fn imported(name: &str, text: &str) -> (Vec<String>, (u64, u64, u64, u64)) {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let file = dir.path().join(name);
    std::fs::write(&file, text).unwrap();
    let report = import_all(&project, &[file]);
    assert_eq!((report.unreadable_lines, report.unread_parts), (0, report.findings.len() as u64));
    let told = report.findings.iter().map(|it| format!("{} {}", it.line, it.detail)).collect();
    (told, (report.prompts, report.messages, report.calls, report.results))
}

#[test]
fn what_a_transcript_tells_and_nobody_reads_is_told_with_its_line() {
    let line = |kind: &str, message: &str| {
        format!(
            "{{\"type\":\"{kind}\",\"uuid\":\"u\",\"sessionId\":\"s\",\"timestamp\":\"2026-02-03T10:00:00Z\",\
             \"message\":{message}}}\n"
        )
    };
    let content = |kind, content: &str| line(kind, &format!("{{\"content\":{content}}}"));
    let lines = [
        content("assistant", r#"[{"type":"tool_use","name":"Bash","input":{}}]"#),
        content("assistant", r#"[{"type":"tool_use","id":"toolu_1","input":{}}]"#),
        content("user", r#"[{"type":"tool_result","content":"x"}]"#),
        content(
            "user",
            r#"[{"type":"image","source":{"type":"url","url":"u"}},{"type":"text","text":"look"}]"#,
        ),
        line(
            "assistant",
            r#"{"id":"m1","content":[{"type":"text","text":"a"}],"usage":{"input_tokens":"many","output_tokens":-1}}"#,
        ),
        line("assistant", r#"{"id":"m2","content":[{"type":"text","text":"b"}],"usage":"much"}"#),
        content("assistant", r#"[{"type":"server_tool_use","id":"x"},{"text":1},"word"]"#),
        content("user", "{\"a\":1}"),
        line("user", "\"text\""),
        line("person", "{\"content\":\"x\"}"),
        // Nothing is lost in these.
        content("assistant", r#"[{"type":"redacted_thinking","data":"x"}]"#),
        line("system", "null"),
    ];
    let (told, kept) = imported("s.jsonl", &lines.concat());
    assert_eq!(
        told,
        [
            "1 a tool_use without id or name",
            "2 a tool_use without id or name",
            "3 a tool_result without tool_use_id",
            "4 content that is no text: image",
            "5 usage: input_tokens, output_tokens is no number of tokens",
            "6 usage that is no object",
            "7 content that is no text: server_tool_use",
            "7 a part of its content without a type",
            "7 a part of its content without a type",
            "8 content that is neither a text nor a list",
            "9 a record without its message",
            "10 a message in a record of the unknown type \"person\"",
        ]
    );
    assert_eq!(kept, (1, 2, 0, 0));
}

#[test]
fn every_source_tells_of_the_parts_that_it_cannot_read() {
    let codex = |payload: &str| {
        format!(
            "{{\"timestamp\":\"2026-02-03T10:00:00Z\",\"type\":\"response_item\",\"payload\":{payload}}}\n"
        )
    };
    let rollout = [
        r#"{"timestamp":"2026-02-03T10:00:00Z","type":"session_meta","payload":{"id":"s"}}"#,
        "\n",
        &codex(r#"{"type":"function_call","name":"shell","arguments":"{}"}"#),
        &codex(r#"{"type":"function_call_output","output":"x"}"#),
        &codex("7"),
        &codex(
            r#"{"type":"function_call","call_id":"call_1a2b3c4d5e","name":"shell","arguments":"{}"}"#,
        ),
        &codex(r#"{"type":"function_call_output","call_id":"call_1a2b3c4d5e","output":"x"}"#),
    ];
    let event = |kind: &str, more: &str| {
        format!(
            "{{\"id\":\"{kind}{}\",\"timestamp\":\"2026-02-03T10:00:00\",\"source\":\"agent\",\"kind\":\"{kind}\",{more}}}\n",
            more.len()
        )
    };
    let events = [
        event("ActionEvent", "\"tool_name\":\"terminal\""),
        event("ActionEvent", "\"tool_name\":\"terminal\",\"tool_call_id\":\"c1\""),
        event("ObservationEvent", "\"observation\":{}"),
        event(
            "ObservationEvent",
            "\"tool_call_id\":\"c1\",\"observation\":{\"content\":[{\"type\":\"image\"}]}",
        ),
        event("MessageEvent", "\"llm_message\":3"),
    ];
    let atif = r#"{"schema_version":"ATIF-v1.0","session_id":"s","steps":[{"step_id":1,"source":"agent",
        "message":"a","timestamp":"2026-02-03T10:00:00Z","metrics":{"prompt_tokens":"x"},"tool_calls":[{"tool_call_id":"c"},
        {"tool_call_id":"d","function_name":"bash"},4],"observation":{"results":[{"content":"x"},{"source_call_id":"d","content":"y"}]}}]}"#;
    let gemini = r#"{"sessionId":"s","projectHash":"h","messages":[{"id":"m","type":"gemini","timestamp":"2026-02-03T10:00:00Z",
        "content":"a","tokens":[1],"toolCalls":[{"name":"ls"},{"id":"c","name":"ls","status":"success"},"x"]}]}"#;
    let cline = r#"[{"ts":1770000000000,"type":"say","say":"command_output","text":"x"},
        {"ts":1770000001000,"type":"say","say":"tool","text":"no JSON"},
        {"ts":1770000002000,"type":"say","say":"task","text":"go","images":["data:"]}]"#;
    let mcp = "2026-02-03T10:00:00Z {\"jsonrpc\":\"2.0\",\"method\":\"initialize\",\"id\":0}\n\
               2026-02-03T10:00:01Z {\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}\n\
               2026-02-03T10:00:02Z {\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"id\":1,\"params\":{\"name\":\"x\"}}\n\
               2026-02-03T10:00:03Z {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"image\",\"data\":\"\"}]}}\n";
    let opencode = r#"{"info":{"id":"ses_1","title":"t"},"messages":[{"info":{"id":"msg_1","role":"assistant","time":{"created":1770000000000},
        "tokens":{"input":"x"}},"parts":[7,{"id":"p","type":"tool"},{"id":"q","type":"text","text":"a"},
        {"id":"r","type":"tool","tool":"bash","callID":"c","state":{"status":"completed","output":"x"}}]}]}"#;
    let otlp = r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"spanId":"a"},5,{"traceId":"t","spanId":"s","startTimeUnixNano":"1770000002000000000",
        "attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}}]}]}]}]}"#;
    let swe = r#"{"trajectory":[{"action":4,"observation":"x"},{"action":"ls","observation":[{"type":"image"}]}],"environment":"e"}"#;
    for (name, text, unread, kept) in [
        ("rollout.jsonl", rollout.concat(), 3, (0, 0, 1, 1)),
        ("events.jsonl", events.concat(), 4, (0, 0, 1, 1)),
        ("t.json", atif.to_owned(), 4, (0, 1, 1, 1)),
        ("session-1.json", gemini.to_owned(), 3, (0, 1, 1, 1)),
        ("ui_messages.json", cline.to_owned(), 3, (1, 0, 0, 0)),
        ("mcp.log", mcp.to_owned(), 2, (0, 0, 1, 1)),
        ("export.json", opencode.to_owned(), 3, (0, 1, 1, 1)),
        ("traces.json", otlp.to_owned(), 2, (0, 0, 1, 1)),
        ("x.traj", swe.to_owned(), 2, (0, 0, 1, 1)),
    ] {
        let (told, found) = imported(name, &text);
        assert_eq!((told.len(), found), (unread, kept), "{name}\n{told:#?}");
    }
}

#[test]
fn an_execution_log_keeps_an_execution_whose_artifacts_are_odd_and_names_the_column_of_one_that_is_none()
 {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let path = dir.path().join("old.db");
    let base = rusqlite::Connection::open(&path).unwrap();
    base.execute_batch(
        r#"CREATE TABLE executions (id TEXT PRIMARY KEY, tool_name TEXT, arguments_json TEXT, timestamp, success INTEGER,
         exit_code INTEGER, duration_ms INTEGER, error_message TEXT);
         CREATE TABLE execution_artifacts (id INTEGER PRIMARY KEY, execution_id TEXT, artifact_type, content_json);
         INSERT INTO executions VALUES
         ('3f0c2a51-7f59-4a7e-9d5c-2f1f6a4b8c01', 'bash_exec', '{}', 1770112800000, 1, 0, NULL, NULL),
         ('3f0c2a51-7f59-4a7e-9d5c-2f1f6a4b8c02', 'bash_exec', '{}', 1770112801000, 1, 'nought', NULL, NULL);
         INSERT INTO execution_artifacts VALUES
         (1, '3f0c2a51-7f59-4a7e-9d5c-2f1f6a4b8c01', 'stdout', '{"text":"out"}'),
         (2, '3f0c2a51-7f59-4a7e-9d5c-2f1f6a4b8c01', 'stderr', x'00'),
         (3, '3f0c2a51-7f59-4a7e-9d5c-2f1f6a4b8c01', 'smell', '{}'),
         (4, '3f0c2a51-7f59-4a7e-9d5c-2f1f6a4b8c01', 'diagnostics', 'none'),
         (5, 'nobody', 'stdout', '{"text":"lost"}')"#,
    )
    .unwrap();
    drop(base);
    let report = import_all(&project, &[path]);
    let told: Vec<_> =
        report.findings.iter().map(|it| format!("{} {}", it.line, it.detail)).collect();
    assert_eq!(
        told,
        [
            "1 an artifact whose `content_json` is no text",
            "1 an artifact of the unknown type \"smell\"",
            "1 diagnostics that are no list",
            "2 a row whose `exit_code` is not what that column holds",
            "3 artifact 5 of no execution",
        ]
    );
    assert_eq!((report.calls, report.unreadable_lines, report.unread_parts), (1, 1, 4));
    let printed = recorded(&project).iter().any(|it| format!("{it:?}").contains("stdout: Some"));
    assert!(printed, "what it printed is kept");
}
