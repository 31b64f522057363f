//! Failures of one cause are one group, and related.

use super::templates::solved;
use super::*;
use crate::debug::query::groups;
use crate::parse::check::cause::NOT_BUILT;

#[test]
fn related_failures_are_those_of_the_same_cause() {
    let (_dir, project) = project("");
    let first = solved(&project);
    let other = TestFailure {
        error_message: "x is not a function".to_owned(),
        ..failure("of_another_cause", "src/b.rs")
    };
    let tests: Vec<String> = (0..46).map(|it| format!("t{it}")).collect();
    let mut failures: Vec<TestFailure> =
        tests.iter().map(|it| failure(it, &format!("src/{it}.rs"))).collect();
    failures.push(other);
    let met = attempt(&project, "src/b.rs", failing("b1", &failures)).done.session;
    let related = |attempt: usize| {
        let document = document(&project, met);
        document.executions[attempt].analysis.as_ref().unwrap().related_failures.clone().unwrap()
    };
    let mut expected: Vec<String> = tests[1..].to_vec();
    expected.push(format!("t (src/a.rs, debug session {first})"));
    assert_eq!(related(0), expected);
    let counted = |document: &DebugDocument| {
        let found = groups(document).into_iter();
        found.map(|(it, first)| (it.count, first.test_name.clone())).collect::<Vec<_>>()
    };
    assert_eq!(
        counted(&document(&project, met)),
        [(46, "t0".to_owned()), (1, "of_another_cause".to_owned())]
    );
    // A caller's own analysis has them too, unless it says which.
    attempt(&project, "src/b.rs", failing("b2", &failures[..2]));
    work(&project, |it| it.analyse(met, None, analysis()).unwrap());
    assert_eq!(related(1), ["t1".to_owned(), expected[45].clone()]);
    let own = Some(vec!["mine".to_owned()]);
    let told = Analysis { related_failures: own, ..analysis() };
    work(&project, |it| it.analyse(met, None, told).unwrap());
    assert_eq!(related(1), ["mine"]);
}

/// Why a package was not built its compiler says, and nobody else.
#[test]
fn a_package_that_was_not_built_is_like_none() {
    let (_dir, project) = project("");
    let unbuilt = |path: &str, message: &str| TestFailure {
        error_message: message.to_owned(),
        ..failure("example.com/cart", path)
    };
    for (message, count) in [(NOT_BUILT, 0), ("undefined: total", 1)] {
        attempt(&project, "src/a.rs", failing("1", &[unbuilt("a.go", message)]));
        let met = attempt(&project, "src/b.rs", failing("1", &[unbuilt("b.go", message)]));
        assert_eq!(met.similar.len(), count, "{message}");
    }
}
