//! A file of another user's below `.annals`, or in a store's place: nothing that it says is believed, nothing
//! is written to it, and who asks how things stand is told.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

use annals::internal::event::derived;
use annals::internal::grounding::fold::Grounding;
use annals::internal::grounding::gate::KeptFold;

use crate::project::{NOBODY, Project, Ran};
use crate::skipped::skipped;

const SESSION: &str = "11111111-1111-4111-8111-111111111111";

/// A project with something of everything, in it a session whose last command failed and whose agent has not
/// looked since, and a copy of it in which one file is another user's.
struct Scene {
    base: Project,
    copy: Project,
}

impl Scene {
    fn new() -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            skipped("only root can give files away");
            return None;
        }
        let scene = Self { base: Project::new(), copy: Project::empty() };
        scene.base.write("x.rs", "");
        for (words, code) in [
            ("run -- true", 0),
            ("run -- false", 1),
            ("memory fork a", 0),
            ("memory set a goal green", 0),
            ("repo note add careful", 0),
            ("debug run x.rs -- sh -c false", 1),
            ("context", 0),
        ] {
            scene.base.annals(words.split(' ')).code(code);
        }
        for (event, more) in [
            ("SessionStart", r#""source":"startup""#),
            (
                "PreToolUse",
                r#""tool_name":"Bash","tool_input":{"command":"false"},"tool_use_id":"t""#,
            ),
            (
                "PostToolUseFailure",
                r#""tool_name":"Bash","tool_input":{"command":"false"},"tool_use_id":"t","error":"Exit code 1""#,
            ),
        ] {
            hook(&scene.base, scene.base.root(), event, more);
        }
        for words in ["log", "status"] {
            scene.base.annals([words]).code(0);
        }
        Some(scene)
    }

    fn root(&self) -> PathBuf {
        self.copy.path("p")
    }

    /// Its files, and the stores beside it.
    fn files(&self) -> Vec<PathBuf> {
        let mut found = vec!["execution_log.db".into(), "codegraph.db".into()];
        let mut folders = vec![self.base.path(".annals")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("listed") {
                let path = entry.expect("an entry").path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => found.push(path.strip_prefix(self.base.root()).expect("below").into()),
                }
            }
        }
        found.sort();
        found
    }

    /// Another user's, with what a forger would have it say; what it says then.
    fn give_away(&self, file: &Path) -> Vec<u8> {
        drop(fs::remove_dir_all(self.root()));
        let mut copy = std::process::Command::new("cp");
        let copied = copy.arg("-a").arg(self.base.root()).arg(self.root()).status();
        assert!(copied.expect("cp runs").success());
        self.copy.unsee();
        let path = self.root().join(file);
        if file.starts_with(".annals/sessions") && file.extension().is_some_and(|it| it == "fold") {
            let file = fs::read(&path).expect("read");
            let end = file.iter().position(|it| *it == b'\n').expect("a line");
            let mut fold: KeptFold<Grounding> = derived::decode(&file[end + 1..]).expect("a fold");
            let grounding = &mut fold.grounding;
            assert_eq!(grounding.pending.len(), 1, "{grounding:?}");
            grounding.pending.clear();
            grounding.last_read = grounding.last_failure.take();
            let bytes = derived::encode(&fold).expect("written");
            let sum = &blake3::hash(&bytes).to_hex()[..16];
            let head = format!("{} {sum}\n", bytes.len());
            fs::write(&path, [head.as_bytes(), &bytes].concat()).expect("forged");
        }
        chown(&path, Some(NOBODY), Some(NOBODY)).expect("given away");
        fs::set_permissions(&path, Permissions::from_mode(0o644)).expect("set");
        fs::read(path).expect("read")
    }

    fn run(&self, words: &str) -> Ran {
        Ran::of(self.copy.command().current_dir(self.root()).args(words.split(' ')))
    }
}

fn hook(project: &Project, root: &Path, event: &str, more: &str) -> Ran {
    let said = format!(
        r#"{{"session_id":"{SESSION}","transcript_path":"/nonexistent","cwd":{:?},"hook_event_name":"{event}",{more}}}"#,
        root.display().to_string()
    );
    let mut command = project.command();
    Ran::of(command.current_dir(root).args(["hook", "claude-code", "--enforce"]).write_stdin(said))
        .code(0)
}

const EDIT: &str = r#""tool_name":"Edit","tool_input":{"file_path":"a","old_string":"a","new_string":"b"},"tool_use_id":"t2""#;

#[test]
fn nothing_it_says_is_believed_and_it_is_not_written_and_told() {
    let Some(scene) = Scene::new() else { return };
    let files = scene.files();
    assert!(files.len() > 30, "{files:?}");
    for file in &files {
        let said = scene.give_away(file);
        let path = scene.root().join(file);
        let name = file.display();
        // Whether the file is as it was, or lies in the quarantine.
        let is_left = || fs::read(&path).is_ok_and(|now| now == said) && owner(&path) == NOBODY;

        let answer = hook(&scene.copy, &scene.root(), "PreToolUse", EDIT).out();
        // Nothing can be recorded where the journal's own files may not be written: a hook is silent.
        match file.starts_with(".annals/journal") {
            true => assert_eq!(answer.trim(), "{}", "{name}"),
            false => assert!(answer.contains(r#""permissionDecision":"deny""#), "{name}: {answer}"),
        }
        assert!(is_left(), "{name}: the hook touched it");

        let status = scene.run("status");
        // A folder whose cursor says nothing is built anew, and the old one set aside.
        let is_cursor = file.ends_with(".cursor.json");
        if is_cursor {
            status.says("was rebuilt").says(".evidence");
        } else {
            let is_lock = file.ends_with("LOCK"); // which is told as what lies in its place
            let out = status.code(1).out();
            assert!(out.contains("65534") || is_lock, "{name}: {out}");
        }
        scene.run("run -- sh -c true").code(0);
        let log = scene.run("log");
        match log.output.status.code() {
            Some(0 | 1) => assert!(log.out().contains("false"), "{name}: {}", log.out()),
            _ => assert!(log.err().contains("65534"), "{name}: {}", log.err()),
        }
        let memory = scene.run("memory get a goal");
        match memory.output.status.code() {
            Some(0) => assert!(memory.out().contains("green"), "{name}: {}", memory.out()),
            _ => assert!(memory.err().contains("65534"), "{name}: {}", memory.err()),
        }
        assert!(is_left() || is_cursor, "{name}: touched");
        scene.run("repair");
        let is_kept = is_left() || !path.exists() || owner(&path) == 0;
        assert!(is_kept, "{name}: half replaced");
    }
}

fn owner(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("there").uid()
}

#[test]
fn what_is_the_user_s_again_counts_again() {
    let Some(scene) = Scene::new() else { return };
    let file = format!(".annals/sessions/{SESSION}.fold");
    scene.give_away(Path::new(&file));
    scene.run("status").code(1).says(&file).says("belongs to another user (uid 65534)");
    chown(scene.root().join(&file), Some(0), Some(0)).expect("taken back");
    scene.run("status").code(0);
    let answer = hook(&scene.copy, &scene.root(), "PreToolUse", EDIT).out();
    assert!(!answer.contains("deny"), "the user's own word is taken: {answer}");
}
