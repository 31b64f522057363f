//! The planted-link table: every file and folder below `.annals`, `.annals` itself and every store with
//! what lies beside it, replaced by each of eight things, under each command.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;

use crate::project::{NOBODY, Project};

/// Far more than any command takes, also on a machine that is busy.
const WAIT_MAX: Duration = Duration::from_secs(60);
const SESSION: &str = "11111111-1111-4111-8111-111111111111";

const COMMANDS: [&str; 14] = [
    "hook SessionStart",
    "hook PreToolUse",
    "hook PostToolUse",
    "run -- true",
    "record",
    "import claude-code",
    "status",
    "repair",
    "log",
    "rebuild",
    "memory set goal --branch a",
    "repo note add careful",
    "debug attempt",
    "context",
];

const PLANTS: [&str; 8] = [
    "link to a file",
    "link to an empty file",
    "link to a folder",
    "dangling link",
    "hard link",
    "pipe",
    "folder",
    "foreign owner",
];

/// Files that come and go, or that a quiet project has none of.
const BESIDE: [&str; 12] = [
    "execution_log.db-wal",
    "execution_log.db-shm",
    "execution_log.db-journal",
    "codegraph.db-wal",
    "codegraph.db-shm",
    ".annals/index.db-wal",
    ".annals/index.db-shm",
    ".annals/errors.jsonl",
    ".annals/quarantine",
    ".annals/journal/quarantine",
    ".annals/journal/blobs",
    ".annals/building",
];

struct Ground {
    base: Project,
    scratch: TempDir,
    outside: PathBuf,
}

impl Ground {
    fn new() -> Self {
        let base = Project::new();
        let session = |name: &str| format!("{SESSION}-{name}");
        base.annals(["run", "--", "true"]).code(0);
        base.annals(["run", "--", "false"]).code(1);
        drop(base.annals(["memory", "fork", "a"]));
        drop(base.annals(["repo", "note", "add", "careful", "with", "links"]));
        drop(base.annals(["context"]));
        drop(base.annals(["timeline", "--session", &session("s")]));
        for event in ["SessionStart", "PreToolUse", "PostToolUse"] {
            let mut command = base.command();
            command.args(["hook", "claude-code"]).write_stdin(hook(base.root(), event));
            drop(command.output().expect("it runs"));
        }
        base.annals(["log"]).code(0);
        let scratch = TempDir::new().expect("a folder");
        let outside = scratch.path().join("outside");
        Self { base, scratch, outside }
    }

    /// Every name that annals has here, and those beside that may come.
    fn places(&self) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = BESIDE.iter().map(PathBuf::from).collect();
        found.push(PathBuf::from(".annals"));
        let mut folders = vec![self.base.path(".annals")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("listed") {
                let path = entry.expect("an entry").path();
                found.push(path.strip_prefix(self.base.root()).expect("below").to_owned());
                if path.is_dir() {
                    folders.push(path);
                }
            }
        }
        for store in ["execution_log.db", "codegraph.db"] {
            found.extend([store.into(), format!("{store}.lock").into()]);
        }
        found.sort();
        found.dedup();
        assert!(found.len() > 25, "{found:?}");
        found
    }

    /// Somebody's files, and a copy of the project with one of its names replaced; `None` where that
    /// makes no sense.
    fn planted(&self, place: &Path, plant: &str) -> Option<PathBuf> {
        let project = self.scratch.path().join("project");
        drop(fs::remove_dir_all(&project));
        drop(fs::remove_dir_all(&self.outside));
        let copied =
            std::process::Command::new("cp").arg("-a").arg(self.base.root()).arg(&project).status();
        assert!(copied.expect("cp runs").success());
        fs::create_dir_all(self.outside.join("folder/within")).expect("made");
        let (precious, empty) = (self.outside.join("precious"), self.outside.join("empty"));
        let text = "a person wrote this, and wants it back\n".repeat(200);
        for (path, text) in
            [(&precious, text.as_str()), (&empty, ""), (&self.outside.join("folder/note"), "note")]
        {
            fs::write(path, text).expect("written");
            fs::set_permissions(path, Permissions::from_mode(0o644)).expect("set");
        }
        let at = project.join(place);
        let about = fs::symlink_metadata(&at);
        if plant == "foreign owner" {
            about.ok()?; // nothing there to give away
            chown(&at, Some(NOBODY), Some(NOBODY)).ok()?; // only root can
            return Some(project);
        }
        let original = match &about {
            Ok(about) if about.is_file() && about.len() > 0 => fs::read(&at).ok(), // else the text above
            _ => None,
        };
        match about {
            Ok(about) if about.is_dir() => fs::remove_dir_all(&at).expect("taken away"),
            Ok(_) => fs::remove_file(&at).expect("taken away"),
            Err(_) => fs::create_dir_all(at.parent().expect("a folder")).expect("made"),
        }
        match plant {
            "link to a file" => {
                // What it leads to looks like the real one: the best a stranger can do.
                if let Some(original) = original {
                    fs::write(&precious, original).expect("written");
                }
                symlink(&precious, &at).expect("a link");
            }
            "link to an empty file" => symlink(&empty, &at).expect("a link"),
            "link to a folder" => symlink(self.outside.join("folder"), &at).expect("a link"),
            "dangling link" => symlink(self.outside.join("none"), &at).expect("a link"),
            "hard link" => {
                if let Some(original) = original {
                    fs::write(&precious, original).expect("written");
                }
                fs::hard_link(&precious, &at).expect("a link");
            }
            "pipe" => {
                mknodat(CWD, &at, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe")
            }
            _ => fs::create_dir(&at).expect("a folder"),
        }
        Some(project)
    }

    fn command(&self, project: &Path, what: &str) -> Command {
        let mut command = self.base.command();
        command.current_dir(project).timeout(WAIT_MAX);
        command
            .env("HOME", self.scratch.path().join("home"))
            .env_remove("XDG_STATE_HOME")
            .env("ANNALS_SESSION", "s");
        command.env("XDG_CACHE_HOME", self.scratch.path().join("cache"));
        match what.split_once(' ') {
            Some(("hook", event)) => {
                command.args(["hook", "claude-code"]).write_stdin(hook(project, event))
            }
            Some(("import", _)) => {
                let lines = format!(
                    concat!(
                        r#"{{"type":"user","sessionId":"{0}","uuid":"u","cwd":"/p","timestamp":"2026-11-20T10:00:00Z","message":{{"role":"user","content":"hello"}}}}"#,
                        "\n"
                    ),
                    SESSION
                );
                let path = self.scratch.path().join("session.jsonl");
                fs::write(&path, lines).expect("written");
                command.args(["import", "claude-code"]).arg(path)
            }
            Some(("debug", _)) => {
                command.args(["debug", "attempt", "--error", "it broke", "--failed", "tried again"])
            }
            None if what == "record" => command
                .arg("record")
                .write_stdin(r#"{"tool":"file_read","arguments":{"path":"a"},"exit_code":0}"#),
            _ => command.args(what.split(' ')),
        };
        command
    }
}

#[test]
fn nothing_outside_is_touched_and_nothing_hangs_whatever_lies_under_our_names() {
    let ground = Ground::new();
    let full = std::env::var_os("ANNALS_TORTURE").is_some_and(|form| form == "full");
    let (mut tried, mut left_out, mut faults) = (0, 0, Vec::new());
    for (number, place) in ground.places().iter().enumerate() {
        for (turn, plant) in PLANTS.iter().enumerate() {
            // The short form has each place with each plant once, under commands that take turns.
            let one = (number * 3 + turn) % COMMANDS.len();
            for (_, what) in COMMANDS.iter().enumerate().filter(|(at, _)| full || *at == one) {
                let Some(project) = ground.planted(place, plant) else {
                    left_out += 1;
                    continue;
                };
                tried += 1;
                let before = everything(&ground.outside);
                let output = ground.command(&project, what).output().expect("it runs");
                let fault = match output.status.code() {
                    None => Some("it hung, or was killed".to_owned()),
                    Some(code @ (101 | 134)) => Some(format!("exit {code}")),
                    Some(code) if what.starts_with("hook") && code != 0 => {
                        Some(format!("exit {code}"))
                    }
                    Some(0) if what.starts_with("hook") && !is_answer(&output.stdout) => {
                        Some("no answer".to_owned())
                    }
                    _ if everything(&ground.outside) != before => {
                        Some("touched what is outside".to_owned())
                    }
                    _ => None,
                };
                if let Some(fault) = fault {
                    let told = String::from_utf8_lossy(&output.stderr);
                    faults.push(format!("{plant} as {}, {what}: {fault}: {told}", place.display()));
                }
            }
        }
    }
    let told =
        format!("planted links: {tried} trials, {left_out} left out, {} faults", faults.len());
    writeln!(std::io::stderr(), "{told}").expect("told");
    assert!(faults.is_empty(), "{told}\n{}", faults.join("\n"));
}

fn is_answer(bytes: &[u8]) -> bool {
    bytes.trim_ascii().is_empty() || serde_json::from_slice::<serde_json::Value>(bytes).is_ok()
}

fn hook(project: &Path, event: &str) -> String {
    let more = match event {
        "SessionStart" => r#""source":"startup""#,
        "PreToolUse" => r#""tool_name":"Bash","tool_input":{"command":"true"},"tool_use_id":"t1""#,
        _ => {
            r#""tool_name":"Bash","tool_input":{"command":"true"},"tool_use_id":"t1","tool_response":{"stdout":"","stderr":"","interrupted":false}"#
        }
    };
    format!(
        r#"{{"session_id":"{SESSION}","transcript_path":"/nonexistent","cwd":{:?},"hook_event_name":"{event}",{more}}}"#,
        project.display().to_string()
    )
}

/// Every name below a folder with its mode, its time of change and its content.
fn everything(folder: &Path) -> BTreeMap<PathBuf, (u32, i64, i64, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("listed") {
            let path = entry.expect("an entry").path();
            let about = fs::symlink_metadata(&path).expect("there");
            let bytes = if about.is_file() { fs::read(&path).expect("read") } else { Vec::new() };
            let seen = (about.mode(), about.mtime(), about.mtime_nsec(), bytes);
            found.insert(path.clone(), seen);
            if about.is_dir() {
                folders.push(path);
            }
        }
    }
    found
}
