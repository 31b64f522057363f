//! What is told of a step.

use super::project;
use crate::event::{
    Body, Content, ExecutionId, GateMode, GateRefused, GateRule, Outcome, RepoIdentified,
    STOPPED_BY_USER, StepBegun, SummaryAppended, SummaryMaker,
};
use crate::grounding::fold::StepClaim;
use crate::grounding::gate::tests::made::{Made, execution_of};
use crate::repo::step_summary::facts::shortened;
use crate::repo::step_summary::{Facts, Given, StepEnd, line, plain, whole_lines};

/// An execution that printed something.
fn printed(made: Made, number: u8, tool: &str, arguments: &str, stdout: &str) -> Made {
    let id = ExecutionId::v7(1, &[number; 10]);
    let (started, mut finished) = execution_of(id, tool, arguments, Outcome::Ok);
    if let Body::ExecutionFinished(finished) = &mut finished {
        finished.closing.stdout = Some(Content::Inline(stdout.as_bytes().to_vec()));
    }
    made.at(50, started).at(50, finished)
}

fn refused(tool: &str, target: &str, mode: GateMode) -> Body {
    Body::GateRefused(GateRefused {
        execution: None,
        call: None,
        tool: tool.to_owned(),
        target: Some(target.to_owned()),
        rule: GateRule::NoGrounding,
        reason: "Must call memory_query before mutation tool".to_owned(),
        required_query: "memory_query(timeline_summary)".to_owned(),
        mode,
    })
}

/// A step with something of everything.
fn worked() -> Made {
    let edit = |file: &str| format!(r#"{{"path":"{file}"}}"#);
    let begun = Body::StepBegun(StepBegun { title: Some("mend the parser".to_owned()) });
    let made = Made::new()
        .at(90, begun)
        .ran(80, "file_write", &edit("src/foo.rs"), Outcome::Ok)
        .ran(70, "lsp_check", r#"{"command":"cargo check"}"#, Outcome::Failed)
        .ran(70, "bash_exec", r#"{"command":"make"}"#, Outcome::Failed)
        .at(60, refused("file_write", "src/kept.rs", GateMode::Enforce))
        .at(60, refused("file_write", "src/late.rs", GateMode::Advise))
        .at(60, refused("file_write", "src/seen.rs", GateMode::Observe));
    let made = printed(made, 1, "lsp_check", r#"{"command":"cargo check"}"#, "    Finished\n\n");
    let made =
        printed(made, 2, "bash_exec", r#"{"command":"du"}"#, "10%\r90%\r\u{1b}[1m4 KiB\u{1b}[0m\n");
    made.ran(40, "file_write", &edit("src/late.rs"), Outcome::Ok)
}

const WORKED: &str = "\
What happened: mend the parser
- 6 executions, 2 failed, 2 mutations, 1 check passed
- failed (resolved since) #2 lsp_check cargo check: Type mismatch in src/foo.rs:42
Important outputs:
- changed src/foo.rs, src/late.rs
- passed #3 lsp_check cargo check: Finished
- printed @14 bash_exec du: 4 KiB
Follow-up:
- refused file_write src/kept.rs: Must call memory_query before mutation tool";

#[test]
fn a_step_is_told_in_three_parts() {
    let made = worked();
    let facts = Facts::of(&made.grounding, None, None);
    // bash_exec is undeclared here and has no ordinal.
    assert_eq!(facts.told(2_000), WORKED);
    assert_eq!(Facts::of(&worked().grounding, None, None), facts, "the same events, the same text");
    let unverified = Some("nothing was checked".to_owned());
    let claim = StepClaim { text: "all is done".to_owned(), unverified };
    let said = "I mended it.\n\nAll tests pass.";
    let told = Facts::of(&made.grounding, Some(said), Some(&claim)).told(2_000);
    assert_eq!(told.lines().nth(1), Some("- said: I mended it. All tests pass."));
    let gate = "- claimed, not borne out: all is done (nothing was checked)";
    assert!(told.ends_with(gate), "{told}");
    let nothing = Facts::of(&Made::new().grounding, None, None).told(2_000);
    assert!(nothing.contains("Important outputs: none\nFollow-up: none"), "{nothing}");
}

/// What is told to be over and to follow of calls that failed: tool, command.
fn told_of(calls: &[(&str, &str, Outcome)]) -> Vec<String> {
    let made = Made::new().at(90, Body::StepBegun(StepBegun { title: None }));
    let made = calls.iter().fold(made, |made, (tool, command, outcome)| {
        made.ran(50, tool, &serde_json::json!({"command": command}).to_string(), *outcome)
    });
    let facts = Facts::of(&made.grounding, None, None);
    let told = facts.happened.iter().skip(1).chain(&facts.follow_up);
    told.map(|it| it.replace(": Type mismatch in src/foo.rs:42", "")).collect()
}

#[test]
fn only_checks_are_told_to_fail_and_each_once() {
    use Outcome::{Failed, Ok};
    for (calls, expect) in [
        (vec![("bash_exec", "ls nowhere", Failed), ("file_read", "x", Failed)], vec![]),
        (vec![("bash_exec", "grep -r x src", Failed)], vec![]),
        (vec![("lsp_check", "cargo check", Failed)], vec!["pending #1 lsp_check cargo check"]),
        (
            vec![("lsp_check", "cargo check", Failed), ("lsp_check", "cargo check", Failed)],
            vec!["pending #2 lsp_check cargo check (failed 2 times)"],
        ),
        (
            // They say the same: one cause.
            vec![("lsp_check", "cargo check", Failed), ("lsp_check", "cargo test", Failed)],
            vec!["pending #2 lsp_check cargo test"],
        ),
        (
            // Another check of its kind passed after it: that it was mended and shown so otherwise can be.
            vec![("lsp_check", "cargo test a", Failed), ("lsp_check", "cargo test b", Ok)],
            vec!["failed (a check of its kind passed since) #1 lsp_check cargo test a"],
        ),
        (
            // One of another kind says nothing of it.
            vec![("lsp_check", "cargo test a", Failed), ("lsp_check", "cargo fmt --check", Ok)],
            vec!["pending #1 lsp_check cargo test a"],
        ),
        (
            vec![("lsp_check", "cargo check", Failed), ("lsp_check", "cargo check", Ok)],
            vec!["failed (resolved since) #1 lsp_check cargo check"],
        ),
    ] {
        assert_eq!(told_of(&calls), expect, "{calls:?}");
    }
}

#[test]
fn what_its_user_stopped_is_no_failure() {
    let id = ExecutionId::v7(1, &[7; 10]);
    let arguments = r#"{"command":"cargo test"}"#;
    let (started, mut finished) = execution_of(id, "lsp_check", arguments, Outcome::Failed);
    if let Body::ExecutionFinished(finished) = &mut finished {
        finished.closing.error = Some(STOPPED_BY_USER.to_owned());
    }
    let facts = Facts::of(&Made::new().at(50, started).at(50, finished).grounding, None, None);
    assert_eq!((facts.happened.len(), facts.follow_up.len()), (1, 0), "{facts:?}");
}

#[test]
fn what_an_earlier_step_left_is_told_there() {
    let failed = Made::new().ran(80, "lsp_check", r#"{"command":"cargo check"}"#, Outcome::Failed);
    let made = failed.at(70, Body::StepBegun(StepBegun { title: None }));
    let facts = Facts::of(&made.ran(60, "file_read", "{}", Outcome::Ok).grounding, None, None);
    assert_eq!(facts.follow_up, [""; 0]);
}

#[test]
fn an_answer_is_told_by_its_first_whole_sentences() {
    let made = worked();
    for (answer, expect) in [
        ("It is done.", "It is done."),
        (&format!("It is done. {}", "And so on ".repeat(40)), "It is done."),
        (&format!("{}. {}", "a".repeat(100), "b".repeat(300)), &format!("{}.", "a".repeat(100))),
        (
            &format!("It is done: 1. {} 2. {}", "a".repeat(100), "b".repeat(300)),
            &format!("It is done: 1. {} 2. {}…", "a".repeat(100), "b".repeat(160)),
        ),
        (&"word ".repeat(100), &format!("{}…", "word ".repeat(56).trim())),
    ] {
        let facts = Facts::of(&made.grounding, Some(answer), None);
        assert_eq!(facts.happened[0], format!("said: {expect}"));
    }
}

#[test]
fn a_bound_leaves_whole_lines_and_counts_the_rest() {
    let facts = Facts::of(&worked().grounding, Some("It is done."), None);
    let whole = facts.told(10_000);
    for chars_max in 0..whole.chars().count() + 2 {
        let told = facts.told(chars_max);
        assert!(told.chars().count() <= chars_max, "{chars_max}: {told}");
        if chars_max < 200 {
            continue;
        }
        let shown = told.lines().filter(|it| it.starts_with("- ") && !it.contains("left out"));
        let left: usize = told
            .lines()
            .filter_map(|it| it.strip_prefix("- (left out: ")?.strip_suffix(" more)"))
            .map(|count| count.parse::<usize>().unwrap())
            .sum();
        assert_eq!(shown.count() + left, 7, "{chars_max}: {told}");
        assert!(told.contains("\n- said: It is done.\n"), "what was concluded comes first: {told}");
    }
}

#[test]
fn texts_from_elsewhere_are_made_fit() {
    for (text, expect) in [
        ("a\tb\r\nc\u{7}", "a b\nc"),
        ("\u{1b}[31;1mred\u{1b}[0m \u{1b}]0;title\u{7}", "red ]0;title"),
        ("\u{1b}[", ""),
        ("\u{9b}2J", "2J"),
    ] {
        assert_eq!(plain(text), expect, "{text:?}");
    }
    assert_eq!(line(" a\n\n b ", 10), "a b");
    for (text, chars_max, expect) in
        [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("ab cd", 4, "ab…"), ("ééé", 2, "é…"), ("a", 0, "")]
    {
        assert_eq!(shortened(text, chars_max), expect);
    }
    for (text, chars_max, expect) in [
        ("a\nb\n", 3, "a\nb"),
        ("one\ntwo\nthree\nfour and much more", 31, "one\n(left out: 3 more lines)"),
        ("a line that is too long", 10, "a line th…"),
    ] {
        assert_eq!(whole_lines(text, chars_max), expect);
    }
}

/// What the end of a step records besides its end.
fn end(settings: &str, made: &Made, given: &Given<'_>) -> Vec<Body> {
    let (_folder, project) = project(settings);
    let end = StepEnd::of(&project, &made.grounding, given);
    assert!(end.problem.is_none(), "{:?}", end.problem);
    let events = end.events(&crate::event::Envelope::new(None, crate::event::Source::Live, 1));
    events.into_iter().map(|event| event.body).collect()
}

fn summary(bodies: &[Body]) -> Option<&SummaryAppended> {
    bodies.iter().find_map(|body| match body {
        Body::SummaryAppended(summary) => Some(summary),
        _ => None,
    })
}

#[test]
fn a_step_that_ends_leaves_one_summary_and_an_empty_one_none() {
    let given = Given { run: "nightly\n", ..Given::default() };
    let bodies = end("", &worked(), &given);
    let kinds: Vec<&str> = bodies.iter().map(Body::name).collect();
    assert_eq!(kinds, ["RepoIdentified", "StepEnded", "SummaryAppended"]);
    let summary = summary(&bodies).unwrap();
    assert_eq!((summary.run_id.as_str(), summary.step_id.as_str()), ("nightly", "step-1"));
    assert_eq!((summary.step, summary.made_by), (Some(1), SummaryMaker::Events));
    assert_eq!(summary.through, Some(worked().grounding.through().0));
    assert_eq!(summary.summary, WORKED);
    let ended = bodies[1].clone();
    let known_elsewhere = Body::RepoIdentified(RepoIdentified {
        repo: summary.repo,
        path: String::new(),
        remote: None,
        branch: None,
        common: None,
    });
    let kinds =
        |made: &Made| -> Vec<&str> { end("", made, &given).iter().map(Body::name).collect() };
    assert_eq!(kinds(&worked().at(9, ended.clone())), ["StepEnded"], "nothing is told twice");
    let begun = worked().at(9, ended.clone()).at(10, Body::StepBegun(StepBegun { title: None }));
    assert_eq!(kinds(&begun), ["StepEnded"], "a turn of an agent, in which nothing ran");
    let asked = Given { is_asked: true, ..given.clone() };
    let told = end("", &begun, &asked);
    let told = self::summary(&told).expect("somebody began it and ended it");
    assert_eq!((told.step_id.as_str(), told.step.is_some()), ("step-2", true));
    let (_folder, project) = project("");
    let made = worked().at(9, known_elsewhere);
    // Another folder is another repository; of the same one it is said once.
    let again = StepEnd::of(&project, &made.grounding, &given);
    let identity = crate::repo::identify(project.root()).unwrap();
    let met = Body::RepoIdentified(RepoIdentified {
        repo: identity.hash,
        path: String::new(),
        remote: None,
        branch: None,
        common: None,
    });
    let envelope = crate::event::Envelope::new(None, crate::event::Source::Live, 1);
    assert_eq!(again.events(&envelope).len(), 3);
    let once = StepEnd::of(&project, &made.at(8, met).grounding, &given);
    assert_eq!(once.events(&envelope).len(), 2);
    assert_eq!(end("summaries = false\n", &worked(), &given).len(), 1);
    // The next one without a mark has a number of its own.
    let next = worked().at(9, ended).ran(8, "lsp_check", "{}", Outcome::Ok);
    let bodies = end("", &next, &Given::default());
    let summary = self::summary(&bodies).unwrap();
    assert_eq!((summary.step_id.as_str(), summary.step), ("step-2", None));
    assert_eq!(summary.run_id, next.grounding.session().to_string(), "nobody named the run");
}

#[test]
fn what_an_agent_said_is_redacted_before_it_is_cut() {
    let token = "ghp_Zx9Kq2LmN4pR7sT1vW3yB6cD8fG0hJ5kQw2E".to_owned();
    // The cut would go through it.
    let answer = format!("{} {token}", "word ".repeat(54).trim());
    let given = Given { run: "r", answer: Some(&answer), ..Given::default() };
    let (_folder, project) = project("");
    let end = StepEnd::of(&project, &worked().grounding, &given);
    let envelope = crate::event::Envelope::new(None, crate::event::Source::Live, 1);
    let events = end.events(&envelope);
    let told = &events.last().unwrap();
    assert!(!format!("{told:?}").contains("ghp_"), "{told:?}");
    assert_eq!(told.envelope.redactions.len(), 1, "and the event says so");
    assert!(events[1].envelope.redactions.is_empty());
}
