//! Which process an agent is, in trees as they are found: whichever it is, its call is closed once it is
//! killed, however few hooks it had, and never while it lives.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::agents::{look, told};
use super::events;
use crate::leash::{Leash, start};
use crate::project::Project;

/// An agent in Python: says who it is, fires its hooks as it is told, and waits to be killed.
const PYTHON: &str = r#"
import os, subprocess, sys, time
way, ready, program, script, hooks = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:]
words = [program, "hook", "claude-code", "--observe"]
line = f'"{program}" hook claude-code --observe'
ways = {"plain": words, "session": ["setsid", "-w", *words], "shell": ["sh", "-c", line + "; true"],
        "script": ["sh", "-c", f'sh "{script}" "{program}"; true']}
if way == "forked":  # by a process that ends: nobody's child
    if os.fork():
        os._exit(0)
    os.setsid()
if way == "launched":  # by a process that stays
    if os.fork():
        os.wait()
        os._exit(0)
if way == "given" and len(hooks) == 1:  # pipes of its own, as a script has that was started for a hook
    time.sleep(1.2)
for told in hooks:
    with open(told, "rb") as file:
        said = file.read()
    subprocess.run(ways.get(way, words), input=said, stdout=subprocess.PIPE, check=True)
with open(ready + ".new", "w") as file:
    file.write(str(os.getpid()))
os.rename(ready + ".new", ready)
time.sleep(120)
"#;

/// A script of a user's between an agent and the hook: it reads what it is told, and asks by pipes of its
/// own.
const SCRIPT: &str = r#"
said=$(cat)
answer=$(printf '%s' "$said" | "$1" hook claude-code --observe)
printf '%s\n' "$answer"
"#;

/// An agent that is a shell's script.
const SHELL: &str = r#"
way=$1 ready=$2 program=$3; shift 4
for told in "$@"; do
    case $way in
        sh-plain) "$program" hook claude-code --observe < "$told" > /dev/null ;;
        sh-piped) cat "$told" | "$program" hook claude-code --observe > /dev/null ;;
        sh-asked) answer=$("$program" hook claude-code --observe < "$told") ;;
        sh-shell) sh -c "'$program' hook claude-code --observe; true" < "$told" > /dev/null ;;
    esac
done
echo $$ > "$ready.new"
mv "$ready.new" "$ready"
exec sleep 120
"#;

const WAYS: [&str; 11] = [
    "plain", "given", "session", "shell", "script", "forked", "launched", "sh-plain", "sh-piped",
    "sh-asked", "sh-shell",
];

/// What an agent fires, the call last.
const HOOKS: [&[&str]; 3] = [
    &["PreToolUse"],
    &["SessionStart", "PreToolUse"],
    &["SessionStart", "UserPromptSubmit", "UserPromptSubmit", "Notification", "PreToolUse"],
];

struct Agent {
    session: String,
    /// Who began it; the same process, or one above.
    _child: Leash,
    pid: String,
}

impl Agent {
    fn new(project: &Project, way: &str, hooks: &[&str]) -> Self {
        let session = format!("{way}-{}", hooks.len());
        let ready = project.path(&format!("{session}.ready"));
        let script = project.write("hook.sh", SCRIPT);
        let told: Vec<_> = hooks.iter().map(|hook| told(project, &session, hook)).collect();
        let mut command = match way.starts_with("sh-") {
            true => Command::new("sh"),
            false => Command::new("python3"),
        };
        match way.starts_with("sh-") {
            true => command.arg(project.write("agent.sh", SHELL)),
            false => command.arg(project.write("agent.py", PYTHON)),
        };
        command.arg(way).arg(&ready).arg(env!("CARGO_BIN_EXE_annals")).arg(script).args(told);
        command.current_dir(project.root()).env("HOME", project.root());
        for name in ["XDG_STATE_HOME", "XDG_CACHE_HOME", "ANNALS_DIR", "ANNALS_SESSION"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if way == "given" {
            command.stdin(Stdio::piped()).stdout(Stdio::piped());
        }
        let child = start(&mut command);
        let until = Instant::now() + Duration::from_secs(60);
        while !ready.exists() {
            assert!(Instant::now() < until, "{session}: its hooks never ended");
            std::thread::sleep(Duration::from_millis(10));
        }
        let pid = std::fs::read_to_string(ready).expect("its number").trim().to_owned();
        Self { session, _child: child, pid }
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // It may have ended: nobody else's number yet.
        let _ = Command::new("kill").args(["-9", &self.pid]).stderr(Stdio::null()).status();
    }
}

/// The sessions whose call was interrupted.
fn interrupted(project: &Project) -> BTreeSet<String> {
    let called = events(project, &["ExecutionStarted"]);
    let calls = called.iter().map(|it| &it["body"]);
    let ended = events(project, &["ExecutionInterrupted"]);
    let is_ended = |id: &serde_json::Value| ended.iter().any(|it| it["body"]["execution"] == *id);
    let ended = calls.filter(|it| is_ended(&it["execution"]));
    let name = |it: &serde_json::Value| it["call"]["call"].as_str().expect("a call").to_owned();
    ended.map(|it| name(it).trim_start_matches("toolu_").to_owned()).collect()
}

#[test]
fn a_killed_agent_is_told_from_those_above_and_below_it_and_a_living_one_is_let_be() {
    let project = Project::new();
    let mut agents = Vec::new();
    for way in WAYS {
        agents.extend(HOOKS.map(|hooks| Agent::new(&project, way, hooks)));
    }
    for by in ["hook", "status"] {
        look(&project, by);
        assert_eq!(interrupted(&project), BTreeSet::new(), "they live, says {by}");
    }
    // Every second one lives on.
    let mut lives = false;
    let (living, killed): (Vec<_>, Vec<_>) = agents.into_iter().partition(|_| {
        lives = !lives;
        lives
    });
    let names = |agents: &[Agent]| agents.iter().map(|it| it.session.clone()).collect();
    let expected: BTreeSet<String> = names(&killed);
    drop(killed);
    // A hook closes a few of them.
    for _ in 0..expected.len() {
        look(&project, "hook");
    }
    assert_eq!(interrupted(&project), expected);
    let expected: BTreeSet<String> = names(&living).union(&expected).cloned().collect();
    drop(living);
    look(&project, "status");
    assert_eq!(interrupted(&project), expected);
    project.annals(["rebuild", "--check"]).code(0);
}
