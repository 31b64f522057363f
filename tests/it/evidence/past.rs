//! What was known then.

use super::{Evidence, digests};

#[test]
fn what_was_known_then_is_what_a_copy_made_then_knows() {
    let evidence = Evidence::new();
    let mut then = Vec::new();
    for number in 4..8 {
        let state = evidence.run(evidence.root(), "status --digest --json").code(0).json();
        let log = evidence.run(evidence.root(), "log --json").code(0).json();
        then.push((state["journal"]["sequence"].as_u64().expect("one"), digests(&state), log));
        evidence.record(number);
    }
    let copied = evidence.copy("copied");
    for (sequence, digested, log) in then {
        for (folder, how) in [(evidence.root(), ""), (copied.as_path(), "--evidence ")] {
            let told = |what: &str| {
                evidence.run(folder, &format!("{how}--at @{sequence} {what}")).code(0).json()
            };
            let state = told("status --digest --json");
            assert_eq!(digests(&state), digested, "{how}--at @{sequence}");
            assert_eq!(state["at"], sequence);
            assert_eq!(told("log --json"), log);
        }
    }
    let log = |at: &str| {
        let rows = evidence.run(evidence.root(), &format!("--at {at} log --json")).code(0).json();
        rows.as_array().expect("a list").len()
    };
    let first = evidence.run(evidence.root(), "show 3 --json").code(0).json();
    let (closed, began) = (first["sequence"].as_u64(), first["started_sequence"].as_u64());
    assert_eq!(log("3"), 3);
    assert_eq!(log("last"), 8);
    assert_eq!(log(first["execution"].as_str().expect("an id")), 3);
    assert_eq!(log(&format!("@{}", closed.expect("closed"))), 3);
    // Inside its commit: begun, and not yet ended.
    assert_eq!(log(&format!("@{}", began.expect("began"))), 3);
    let open = format!("--at @{} show last --json", began.expect("began"));
    assert_eq!(evidence.run(evidence.root(), &open).code(0).json()["outcome"], "open");
    assert_eq!(log(&format!("@{}", began.expect("began") - 1)), 2);
    assert_eq!(log("@0"), 0);
    assert_eq!(log("1s"), log("1s").min(8));
    assert_eq!(log("2020-01-01"), 0);
    assert_eq!(log("2999-01-01T00:00:00Z"), 8);
    evidence.run(evidence.root(), "--at @4711 log").code(2).says("the journal ends with");
    evidence.run(evidence.root(), "--at never log").code(2).says("names no execution");
    for command in ["verify", "inspect .", "salvage . saved", "bundle out"] {
        evidence.run(evidence.root(), &format!("--at @2 {command}")).code(2).says("whole");
    }
}
