//! Claims of success, as tables.

use std::convert::Infallible;

use super::super::{Citation, Claim, judge_claim, unverified};
use super::made::{Made, SESSION};
use crate::event::{Body, ExecutionId, GateRule, Outcome};
use crate::journal::{InitOptions, Project};

const EDIT: &str = r#"{"path":"src/foo.rs"}"#;
const CHECK: &str = r#"{"command":"cargo test"}"#;
const OTHER: &str = r#"{"command":"./run"}"#;
const KNOWN: &str = "0190b2d0-0000-7000-8000-000000000001";

/// Judged where of the past only one id is known.
fn judged(made: &Made, text: &str) -> Claim {
    let known = |citation: &Citation| {
        let id = ExecutionId::parse(KNOWN).unwrap();
        Ok::<_, Infallible>((*citation == Citation::Id(id)).then_some(id))
    };
    judge_claim(&made.grounding, text, known).unwrap()
}

fn run(made: Made, command: &str, outcome: Outcome) -> Made {
    let arguments = serde_json::json!({ "command": command }).to_string();
    made.ran(9, "bash_exec", &arguments, outcome)
}

/// Spec 001, test 2.
#[test]
fn success_without_verification_rejected() {
    let edited = || Made::new().ran(9_000, "file_edit", EDIT, Outcome::Ok);
    let checked = |made: Made| made.ran(5_000, "bash_exec", CHECK, Outcome::Ok);
    for (what, made, accepted) in [
        ("nothing was done", Made::new(), false),
        ("edited", edited(), false),
        ("edited, checked", checked(edited()), true),
        ("edited, check failed", edited().ran(1, "bash_exec", CHECK, Outcome::Failed), false),
        ("edited, check refused", edited().ran(1, "bash_exec", CHECK, Outcome::Refused), false),
        ("checked, edited", checked(Made::new()).ran(1, "file_edit", EDIT, Outcome::Ok), false),
        (
            "checked, edit failed",
            checked(edited()).ran(1, "file_edit", EDIT, Outcome::Failed),
            false,
        ),
        (
            "checked, edit refused",
            checked(edited()).ran(1, "file_edit", EDIT, Outcome::Refused),
            true,
        ),
        (
            "checked, other failed",
            checked(edited()).ran(1, "bash_exec", OTHER, Outcome::Failed),
            false,
        ),
        ("checked, other passed", checked(edited()).ran(1, "bash_exec", OTHER, Outcome::Ok), true),
        ("lsp_check", edited().ran(1, "lsp_check", "{}", Outcome::Ok), true),
        (
            "failed, then checked",
            checked(edited().ran(6_000, "bash_exec", OTHER, Outcome::Failed)),
            true,
        ),
    ] {
        let claim = judged(&made, "I fixed it");
        assert_eq!(claim.is_accepted(), accepted, "{what}");
        assert_eq!(claim.verified_by.is_some(), accepted, "{what}");
        if let Some(refusal) = claim.refusal {
            assert_eq!(refusal.reason, "Must verify success via lsp_check", "{what}");
            assert_eq!(refusal.rule, GateRule::UnverifiedSuccess);
            assert!(
                refusal.required_query.starts_with("memory_query(tool=\"lsp_check\", success=true")
            );
        }
    }
}

/// Spec 001, test 3.
#[test]
fn fix_references_nonexistent_id_rejected() {
    let made =
        Made::new().ran(9, "bash_exec", OTHER, Outcome::Ok).ran(1, "lsp_check", "{}", Outcome::Ok);
    let session = SESSION.to_string();
    // bash_exec is undeclared here: only lsp_check has an ordinal.
    for (text, missing) in [
        ("Fixing error from execution 999", Some("999")),
        ("fixed, see #1", None),
        ("Fixed issue #12", None),
        ("fixed, see #2", None),
        ("fixed, see #0", None),
        ("execution 99999999999999999999999999 is fixed", Some("18446744073709551615")),
        ("executions 1, 2 and 3 are fixed", Some("2")),
        ("Execution #1 passed", None),
        ("execution id 7", Some("7")),
        ("the colour #12ab34 and 12 executions", None),
        ("three executions. 5 of them failed", None),
        ("see execution 0190b2d0-0000-7000-8000-000000000001.", None),
        (
            "see execution 0190b2d0-0000-7000-8000-000000000002",
            Some("0190b2d0-0000-7000-8000-000000000002"),
        ),
        (&session, None),
        ("", None),
    ] {
        let claim = judged(&made, text);
        let reason = claim.refusal.as_ref().map(|refusal| refusal.reason.clone());
        assert_eq!(reason, missing.map(|id| format!("Execution {id} not found")), "{text}");
        if let Some(refusal) = &claim.refusal {
            assert_eq!(refusal.rule, GateRule::UnknownExecution);
        }
        let Body::SuccessClaimed(body) = claim.body() else { panic!("another event") };
        assert_eq!((body.accepted, body.reason), (missing.is_none(), reason));
    }
    let claim = judged(&made, &format!("#1 and execution {KNOWN}, twice #1"));
    assert_eq!(claim.cited.len(), 2, "each once");
}

/// What an agent says as it stops names much that is no execution.
#[test]
fn only_what_cites_beyond_doubt_counts_in_free_text() {
    let made = Made::new().ran(1, "lsp_check", "{}", Outcome::Ok);
    for (text, missing) in [
        ("Fixed GitHub issue #4711; it works.", None),
        ("This is fixed in PR #17, color #336699 too.", None),
        ("Fixed pull request #3, MR #4, bug #5, ticket #6 and #7.", None),
        ("fixes #12, closes: #13", None),
        ("fixed owner/repo#12 and GH-12 (#99)", None),
        ("The colours #369 and #33669900 are fixed", None),
        ("Fixed for tenant 341f711b-3d4b-465c-8e6b-da3ba35b880d.", None),
        ("fixed, see #2", None),
        ("three executions. 5 of them failed", None),
        ("3 executions and 12 tests are done", None),
        ("fixed, see #1 and execution 1", None),
        ("Fixing error from execution 999", Some("999")),
        ("Execution #7 fixed it.", Some("7")),
        ("executions #1, #8 are fixed", Some("8")),
        ("executions: 1 and 9", Some("9")),
        (
            "execution 0190b2d0-0000-7000-8000-000000000002 passed",
            Some("0190b2d0-0000-7000-8000-000000000002"),
        ),
        ("issue #4711, execution 6", Some("6")),
    ] {
        let claim = judge_claim(&made.grounding, text, |_| Ok::<_, Infallible>(None)).unwrap();
        let reason = claim.refusal.map(|refusal| refusal.reason);
        assert_eq!(reason, missing.map(|id| format!("Execution {id} not found")), "{text}");
    }
    let cites = |text| {
        let claim = judge_claim(&made.grounding, text, |_| Ok::<_, Infallible>(None)).unwrap();
        claim.cited.len()
    };
    assert_eq!((cites("fixed, see #1"), cites("fixed issue #1")), (1, 0));
}

#[test]
fn a_claim_of_any_size_is_cut_and_read() {
    let text = "#1 \u{fc}".repeat(100_000);
    let claim = judged(&Made::new(), &text);
    assert!(claim.text.len() <= 1_000);
    let many: String = (1..10_000).map(|n| format!("#{n} ")).collect();
    let made = Made::new().ran(1, "lsp_check", "{}", Outcome::Ok);
    assert!(judged(&made, &many).cited.len() <= 64);
}

#[test]
fn a_claim_of_tests_needs_the_tests_that_failed() {
    let build = r#"{"command":"cargo build"}"#;
    let built = Made::new().ran(9_000, "bash_exec", CHECK, Outcome::Failed);
    let built = built.ran(5_000, "bash_exec", build, Outcome::Ok);
    assert!(judged(&built, "I fixed it").is_accepted(), "it builds");
    assert!(!judged(&built, "All tests pass now").is_accepted());
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    let refusal = judged(&built, "All tests pass now").refusal.unwrap();
    let told = unverified(&project, &refusal, &built.grounding);
    assert!(told.contains("tests that failed") && told.contains("Run `cargo test`"), "{told}");
    let tested = built.ran(1, "bash_exec", CHECK, Outcome::Ok);
    assert!(judged(&tested, "All tests pass now").is_accepted());
}

#[test]
fn a_claim_is_borne_out_by_a_check_of_what_it_speaks_of() {
    // What passed, what is claimed, whether it stands.
    let table = [
        ("cargo build", "All tests pass.", false),
        ("cargo build", "It builds.", true),
        ("cargo build", "42 passed.", false),
        ("cargo build", "Fixed; the tests pass.", false),
        ("cargo test", "All tests pass.", true),
        ("cargo test", "The lint passes.", false),
        ("cargo test", "Tests pass and clippy is clean.", false),
        ("cargo test && cargo clippy", "Tests pass and clippy is clean.", true),
        ("cargo test --test one", "All tests pass.", false),
        ("cargo test --test one", "The test passes.", true),
        ("pytest tests/test_a.py", "All tests pass.", false),
        ("pytest tests/test_a.py", "The tests of a pass.", true),
        ("go test ./a", "The whole test suite passes.", false),
        ("go test ./...", "The whole test suite passes.", true),
        ("make check", "All tests pass, lint is clean.", true),
        ("make test", "All tests pass.", true),
        ("make test ARGS='-k one'", "All tests pass.", false),
        ("make build", "All tests pass.", false),
        ("npm test", "All tests pass.", true),
        ("npm run lint", "Lint passes.", true),
        ("pytest", "Lint passes.", false),
    ];
    for (command, text, is_accepted) in table {
        let arguments = serde_json::json!({ "command": command }).to_string();
        let made = Made::new().ran(9, "bash_exec", &arguments, Outcome::Ok);
        assert_eq!(judged(&made, text).is_accepted(), is_accepted, "{command}: {text}");
    }
    let build = r#"{"command":"cargo build"}"#;
    let both = Made::new().ran(9, "bash_exec", CHECK, Outcome::Ok);
    let both = both.ran(5, "bash_exec", build, Outcome::Ok);
    assert!(judged(&both, "All tests pass").is_accepted(), "both passed");
    let changed =
        both.ran(3, "file_edit", EDIT, Outcome::Ok).ran(1, "bash_exec", build, Outcome::Ok);
    assert!(!judged(&changed, "All tests pass").is_accepted(), "the tests ran before the change");
}

#[test]
fn a_claim_of_everything_needs_what_failed_to_pass_too() {
    let failed = || run(Made::new(), "pytest", Outcome::Failed);
    let part = run(failed(), "pytest tests/test_a.py", Outcome::Ok);
    let built = run(failed(), "cargo build", Outcome::Ok);
    let passed = run(failed(), "pytest", Outcome::Ok);
    for text in [
        "0 tests fail.",
        "No test fails.",
        "Zero failures.",
        "The suite is green.",
        "Everything passes now.",
        "Nothing fails now.",
        "All green.",
        "pytest is green.",
        "CI is green.",
        "The failures are gone, no regressions.",
        "5 passed.",
    ] {
        for (made, is_accepted) in [(&part, false), (&built, false), (&passed, true)] {
            assert_eq!(judged(made, text).is_accepted(), is_accepted, "{text}");
        }
    }
}

#[test]
fn what_is_said_at_the_end_is_judged_by_what_ran() {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    let read = || Made::new().ran(9, "file_read", EDIT, Outcome::Ok);
    let lost = || run(read(), "./run", Outcome::Failed);
    let failed = || run(Made::new(), "pytest", Outcome::Failed);
    let part = || run(Made::new(), "pytest tests/test_a.py", Outcome::Ok);
    let edited = || Made::new().ran(9, "file_edit", EDIT, Outcome::Ok);
    // What ran, what is said, whether it is refused.
    for (made, text, is_refused) in [
        (read(), "All tests pass.", false),
        (read(), "The parser is complete and works as expected.", false),
        (lost(), "The parser is complete and works as expected.", false),
        (lost(), "All tests pass.", true),
        (failed(), "Done: it works now.", true),
        (failed(), "0 tests fail.", true),
        (failed(), "All tests pass except b.", false),
        (part(), "All tests pass.", true),
        (part(), "The tests of a pass.", false),
        (part(), "Fixed.", false),
        (run(Made::new(), "pytest", Outcome::Ok), "All tests pass.", false),
        (run(Made::new(), "cargo build", Outcome::Ok), "All tests pass.", true),
        (edited(), "Fixed.", true),
        (edited(), "All tests pass except b.", false),
    ] {
        let said = super::super::Statement::at_end(&project, &made.grounding, text).unwrap();
        let refused = said.claim().is_some_and(|it| it.refusal.is_some());
        assert_eq!(refused, is_refused, "{text}: {said:?}");
    }
}

#[test]
fn what_only_answers_a_question_is_no_failure() {
    for (question, is_answer) in [
        ("grep -r TODO src", true),
        ("cd a && rg TODO", true),
        ("git diff --quiet", true),
        ("git diff --exit-code src", true),
        ("diff a b", true),
        ("test -f x", true),
        ("[ -f x ]", true),
        ("cat x | grep y", true),
        ("git push", false),
        ("make && grep x y", false),
        ("./run.sh", false),
        ("grep x y; ./run.sh", false),
    ] {
        let arguments = serde_json::json!({ "command": question }).to_string();
        let made = Made::new().ran(9, "bash_exec", CHECK, Outcome::Ok);
        let made = made.ran(1, "bash_exec", &arguments, Outcome::Failed);
        assert_eq!(judged(&made, "I fixed it").is_accepted(), is_answer, "{question}");
        assert_eq!(made.grounding.pending.is_empty(), is_answer, "{question}");
        assert_eq!(made.grounding.failed, 1, "it is told as it was");
    }
}
