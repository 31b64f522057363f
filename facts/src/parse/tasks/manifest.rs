//! Tasks of manifests: mise's, npm's, Cargo's, Python's.

use serde_json::Value as Json;
use toml::{Table, Value};

use super::{TASKS_MAX, Task, joined, script};

fn table<'t>(of: &'t Table, path: &[&str]) -> Option<&'t Table> {
    path.iter().try_fold(of, |at, name| at.get(*name)?.as_table())
}

/// What a task runs: a text, several, or a table that has it under one of these names.
fn runs(value: &Value, names: &[&str]) -> Option<String> {
    match value {
        Value::String(text) => script(text),
        Value::Array(list) if list.iter().all(Value::is_str) => {
            let lines: Vec<String> =
                list.iter().filter_map(|it| it.as_str().and_then(script)).collect();
            joined(lines.iter().map(String::as_str))
        }
        Value::Table(table) => {
            let found = names.iter().find_map(|name| table.get(*name))?;
            (!found.is_table()).then(|| runs(found, names)).flatten()
        }
        _ => None,
    }
}

fn tasks(of: Option<&Table>, names: &[&str], command: impl Fn(&str) -> String) -> Vec<Task> {
    let tasks = of.into_iter().flatten().take(TASKS_MAX);
    tasks.map(|(name, value)| Task::new(command(name), runs(value, names))).collect()
}

pub(super) fn mise(text: &str) -> Vec<Task> {
    let Ok(read) = text.parse::<Table>() else { return Vec::new() };
    tasks(table(&read, &["tasks"]), &["run"], |name| format!("mise run {name}"))
}

pub(super) fn package(text: &str) -> Vec<Task> {
    let Ok(read) = serde_json::from_str::<Json>(text) else { return Vec::new() };
    let scripts = read.get("scripts").and_then(Json::as_object);
    let of = |(name, body): (&String, &Json)| {
        Some(Task::new(format!("npm run {name}"), script(body.as_str()?)))
    };
    scripts.into_iter().flatten().take(TASKS_MAX).filter_map(of).collect()
}

pub(super) fn cargo(text: &str) -> Vec<Task> {
    let Ok(read) = text.parse::<Table>() else { return Vec::new() };
    let has = |name| read.get(name).is_some_and(Value::is_table);
    match (has("workspace"), has("package")) {
        (true, _) => vec![Task::itself("cargo test --workspace"), Task::itself("cargo test")],
        (false, true) => vec![Task::itself("cargo test")],
        (false, false) => Vec::new(),
    }
}

pub(super) fn cargo_aliases(text: &str) -> Vec<Task> {
    let Ok(read) = text.parse::<Table>() else { return Vec::new() };
    let of = |(name, value): (&String, &Value)| {
        let words = match value {
            Value::String(text) => text.clone(),
            Value::Array(list) => {
                list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
            }
            _ => return None,
        };
        Some(Task::new(format!("cargo {name}"), format!("cargo {words}")))
    };
    table(&read, &["alias"]).into_iter().flatten().take(TASKS_MAX).filter_map(of).collect()
}

pub(super) fn pyproject(text: &str) -> Vec<Task> {
    const TOOLS: [(&str, &str); 5] = [
        ("pytest", "pytest"),
        ("ruff", "ruff check"),
        ("mypy", "mypy"),
        ("pyright", "pyright"),
        ("black", "black --check"),
    ];
    let Ok(read) = text.parse::<Table>() else { return Vec::new() };
    let Some(tool) = table(&read, &["tool"]) else { return Vec::new() };
    let used = TOOLS.iter().filter(|(name, _)| tool.contains_key(*name));
    let mut found: Vec<Task> = used.map(|(_, command)| Task::itself(command)).collect();
    let scripts = [(&["poe", "tasks"], "poe"), (&["pdm", "scripts"], "pdm run")];
    for (path, runner) in scripts {
        let of = table(tool, path);
        found.extend(tasks(of, &["cmd", "shell", "sequence"], |name| format!("{runner} {name}")));
    }
    for (env, about) in table(tool, &["hatch", "envs"]).into_iter().flatten().take(TASKS_MAX) {
        let scripts = about.as_table().and_then(|it| table(it, &["scripts"]));
        let prefix = if env == "default" { String::new() } else { format!("{env}:") };
        found.extend(tasks(scripts, &[], |name| format!("hatch run {prefix}{name}")));
    }
    found
}
