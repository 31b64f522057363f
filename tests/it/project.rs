//! A project in a folder of its own, and the program run in it.

use std::ffi::OsStr;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// The user who owns nothing.
pub const NOBODY: u32 = 65_534;

/// A folder that is deleted with its test.
pub struct Project {
    dir: TempDir,
}

impl Project {
    /// An empty folder, no project yet.
    pub fn empty() -> Self {
        Self { dir: TempDir::new().expect("a temporary folder") }
    }

    /// A folder in which `annals init` ran.
    pub fn new() -> Self {
        let project = Self::empty();
        project.annals(["init"]).code(0);
        project
    }

    pub fn root(&self) -> &Path {
        self.dir.path()
    }

    /// Takes away what the user's own state says of journals, as on a machine that never saw them: what that comes
    /// to is for `attacks.rs`.
    pub fn unsee(&self) {
        let Ok(names) = std::fs::read_dir(self.path(".local/state/annals")) else { return };
        for entry in names.map(|entry| entry.expect("an entry")) {
            if entry.file_name().to_string_lossy().starts_with("seen-") {
                std::fs::remove_file(entry.path()).expect("removed");
            }
        }
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.root().join(relative)
    }

    pub fn write(&self, relative: &str, text: &str) -> PathBuf {
        let path = self.path(relative);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("the folder is made");
        }
        std::fs::write(&path, text).expect("the file is written");
        path
    }

    /// The program, with nothing of the developer's own settings.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        command.current_dir(self.root());
        self.surroundings(&mut command);
        command
    }

    /// Runs it with these arguments.
    pub fn annals<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Ran {
        Ran::of(self.command().args(arguments))
    }

    /// A shell in its folder, with the program's surroundings.
    pub fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(self.root());
        self.surroundings(&mut command);
        command
    }

    /// A shell of the user nobody; only root may ask for it.
    pub fn shell_as_nobody(&self, script: &str) -> Command {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", script]).current_dir(self.root()).uid(NOBODY).gid(NOBODY);
        let mut command = Command::from_std(shell);
        self.surroundings(&mut command);
        command
    }

    fn surroundings(&self, command: &mut Command) {
        command.env("TZ", "UTC").env("HOME", self.root());
        // Nor the folder that other crates of the same name are built in: a check would find them.
        // Nor the settings of agents on this machine.
        let agents = ["CLAUDE_CONFIG_DIR", "CODEX_HOME"];
        let own = ["ANNALS_DIR", "ANNALS_SESSION", "NO_COLOR", "CARGO_TARGET_DIR"];
        // Nor what this program's tests remember in their own process.
        let folders = ["XDG_STATE_HOME", "XDG_CACHE_HOME"];
        for name in own.into_iter().chain(agents).chain(folders) {
            command.env_remove(name);
        }
    }

    /// The last segment of its journal.
    pub fn segment(&self) -> PathBuf {
        let mut segments: Vec<_> = std::fs::read_dir(self.path(".annals/journal"))
            .expect("a journal")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension() == Some(OsStr::new("seg")))
            .collect();
        segments.sort();
        segments.pop().expect("a segment")
    }
}

/// What the program did.
pub struct Ran {
    pub what: String,
    pub output: Output,
}

impl Ran {
    pub fn of(command: &mut Command) -> Self {
        let what = format!("{command:?}");
        Self { what, output: command.output().expect("the program runs") }
    }

    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// Holds the exit code, and shows everything where it is another.
    #[track_caller]
    pub fn code(self, expect: i32) -> Self {
        assert_eq!(
            self.output.status.code(),
            Some(expect),
            "{}\n--- stdout\n{}--- stderr\n{}",
            self.what,
            self.out(),
            self.err()
        );
        self
    }

    /// Holds that both outputs together contain the text.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        let all = format!("{}{}", self.out(), self.err());
        assert!(all.contains(text), "{}: no {text:?} in\n{all}", self.what);
        self
    }

    /// Its standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.output.stdout).unwrap_or_else(|error| {
            panic!("{}: {error} in\n{}{}", self.what, self.out(), self.err())
        })
    }
}
