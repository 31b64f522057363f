//! One cause that many tests show is one group, and what has it elsewhere is related.

use super::{document, project};

#[test]
fn forty_six_tests_that_fail_for_one_cause_are_one_group() {
    let project = project();
    let log = |name: &str, tests: usize| {
        let lines: String = (0..tests)
            .map(|it| format!("FAILED t.py::test_{it} - NameError: name '{name}' is not defined\n"))
            .collect();
        let sum = format!("=== {tests} failed, 1 passed in 0.02s ===\n");
        project.write("log", &format!("=== short test summary info ===\n{lines}{sum}"));
    };
    let attempt = |file: &str| {
        project.write(file, "");
        project.annals(["debug", "open", file]).code(0);
        let words = ["debug", "attempt", "--log", "log", "--tests", "pytest", "--exit-code", "1"];
        project.annals(words).code(0)
    };
    log("dta", 1);
    attempt("a.py");
    log("totl", 46);
    let told = attempt("b.py").says("and 45 more of the same cause").out();
    assert_eq!(told.matches("NameError").count(), 1, "{told}");
    let shown = project.annals(["debug", "show"]).code(0);
    let shown = shown.says("and 45 more of the same cause").out();
    assert_eq!(shown.matches("NameError").count(), 1, "{shown}");
    let why = "the name was misspelt where the total is summed";
    project.annals(["debug", "analyse", "--root-cause", why, "--fix-strategy", why]).code(0);
    let document = document(&project, "last");
    let related = &document["executions"][0]["analysis"]["related_failures"];
    let related: Vec<&str> =
        related.as_array().expect("a list").iter().flat_map(|it| it.as_str()).collect();
    assert_eq!(related.len(), 46);
    assert!(related[45].contains("a.py"), "{related:?}");
    project.annals(["debug", "similar", "--explain"]).code(0).says("cause here: NameError");
}
