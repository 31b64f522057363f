//! Tasks of YAML: Taskfile's, and what continuous integration runs.

use serde_json::Value;
use serde_saphyr::Options;

use super::{FILE_BYTES_MAX, TASKS_MAX, Task, joined, script};
use crate::parse::check::CheckRules;
use crate::parse::check::command::{Trust, calls};
use crate::parse::shell::Script;

const DEPTH_MAX: usize = 32;
const NODES_MAX: usize = 50_000;
const ALIASES_MAX: usize = 200;

fn read(text: &str) -> Value {
    serde_saphyr::from_str_with_options(text, options()).unwrap_or_default() // no YAML, no tasks
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEPTH_MAX,
            flow_nesting_limit: DEPTH_MAX,
            max_nodes: NODES_MAX,
            max_events: 2 * NODES_MAX,
            max_aliases: ALIASES_MAX,
            max_anchors: ALIASES_MAX,
            max_merge_keys: ALIASES_MAX,
            max_recorded_anchor_events: NODES_MAX,
            max_recorded_anchor_bytes: 4 * FILE_BYTES_MAX,
            max_total_scalar_bytes: 4 * FILE_BYTES_MAX,
            max_documents: 1,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: NODES_MAX,
            max_replay_stack_depth: DEPTH_MAX,
        },
        with_snippet: false,
    }
}

/// A text, a list of texts, or of mappings that have one under `cmd`, or another task's name.
fn lines(value: &Value) -> Option<String> {
    let text = |it: &Value| {
        let task = || Some(format!("task {}", it.get("task")?.as_str()?));
        let said = it.as_str().or_else(|| it.get("cmd")?.as_str());
        Some(said.and_then(script).or_else(task)? + ignored(it))
    };
    match value {
        Value::Array(list) => {
            let lines = list.iter().map(text).collect::<Option<Vec<_>>>()?;
            joined(lines.iter().map(String::as_str))
        }
        one => text(one),
    }
}

/// What stands behind a command whose failure is not its task's.
fn ignored(of: &Value) -> &'static str {
    let is_ignored = of.get("ignore_error").and_then(Value::as_bool) == Some(true);
    if is_ignored { " || true" } else { "" }
}

pub(super) fn taskfile(text: &str) -> Vec<Task> {
    let read = read(text);
    let of = |(name, value): (&String, &Value)| {
        let runs = lines(value.get("cmds").or_else(|| value.get("cmd")).unwrap_or(value));
        let runs = runs.map(|it| it + if value.is_object() { ignored(value) } else { "" });
        Task::new(format!("task {name}"), runs)
    };
    let tasks = read.get("tasks").and_then(Value::as_object);
    tasks.into_iter().flatten().take(TASKS_MAX).map(of).collect()
}

pub(super) fn workflow(text: &str) -> Vec<Task> {
    let read = read(text);
    let jobs = read.get("jobs").and_then(Value::as_object).into_iter().flatten();
    let steps = jobs.filter_map(|(_, job)| job.get("steps")?.as_array()).flatten();
    checks(steps.filter_map(|it| it.get("run")?.as_str()))
}

pub(super) fn gitlab(text: &str) -> Vec<Task> {
    let read = read(text);
    let jobs = read.as_object().into_iter().flatten();
    let scripts = jobs.filter_map(|(_, job)| job.get("script"));
    let of = |it: &Value| match it {
        Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        one => one.as_str().map(str::to_owned).into_iter().collect::<Vec<_>>(),
    };
    let lines: Vec<String> = scripts.flat_map(of).collect();
    checks(lines.iter().map(String::as_str))
}

/// The lines that are one command, and that one a known check; where a line before it goes into a folder, that is
/// said.
fn checks<'a>(scripts: impl Iterator<Item = &'a str>) -> Vec<Task> {
    let lines = |text: &'a str| {
        let mut folder = String::new();
        let placed = |line: &'a str| {
            let line = line.trim();
            if line.starts_with("cd ") && !line.contains("&&") {
                folder.push_str(line.trim_end_matches(';'));
                folder.push_str(" && ");
            }
            (line, format!("{folder}{line}"))
        };
        text.lines().take(10 * TASKS_MAX).map(placed).collect::<Vec<_>>()
    };
    let is_check = |(line, _): &(&str, String)| {
        let script = Script::of(line);
        let calls = calls(&script, &CheckRules::default());
        script.commands.len() == 1 && calls.first().is_some_and(|it| it.trust <= Trust::Task)
    };
    let lines = scripts.flat_map(lines).take(10 * TASKS_MAX);
    let lines = lines.filter(|it| !it.1.contains(['$', '`', '<', '>', '\\'])).filter(is_check);
    lines.take(TASKS_MAX).map(|(line, runs)| Task::new(line, runs)).collect()
}
