//! A day of work on one project, by each agent's own protocol: what the first session learnt reaches the second, in
//! another working tree too.

use std::path::Path;

use serde_json::{Value, json};

use super::play::Agent;
use super::stops::AGENTS;
use crate::project::{Project, Ran};

/// One session of an agent, in a working tree of the project's.
struct Session<'p> {
    agent: Agent<'p>,
    number: u32,
    tree: &'p Path,
}

impl<'p> Session<'p> {
    fn new(project: &'p Project, name: &'static str, number: u32, tree: &'p Path) -> Self {
        Self { agent: Agent::new(project, name, &[]), number, tree }
    }

    fn fire(&self, hook: &str, mut more: Value) -> String {
        more["session_id"] = format!("0193a5b2-7c1e-4f00-8a00-00000000000{}", self.number).into();
        more["cwd"] = self.tree.to_string_lossy().into();
        let answer = self.agent.fire(hook, more);
        answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
    }

    fn call(&self, id: &str, tool: &str, input: Value, failed: Option<&str>) -> String {
        let id = format!("{}-{id}", self.number);
        let told = json!({"tool_name": tool, "tool_input": input, "tool_use_id": id});
        self.fire("PreToolUse", told.clone());
        let mut ended = told;
        let code = i32::from(failed.is_some());
        if self.agent.name == "codex" {
            let printed = failed.unwrap_or("Done!");
            let text = format!("Exit code: {code}\nWall time: 0.1 seconds\nOutput:\n{printed}");
            ended["tool_response"] = text.into();
            return self.fire("PostToolUse", ended);
        }
        match failed {
            Some(printed) => {
                ended["error"] = format!("Exit code {code}\n{printed}").into();
                self.fire("PostToolUseFailure", ended)
            }
            None => {
                ended["tool_response"] = json!({"stdout": "", "stderr": "", "interrupted": false});
                self.fire("PostToolUse", ended)
            }
        }
    }

    fn check(&self, id: &str, failed: Option<&str>) -> String {
        self.call(id, "Bash", json!({"command": "cargo check"}), failed)
    }

    fn edit(&self, id: &str, file: &str, old: &str, new: &str) -> String {
        if self.agent.name == "codex" {
            let patch = format!(
                "*** Begin Patch\n*** Update File: {file}\n@@\n-{old}\n+{new}\n*** End Patch"
            );
            return self.call(id, "apply_patch", json!({ "command": patch }), None);
        }
        let path = self.tree.join(file);
        let input = json!({"file_path": path, "old_string": old, "new_string": new});
        self.call(id, "Edit", input, None)
    }

    fn stop(&self) {
        self.fire("Stop", json!({"stop_hook_active": false}));
    }

    /// Begins, is asked for something, meets the failure; what it is given then.
    fn meet(&self, file: &str) -> (String, String) {
        let pack = self.fire("SessionStart", json!({"source": "startup"}));
        self.fire("UserPromptSubmit", json!({"prompt": "go on with the cart"}));
        (pack, self.check("met", Some(&failing(file))))
    }
}

fn failing(file: &str) -> String {
    format!(
        "error[E0425]: cannot find value `totl` in this scope\n --> {file}:3:5\n\nerror: could not compile"
    )
}

fn repository() -> Project {
    let project = Project::empty();
    project.write("src/cart.rs", "fn a() {}\n");
    let script = "export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null; git init -q -b main . && \
        git add src && git -c user.name=n -c user.email=e@x commit -qm one && git worktree add -q -b side side";
    Ran::of(&mut project.shell(script)).code(0);
    project.annals(["init"]).code(0);
    project.annals(["repo", "convention", "add", "Money", "is counted in cents"]).code(0);
    project
}

#[test]
fn what_one_session_learnt_is_given_to_the_next_ones_and_used() {
    for name in AGENTS {
        let project = repository();
        let first = Session::new(&project, name, 1, project.root());
        let (_, nothing) = first.meet("src/cart.rs");
        assert!(!nothing.contains("met before"), "{name}: {nothing}");
        first.edit("vain", "src/cart.rs", "totl", "totally_wrong");
        first.check("still", Some(&failing("src/cart.rs")));
        first.edit("mends", "src/cart.rs", "totally_wrong", "total_of_cart");
        first.check("passes", None);
        first.stop();

        let side = project.path("side");
        for (number, tree, from) in [
            (2, project.root(), "is counted in cents\n"),
            (3, &side, "is counted in cents (inherited from branch main"),
        ] {
            let next = Session::new(&project, name, number, tree);
            let (pack, answer) = next.meet("src/basket.rs");
            assert!(pack.contains(from), "{name}: {pack}");
            assert!(pack.contains("- src/cart.rs"), "{name}: {pack}");
            assert!(pack.contains("cargo check"), "{name}: {pack}");
            assert!(
                answer.contains("met before") && answer.contains("+total_of_cart"),
                "{name}: {answer}"
            );
            assert!(!answer.contains("+totally_wrong"), "a failed fix: {name}: {answer}");
            let replayed = project.annals(["replay", "--format", "jsonl"]).code(0).out();
            let given = replayed.lines().filter(|it| it.contains("ContextInjected"));
            let given: Vec<_> = given.filter(|it| it.contains("+total_of_cart")).collect();
            assert_eq!(given.len(), number as usize - 1, "{name}");
        }
        // It does as it was told.
        let last = Session::new(&project, name, 3, &side);
        last.edit("used", "src/cart.rs", "totl", "total_of_cart");
        last.check("passes", None);
        last.stop();
        let used = project.annals(["--json", "stats", "loop"]).code(0).json();
        let rows = used.as_array().expect("rows").iter();
        let fixes: Vec<_> = rows.filter(|it| it["what"] == "failure met before").collect();
        assert_eq!((&fixes[0]["given"], &fixes[0]["followed"]), (&json!(2), &json!(1)), "{used}");

        let told = || {
            let asked = [&["context"][..], &["failures", "--json"], &["repo", "show", "--json"]];
            asked.map(|it| Ran::of(project.command().current_dir(&side).args(it)).code(0).out())
        };
        let before = told();
        for store in ["index.db", "memory.db", "sessions", "packs", "inferred"] {
            let path = project.path(".annals").join(store);
            let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
        }
        std::fs::remove_file(project.path("execution_log.db")).expect("a store");
        assert_eq!(told(), before, "{name}: what was deleted is made again");
    }
}
