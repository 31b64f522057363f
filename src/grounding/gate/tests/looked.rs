//! What failed to look at something: it is told, and takes no proof from what passed.

use std::convert::Infallible;

use super::super::judge_claim;
use super::made::Made;
use crate::event::Outcome;

#[test]
fn a_look_that_failed_takes_no_proof_from_a_check_that_passed() {
    for (tool, arguments, stands) in [
        ("file_read", r#"{"path":"gone.rs"}"#, true),
        ("file_search", r#"{"pattern":"["}"#, true),
        ("WebFetch", r#"{"url":"https://example.org"}"#, true),
        ("file_edit", r#"{"path":"src/foo.rs"}"#, false),
        ("bash_exec", r#"{"command":"./deploy"}"#, false),
        ("lsp_check", "{}", false),
        ("mcp__tests__run", "{}", false),
    ] {
        let made = Made::new()
            .ran(9_000, "file_edit", r#"{"path":"src/foo.rs"}"#, Outcome::Ok)
            .ran(5_000, "bash_exec", r#"{"command":"cargo test"}"#, Outcome::Ok)
            .ran(1_000, tool, arguments, Outcome::Failed);
        let known = |_: &_| Ok::<_, Infallible>(None);
        let claim = judge_claim(&made.grounding, "all tests pass", known).unwrap();
        assert_eq!(claim.is_accepted(), stands, "{tool}");
        assert_eq!(made.grounding.failed, 1, "{tool}: it is counted");
    }
}
