//! `annals stats`: what is on record, counted; held against a count of the transcript itself.

use serde_json::{Value, json};

use crate::project::{Project, Ran};

#[test]
fn what_is_on_record_is_counted() {
    let project = Project::new();
    let mut lines = String::new();
    // Seconds of a day, who says it, what it is.
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let call = |id: &str, name: &str, input: Value| json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
    let result = |id: &str, failed: bool| json!([{"type": "tool_result", "tool_use_id": id, "is_error": failed, "content": "x"}]);
    let said = [
        (0, "user", json!("first"), "", 0),
        (10, "assistant", text("yes"), "opus", 5),
        (
            20,
            "assistant",
            call(
                "t1",
                "Edit",
                json!({"file_path": project.path("a.rs"), "old_string": "a", "new_string": "b"}),
            ),
            "opus",
            7,
        ),
        (25, "user", result("t1", false), "", 0),
        // Nobody works for an hour.
        (
            3_625,
            "assistant",
            call("t2", "Bash", json!({"command": "cargo test"})),
            "sonnet-4-5",
            11,
        ),
        (3_655, "user", result("t2", true), "", 0),
        // Waiting for a prompt is no work.
        (3_700, "user", json!("second"), "", 0),
        (90_000, "assistant", text("done"), "sonnet-4-5", 13),
    ];
    for (at, (seconds, role, content, model, tokens)) in said.iter().enumerate() {
        let time = format!(
            "2026-03-{:02}T{:02}:{:02}:{:02}.000Z",
            1 + seconds / 86_400,
            seconds / 3_600 % 24,
            seconds / 60 % 60,
            seconds % 60
        );
        let mut message = json!({"role": role, "content": content});
        if *role == "assistant" {
            let usage =
                json!({"input_tokens": 1, "output_tokens": tokens, "cache_read_input_tokens": 100});
            let more = json!({"id": format!("m{at}"), "model": model, "usage": usage, "stop_reason": "end_turn"});
            message
                .as_object_mut()
                .expect("an object")
                .extend(more.as_object().expect("an object").clone());
        }
        let line = json!({"type": role, "uuid": format!("u{at}"), "sessionId": "11111111-2222-4333-8444-000000000001",
                          "cwd": project.root(), "version": "2.1.9", "timestamp": time, "message": message});
        lines.push_str(&format!("{line}\n"));
    }
    let path = project.write("talk.jsonl", &lines);
    project.annals(["import", "claude-code", &path.to_string_lossy()]).code(0);
    let stats =
        |words: &[&str]| project.annals(["stats", "--json"].iter().chain(words)).code(0).json();

    let found = stats(&[]);
    let totals = &found["totals"];
    for (name, expected) in [
        ("prompts", 2),
        ("calls", 2),
        ("failed", 1),
        ("messages", 4),
        ("input_tokens", 4),
        ("output_tokens", 5 + 7 + 11 + 13),
        ("cache_read_tokens", 400),
        ("active_ms", 10_000 + 10_000 + 5_000 + 30_000),
    ] {
        assert_eq!(totals[name], expected, "{name}: {found}");
    }
    assert_eq!(found["sessions"], 1);
    let rows = |by: &str, field: &str| -> Vec<(String, u64)> {
        let found = stats(&["--by", by]);
        let rows = found["rows"].as_array().expect("rows");
        rows.iter()
            .map(|it| {
                (
                    it["key"].as_str().expect("a key").to_owned(),
                    it[field].as_u64().expect("a count"),
                )
            })
            .collect()
    };
    let of = |all: &[(&str, u64)]| all.iter().map(|it| (it.0.to_owned(), it.1)).collect::<Vec<_>>();
    assert_eq!(rows("day", "output_tokens"), of(&[("2026-03-01", 23), ("2026-03-02", 13)]));
    assert_eq!(rows("model", "output_tokens"), of(&[("sonnet-4-5", 24), ("opus", 12)]));
    assert_eq!(rows("model", "calls"), of(&[("sonnet-4-5", 1), ("opus", 1)]));
    assert_eq!(rows("tool", "failed"), of(&[("bash_exec", 1), ("file_edit", 0)]));
    assert_eq!(rows("session", "calls").len(), 1);
    assert_eq!(rows("project", "calls")[0].1, 2);
    assert_eq!(stats(&["--since", "2026-03-02"])["totals"]["messages"], 1);
    assert_eq!(found["files"][0]["what"], project.path("a.rs").to_string_lossy().as_ref());
    assert_eq!((&found["checks"][0]["count"], &found["checks"][0]["of"]), (&json!(1), &json!(1)));
    project.annals(["stats"]).code(0).says("active    55.0 s");
    costs(&project, &stats);
    project.annals(["stats", "--by", "hour"]).code(2).says("day, session");
    // A session in which nothing was done.
    project.annals(["session", "start"]).code(0);
    let calls: Vec<u64> = rows("session", "calls").iter().map(|it| it.1).collect();
    assert_eq!((calls, stats(&[])["sessions"].clone()), (vec![2, 0], json!(2)));
}

/// By the user's own prices, and by no project's.
fn costs(project: &Project, stats: &dyn Fn(&[&str]) -> Value) {
    assert_eq!(stats(&[]).get("cost"), None);
    let prices = "[prices]\ncurrency = 'EUR'\n[prices.\"sonnet-4\"]\ninput = 3e6\noutput = 1e6\ncache_read = 1e5\n";
    let own = project.path(".annals/config.toml");
    let before = std::fs::read_to_string(&own).expect("its settings");
    std::fs::write(&own, format!("{before}\n{prices}")).expect("written");
    let ran = project.annals(["stats", "--json"]).says("unknown field `prices`");
    assert_eq!(ran.json().get("cost"), None);
    std::fs::write(&own, before).expect("written");
    project.write(".config/annals/config.toml", prices);
    let cost = &stats(&[])["cost"];
    // Two messages of 1 in, 100 from the cache, and 24 out.
    assert_eq!((&cost["currency"], &cost["sum"]), (&json!("EUR"), &json!(2.0 * 3.0 + 24.0 + 20.0)));
    let models = json!([
        {"model": "sonnet-4-5", "messages": 2, "cost": 50.0, "price": "sonnet-4"},
        {"model": "opus", "messages": 2, "cost": null, "price": null},
    ]);
    assert_eq!(cost["models"], models);
    let says = "model        cost  by the price of\nsonnet-4-5  50.00  sonnet-4\nopus            -  no price\n\
                all         50.00  EUR\n";
    project.annals(["stats", "--by", "tool"]).code(0).says(says);
    let wrong = project.write(".config/annals/config.toml", "[prices.opus]\ninput = -1\n");
    project.annals(["stats"]).code(0).says(&format!("{}:", wrong.display())).says("No prices");
}

#[test]
fn what_an_import_counts_otherwise_is_named() {
    let project = Project::new();
    let line = |actor: Option<&str>, id: u32, role: &str, content: Value| {
        let more = actor.map_or(json!({}), |it| json!({"agentId": it, "isSidechain": true}));
        let mut line = json!({"type": role, "uuid": format!("u{id}"), "cwd": project.root(), "version": "2.1.9",
            "sessionId": "11111111-2222-4333-8444-000000000001", "timestamp": format!("2026-03-01T00:00:{id:02}.000Z"),
            "message": {"role": role, "content": content, "id": format!("m{id}"), "model": "opus"}});
        let line_of = line.as_object_mut().expect("an object");
        line_of.extend(more.as_object().expect("an object").clone());
        format!("{line}\n")
    };
    let call = json!([{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "cargo test | tail -3"}}]);
    let output = "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";
    let result =
        json!([{"type": "tool_result", "tool_use_id": "t1", "is_error": false, "content": output}]);
    let lines = [
        line(None, 0, "user", json!("first")),
        line(None, 1, "assistant", call),
        line(None, 2, "user", result),
        line(Some("a86b715"), 3, "user", json!("look for it")),
    ];
    let path = project.write("talk.jsonl", &lines.concat());
    let told = project.annals(["import", "claude-code", &path.to_string_lossy(), "--json"]).json();
    let counts = ["prompts", "subagent_prompts", "failed"].map(|it| told[it].clone());
    assert_eq!(counts, [2, 1, 0]);
    let ran = project.annals(["stats"]).code(0).says("prompts   1, and 1 of agents to subagents\n");
    ran.says("1, 1 failed (1 of them checks whose exit code does not say so), 0 refused\n");
}

#[test]
fn a_command_that_may_check_and_told_of_nothing_is_no_check() {
    let project = Project::new();
    for command in ["git commit -m x", "cargo test"] {
        let line = json!({"tool": "bash_exec", "arguments": {"command": command}, "exit_code": 0});
        Ran::of(project.command().arg("record").write_stdin(format!("{line}\n"))).code(0);
    }
    let checks = project.annals(["stats", "--json"]).code(0).json()["checks"].clone();
    assert_eq!(checks.as_array().map(Vec::len), Some(1), "{checks}");
    assert_eq!(checks[0]["what"], "cargo test");
}
