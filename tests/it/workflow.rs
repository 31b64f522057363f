//! Spec 004's integration test: a mocked workflow, whose summaries are persisted and used.

use std::path::PathBuf;

use serde_json::Value;

use crate::project::{Project, Ran};

const STEPS: usize = 12;
const RUN: &str = "nightly";
/// Of a pack, and how many summaries it has at most.
const PACK_CHARS: usize = 4_000;
const PACK_SUMMARIES: usize = 4;
/// Of about a hundred characters each: more than there is room for.
const CONVENTIONS: usize = 40;
/// Of one summary.
const SUMMARY_CHARS: usize = 500;

/// Runs it in the workflow's session.
fn annals(project: &Project, arguments: &[&str]) -> Ran {
    Ran::of(project.command().env("ANNALS_SESSION", RUN).args(arguments))
}

/// The one folder of a repository below the home that the settings name.
fn folder(project: &Project) -> PathBuf {
    let repos = std::fs::read_dir(project.path("memory/repos")).expect("the home is made");
    let mut found: Vec<PathBuf> = repos.map(|entry| entry.expect("an entry").path()).collect();
    assert_eq!(found.len(), 1, "one repository: {found:?}");
    found.remove(0)
}

fn lines(project: &Project) -> String {
    std::fs::read_to_string(folder(project).join("summaries.jsonl")).expect("summaries")
}

#[test]
fn a_mocked_workflow_of_twelve_steps_leaves_its_summaries_and_uses_them() {
    let project = Project::new();
    let config = project.path(".annals/config.toml");
    let text = std::fs::read_to_string(&config).expect("settings");
    let text = text
        .replace("home = \"~/.codex-toolloop\"", "home = \"memory\"")
        .replace("summary_max_chars = 2000", &format!("summary_max_chars = {SUMMARY_CHARS}"))
        .replace("context_max_chars = 12000", &format!("context_max_chars = {PACK_CHARS}"))
        .replace("context_summaries = 8", &format!("context_summaries = {PACK_SUMMARIES}"))
        .replace("durability = \"group\"", "durability = \"buffered\"");
    std::fs::write(&config, text).expect("written");
    project.write("src/lib.rs", "pub fn one() -> u32 {\n    1\n}\n");
    crowd(&project);
    let convention = ["repo", "convention", "add", "Errors", "Name the place of every error."];
    annals(&project, &convention).code(0);
    let decision = ["repo", "decision", "add", "One parser", "Two drift apart."];
    annals(&project, &[&decision[..], &["--path", "src/lib.rs"]].concat()).code(0);

    for step in 1..=STEPS {
        let title = format!("work on part {step}");
        annals(&project, &["step", "begin", &title]).code(0);
        // Every third step fails, and the next one mends what it broke.
        let fails = step % 3 == 0;
        let marker = format!("part{}", (step - 1) / 3);
        let script = format!(
            "echo building {marker}; if [ -e {marker}.ok ]; then echo done {step}; \
             else touch {marker}.ok; echo \"error: {marker} is missing\" >&2; exit 7; fi"
        );
        let script = if fails { script } else { format!("touch {marker}.ok; {script}") };
        annals(&project, &["run", "--", "sh", "-c", &script]).code(0);
        if fails {
            let broken = format!("echo 'error: step {step} broke' >&2; exit 7");
            annals(&project, &["run", "--", "sh", "-c", &broken]).code(7);
        }
        let ended = annals(&project, &["step", "end", "--json"]).code(0).json();
        let kept = &ended["appended_summary"];
        assert_eq!(kept["step_id"], format!("step-{step}"), "{ended}");
        let told = kept["summary"].as_str().expect("a text");
        assert!(told.chars().count() <= SUMMARY_CHARS, "{told}");
        if step % 4 == 0 {
            uses(&project, step);
        }
    }
    persisted(&project);
}

/// Each step has its line, with the fields of the spec, and a rebuild makes the same ones.
fn persisted(project: &Project) {
    let text = lines(project);
    let mut failed = 0;
    for (number, line) in text.lines().enumerate() {
        let line: Value = serde_json::from_str(line).expect("a line is JSON");
        let fields: Vec<&str> =
            line.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(fields, ["createdAt", "runId", "stepId", "summary"]);
        assert_eq!(line["runId"], RUN);
        assert_eq!(line["stepId"], format!("step-{}", number + 1));
        let told = line["summary"].as_str().expect("a text");
        for part in ["What happened: work on part ", "\nImportant outputs:", "\nFollow-up:"] {
            assert!(told.contains(part), "{told}");
        }
        failed += usize::from(told.contains(", 1 failed,"));
    }
    assert_eq!((text.lines().count(), failed), (STEPS, STEPS / 3));
    let listed = annals(project, &["repo", "summary", "list", "--json"]).code(0).json();
    assert_eq!(listed.as_array().map(Vec::len), Some(STEPS));
    std::fs::remove_dir_all(project.path("memory")).expect("removed");
    project.annals(["rebuild"]).code(0);
    assert_eq!(lines(project), text, "deleting them lost nothing");
    let nothing = annals(project, &["step", "end", "--json"]).code(0).json();
    assert!(nothing["appended_summary"].is_null(), "nothing happened since: {nothing}");
    assert_eq!(lines(project), text);
}

/// More conventions than a pack has room for, told in one process.
fn crowd(project: &Project) {
    let one = |number: usize| {
        let args = serde_json::json!({
            "id": format!("c{number}"),
            "title": format!("Rule {number}"),
            "content": "x".repeat(100),
        });
        serde_json::json!({ "id": number, "op": "upsert_convention", "args": args }).to_string()
    };
    let lines: Vec<String> = (0..CONVENTIONS).map(one).collect();
    let told = Ran::of(project.command().arg("pipe").write_stdin(lines.join("\n") + "\n"));
    assert!(!told.code(0).out().contains("\"ok\":false"));
}

/// The pack of the next step has the newest summaries, and stays under the bound.
fn uses(project: &Project, step: usize) {
    let pack = annals(project, &["context"]).code(0).out();
    let chars = pack.trim_end().chars().count();
    assert!(chars <= PACK_CHARS && chars > PACK_CHARS / 10 * 9, "{chars} characters: {pack}");
    assert!(pack.contains("\n## Left out\n- ") && pack.contains(" conventions: Rule "), "{pack}");
    for text in ["Name the place of every error.", "One parser"] {
        assert!(pack.contains(text), "{text}: {pack}");
    }
    for known in 1..=step {
        // What there is no room for is older than what is told.
        let (is_new, may_be) = (known + 2 > step, known + PACK_SUMMARIES > step);
        let title = format!("What happened: work on part {known}\n");
        let is_told = pack.contains(&title);
        assert!(is_told || !is_new, "step {known} of {step}: {pack}");
        assert!(!is_told || may_be, "step {known} of {step}: {pack}");
    }
}
