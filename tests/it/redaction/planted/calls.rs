//! Doors of calls: commands that run, records, the tool layer, the gate, steps, the pipe's executions.

use serde_json::{Value, json};

use super::world::World;
use crate::project::Ran;

pub fn doors(world: &mut World) {
    runs(world);
    records(world);
    refused(world);
    grounded(world);
    tools(world);
}

fn runs(world: &mut World) {
    let secret = world.secret("run: arguments and output");
    world.annals(&["run", "--", "echo", &secret]).code(0);
    let secret = world.secret("run: the error output, and a failure");
    let script = world.give("fails.sh", format!("echo 'refused {secret}' >&2; exit 3"));
    world.annals(&["run", "--", "sh", &script.to_string_lossy()]).code(3);

    let secret = world.secret("run: an output in two pieces");
    let (head, tail) = secret.split_at(20);
    let script = format!("printf 'token: {head}'; sleep 0.03; printf '{tail}\\n'");
    let script = world.give("pieces.sh", script);
    world.annals(&["run", "--", "sh", &script.to_string_lossy()]).code(0);

    let secret = world.secret("run: JSON in JSON");
    let inner = json!({ "auth": { "token": secret }, "list": [format!("a {secret}\nb")] });
    let text = json!({ "log": inner.to_string(), "more": json!(inner.to_string()).to_string() });
    cat(world, "escaped.json", text.to_string().as_bytes());

    let secret = world.secret("run: Base64 of a secret");
    cat(world, "secret.yaml", format!("data:\n  token: {}\n", base64(&secret)).as_bytes());
    let secret = world.secret("run: Base64 of a file with a secret");
    let file = base64(&format!("PORT=80\nAPI_TOKEN={secret}\nDEBUG=1\n"));
    cat(world, "b64.txt", format!("{file}\n").as_bytes());

    let secret = world.secret("run: a large output, over the edge of a block");
    let mut text = "a line of output that says nothing at all\n".repeat(16_000).into_bytes();
    text[(64 << 10) - 20..][..secret.len()].copy_from_slice(secret.as_bytes());
    let at = (256 << 10) - 11;
    text[at - 1] = b' ';
    text[at..][..secret.len()].copy_from_slice(secret.as_bytes());
    cat(world, "large.txt", &text);

    let secret = world.secret("run: an output that is no text");
    cat(world, "bytes", &[b"\xff\xfe\x00 ", secret.as_bytes(), b" \xc3\x28"].concat());

    let secret = world.secret("run: a private key");
    let key = ["-----BEGIN RSA PRIVATE ", "KEY-----\n"].concat();
    let line = format!("{secret}/{}\n", "MIIEpAIBAAKCAQEAx".repeat(2)).replace(['-', '_'], "+");
    let end = ["-----END RSA PRIVATE ", "KEY-----\n"].concat();
    cat(world, "id_rsa", format!("{key}{}{end}", line.repeat(4)).as_bytes());

    let secret = world.plain("run: a password in a URL");
    cat(world, "remote", format!("origin https://me:{secret}@git.example.org/a.git\n").as_bytes());
    let secret = world.plain("run: a header");
    cat(world, "header", format!("> Authorization: Bearer {secret}\n").as_bytes());
    let secret = world.plain("run: the value of a variable with a telling name");
    cat(world, "environment", format!("HOME=/root\nDB_PASSWORD={secret}\n").as_bytes());

    let secret = world.plain("run: the value of one of our own variables, wherever it is");
    let mut command = world.command();
    command.env("DEPLOY_TOKEN", &secret);
    let script =
        "echo using $DEPLOY_TOKEN now; echo $DEPLOY_TOKEN | base64; echo \"x$DEPLOY_TOKEN\" >&2";
    command.args(["run", "--", "sh", "-c", script]);
    Ran::of(&mut command).code(0);
}

fn cat(world: &World, name: &str, text: &[u8]) {
    let path = world.give(name, text);
    world.annals(&["run", "--", "cat", &path.to_string_lossy()]).code(0);
}

fn base64(text: &str) -> String {
    let mut command = assert_cmd::Command::new("base64");
    let output = command.arg("-w0").write_stdin(text).output().expect("base64 runs");
    String::from_utf8(output.stdout).expect("Base64")
}

fn records(world: &mut World) {
    let mut one = |field: &str, line: &dyn Fn(&str) -> Value| {
        let secret = world.secret(&format!("record: {field}"));
        line(&secret)
    };
    let lines = [
        one("a value of the arguments", &|it| json!({ "arguments": { "deep": [{ "a": it }] } })),
        one("a key of the arguments", &|it| json!({ "arguments": { it: 1, "b": { it: "c" } } })),
        one("a path", &|it| json!({ "arguments": {}, "paths": [format!("keys/{it}.txt")] })),
        one("a symbol", &|it| json!({ "arguments": {}, "symbols": [it] })),
        one("stdout", &|it| json!({ "arguments": {}, "stdout": format!("it is {it}.") })),
        one("stderr", &|it| json!({ "arguments": {}, "stderr": it, "exit_code": 1 })),
        one("an error", &|it| json!({ "arguments": {}, "error": format!("bad: {it}") })),
        one("a folder", &|it| json!({ "arguments": {}, "cwd": format!("/w/{it}") })),
        one("a branch", &|it| json!({ "arguments": {}, "branch": format!("fix/{it}") })),
        one("a diagnostic", &|it| {
            let one = json!({ "level": "error", "message": it, "file_name": it, "code": "E1" });
            json!({ "arguments": {}, "exit_code": 1, "diagnostics": [one] })
        }),
        one("a session's name", &|it| json!({ "arguments": {}, "session": it })),
        one("a native tool", &|it| json!({ "arguments": {}, "native_tool": it })),
        one("an agent", &|it| json!({ "arguments": {}, "agent": it, "session": "s9" })),
        one("a call", &|it| json!({ "arguments": {}, "agent": "x", "session": "s9", "call": it })),
    ];
    let lines: Vec<String> = lines
        .into_iter()
        .map(|mut line| {
            line["tool"] = "bash_exec".into();
            line.to_string()
        })
        .collect();
    let ran = world.told(&["record"], lines.join("\n"));
    // Names that are secrets may be refused.
    assert!(ran.output.status.code().is_some_and(|code| code <= 2), "{}", ran.err());
}

/// What is refused may leave nothing either.
fn refused(world: &mut World) {
    let secret = world.secret("record: a line that is refused");
    world.told(&["record"], format!(r#"{{"tool":5,"stdout":"{secret}"}}"#)).code(2);
    let secret = world.secret("record: a tool that is not declared");
    world.told(&["record"], json!({ "tool": secret, "arguments": {} }).to_string());
    let secret = world.secret("pipe: a request that is none");
    world.told(&["pipe"], format!("{{\"op\":\"{secret}\"}}\n{secret}\n"));
    for agent in ["claude-code", "codex"] {
        let secret = world.secret(&format!("hook {agent}: input that is no JSON"));
        world.told(&["hook", agent], format!("{{\"prompt\":\"{secret}")).code(0);
        let secret = world.secret(&format!("hook {agent}: a hook that is not known"));
        let told = json!({ "hook_event_name": secret, "session_id": "s", "cwd": "." });
        world.told(&["hook", agent], told.to_string()).code(0);
    }
}

fn grounded(world: &mut World) {
    let secret = world.secret("session: a title");
    world.annals(&["session", "start", "--title", &format!("use {secret}")]).code(0);
    let secret = world.secret("step: a title");
    world.annals(&["step", "begin", &format!("rotate {secret}")]).code(0);
    world.annals(&["run", "--", "sh", "-c", "exit 1"]).code(1);
    world.annals(&["step", "end"]).code(0);
    let secret = world.secret("gate: a path");
    let gate = ["gate", "check", "--session", "s9", "--tool", "file_edit"];
    world.annals(&[&gate[..], &["--path", &secret]].concat()).code(1);
    let secret = world.secret("gate: arguments");
    let arguments = json!({ "path": "a", secret.clone(): secret }).to_string();
    world.annals(&[&gate[..], &["--args", &arguments]].concat()).code(1);
    let secret = world.secret("gate: a plan");
    let plan =
        json!([{ "tool": "file_edit", "arguments": { "path": secret } }, { "tool": secret }]);
    let plan = world.give("gate-plan.json", plan.to_string());
    world.annals(&["gate", "plan", &plan.to_string_lossy()]);
    let secret = world.secret("claim");
    world.annals(&["claim", &format!("#1 is fixed with {secret}")]);
    let secret = world.secret("session: why it ended");
    world.annals(&["session", "end", "--reason", &secret]);
}

fn tools(world: &mut World) {
    let secret = world.secret("tool: an answer");
    world.give("../app/own.txt", "nothing");
    world.annals(&["timeline"]).code(0);
    world.annals(&["tool", "file_read", "--path", &format!("{secret}.txt")]);
    let secret = world.secret("tool: a pattern");
    world.annals(&["tool", "file_search", "--pattern", &secret, "--path", "."]);
    let secret = world.secret("tool: a command");
    world.annals(&["tool", "bash_exec", "--command", &format!("echo {secret}")]);
}
