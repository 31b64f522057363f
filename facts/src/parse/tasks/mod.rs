//! Tasks that a project's files name, and which of them check the work: by what they run, not by their name.

mod judge;
mod lines;
mod manifest;
#[cfg(test)]
mod tests;
mod yaml;

pub use judge::check_of;

/// Of one file, bytes; a larger one is not looked at.
pub const FILE_BYTES_MAX: usize = 256 << 10;
/// Of one file, tasks.
const TASKS_MAX: usize = 256;

/// A task of a project, as it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// `mise run test`.
    pub command: String,
    /// The command line behind it, where the file says it.
    pub runs: Option<String>,
}

impl Task {
    fn new(command: impl Into<String>, runs: impl Into<Option<String>>) -> Self {
        Self { command: command.into(), runs: runs.into() }
    }

    /// What a known program is called as is what runs.
    fn itself(command: &str) -> Self {
        Self::new(command, command.to_owned())
    }
}

/// Of one task, commands that are looked at for calls of others, and how deep these go.
const CALLS_MAX: usize = 32;
const CALLS_DEPTH_MAX: usize = 4;

/// The tasks of one file; those that call others of it are what these run.
pub fn expanded(tasks: Vec<Task>) -> Vec<Task> {
    let is_plain = |it: &&str| !it.contains([';', '|', '\n']) && !it.contains(" & ");
    let runs = |call: &str| {
        let call = called(call);
        tasks.iter().find(|it| it.command == call)?.runs.as_deref().filter(is_plain)
    };
    let through = |task: &Task| {
        let mut parts: Vec<&str> = task.runs.as_deref()?.split(" && ").collect();
        for _ in 0..CALLS_DEPTH_MAX {
            let inner = parts.iter().flat_map(|it| runs(it).unwrap_or(it).split(" && "));
            parts = match inner.clone().nth(CALLS_MAX) {
                None => inner.collect(),
                Some(_) => break,
            };
        }
        Some(parts.join(" && ")).filter(|it| it.len() <= FILE_BYTES_MAX)
    };
    tasks.iter().map(|it| Task { runs: through(it), ..it.clone() }).collect()
}

/// A script of Node's as `npm run` calls it; another task's call as it is.
fn called(call: &str) -> String {
    let words: Vec<&str> = call.split_whitespace().collect();
    match words[..] {
        ["npm" | "pnpm" | "yarn" | "bun", "run" | "run-script", name] => format!("npm run {name}"),
        ["pnpm" | "yarn", name] | ["npm", name @ "test"] => format!("npm run {name}"),
        _ => words.join(" "),
    }
}

type Reader = fn(&str) -> Vec<Task>;

/// The files that are looked into, each with its reader.
pub const FILES: &[(&str, Reader)] = &[
    ("mise.toml", manifest::mise),
    (".mise.toml", manifest::mise),
    (".config/mise.toml", manifest::mise),
    ("Makefile", lines::make),
    ("makefile", lines::make),
    ("GNUmakefile", lines::make),
    ("justfile", lines::just),
    ("Justfile", lines::just),
    (".justfile", lines::just),
    ("Taskfile.yml", yaml::taskfile),
    ("Taskfile.yaml", yaml::taskfile),
    ("package.json", manifest::package),
    ("Cargo.toml", manifest::cargo),
    (".cargo/config.toml", manifest::cargo_aliases),
    ("pyproject.toml", manifest::pyproject),
    ("tox.ini", lines::tox),
    ("noxfile.py", lines::nox),
    ("go.mod", lines::go_module),
    (".gitlab-ci.yml", yaml::gitlab),
];

/// Folders whose files are looked into as well, by the ends of their names, each with its reader.
pub const FOLDERS: &[(&str, &[&str], FolderReader)] = &[
    (".github/workflows", &[".yml", ".yaml"], |_, text| yaml::workflow(text)),
    ("mise-tasks", &[""], lines::file_task),
    (".mise/tasks", &[""], lines::file_task),
];

/// Of a file's name and its text.
pub type FolderReader = fn(&str, &str) -> Vec<Task>;

/// The command lines of a task as one: each is run where the one before it went well.
fn joined<'a>(lines: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let lines: Vec<&str> = lines.into_iter().map(str::trim).filter(|it| !it.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join(" && "))
}

/// A script as its lines, without what a shell skips. One with more than commands in it stays as it is.
fn script(text: &str) -> Option<String> {
    const MORE: [&str; 13] = [
        "if", "then", "else", "fi", "for", "while", "until", "do", "done", "case", "esac",
        "function", "trap",
    ];
    let text = text.replace("\\\n", " ");
    let is_said =
        |line: &&str| !line.is_empty() && !line.starts_with('#') && !line.starts_with("set -");
    let lines: Vec<&str> = text.lines().map(str::trim).filter(is_said).collect();
    let first = |line: &&str| line.split([' ', ';']).next().unwrap_or_default().to_owned();
    let has_more = lines.iter().any(|line| {
        MORE.contains(&first(line).as_str())
            || line.contains("<<")
            || line.ends_with('{')
            || *line == "}"
    });
    if has_more { Some(lines.join("\n")) } else { joined(lines) }
}
