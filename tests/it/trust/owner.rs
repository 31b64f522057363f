//! Another user's project is read where it is named, never picked up by itself, and never written.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

use crate::project::{NOBODY, Project, Ran};
use crate::skipped::skipped;

/// Everything below a folder: bytes, and when it was changed last.
fn all(folder: &Path) -> BTreeMap<PathBuf, (i64, i64, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(path) = pending.pop() {
        let about = fs::symlink_metadata(&path).expect("looked at");
        if about.is_dir() {
            pending
                .extend(fs::read_dir(&path).expect("read").map(|it| it.expect("an entry").path()));
        }
        let bytes = if about.is_file() { fs::read(&path).expect("read") } else { Vec::new() };
        found.insert(path, (about.mtime(), about.mtime_nsec(), bytes));
    }
    found
}

fn give_away(folder: &Path) {
    for path in all(folder).keys() {
        chown(path, Some(NOBODY), None).expect("given away");
    }
}

/// Somebody else's project with one execution; `only` names what of it is theirs.
fn theirs(only: Option<&str>) -> Option<Project> {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root can give files away");
        return None;
    }
    let project = Project::empty();
    for words in [&["init"][..], &["run", "--", "true"]] {
        Ran::of(project.command().current_dir(home(&project)).args(words)).code(0);
    }
    match only {
        None => give_away(&home(&project)),
        Some(name) => chown(home(&project).join(name), Some(NOBODY), None).expect("given away"),
    }
    Some(project)
}

/// The project's folder, below the user's home.
fn home(project: &Project) -> PathBuf {
    let path = project.path("p");
    fs::create_dir_all(&path).expect("made");
    path
}

fn hook(project: &Project, dir: Option<&Path>) -> Ran {
    let event = serde_json::json!({
        "session_id": "11111111-1111-4111-8111-111111111111", "transcript_path": "/nonexistent",
        "cwd": home(project), "hook_event_name": "SessionStart", "source": "startup",
    });
    let mut command = project.command();
    command.current_dir(home(project)).args(["hook", "claude-code", "--enforce"]);
    if let Some(dir) = dir {
        command.env("ANNALS_DIR", dir);
    }
    Ran::of(command.write_stdin(event.to_string()))
}

#[test]
fn it_is_not_picked_up_read_where_it_is_named_and_never_written() {
    for only in [None, Some(".annals"), Some("")] {
        let Some(project) = theirs(only) else { return };
        let root = home(&project);
        let before = all(&root);
        let annals = |dir: bool, words: &[&str]| {
            let mut command = project.command();
            if dir {
                command.arg("--dir").arg(&root);
            } else {
                command.current_dir(&root);
            }
            Ran::of(command.args(words))
        };
        for words in
            [&[][..], &["log"], &["status"], &["context"], &["verify"], &["export", "jsonl"]]
        {
            annals(false, words)
                .code(2)
                .says("belongs to another user (uid 65534)")
                .says("--dir DIR");
            annals(true, words).code(0);
        }
        annals(true, &["log", "--evidence"]).code(0).says("true");
        for words in [
            &["init"][..],
            &["repair"],
            &["record"],
            &["import", "auto", "/dev/null"],
            &["enable", "claude-code", "--yes"],
            &["trust", "--yes"],
            &["repo", "note", "add", "x"],
            &["pipe"],
            &["rebuild"],
        ] {
            for dir in [false, true] {
                annals(dir, words).code(2).says("nothing is written there");
            }
        }
        annals(false, &["run", "--", "true"]).code(0).says("not recorded");
        for dir in [None, Some(root.as_path())] {
            let ran = hook(&project, dir).code(0);
            assert_eq!((ran.out().trim(), ran.err().as_str()), ("{}", ""));
        }
        assert!(all(&root) == before, "something was written, of {only:?}");
    }
}

#[test]
fn root_s_and_the_caller_of_sudo_s_are_picked_up() {
    let Some(project) = theirs(None) else { return };
    let root = home(&project);
    let mut sudo = project.command();
    Ran::of(sudo.current_dir(&root).env("SUDO_UID", NOBODY.to_string()).args(["log"])).code(0);
    let mut other = project.command();
    Ran::of(other.current_dir(&root).env("SUDO_UID", "4711").args(["log"])).code(2);
    // Who is not root calls nobody: the variable says nothing.
    let own = Project::new();
    chown(own.path(".annals"), Some(4_711), None).expect("given away");
    let script = format!("SUDO_UID=4711 {} log", env!("CARGO_BIN_EXE_annals"));
    let ran = Ran::of(&mut own.shell_as_nobody(&script));
    assert_ne!(ran.output.status.code(), Some(0));
}

#[test]
fn what_may_not_be_looked_at_is_no_project_that_is_not_there() {
    if !rustix::process::geteuid().is_root() {
        return skipped("only root can ask as somebody else");
    }
    let own = Project::new();
    fs::set_permissions(own.root(), fs::Permissions::from_mode(0o755)).expect("opened");
    fs::set_permissions(own.path(".annals"), fs::Permissions::from_mode(0o700)).expect("closed");
    for command in ["log", "run -- true"] {
        let script = format!("{} {command}", env!("CARGO_BIN_EXE_annals"));
        let told = Ran::of(&mut own.shell_as_nobody(&script)).err();
        assert!(told.contains("ermission denied"), "{command}: {told}");
    }
}
