//! Spec 004's integration test: a mocked workflow, whose summaries are persisted and used.

use serde_json::Value;

use crate::project::{Project, Ran};

const STEPS: usize = 12;
const RUN: &str = "nightly";
/// Of one summary.
const SUMMARY_CHARS: usize = 400;

/// Runs it in the workflow's session.
fn annals(project: &Project, arguments: &[&str]) -> Ran {
    Ran::of(project.command().env("ANNALS_SESSION", RUN).args(arguments))
}

/// The summaries there are, as lines of the spec's shape.
fn lines(project: &Project) -> String {
    let listed = annals(project, &["repo", "summary", "list", "--format", "jsonl"]).code(0);
    listed.out()
}

#[test]
fn a_mocked_workflow_of_twelve_steps_leaves_its_summaries_and_uses_them() {
    let project = Project::new();
    let config = project.path(".annals/config.toml");
    let text = std::fs::read_to_string(&config).expect("settings");
    let text = text
        .replace("home = \"~/.codex-toolloop\"", "home = \"memory\"")
        .replace("summary_max_chars = 2000", &format!("summary_max_chars = {SUMMARY_CHARS}"))
        .replace("durability = \"group\"", "durability = \"buffered\"");
    std::fs::write(&config, text).expect("written");
    project.write("src/lib.rs", "pub fn one() -> u32 {\n    1\n}\n");
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
        let fields: Vec<&str> = fields.into_iter().filter(|it| *it != "journal").collect();
        assert_eq!(fields, ["createdAt", "runId", "stepId", "summary"]);
        assert_eq!(line["runId"], RUN);
        assert_eq!(line["stepId"], format!("step-{}", number + 1));
        let told = line["summary"].as_str().expect("a text");
        for part in ["What happened: work on part ", "\nImportant outputs:", "\nFollow-up:"] {
            assert!(told.contains(part), "{told}");
        }
        failed += usize::from(told.contains("\n- failed #"));
    }
    assert_eq!((text.lines().count(), failed), (STEPS, STEPS / 3));
    std::fs::remove_file(project.path(".annals/index.db")).expect("removed");
    project.annals(["rebuild"]).code(0);
    assert_eq!(lines(project), text, "deleting them lost nothing");
    let nothing = annals(project, &["step", "end", "--json"]).code(0).json();
    assert!(nothing["appended_summary"].is_null(), "nothing happened since: {nothing}");
    assert_eq!(lines(project), text);
}
