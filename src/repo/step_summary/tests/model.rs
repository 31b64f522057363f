//! What a model may make of a step.

use super::project;
use crate::event::{Body, Outcome, StepBegun, SummaryMaker};
use crate::grounding::gate::tests::made::Made;
use crate::repo::step_summary::{Given, StepEnd, SummaryError, SummaryModel};

fn worked() -> Made {
    let begun = Body::StepBegun(StepBegun { title: Some("look".to_owned()) });
    Made::new().at(90, begun).ran(80, "lsp_check", "{}", Outcome::Failed)
}

/// What a step comes to where this command tells it.
fn told(command: &str, settings: &str) -> (StepEnd, String) {
    let settings = format!("summary_model = {command:?}\n{settings}");
    let (_folder, project) = project(&settings);
    let given = Given { run: "r", ..Given::default() };
    let asked = StepEnd::of(&project, &worked().grounding, &given);
    let by_events = asked.summary.as_ref().unwrap().summary.clone();
    let mut end =
        StepEnd::of(&project, &worked().ran(1, "lsp_check", "{}", Outcome::Ok).grounding, &given);
    let model = SummaryModel::of(&project).unwrap();
    end.take_reply(&project, &asked, model.tell(&asked.facts().unwrap()));
    (end, by_events)
}

#[test]
fn a_model_tells_the_step_from_the_facts() {
    let (end, by_events) = told("sed 's/^/> /'", "");
    let summary = end.summary.unwrap();
    assert!(end.problem.is_none());
    let quoted: String = by_events.lines().map(|line| format!("> {line}\n")).collect();
    assert_eq!(summary.summary, quoted.trim_end());
    assert_eq!((summary.made_by, summary.through), (SummaryMaker::Model, Some(3)));
}

#[test]
fn what_a_model_prints_is_made_fit() {
    let secret = "ghp_Zx9Kq2LmN4pR7sT1vW3yB6cD8fG0hJ5kQw2E".to_owned();
    for (command, expect) in [
        (r"printf '\033[1mdone\033[0m\r\n\nnext: \001nothing\n\n'", "done\n\nnext: nothing"),
        ("yes 'a line' | head -c 400000", "a line\na line\n(left out: 9361 more lines)"),
        (&format!("echo {} {secret}", "x".repeat(30)), ""),
    ] {
        let (end, _) = told(command, "summary_max_chars = 45\n");
        assert!(end.problem.is_none(), "{command}: {:?}", end.problem);
        let summary = end.summary.unwrap().summary;
        assert!(summary.chars().count() <= 45, "{summary}");
        assert!(!summary.contains("ghp_"), "{summary}");
        assert!(expect.is_empty() || summary == expect, "{command}: {summary}");
    }
}

#[test]
fn where_a_model_fails_the_events_tell_and_it_is_said() {
    for (command, says) in [
        ("exit 3", "failed"),
        ("echo broken >&2; exit 1", "broken"),
        ("true", "printed nothing"),
        ("/nowhere/to/be/found", "failed"),
        ("sleep 60", "took more than 1 s"),
    ] {
        let (end, _) = told(command, "summary_timeout_s = 1\n");
        let problem = end.problem.unwrap().to_string();
        assert!(problem.contains(says) && problem.contains("told from the events"), "{problem}");
        let summary = end.summary.unwrap();
        assert_eq!(summary.made_by, SummaryMaker::Events);
        assert!(summary.summary.starts_with("What happened: look\n- 2 executions"), "{summary:?}");
    }
    // The step ended while it was asked: what it says is of another one.
    let (_folder, project) = project("summary_model = 'cat'\n");
    let given = Given { run: "r", ..Given::default() };
    let asked = StepEnd::of(&project, &worked().grounding, &given);
    let begun = Body::StepBegun(StepBegun { title: None });
    let next = worked().at(70, begun).ran(60, "lsp_check", "{}", Outcome::Ok);
    let mut end = StepEnd::of(&project, &next.grounding, &given);
    end.take_reply(&project, &asked, Ok("of the other".to_owned()));
    assert!(matches!(end.problem, Some(SummaryError::WentOn)), "{:?}", end.problem);
    assert_eq!(end.summary.unwrap().made_by, SummaryMaker::Events);
}
