//! Tasks of files that are read by their lines: make's, just's, tox's, nox's.

use super::{TASKS_MAX, Task, joined, script};
use crate::event::limits::RUNS_BYTES_MAX;

/// A rule: its name, and the lines below it.
struct Rule<'t> {
    name: &'t str,
    lines: Vec<&'t str>,
}

/// The rules of a text. `name` tells the names of a line at the margin.
fn rules<'t>(text: &'t str, name: impl Fn(&'t str) -> Vec<&'t str>) -> Vec<Rule<'t>> {
    let mut found: Vec<Rule<'t>> = Vec::new();
    let mut open = 0;
    for line in text.lines() {
        if line.starts_with([' ', '\t']) {
            let from = found.len() - open;
            found[from..].iter_mut().for_each(|it| it.lines.push(line.trim()));
        } else if !line.trim().is_empty() && !line.starts_with('#') {
            let names = name(line);
            open = names.len().min(TASKS_MAX - found.len());
            found.extend(names.into_iter().take(open).map(|name| Rule { name, lines: Vec::new() }));
        }
    }
    found
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(['.', '-'])
        && name.chars().all(|it| it.is_ascii_alphanumeric() || "-_:./".contains(it))
}

pub(super) fn make(text: &str) -> Vec<Task> {
    let text = text.replace("\\\n", " ");
    let set = |line: &str| {
        let (name, value) = line.split_once('=')?;
        let name = name.trim_end_matches([':', '?', '+']).trim();
        let is_plain = is_name(name) && !line.starts_with('\t');
        is_plain.then(|| (name.to_owned(), value.trim().to_owned()))
    };
    let variables: Vec<(String, String)> = text.lines().filter_map(set).take(TASKS_MAX).collect();
    let names = |line| {
        let Some((names, rest)) = str::split_once(line, ':') else { return Vec::new() };
        let is_set = rest.starts_with('=') || names.contains('=');
        let names = names.split_whitespace().filter(|it| !is_set && is_name(it));
        names.collect()
    };
    let of = |rule: &Rule<'_>| {
        let line = |line: &&str| {
            let bare = line.trim_start_matches(['@', '+', '-', ' ']);
            let begin = &line[..line.len() - bare.len()];
            let mut bare = bare.to_owned();
            for (name, value) in &variables {
                if !bare.contains("$(") && !bare.contains("${") {
                    break;
                }
                bare = bare
                    .replace(&format!("$({name})"), value)
                    .replace(&format!("${{{name}}}"), value);
                bare.truncate(bare.floor_char_boundary(RUNS_BYTES_MAX));
            }
            let bare = unset(&bare);
            // Its failure is not one of the rule.
            if begin.contains('-') { format!("{bare} || true") } else { bare.replace("$$", "$") }
        };
        let lines: Vec<String> = rule.lines.iter().take(TASKS_MAX).map(line).collect();
        let lines = lines.iter().map(String::as_str).filter(|it| !it.starts_with('#'));
        Task::new(format!("make {}", rule.name), joined(lines))
    };
    rules(&text, names).iter().map(of).collect()
}

/// The line without variables that nothing sets; what may be anything (`$(shell …)`, `$(GO)` as the program)
/// stays a shell's variable.
fn unset(line: &str) -> String {
    let (mut told, mut rest) = (String::new(), line);
    while let Some(at) = rest.find('$') {
        told.push_str(&rest[..at]);
        rest = &rest[at..];
        let is_name = |it: &str| it.chars().all(|it| it.is_alphanumeric() || it == '_');
        let end = match rest.as_bytes().get(1) {
            Some(b'(') => closing(rest, '(', ')'),
            Some(b'{') => closing(rest, '{', '}'),
            _ => None,
        };
        let Some(end) = end else {
            let taken = if rest.starts_with("$$") { 2 } else { 1 };
            told.push_str(&rest[..taken]);
            rest = &rest[taken..];
            continue;
        };
        match &rest[2..end] {
            "MAKE" => told.push_str("make"),
            name if is_name(name) && !told.trim().is_empty() => {}
            _ => told.push_str("$_"),
        }
        rest = &rest[end + 1..];
    }
    told + rest
}

/// Where the first bracket ends.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    text.char_indices().find_map(|(at, it)| {
        depth += usize::from(it == open);
        depth -= usize::from(it == close && depth > 0);
        (it == close && depth == 0).then_some(at)
    })
}

pub(super) fn just(text: &str) -> Vec<Task> {
    let text = text.replace("\\\n", " ");
    let names = |line| {
        let Some((begin, rest)) = str::split_once(line, ':') else { return Vec::new() };
        let name = begin.trim_start_matches('@').split_whitespace().next();
        name.filter(|it| !rest.starts_with('=') && is_name(it)).into_iter().collect()
    };
    let of = |rule: &Rule<'_>| {
        let is_script = rule.lines.first().is_some_and(|it| it.starts_with("#!"));
        let runs = match is_script {
            true => script(&rule.lines.join("\n")),
            false => {
                let lines = rule.lines.iter().map(|it| {
                    let bare = it.trim_start_matches(['@', '-']);
                    let fails = !it[..it.len() - bare.len()].contains('-');
                    if fails { bare.to_owned() } else { format!("{bare} || true") }
                });
                let lines: Vec<String> = lines.filter(|it| !it.starts_with('#')).collect();
                joined(lines.iter().map(String::as_str))
            }
        };
        Task::new(format!("just {}", rule.name), runs)
    };
    rules(&text, names).iter().map(of).collect()
}

pub(super) fn tox(text: &str) -> Vec<Task> {
    let has = text.lines().any(|it| it.starts_with("[tox") || it.starts_with("[testenv"));
    if has { vec![Task::itself("tox")] } else { Vec::new() }
}

/// The names of its sessions: what they run is a program's affair.
pub(super) fn nox(text: &str) -> Vec<Task> {
    let mut found = Vec::new();
    let (mut is_session, mut named) = (false, None);
    for line in text.lines() {
        if line.starts_with("@nox.session") || line.starts_with("@session") {
            is_session = true;
            let name = line.split_once("name=").map(|it| it.1.trim_start_matches(['"', '\'']));
            named = name.and_then(|it| it.split(['"', '\'']).next());
        } else if let Some(rest) = line.strip_prefix("def ").filter(|_| is_session) {
            is_session = false;
            let name = named.take().or_else(|| rest.split('(').next()).unwrap_or_default();
            if is_name(name) && found.len() < TASKS_MAX {
                found.push(Task::new(format!("nox -s {name}"), None));
            }
        }
    }
    found
}

pub(super) fn go_module(text: &str) -> Vec<Task> {
    match text.lines().any(|it| it.starts_with("module ")) {
        true => ["go build ./...", "go vet ./...", "go test ./..."].map(Task::itself).into(),
        false => Vec::new(),
    }
}

/// A file of mise that is a task; one that is no shell's script is not read.
pub(super) fn file_task(name: &str, text: &str) -> Vec<Task> {
    let first = text.lines().next().unwrap_or_default();
    let is_shell = first.starts_with("#!") && first.ends_with("sh");
    let name = name.strip_suffix(".sh").unwrap_or(name);
    if !is_name(name) {
        return Vec::new();
    }
    vec![Task::new(format!("mise run {name}"), is_shell.then(|| script(text)).flatten())]
}
