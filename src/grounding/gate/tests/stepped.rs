//! The end of a step.

use super::made::Made;
use crate::event::{Body, Outcome, StepBegun};
use crate::grounding::fold::step_ended;

#[test]
fn a_step_tells_what_happened_in_it() {
    let edit = |file: &str| format!(r#"{{"path":"{file}"}}"#);
    let check = r#"{"command":"cargo test"}"#;
    let begun = Body::StepBegun(StepBegun { title: Some("mend the parser".to_owned()) });
    let made = Made::new()
        .ran(99, "lsp_check", "{}", Outcome::Ok)
        .at(90, begun)
        .ran(80, "file_edit", &edit("src/foo.rs"), Outcome::Ok)
        .ran(70, "lsp_check", check, Outcome::Failed)
        .ran(60, "file_edit", &edit("src/foo.rs"), Outcome::Ok)
        .ran(50, "file_write", &edit("src/bar.rs"), Outcome::Ok)
        .ran(40, "file_write", &edit("src/baz.rs"), Outcome::Refused)
        .ran(30, "lsp_check", check, Outcome::Failed)
        .ran(20, "lsp_check", "{}", Outcome::Ok);
    let ended = step_ended(&made.grounding);
    assert_eq!(ended.began, Some(3));
    assert_eq!(ended.changed, ["src/foo.rs", "src/bar.rs"]);
    assert_eq!((ended.executions, ended.failed, ended.refused), (7, 2, 1));
    assert_eq!((ended.mutations, ended.checks_passed), (3, 1));
    let failed = "lsp_check cargo test: Type mismatch in src/foo.rs:42";
    let summary = [
        "mend the parser".to_owned(),
        "7 executions, 2 failed, 1 refused, 3 mutations, 1 check passed".to_owned(),
        format!("failed: #2 {failed}"),
        format!("failed: #5 {failed}"),
        "changed: src/foo.rs, src/bar.rs".to_owned(),
        "pending: 1 failure".to_owned(),
    ];
    // file_edit is undeclared here and has no ordinal; a refused file_write has one.
    assert_eq!(ended.summary.lines().collect::<Vec<_>>(), summary);
    assert_eq!(ended.follow_up, [format!("#5 {failed} (failed 2 times)")]);
    assert_eq!(step_ended(&made.grounding), ended, "twice the same");
    let after = made.at(10, Body::StepEnded(ended));
    let next = step_ended(&after.grounding);
    assert_eq!((next.began, next.executions, next.changed.len()), (None, 0, 0));
    assert_eq!(next.follow_up.len(), 1, "what is pending stays so");
}
