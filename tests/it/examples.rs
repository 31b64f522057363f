//! Every command that README and `docs/` show runs here, and prints what is shown.
//!
//! A page is run from top to bottom in a folder of its own. What a reader need not see stands in comments:
//! `<!-- $ command -->` runs and must succeed, `<!-- NAME=value -->` is set from there on, `<!-- file NAME -->`
//! makes the block below it that file, `<!-- new folder -->` begins anew, `<!-- not run: why -->` leaves the
//! block below out. Ids, times, durations, sizes and offsets may differ; a line `…` stands for any lines, and a line
//! that ends so for any end. `ANNALS_EXAMPLES=write` puts what was printed into the pages.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;
use tempfile::TempDir;

use crate::debug::crates::with_toolchain;
use crate::skipped::skipped;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn readme_prints_what_it_shows() {
    run("README.md");
}

#[test]
fn using_prints_what_it_shows() {
    run("docs/using.md");
}

#[test]
fn exported_tables_print_what_is_shown() {
    run("docs/exported.md");
}

#[test]
fn agents_print_what_is_shown() {
    run("docs/agents.md");
}

#[test]
fn memory_prints_what_it_shows() {
    run("docs/memory.md");
}

#[test]
fn repo_memory_prints_what_it_shows() {
    run("docs/repo-memory.md");
}

#[test]
fn debug_memory_prints_what_it_shows() {
    run("docs/debug-memory.md");
}

#[test]
fn phases_print_what_is_shown() {
    run("docs/phases.md");
}

#[test]
fn pipe_prints_what_it_shows() {
    run("docs/pipe.md");
}

#[test]
fn redaction_prints_what_it_shows() {
    run("docs/redaction.md");
}

#[test]
fn evidence_prints_what_it_shows() {
    run("docs/evidence.md");
}

#[test]
fn report_prints_what_it_shows() {
    run("docs/report.md");
}

#[test]
fn checkpoints_print_what_is_shown() {
    run("docs/checkpoints.md");
}

#[test]
fn archive_prints_what_it_shows() {
    run("docs/archive.md");
}

#[test]
fn fleet_prints_what_it_shows() {
    run("docs/fleet.md");
}

/// A page without commands needs no test; one with some is named above.
#[test]
fn every_page_with_commands_is_run() {
    let this = include_str!("examples.rs");
    for page in std::fs::read_dir(Path::new(ROOT).join("docs")).expect("docs") {
        let path = page.expect("a page").path();
        let name = format!("docs/{}", path.file_name().expect("a name").to_string_lossy());
        if !name.ends_with(".md") {
            continue; // a picture
        }
        let text = std::fs::read_to_string(&path).expect("a page");
        assert!(!text.contains("\n    $ ") || this.contains(&format!("run({name:?})")), "{name}");
    }
}

/// A folder of its own, beside a home of its own.
struct Scene {
    dir: TempDir,
    variables: Vec<(String, String)>,
    /// Where the last command left its shell.
    at: PathBuf,
}

impl Scene {
    fn new(files: &[(String, String)]) -> Self {
        let dir = TempDir::new().expect("a folder");
        let at = dir.path().canonicalize().expect("a folder").join("demo");
        let scene = Self { dir, variables: Vec::new(), at };
        for folder in ["demo", "home"] {
            std::fs::create_dir(scene.dir.path().join(folder)).expect("made");
        }
        for (name, text) in files {
            std::fs::write(scene.at.join(name), text).expect("written");
        }
        scene
    }

    /// What a terminal would show of a command, and how it ended.
    fn run(&mut self, command: &str) -> (String, bool) {
        let program = Path::new(env!("CARGO_BIN_EXE_annals")).parent().expect("a folder");
        let path = std::env::var_os("PATH").expect("a PATH");
        let folders = std::iter::once(program.to_owned()).chain(std::env::split_paths(&path));
        let mut shell = assert_cmd::Command::new("sh");
        shell.args(["-c", &format!("{{ {command}\n}} 2>&1; ended=$?; pwd -P >../at; exit $ended")]);
        shell.current_dir(&self.at);
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if ["ANNALS_", "CLAUDE_", "CODEX_", "XDG_", "NO_COLOR"]
                .iter()
                .any(|it| name.starts_with(it))
            {
                shell.env_remove(&*name);
            }
        }
        shell.env_remove("CARGO_TARGET_DIR").env("HOME", self.dir.path().join("home"));
        shell
            .env("TZ", "UTC")
            .env("RUST_TEST_THREADS", "1")
            .env("EXAMPLES", Path::new(ROOT).join("tests/fixtures/examples"))
            .env("QUESTIONS", Path::new(ROOT).join("docs/questions"));
        shell.env("CLIENTS", Path::new(ROOT).join("clients"));
        with_toolchain(&mut shell);
        shell.env("PATH", std::env::join_paths(folders).expect("folders"));
        shell.envs(self.variables.iter().map(|(name, value)| (name, value)));
        let output = shell.output().expect("a shell");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let above =
            self.dir.path().canonicalize().expect("a folder").to_string_lossy().into_owned();
        let at = std::fs::read_to_string(self.dir.path().join("at")).expect("where it ended");
        self.at = PathBuf::from(at.trim_end());
        let printed =
            printed.replace(&format!("{above}/home"), "/home/you").replace(&above, "/tmp");
        (printed, output.status.success())
    }
}

/// Runs a page.
fn run(page: &str) {
    for program in ["cc", "python3", "git"] {
        let found = std::process::Command::new(program).arg("--version").output();
        if !found.is_ok_and(|it| it.status.success()) {
            return skipped(&format!("{program} is not installed"));
        }
    }
    let path = Path::new(ROOT).join(page);
    let text = std::fs::read_to_string(&path).expect("a page");
    let lines: Vec<&str> = text.lines().collect();
    let files = files(&lines);
    let mut scene = Scene::new(&files);
    let (mut written, mut wrong) = (Vec::new(), Vec::new());
    let mut at = 0;
    let mut is_left_out = false;
    while let Some(line) = lines.get(at) {
        at += 1;
        written.push((*line).to_owned());
        if let Some(hidden) = line.strip_prefix("<!-- ").and_then(|it| it.strip_suffix(" -->")) {
            if let Some(command) = hidden.strip_prefix("$ ") {
                let (printed, is_fine) = scene.run(command);
                assert!(is_fine, "{page}:{at}: {command}\n{printed}");
            } else if hidden == "new folder" {
                scene = Scene::new(&files);
            } else if hidden.starts_with("not run: ") {
                is_left_out = true;
            } else if let Some((name, value)) = hidden.split_once('=') {
                scene.variables.push((name.to_owned(), value.to_owned()));
            }
            continue;
        }
        is_left_out &= line.is_empty() || line.starts_with("    ");
        let Some(command) = line.strip_prefix("    $ ").filter(|_| !is_left_out) else { continue };
        let begins = at;
        while lines.get(at).is_some_and(|it| is_output(it, lines.get(at + 1))) {
            at += 1;
        }
        let shown: Vec<&str> =
            lines[begins..at].iter().map(|it| it.strip_prefix("    ").unwrap_or("")).collect();
        let (printed, _) = scene.run(command);
        let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
        if shown.iter().any(|it| it.ends_with('…')) {
            written.extend(lines[begins..at].iter().map(|it| (*it).to_owned()));
        } else {
            let indented =
                |it: &&str| if it.is_empty() { String::new() } else { format!("    {it}") };
            written.extend(printed.iter().map(indented));
        }
        if !are_alike(&shown, &printed) {
            wrong.push(format!("{page}:{begins}: $ {command}\n{}\n", printed.join("\n")));
        }
    }
    if std::env::var_os("ANNALS_EXAMPLES").is_some_and(|it| it == "write") {
        std::fs::write(&path, written.join("\n") + "\n").expect("written");
    } else {
        assert!(wrong.is_empty(), "printed other than shown:\n{}", wrong.join("\n"));
    }
}

/// Whether a line is of what a command printed; an empty one, where more follows.
fn is_output(line: &str, next: Option<&&str>) -> bool {
    let is_of_block = |it: &str| it.starts_with("    ") && !it.starts_with("    $ ");
    is_of_block(line) || line.is_empty() && next.is_some_and(|it| is_of_block(it))
}

/// The files that a page brings: the block below `<!-- file NAME -->`.
fn files(lines: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let name = line.strip_prefix("<!-- file ").and_then(|it| it.strip_suffix(" -->"));
        let Some(name) = name else { continue };
        let block = lines[at + 1..].iter().skip_while(|it| it.is_empty());
        let block = block.take_while(|it| it.is_empty() || it.starts_with("    "));
        let text: Vec<&str> = block.map(|it| it.strip_prefix("    ").unwrap_or("")).collect();
        found.push((name.to_owned(), text.join("\n").trim_end().to_owned() + "\n"));
    }
    found
}

/// Whether what was printed is what is shown, but for what differs each time.
fn are_alike(shown: &[&str], printed: &[&str]) -> bool {
    let Some((first, rest)) = shown.split_first() else { return printed.is_empty() };
    if *first == "…" {
        return (0..=printed.len()).any(|skip| are_alike(rest, &printed[skip..]));
    }
    let Some((told, more)) = printed.split_first() else { return false };
    let is_same = match first.strip_suffix('…') {
        Some(beginning) => steady(told).starts_with(&steady(beginning)),
        None => steady(first) == steady(told),
    };
    is_same && are_alike(rest, more)
}

/// A line without what differs each time: ids, times, durations, sizes, and the width of columns.
fn steady(line: &str) -> String {
    static CHANGING: LazyLock<Regex> = LazyLock::new(|| {
        let id = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{16,}\b|\b[0-9a-f]{12}\b|\b[0-9a-f]{8}\b";
        let time = r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z?|\d\d:\d\d:\d\d";
        let amount = r"\b\d+(\.\d+)? ?(ms|s|min|B|KiB|MiB|bytes)\b";
        // Events hold the folder's path and the machine's name.
        let offset = r"at byte \d+";
        Regex::new(&format!("{id}|{time}|{offset}|{amount}")).expect("a pattern")
    });
    let steady = CHANGING.replace_all(line, "~");
    steady.split_whitespace().collect::<Vec<_>>().join(" ")
}
