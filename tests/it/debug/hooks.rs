//! Every hook of the schema, fired.

use serde_json::Value;

use super::{attempt, failure, project, settle, told};
use crate::project::Project;

const HOOKS: [&str; 6] = [
    "check_similar_past_issues",
    "apply_known_fix_template",
    "update_fix_effectiveness",
    "extract_learnings",
    "notify_human",
    "preserve_full_context",
];

fn hooked(command: impl Fn(&str) -> String, timeout_s: u64) -> Project {
    let project = project();
    let lines: String =
        HOOKS.iter().map(|hook| format!("{hook} = \"{}\"\n", command(hook))).collect();
    settle(&project, &format!("[debug.hooks]\ntimeout_s = {timeout_s}\n{lines}"));
    project
}

/// One file is broken and mended, a second one the same way, a third one is given up on.
fn story(project: &Project) -> Vec<Value> {
    let boom = |file: &str| Some(failure("reads its length", "Cannot read 'length' of null", file));
    let mut done = Vec::new();
    for file in ["src/a.ts", "src/b.ts"] {
        project.annals(["debug", "open", file]).code(0);
        done.push(attempt(project, boom(file)));
        let cause = "validate() reads the length of what may be null";
        let category = ["--category", "null_undefined_access"];
        let analyse = ["analyse", "--root-cause", cause, "--fix-strategy", cause];
        if file == "src/a.ts" {
            project.annals(["debug"].iter().chain(&analyse).chain(&category)).code(0);
            project.annals(["debug", "fix", "--description", "Return early without input"]).code(0);
        }
        done.push(attempt(project, None));
    }
    project.annals(["debug", "open", "src/c.ts"]).code(0);
    for _ in 0..3 {
        done.push(attempt(project, Some(failure("other", "something else entirely", "src/c.ts"))));
    }
    done
}

#[test]
fn every_hook_fires_with_what_it_is_about_on_its_input() {
    let project = hooked(|hook| format!("cat > {hook}.told"), 20);
    let done = story(&project);
    for hook in HOOKS {
        let text = std::fs::read_to_string(project.path(&format!("{hook}.told"))).expect(hook);
        assert!(!text.trim().is_empty(), "{hook}");
        if hook != "notify_human" {
            let read: Value = serde_json::from_str(&text).expect(hook);
            assert!(read.is_object(), "{hook}");
        }
        let fired = done.iter().flat_map(|it| it["hooks"].as_array().expect("a list"));
        let fired = fired.filter(|it| it["hook"].as_str().is_some_and(|it| it.ends_with(hook)));
        assert!(fired.clone().count() > 0, "{hook}");
        assert!(fired.into_iter().all(|it| it["failed"].is_null()), "{hook}: {done:?}");
    }
    // The second file is offered what helped the first.
    let second = &done[2];
    assert_eq!(second["similar"][0]["file_path"], "src/a.ts", "{second}");
    assert!(second["proposed"]["fix"]["description"].is_string(), "{second}");
    let templates = told(&project, &["templates", "null_undefined_access"]);
    assert_eq!((&templates[0]["successes"], &templates[0]["trials"]), (&2.into(), &2.into()));
    // The export stands by itself.
    let exports = std::fs::read_dir(project.path(".annals/debug-exports")).expect("exports");
    let path = exports.map(|entry| entry.expect("an entry").path()).next().expect("an export");
    let export: Value = serde_json::from_slice(&std::fs::read(path).expect("read")).expect("JSON");
    assert_eq!(export["document"]["file_path"], "src/c.ts");
    // The journal tells of each.
    let replay = project.annals(["replay", "--format", "jsonl"]).code(0).out();
    for hook in HOOKS {
        assert!(replay.contains(&format!(".{hook}\"")), "{hook}");
    }
    project.annals(["rebuild", "--check"]).code(0);
}

#[test]
fn a_hook_that_fails_or_hangs_changes_nothing_that_is_recorded() {
    let project = hooked(
        |hook| match hook {
            "check_similar_past_issues" => "sleep 60".to_owned(),
            _ => "head -c 3000000 /dev/zero; exit 3".to_owned(),
        },
        1,
    );
    let began = std::time::Instant::now();
    project.annals(["debug", "open", "src/c.ts", "--attempts-max", "1"]).code(0);
    let done = attempt(&project, Some(failure("t", "boom", "src/c.ts")));
    assert!(began.elapsed().as_secs() < 30);
    assert_eq!(done["status"], "escalated");
    let failed: Vec<_> = done["hooks"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|it| it["failed"].is_string())
        .collect();
    assert!(failed.len() >= 3, "{done}");
    assert_eq!(done["document"]["executions"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_hook_that_records_runs_no_hooks_itself() {
    let again = format!("{} debug run src/z.ts -- false", env!("CARGO_BIN_EXE_annals"));
    let project = hooked(
        |hook| match hook {
            "check_similar_past_issues" => again.clone(),
            _ => "true".to_owned(),
        },
        20,
    );
    project.write("src/z.ts", "z");
    project.annals(["debug", "open", "src/c.ts"]).code(0);
    let done = attempt(&project, Some(failure("t", "boom", "src/c.ts")));
    let sessions = told(&project, &["list"]);
    let attempts = |file: &str| {
        let mut found = sessions.as_array().expect("a list").iter();
        found
            .find(|it| it["file_path"] == file)
            .map(|it| it["attempts"].clone())
            .unwrap_or_default()
    };
    assert_eq!((attempts("src/c.ts"), attempts("src/z.ts")), (1.into(), 1.into()), "{done}");
}
