//! Claims of one kind of checks: what fails of that kind, or nobody knows how it ended, denies them.

use std::convert::Infallible;

use super::super::{Claim, judge_claim, unverified};
use super::made::{Made, execution_of};
use crate::event::{ExecutionId, Outcome};
use crate::journal::{InitOptions, Project};

fn judged(made: &Made, text: &str) -> Claim {
    judge_claim(&made.grounding, text, |_| Ok::<_, Infallible>(None)).unwrap()
}

fn run(made: Made, command: &str, outcome: Outcome) -> Made {
    let arguments = serde_json::json!({ "command": command }).to_string();
    made.ran(9, "bash_exec", &arguments, outcome)
}

fn told(made: &Made, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("pytest.ini"), "").unwrap();
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    unverified(&project, &judged(made, text).refusal.unwrap(), &made.grounding)
}

#[test]
fn what_fails_of_the_kind_that_is_spoken_of_denies_a_claim() {
    // What failed, what passed since, what is claimed, whether it stands.
    let table = [
        ("mypy src", "pytest -q", "mypy passes with no errors.", false),
        ("mypy src", "pytest -q", "All checks pass.", false),
        ("mypy src", "pytest -q", "Type check passes.", false),
        ("mypy src", "pytest -q", "Everything passes.", false),
        ("mypy src", "pytest -q", "CI is green.", false),
        ("mypy src", "pytest -q", "All tests pass.", true),
        ("mypy src", "pytest -q", "All 42 passed.", true),
        ("mypy src", "pytest -q", "pytest passes.", true),
        ("mypy src", "pytest -q", "Done.", true),
        ("mypy src", "mypy src", "mypy passes with no errors.", true),
        ("mypy src", "ruff check .", "Lint is clean.", true),
        ("pyright", "mypy src", "mypy passes.", true),
        ("eslint .", "tsc --noEmit", "eslint is clean.", false),
        ("eslint .", "tsc --noEmit", "tsc passes.", true),
        ("eslint .", "prettier --check .", "The linter passes.", false),
        ("npm run lint", "jest", "Lint passes.", false),
        ("npm run lint", "jest", "The tests pass.", true),
        ("cargo clippy", "cargo test", "Tests pass and clippy is clean.", false),
        ("cargo clippy", "cargo test", "It compiles.", true),
        ("gofmt -l .", "go test ./...", "Formatting is clean.", false),
        ("javac -d out src/A.java", "javac -d out src/B.java", "The build succeeds.", false),
        ("javac -d out src/A.java", "javac -d out src/B.java", "It compiles.", false),
        ("go test ./a", "go vet ./...", "All tests pass.", false),
        ("go test ./a", "go test ./...", "All tests pass.", true),
    ];
    for (failed, passed, text, is_accepted) in table {
        let made = run(Made::new(), failed, Outcome::Failed);
        let made = run(made, passed, Outcome::Ok);
        assert_eq!(judged(&made, text).is_accepted(), is_accepted, "{failed}: {passed}: {text}");
    }
    let made = run(Made::new(), "mypy src", Outcome::Failed);
    let told = told(&run(made, "pytest -q", Outcome::Ok), "All checks pass.");
    assert!(told.contains("Run `mypy src` in a shell"), "{told}");
}

#[test]
fn only_a_check_of_the_kind_bears_a_claim_out() {
    for (passed, text, is_accepted) in [
        ("pytest -q", "mypy passes.", false),
        ("pytest -q", "The build passes.", false),
        ("pytest -q", "It compiles.", false),
        ("go test ./...", "The build passes.", true),
        ("cargo test", "It compiles.", true),
        ("cargo build", "It compiles.", true),
        ("tsc --noEmit", "Type check passes.", true),
        ("tsc --noEmit", "All tests pass.", false),
        ("make check", "Type check passes and the build is green.", true),
        ("make test", "The build passes.", true),
        ("mypy src", "Lint is clean.", false),
    ] {
        let made = run(Made::new(), passed, Outcome::Ok);
        assert_eq!(judged(&made, text).is_accepted(), is_accepted, "{passed}: {text}");
    }
}

#[test]
fn a_check_of_which_nobody_knows_how_it_ended_denies_a_claim_of_its_kind() {
    let began = |made: Made, command: &str| {
        let arguments = serde_json::json!({ "command": command }).to_string();
        let id = ExecutionId::v7(1, &[77; 10]);
        made.at(5, execution_of(id, "bash_exec", &arguments, Outcome::Ok).0)
    };
    let passed = || run(Made::new(), "go test ./...", Outcome::Ok);
    for (command, text, is_accepted) in [
        ("go test ./...", "All tests pass.", false),
        ("go test ./...", "Everything passes.", false),
        ("go test ./...", "Fixed.", true),
        ("golangci-lint run", "All tests pass.", true),
        ("sleep 100", "All tests pass.", true),
    ] {
        let made = began(passed(), command);
        assert_eq!(judged(&made, text).is_accepted(), is_accepted, "{command}: {text}");
    }
    let lost = began(passed(), "go test ./...");
    let told = told(&lost, "All tests pass.");
    assert!(told.contains("how `go test ./...` ended is not known"), "{told}");
    let again = run(lost, "go test ./...", Outcome::Ok);
    assert!(judged(&again, "All tests pass.").is_accepted(), "it passed again");
}
