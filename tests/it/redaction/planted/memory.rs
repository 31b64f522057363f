//! Doors of memory: operations through the pipe and the command line, nodes with a model's replies.

use serde_json::{Value, json};

use super::world::World;

pub fn doors(world: &mut World) {
    piped(world);
    commands(world);
    nodes(world);
}

/// Every operation that takes free text, each with a secret in all of it.
fn piped(world: &mut World) {
    let mut lines = Vec::new();
    let mut op = |op: &str, args: &dyn Fn(&str) -> Value| {
        let secret = world.secret(&format!("pipe: {op}"));
        lines.push(json!({ "id": lines.len(), "op": op, "args": args(&secret) }).to_string());
    };
    op("session_start", &|it| json!({ "model": "m", "title": it }));
    op("record_prompt", &|it| json!({ "text": format!("with {it}"), "native_id": "p1" }));
    op("record_execution", &|it| {
        json!({ "tool": "bash_exec", "arguments": { "a": it, it: it },
        "stdout": it, "stderr": it, "paths": [it] })
    });
    op("declare_success", &|it| json!({ "text": format!("done with {it}") }));
    op("step_begin", &|it| json!({ "title": it }));
    op("step_end", &|_| json!({}));
    op("memory_query", &|it| json!({ "query": format!("memory_query(timeline_for_file, {it})") }));
    op("gate_check", &|it| json!({ "tool": "Edit", "arguments": { "file_path": it } }));
    op(
        "gate_plan",
        &|it| json!({ "plan": [{ "tool": "file_edit", "arguments": { "path": it } }] }),
    );
    op("mem_node_fork", &|_| json!({ "child_node_id": "root" }));
    op("mem_node_fork", &|it| json!({ "parent_node_id": "root", "child_node_id": it }));
    op(
        "mem_core_set",
        &|it| json!({ "branch": "root", "key": "note", "value": format!("it is {it}") }),
    );
    op("mem_core_set", &|it| json!({ "branch": "root", "key": it, "value": "v" }));
    op(
        "mem_core_set",
        &|it| json!({ "branch": "root", "key": "big", "value": format!("{} {it}", "x ".repeat(9_000)) }),
    );
    op("mem_core_get", &|it| json!({ "branch": "root", "keys": [it] }));
    op(
        "mem_recall_append",
        &|it| json!({ "event": { "branch_id": "root", "kind": "k", "summary": it, "refs": [it] } }),
    );
    op("write_event", &|it| json!({ "branch": "root", "kind": "note", "text": it, "tags": [it] }));
    op("mem_recall_search", &|it| json!({ "branch": "root", "query": it }));
    op(
        "mem_archival_write",
        &|it| json!({ "branch": "root", "text": it, "tags": [it], "meta": { it: it } }),
    );
    op("mem_archival_search", &|it| json!({ "branch": "root", "query": it }));
    op("mem_archival_update", &|it| json!({ "record_id": "1", "text": it, "branch": "root" }));
    op("mem_node_write", &|it| {
        json!({ "node_id": "root", "core_updates": { "x": it, it: "y" },
        "recall_event": { "summary": it }, "archival_records": [{ "text": it }] })
    });
    op(
        "apply_llm_memory_updates",
        &|it| json!({ "branch": "root", "updates": { "core": { "p": it, it: "q" }, "core_get": [it] } }),
    );
    op("apply_llm_memory_updates", &|it| {
        let reply = format!(
            "<memory_update>{{\"core\":{{\"a\":\"{it}\"}},\"core_get\":[\"a\"]}}</memory_update>{{}}"
        );
        json!({ "branch": "root", "reply": reply })
    });
    op(
        "render_for_prompt",
        &|it| json!({ "branch": "root", "task_hint": it, "budget_chars": 900 }),
    );
    op("evaluate_importance_with_llm", &|it| json!({ "branch": "root", "task_hint": it }));
    op("consolidate_recall_events", &|_| json!({ "branch": "root" }));
    op("session_end", &|it| json!({ "reason": it }));
    let plain = world.plain("pipe: the value of a key that names a secret");
    let set = json!({ "branch": "root", "key": "db_password", "value": plain });
    lines.push(json!({ "id": "last", "op": "mem_core_set", "args": set }).to_string());
    world.told(&["pipe", "--session", "piped"], lines.join("\n") + "\n").code(0);
}

fn commands(world: &mut World) {
    let secret = world.secret("memory set");
    world.annals(&["memory", "set", "root", "plan", &format!("use {secret}")]).code(0);
    let secret = world.secret("memory set: a key");
    world.annals(&["memory", "set", "root", &secret, "v"]);
    let secret = world.secret("memory append, from standard input");
    world.told(&["memory", "append", "root", "-", "--tag", &secret], format!("it is {secret}"));
    let secret = world.secret("memory write");
    world.annals(&["memory", "write", "root", &secret, "--tag", "A"]);
    let secret = world.secret("memory apply: a reply");
    let reply =
        format!("<memory_update>{{\"core\":{{\"a\":\"{secret}\"}}}}</memory_update>\n{{\"x\":1}}");
    world.told(&["memory", "apply", "root"], reply);
    let secret = world.secret("memory apply: a reply that is none");
    world.told(&["memory", "apply", "root"], format!("<memory_update>{{{secret}"));
    let secret = world.secret("memory search");
    world.annals(&["memory", "search", "root", &secret]);
}

fn nodes(world: &mut World) {
    let secret = world.secret("phases: a plan, its notes, commands and output");
    let workspace = world.path("given/workspace-1");
    let plan = json!({
        "phase_artifacts": {
            "download": { "commands": [format!("echo {secret}")], "notes": secret },
            "coding": { "workspace": { "files": [{ "path": "run.sh", "content": format!("echo metric: 1 {secret}; echo {secret} >&2") }] } },
            "compile": { "build_plan": { "note": secret }, "commands": [format!("true {secret}")] },
            "run": { "commands": ["sh run.sh"], "expected_outputs": [] },
        },
        "constraints": { "why": secret },
    });
    let path = world.give("artifacts.json", plan.to_string());
    let path = path.to_string_lossy().into_owned();
    let idea = world.secret("phases: an idea");
    let idea = world.give("idea.md", format!("Try {idea}.")).to_string_lossy().into_owned();
    let variation = world.secret("phases: a variation");
    let at = workspace.to_string_lossy().into_owned();
    let words = ["phases", "run", "n1", "--artifacts", &path, "--workspace", &at, "--idea", &idea];
    world.annals(&[&words[..], &["--variation", &variation]].concat());

    let reply = world.secret("phases: a model's replies");
    let memory =
        json!({ "core": { "k": reply, reply.clone(): "v" }, "archival": [{ "text": reply }] });
    let mut answer = plan;
    answer["command"] = "".into();
    answer["done"] = true.into();
    answer["notes"] = reply.clone().into();
    answer["summary"] = reply.into();
    let text = format!("<memory_update>\n{memory}\n</memory_update>\n{answer}");
    let reply = world.give("reply.txt", text).to_string_lossy().into_owned();
    let workspace = world.path("given/workspace-2").to_string_lossy().into_owned();
    let model = format!("cat {reply}; echo complaint >&2");
    let words = ["phases", "run", "n2", "--model", &model, "--workspace", &workspace];
    world.annals(&[&words[..], &["--review", "--summarize"]].concat());

    let secret = world.secret("phases: a model that fails, and says why");
    let script = world.give("model.sh", format!("echo no key {secret} >&2; exit 2"));
    let model = format!("sh {}", script.to_string_lossy());
    world.annals(&["phases", "run", "n3", "--model", &model]);
}
