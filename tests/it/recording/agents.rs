//! An agent that is killed with a call open: whoever looks next closes it.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::events;
use crate::leash::{Leash, start};
use crate::project::Project;

/// Fires hooks as an agent does, each from a shell of its own, then waits to be killed.
const AGENT: &str = r#"
sleep 1.2
for told in "$@"; do sh -c '"$PROGRAM" hook claude-code --observe; true' < "$told" > /dev/null; done
echo > "$READY"
exec sleep 600
"#;

struct Agent {
    child: Leash,
}

impl Agent {
    /// An agent that fired these hooks and waits.
    fn new(project: &Project, session: &str, hooks: &[&str]) -> Self {
        let told: Vec<_> = hooks.iter().map(|hook| told(project, session, hook)).collect();
        let ready = project.path(&format!("{session}.ready"));
        drop(std::fs::remove_file(&ready));
        let mut command = Command::new("sh");
        command.args(["-c", AGENT, "agent"]).args(told).current_dir(project.root());
        command.env("PROGRAM", env!("CARGO_BIN_EXE_annals")).env("READY", &ready);
        command
            .env("HOME", project.root())
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_CACHE_HOME")
            .env_remove("ANNALS_DIR")
            .env_remove("ANNALS_SESSION");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let agent = Self { child: start(&mut command) };
        let until = Instant::now() + Duration::from_secs(60);
        while !ready.exists() {
            assert!(Instant::now() < until, "its hooks never ended");
            std::thread::sleep(Duration::from_millis(20));
        }
        agent
    }

    /// Kills it; one that nobody asked after stays as a zombie.
    fn kill(&mut self, is_asked_after: bool) {
        self.child.kill().expect("it lived");
        if is_asked_after {
            assert_eq!(self.child.wait().expect("it ended").signal(), Some(9));
        }
    }
}

/// The file that a hook is told.
pub fn told(project: &Project, session: &str, hook: &str) -> std::path::PathBuf {
    let told = json!({"session_id": session, "cwd": project.root(), "hook_event_name": hook,
        "source": "startup", "reason": "other", "prompt": "go on", "tool_name": "Bash",
        "tool_use_id": format!("toolu_{session}"), "tool_input": {"command": "sleep 600"}});
    project.write(&format!("{session}.{hook}"), &told.to_string())
}

/// How often a call of a session was interrupted.
fn interrupted(project: &Project) -> usize {
    events(project, &["ExecutionInterrupted"]).len()
}

pub fn look(project: &Project, by: &str) {
    match by {
        "hook" => {
            let told = std::fs::read(told(project, "another", "UserPromptSubmit")).expect("told");
            let mut command = project.command();
            command.args(["hook", "claude-code", "--observe"]).write_stdin(told).assert().success();
        }
        "import" => {
            let path = project
                .write("t.jsonl", "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"y\"}\n");
            project.annals(["import".as_ref(), path.as_os_str()]).code(0);
        }
        by => drop(project.annals([by])),
    }
}

#[test]
fn a_killed_agents_call_is_closed_by_whoever_looks_next() {
    for (hooks, by, is_asked_after) in [
        (&["SessionStart", "PreToolUse"][..], "hook", true),
        (&["SessionStart", "UserPromptSubmit", "PreToolUse"], "status", false),
        (&["PreToolUse"], "import", true),
        // The session goes on after its end: it is not over while its agent lives.
        (&["SessionStart", "SessionEnd", "SessionStart", "PreToolUse"], "repair", true),
        (&["SessionStart", "SessionEnd", "SessionStart", "PreToolUse"], "hook", false),
    ] {
        let project = Project::new();
        let mut agent = Agent::new(&project, "killed", hooks);
        for by in ["hook", "status", "import", "repair"] {
            look(&project, by);
            assert_eq!(interrupted(&project), 0, "{hooks:?}: it lives, says {by}");
        }
        agent.kill(is_asked_after);
        for _ in 0..2 {
            look(&project, by);
            assert_eq!(interrupted(&project), 1, "{hooks:?}: by {by}");
        }
        let files = std::fs::read_dir(project.path(".annals/owners")).expect("a folder");
        let left = files.filter(|file| {
            file.as_ref().is_ok_and(|file| file.file_name().to_string_lossy().ends_with(".agent"))
        });
        assert!(left.count() <= 1, "the killed one's is gone");
        project.annals(["rebuild", "--check"]).code(0);
    }
}

#[test]
fn a_session_that_goes_on_in_another_process_has_that_one_as_its_agent() {
    let project = Project::new();
    let mut left = Agent::new(&project, "left", &["SessionStart", "PreToolUse"]);
    left.kill(true);
    let _goes_on = Agent::new(&project, "left", &["SessionStart"]);
    assert_eq!(
        interrupted(&project),
        1,
        "what the first left open is closed by the next one's hook"
    );
    let mut first = Agent::new(&project, "resumed", &["SessionStart", "UserPromptSubmit"]);
    first.kill(true);
    let mut second = Agent::new(&project, "resumed", &["SessionStart", "PreToolUse"]);
    look(&project, "status");
    assert_eq!(interrupted(&project), 1, "it lives");
    second.kill(true);
    look(&project, "hook");
    assert_eq!(interrupted(&project), 2);
}

/// Of an agent in another container nothing can be seen: `status` says so, and how its calls are closed.
#[test]
fn open_calls_of_an_agent_that_cannot_be_seen_are_counted_and_can_be_closed() {
    let project = Project::new();
    let mut agent = Agent::new(&project, "far", &["SessionStart", "PreToolUse"]);
    let unseen = || project.annals(["status", "--json"]).code(0).json()["unseen"].clone();
    assert_eq!(unseen(), json!([]), "it lives");
    let owners = std::fs::read_dir(project.path(".annals/owners")).expect("a folder");
    let files = owners.map(|file| file.expect("a file").path());
    let file = files.filter(|path| path.extension().is_some_and(|it| it == "agent")).last();
    let file = file.expect("an agent's file");
    let text = std::fs::read_to_string(&file).expect("read");
    std::fs::write(&file, text.replacen("pid:[", "pid:[9", 1)).expect("written");
    agent.kill(true);
    look(&project, "status");
    look(&project, "repair");
    assert_eq!(interrupted(&project), 0, "nobody here can tell");
    let found = unseen();
    assert_eq!((&found[0]["calls"], &found[0]["agent"]), (&json!(1), &json!("claude-code")));
    project.annals(["status"]).says("1 call of an agent that cannot be seen from here");
    let close = found[0]["close"].as_str().expect("a command");
    let words = close.strip_prefix("annals ").expect("ours");
    project.annals(words.split(' ')).code(0);
    assert_eq!(interrupted(&project), 1);
    assert_eq!(unseen(), json!([]));
    project.annals(["rebuild", "--check"]).code(0);
}
