//! What ends with a code of 1 that is no failure: what it changed and what it left open counts all the same.

use std::convert::Infallible;

use super::super::{judge_claim, unverified};
use super::made::{Made, execution_of};
use crate::event::{Body, Change, Content, ExecutionId, Outcome};
use crate::journal::{InitOptions, Project};

fn run(made: Made, command: &str, outcome: Outcome) -> Made {
    let arguments = serde_json::json!({ "command": command }).to_string();
    made.ran(9, "bash_exec", &arguments, outcome)
}

fn stands(made: &Made, text: &str) -> bool {
    judge_claim(&made.grounding, text, |_| Ok::<_, Infallible>(None)).unwrap().is_accepted()
}

#[test]
fn a_question_that_is_answered_with_no_has_changed_what_it_changed_before() {
    for (command, is_accepted) in [
        ("sed -i s/a/b/ x.rs; grep zz x.rs", false),
        ("cd src; sed -i s/a/b/ x.rs; rg zz", false),
        ("echo x >> src/x.rs; git diff --quiet", false),
        ("rm src/x.rs; test -f src/x.rs", false),
        ("cat > src/x.rs <<'E'\nfn a() {}\nE\ngrep -c zz src/x.rs", false),
        ("sed -i s/a/b/ x.rs; cargo test | grep '0 failed'", false),
        ("grep zz x.rs", true),
        ("echo x > /tmp/x; grep zz x.rs", true),
        ("grep zz x.rs 2>/dev/null", true),
        ("diff a.rs b.rs > /tmp/d", true),
        ("sed -n 1,20p x.rs | grep zz", true),
    ] {
        let passed = run(Made::new(), "cargo test", Outcome::Ok);
        let asked = run(passed, command, Outcome::Failed);
        for text in ["All tests pass.", "I fixed it."] {
            assert_eq!(stands(&asked, text), is_accepted, "{command}: {text}");
        }
        assert!(asked.grounding.pending.is_empty(), "{command}: it is no failure");
        let again = run(asked, "cargo test", Outcome::Ok);
        assert!(stands(&again, "All tests pass."), "{command}: it passed again");
    }
}

#[test]
fn a_check_that_ended_nobody_knows_how_takes_the_proof_from_one_before_it() {
    use Outcome::{Failed, Ok};
    for (command, outcome, text, is_accepted) in [
        ("cargo test | grep '0 failed'", Failed, "All tests pass.", false),
        ("cargo test 2>&1 | grep -q 'test result: ok'", Failed, "The tests pass.", false),
        ("cargo test | rg '0 failed'", Failed, "Everything passes.", false),
        ("(cargo test | grep -q '0 failed') || echo no", Ok, "All tests pass.", false),
        ("cargo test > /tmp/log 2>&1 || true", Ok, "All tests pass.", false),
        // Of another kind, or of nothing in particular.
        ("cargo clippy 2>&1 | grep warning", Failed, "All tests pass.", true),
        ("cargo clippy 2>&1 | grep warning", Failed, "Clippy is clean.", false),
        ("cargo test | grep '0 failed'", Failed, "Fixed.", true),
        // Who looks for failures and finds none.
        ("cargo test 2>&1 | grep FAILED", Failed, "All tests pass.", true),
        ("cargo test 2>&1 | grep -E 'FAILED|panicked'", Failed, "All tests pass.", true),
        ("cargo test | tee log | grep -ic 'error\\|fail'", Failed, "All tests pass.", true),
        ("bundle exec rspec | grep 'no failures'", Failed, "All tests pass.", false),
        ("cargo test 2>&1 | grep -v FAILED", Failed, "All tests pass.", false),
        ("cargo test 2>&1 | grep 'ok\\|FAILED'", Failed, "All tests pass.", false),
        // It is no run of tests.
        ("cargo test -- --list | grep zz", Failed, "All tests pass.", true),
        ("cat log | grep '0 failed'", Failed, "All tests pass.", true),
        ("cargo test", Ok, "All tests pass.", true),
    ] {
        let passed = run(Made::new(), "cargo test", Ok);
        let unclear = run(passed, command, outcome);
        assert_eq!(stands(&unclear, text), is_accepted, "{command}: {text}");
        assert!(unclear.grounding.pending.is_empty(), "{command}: it is no failure");
        let again = run(unclear, "cargo test", Ok);
        assert!(stands(&again, "All tests pass."), "{command}: it passed again");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("Cargo.toml"), "").unwrap();
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    let passed = run(Made::new(), "cargo test", Ok);
    let made = run(passed, "cargo test | grep '0 failed'", Failed);
    let claim =
        judge_claim(&made.grounding, "All tests pass.", |_| Result::<_, Infallible>::Ok(None));
    let told = unverified(&project, &claim.unwrap().refusal.unwrap(), &made.grounding);
    assert!(told.contains("cannot be told behind `| grep`"), "{told}");
    assert!(told.contains("Run `cargo test` in a shell"), "{told}");
}

#[test]
fn a_check_that_its_own_line_changes_files_behind_bears_nothing_out() {
    for (command, stands) in [
        ("cargo test; sed -i s/a/b/ x.rs", false),
        ("cargo test && rm x.rs", false),
        ("cargo test | tee log && echo x > x.rs", false),
        ("sed -i s/a/b/ x.rs; cargo test", true),
        ("echo x > x.rs && cargo test", true),
        ("cargo test | tee log; echo done >> log", true),
        ("cargo test; cat x.rs", true),
    ] {
        let arguments = serde_json::json!({ "command": command }).to_string();
        let id = ExecutionId::v7(1, &[77; 10]);
        let (started, mut finished) = execution_of(id, "bash_exec", &arguments, Outcome::Ok);
        if let Body::ExecutionFinished(it) = &mut finished {
            let change = |path: &str| Change { path: path.to_owned(), created: false };
            it.closing.changed = vec![change("x.rs")];
            let printed = b"running 5 tests\ntest result: ok. 5 passed; 0 failed\n";
            it.closing.stdout = Some(Content::Inline(printed.to_vec()));
        }
        let made = run(Made::new(), "cargo test", Outcome::Ok).at(5, started).at(5, finished);
        assert_eq!(self::stands(&made, "All tests pass."), stands, "{command}");
    }
}
