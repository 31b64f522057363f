//! `annals enable` and `disable` in a home of their own: what people see first, and the way back.

mod files;
mod steps;
mod told;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::project::{Project, Ran};

const LOCAL: &str = ".claude/settings.local.json";

/// A project, and a home that is not the project's folder.
pub struct Scratch {
    pub project: Project,
    home: TempDir,
}

impl Scratch {
    /// A folder that is no project yet, and a home in which these agents' folders are.
    pub fn new(agents: &[&str]) -> Self {
        let scratch = Self { project: Project::empty(), home: TempDir::new().expect("a home") };
        for agent in agents {
            fs::create_dir(scratch.home.path().join(agent)).expect("made");
        }
        scratch
    }

    pub fn home(&self, relative: &str) -> PathBuf {
        self.home.path().join(relative)
    }

    pub fn annals(&self, words: &[&str]) -> Ran {
        // What annals remembers of the user's journals lies in neither folder that is compared here.
        let state = self.home.path().with_extension("state");
        let mut command = self.project.command();
        Ran::of(command.args(words).env("HOME", self.home.path()).env("XDG_STATE_HOME", state))
    }

    /// A past session of Claude Code's in this project.
    pub fn past_session(&self) {
        let root = self.project.root().canonicalize().expect("a root");
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = root.to_string_lossy().chars().map(plain).collect();
        let folder = self.home(".claude/projects").join(name);
        fs::create_dir_all(&folder).expect("made");
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/transcripts");
        fs::copy(fixture.join("whole.jsonl"), folder.join("whole.jsonl")).expect("copied");
    }
}

/// Every file and folder below, with what is in it.
pub fn tree(folder: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(path) = pending.pop() {
        for entry in fs::read_dir(&path).expect("a folder") {
            let path = entry.expect("an entry").path();
            let is_folder = fs::symlink_metadata(&path).expect("looked at").is_dir();
            found.push((path.clone(), (!is_folder).then(|| fs::read(&path).unwrap_or_default())));
            if is_folder {
                pending.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn enabling_claude_code_and_disabling_it_leaves_home_and_project_as_they_were() {
    let scratch = Scratch::new(&[".claude"]);
    scratch.past_session();
    scratch.project.write("src/main.rs", "fn main() {}\n");
    // But for where spec 004 keeps a repository's memory.
    let home_tree = || {
        let mut found = tree(scratch.home.path());
        found.retain(|(path, _)| !path.starts_with(scratch.home.path().join(".codex-toolloop")));
        found
    };
    let (home, root) = (home_tree(), tree(scratch.project.root()));
    scratch
        .annals(&["enable", "claude-code", "--yes"])
        .code(0)
        .says("becomes a project")
        .says("Past sessions of this project: 1 transcript")
        .says("Imported: ")
        .says("  +     \"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"")
        .says("Installed: 10 hooks in ")
        .says("Next: annals log");
    let text = fs::read_to_string(scratch.project.path(LOCAL)).expect("installed");
    let settings: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for event in [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "Stop",
        "SubagentStop",
        "SessionEnd",
    ] {
        let command = settings["hooks"][event][0]["hooks"][0]["command"].as_str().expect(event);
        assert!(command.ends_with("annals hook claude-code"), "{command}");
    }
    let log = scratch.annals(&["log", "--json"]).code(0).json();
    assert!(log.as_array().is_some_and(|log| !log.is_empty()), "nothing was imported");
    assert_eq!(home_tree(), home, "the home is nobody's to change");

    let before = fs::read(scratch.project.path(LOCAL)).expect("read");
    scratch.annals(&["enable", "claude-code", "--yes"]).code(0).says("are in ").says("already");
    assert_eq!(fs::read(scratch.project.path(LOCAL)).expect("read"), before, "twice is once");

    scratch.annals(&["disable", "--yes"]).code(0).says("recorded stay");
    assert_eq!(home_tree(), home);
    let ours = [".annals", "execution_log.db", "codegraph.db"];
    let is_ours = |path: &Path| {
        let path = path.strip_prefix(scratch.project.root()).expect("below").to_string_lossy();
        ours.iter().any(|ours| path.starts_with(ours))
    };
    let mut left = tree(scratch.project.root());
    left.retain(|(path, _)| !is_ours(path));
    assert_eq!(left, root, "what is not ours is as it was");
    assert_eq!(scratch.annals(&["log", "--json"]).code(0).json(), log);
    scratch.annals(&["disable", "--yes"]).code(0).says("No hooks of annals");
}

#[test]
fn both_agents_are_found_and_codex_has_its_file_in_the_home() {
    let scratch = Scratch::new(&[".claude", ".codex"]);
    let before = tree(scratch.home.path());
    let told = scratch.annals(&["enable", "--yes", "--enforce", "--json"]).code(0).json();
    assert_eq!(told["done"], true);
    assert_eq!(told["hooks"][0]["agent"], "claude-code");
    assert_eq!(told["hooks"][1]["agent"], "codex");
    let notes = told["hooks"][1]["notes"].to_string();
    assert!(notes.contains("/hooks"), "{notes}");
    let codex = fs::read_to_string(scratch.home(".codex/hooks.json")).expect("installed");
    assert!(codex.contains("annals hook codex --enforce\""), "{codex}");
    scratch.annals(&["disable", "codex", "--yes"]).code(0);
    assert_eq!(tree(scratch.home.path()), before);
    assert!(scratch.project.path(LOCAL).exists(), "only Codex was named");
    scratch.annals(&["disable", "--yes"]).code(0);
    assert!(!scratch.project.path(".claude").exists());
}

#[test]
fn hooks_for_all_projects_are_not_installed_twice() {
    let scratch = Scratch::new(&[".claude"]);
    scratch.annals(&["enable", "--user", "--yes"]).code(0);
    assert!(scratch.home(".claude/settings.json").exists());
    scratch.annals(&["enable", "--yes"]).code(0).says("already (advise)");
    assert!(!scratch.project.path(LOCAL).exists(), "two would run side by side");
    scratch.annals(&["enable", "--yes", "--enforce"]).code(2).says("disable --user");
    scratch.annals(&["disable", "--yes"]).code(0).says("annals disable --user");
    assert!(scratch.home(".claude/settings.json").exists());
    scratch.annals(&["disable", "--yes", "--user"]).code(0);
    assert!(scratch.home(".claude").is_dir(), "a folder that was there stays");
    assert!(!scratch.home(".claude/settings.json").exists());
}

#[test]
fn where_no_agent_is_found_one_must_be_named() {
    let scratch = Scratch::new(&[]);
    scratch.annals(&["enable", "--yes"]).code(2).says("claude-code or codex");
    assert!(!scratch.project.path(".annals").exists());
    scratch.annals(&["enable", "codex", "--yes"]).code(0);
    assert!(scratch.home(".codex/hooks.json").exists());
    scratch.annals(&["disable", "--yes"]).code(0);
    assert!(!scratch.home(".codex").exists(), "a folder that enabling made goes again");
}

#[test]
fn git_is_kept_from_committing_a_local_file() {
    let scratch = Scratch::new(&[".claude"]);
    let git = |words: &str| Ran::of(&mut scratch.project.shell(&format!("git {words}"))).code(0);
    git("init -q");
    scratch.project.write(".claude/settings.local.json", "{}\n");
    scratch.annals(&["enable", "--yes"]).code(0);
    assert_eq!(git("status --porcelain").out(), "");
    scratch.annals(&["disable", "--yes"]).code(0);
    git("add -f .claude");
    scratch.annals(&["enable", "--yes"]).code(0).says("git tracks .claude/settings.local.json");
}
