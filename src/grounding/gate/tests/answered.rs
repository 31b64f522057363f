//! What ends with a code of 1 that is no failure: what it changed and what it left open counts all the same.

use std::convert::Infallible;

use super::super::judge_claim;
use super::made::Made;
use crate::event::Outcome;

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
