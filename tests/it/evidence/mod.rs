//! Copies, read-only places and the past: everything is answered, and no byte of a source changes.

mod copied;
mod forged;
mod hot;
mod named;
mod past;
mod untouched;
mod wanted;
mod worth;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::project::{Project, Ran};

/// Every command that asks, as it is run in a project's folder.
const ASKING: &[&str] = &[
    "",
    "log",
    "log --json",
    "log --failed --grep echo",
    "show 1",
    "show last --json",
    "sessions",
    "sessions --format jsonl",
    "status",
    "status --digest --json",
    "verify",
    "rebuild --check",
    "inspect .",
    "log --at @5",
    "show last --at 2",
    "status --at 1h",
    "replay",
    "replay --json",
    "trace src/a1.rs",
    "trace last --json",
    "export jsonl",
    "export csv executions",
    "sql select(1)",
    "failures",
    "query diagnostic E0425",
    "query recurring",
    "query latest src/a1.rs",
    "trace src/a1.rs --at @7",
    "report -o -",
    "report --json",
];

/// A project with calls of several kinds, and a cache that is not in its folder.
struct Evidence {
    project: Project,
    outside: TempDir,
}

impl Evidence {
    fn new() -> Self {
        let evidence =
            Self { project: Project::new(), outside: TempDir::new().expect("a temporary folder") };
        for number in 0..4 {
            evidence.record(number);
        }
        evidence.project.annals(["log"]).code(0);
        evidence
    }

    /// One call more: every second fails, with a diagnostic.
    fn record(&self, number: usize) {
        let line = format!(
            concat!(
                r#"{{"tool":"lsp_check","arguments":{{"path":"src/a{0}.rs"}},"exit_code":{1},"#,
                r#""stdout":"echo {0}","diagnostics":[{{"level":"error","message":"m","#,
                r#""file_name":"src/a.rs","line_start":3,"code":"E0425"}}],"#,
                r#""paths":["src/a{0}.rs"],"session":"s1","agent":"x","call":"c{0}"}}"#
            ),
            number,
            number % 2 * 101
        );
        Ran::of(self.project.command().arg("record").write_stdin(line)).code(0);
    }

    fn root(&self) -> &Path {
        self.project.root()
    }

    fn cache(&self) -> PathBuf {
        self.outside.path().join("cache")
    }

    /// The program in a folder, with the cache outside.
    fn run(&self, folder: &Path, arguments: &str) -> Ran {
        let mut command = self.project.command();
        command.current_dir(folder).env("XDG_CACHE_HOME", self.cache());
        Ran::of(command.args(arguments.split_whitespace()))
    }

    /// A copy of the project as it lies there.
    fn copy(&self, name: &str) -> PathBuf {
        let to = self.outside.path().join(name);
        copy(self.root(), &to);
        to
    }
}

/// Arguments for a shell.
fn quoted(arguments: &str) -> String {
    arguments.split_whitespace().map(|word| format!(" '{word}'")).collect()
}

fn copy(from: &Path, to: &Path) {
    let done = std::process::Command::new("cp").arg("-a").arg(from).arg(to).status();
    assert!(done.expect("cp runs").success());
}

/// Every name below a folder with its kind, mode, times and content.
fn everything(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let about = fs::symlink_metadata(&path).expect("there");
            let content = match about.is_file() {
                true => blake3::hash(&fs::read(&path).expect("read")).to_hex().to_string(),
                false => String::new(),
            };
            let changed = (about.mtime(), about.mtime_nsec(), about.ctime(), about.ctime_nsec());
            found.insert(path.clone(), format!("{:o} {changed:?} {content}", about.mode()));
            if about.is_dir() {
                folders.push(path);
            }
        }
    }
    assert!(found.len() > 1, "{found:?}");
    found
}

fn digests(status: &serde_json::Value) -> Vec<String> {
    let stores = status["stores"].as_array().expect("stores").iter();
    stores.map(|store| store["digest"].as_str().expect("a digest").to_owned()).collect()
}
