//! A project with a home, a cache and a folder for temporary files of its own, and secrets that say by
//! which door they came.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

use crate::project::Ran;

/// What every planted secret has in its middle; the door's number of four digits follows.
pub const MARK: &str = "Qx7ZvKd3WmR9";

const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// A project, all that is written besides, and what is given to it from elsewhere.
pub struct World {
    dir: TempDir,
    /// What each door is called.
    pub doors: Vec<String>,
    /// No rule knows its secrets.
    is_unknown: bool,
}

impl World {
    pub fn new() -> Self {
        let world =
            Self { dir: TempDir::new().expect("a folder"), doors: Vec::new(), is_unknown: false };
        for folder in ["app", "home", "cache", "tmp", "given"] {
            std::fs::create_dir(world.path(folder)).expect("a folder");
        }
        world.annals(&["init"]).code(0);
        // Where a power failure is not the point, nobody waits for a disk.
        let config = world.path("app/.annals/config.toml");
        let text = std::fs::read_to_string(&config).expect("settings");
        let buffered = text.replace("durability = \"group\"", "durability = \"buffered\"");
        assert_ne!(text, buffered, "the setting has another name");
        std::fs::write(config, buffered).expect("written");
        world
    }

    /// One whose secrets no rule knows.
    pub fn unknown() -> Self {
        Self { is_unknown: true, ..Self::new() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Where the program writes.
    pub fn written(&self) -> [PathBuf; 4] {
        ["app", "home", "cache", "tmp"].map(|name| self.path(name))
    }

    /// What lies elsewhere and is the user's own.
    pub fn give(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path("given").join(name);
        std::fs::write(&path, text).expect("written");
        path
    }

    /// A secret that no rule could miss, of this door.
    pub fn secret(&mut self, door: &str) -> String {
        let door_no = self.doors.len();
        if self.is_unknown {
            return self.plain(door);
        }
        let (lead, before, after) = match door_no % 3 {
            0 => (["gh", "p_"], 8, 12),
            1 => (["sk-ant", "-api03-"], 40, 37),
            _ => (["sk_", "live_"], 8, 0),
        };
        let end = if after == 37 { "AA" } else { "" };
        let filled = |count: usize, seed: usize| filler(count, door_no * 2 + seed);
        let secret = format!(
            "{}{}{}{MARK}{door_no:04}{}{end}",
            lead[0],
            lead[1],
            filled(before, 0),
            filled(after, 1)
        );
        self.doors.push(door.to_owned());
        secret
    }

    /// A value that only its name tells, of this door.
    pub fn plain(&mut self, door: &str) -> String {
        let door_no = self.doors.len();
        self.doors.push(door.to_owned());
        format!("horse{MARK}{door_no:04}staple")
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        command.current_dir(self.path("app")).env("TZ", "UTC");
        command
            .env("HOME", self.path("home"))
            .env_remove("XDG_STATE_HOME")
            .env("XDG_CACHE_HOME", self.path("cache"));
        command.env("TMPDIR", self.path("tmp"));
        let agents = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE"];
        for name in ["ANNALS_DIR", "ANNALS_SESSION", "CODEX_ENV_FILE"].into_iter().chain(agents) {
            command.env_remove(name);
        }
        command
    }

    pub fn annals(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command().args(arguments))
    }

    /// Runs it with this on its standard input.
    pub fn told(&self, arguments: &[&str], input: impl Into<Vec<u8>>) -> Ran {
        Ran::of(self.command().args(arguments).write_stdin(input))
    }

    /// What fills caches, and stores anew.
    pub fn read_back(&self) {
        for words in ["log --evidence --json", "timeline --at @40", "rebuild"] {
            let ran = self.annals(&words.split(' ').collect::<Vec<_>>());
            assert!(
                ran.output.status.code().is_some_and(|code| code < 2),
                "{words}: {}",
                ran.err()
            );
        }
    }
}

fn filler(count: usize, seed: usize) -> String {
    let mut state = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let one = |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from(state >> 33).expect("31 bits") % DIGITS.len();
        char::from(DIGITS[at])
    };
    (0..count).map(one).collect()
}

/// The number of the door behind a mark.
pub fn door_of(digits: &[u8]) -> Option<usize> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// What a path is called below the world.
pub fn below(world: &World, path: &Path) -> String {
    path.strip_prefix(world.dir.path()).unwrap_or(path).to_string_lossy().into_owned()
}
