//! What root makes in a user's project, as by sudo, is that user's: who owns the folder can go on with it.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

use crate::project::{NOBODY, Project, Ran};
use crate::skipped::skipped;

/// A user's home with a project in it, and a home of root's.
struct Scene {
    user: Project,
    root: Project,
}

impl Scene {
    fn new() -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            skipped("only root acts in another user's project");
            return None;
        }
        let scene = Self { user: Project::empty(), root: Project::empty() };
        fs::create_dir(scene.project()).expect("made");
        for folder in [scene.user.root(), &scene.project()] {
            chown(folder, Some(NOBODY), Some(NOBODY)).expect("given away");
        }
        Some(scene)
    }

    fn project(&self) -> PathBuf {
        self.user.path("p")
    }

    fn as_user(&self, words: &str) -> Ran {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_annals"));
        command.args(words.split(' ')).uid(NOBODY).gid(NOBODY);
        Ran::of(self.at_home(Command::from_std(command), self.user.root()).write_stdin(LINE))
    }

    /// As sudo starts it, with root's home or with the user's.
    fn as_root(&self, home: &Path, words: &str) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        command.args(words.split(' '));
        let mut command = self.at_home(command, home);
        Ran::of(command.env("SUDO_UID", NOBODY.to_string()).write_stdin(LINE))
    }

    fn at_home(&self, mut command: Command, home: &Path) -> Command {
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", home).env("TZ", "UTC").current_dir(self.project());
        command
    }

    fn of_root(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.user.root().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("listed") {
                let path = entry.expect("an entry").path();
                let about = fs::symlink_metadata(&path).expect("there");
                if about.is_dir() {
                    folders.push(path.clone());
                }
                if about.uid() != NOBODY || about.gid() != NOBODY {
                    found.push(path);
                }
            }
        }
        found
    }
}

const LINE: &str = r#"{"tool":"file_read","arguments":{"path":"a"},"exit_code":0}"#;

const ALL: [&str; 17] = [
    "init",
    "run -- true",
    "run -- false",
    "record",
    "log",
    "timeline",
    "memory fork a",
    "memory set a goal green",
    "repo note add careful",
    "debug run f.rs -- false",
    "context",
    "sql select(1)",
    "enable claude-code --yes",
    "rebuild",
    "repair",
    "verify",
    "status",
];

#[test]
fn a_user_goes_on_with_what_root_made() {
    for whose_home in ["root's", "the user's"] {
        for begins in ["the user", "root"] {
            let Some(scene) = Scene::new() else { return };
            let home = match whose_home {
                "root's" => scene.root.root().to_owned(),
                _ => scene.user.root().to_owned(),
            };
            if begins == "the user" {
                scene.as_user("init").code(0);
                scene.as_user("run -- true").code(0);
            }
            for words in ALL {
                let code = scene.as_root(&home, words).output.status.code();
                assert!(code < Some(2), "{words}: {code:?}");
                let left = scene.of_root();
                assert!(left.is_empty(), "{words}, {begins} first, {whose_home} home: {left:?}");
            }
            for words in ["run -- true", "record", "log", "timeline", "context", "verify", "status"]
            {
                scene.as_user(words).code(0);
            }
            scene.as_user("rebuild").code(0);
        }
    }
}

#[test]
fn what_a_link_leads_to_is_given_to_nobody() {
    let Some(scene) = Scene::new() else { return };
    scene.as_user("init").code(0);
    let home = scene.root.root();
    let file = scene.root.write("secret", "root's");
    let folder = scene.root.path("folder");
    fs::create_dir(&folder).expect("made");
    for name in ["look.json", "clock", "errors.jsonl", "packs", "sessions", "stamps", "owners"] {
        let place = scene.project().join(".annals").join(name);
        for target in [&file, &folder, &scene.root.path("none")] {
            drop(fs::remove_file(&place));
            drop(fs::remove_dir_all(&place));
            symlink(target, &place).expect("a link");
            for words in ["run -- true", "record", "log", "context", "status"] {
                scene.as_root(home, words);
            }
            for path in [&file, &folder, &home.to_owned()] {
                assert_eq!(fs::metadata(path).expect("there").uid(), 0, "{name}");
            }
            assert!(!scene.root.path("none").exists(), "{name}");
        }
    }
}
