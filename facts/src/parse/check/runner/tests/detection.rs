//! Which runner a command is of.

use super::report;
use crate::parse::check::runner::TestRunner::{
    CargoTest, GoTest, Jest, Nextest, NodeTest, Pytest, Unittest,
};
use crate::parse::check::runner::{TestReportReader, TestRunner};

#[test]
fn a_command_names_its_runner_or_none() {
    let cases: &[(&[&str], Option<TestRunner>)] = &[
        (&["cargo", "test"], Some(CargoTest)),
        (&["cargo", "+nightly", "--color", "always", "t", "-p", "x"], Some(CargoTest)),
        (&["/opt/cargo/bin/cargo", "nextest", "run"], Some(Nextest)),
        (&["cargo", "build"], None),
        (&["cargo", "run", "--", "test"], None),
        (&["pytest", "-q"], Some(Pytest)),
        (&["python", "-m", "pytest"], Some(Pytest)),
        (&["uv", "run", "pytest", "tests/"], Some(Pytest)),
        (&["npx", "jest"], Some(Jest)),
        (&["node", "node_modules/.bin/jest", "--ci"], Some(Jest)),
        (&["node", "--inspect", "./node_modules/jest/bin/jest.js"], Some(Jest)),
        (&["go", "test", "./..."], Some(GoTest)),
        (&["go", "build", "./..."], None),
        (&["env", "A=1", "go", "test"], Some(GoTest)),
        (&["bash", "-c", "cd x && cargo test 2>&1 | tail -40"], Some(CargoTest)),
        (&["bash", "-c", "cargo test; pytest"], None),
        (&["python3", "-m", "unittest", "-v"], Some(Unittest)),
        (&["node", "--test"], Some(NodeTest)),
        (&["node", "--test-reporter=spec", "--test"], Some(NodeTest)),
        (&["node", "server.js"], None),
        (&["npm", "test"], None),
        (&["make", "check"], None),
        (&[], None),
    ];
    for (argv, runner) in cases {
        assert_eq!(TestReportReader::of(argv).runner(), *runner, "{argv:?}");
    }
}

#[test]
fn a_runtimes_version_is_found_in_what_its_command_prints() {
    for (printed, version) in [
        ("rustc 1.95.0 (f2d3ce0bd 2026-03-21)", Some("1.95.0")),
        ("Python 3.11.7", Some("3.11.7")),
        ("v20.20.2\n", Some("20.20.2")),
        ("go version go1.19.8 linux/amd64", Some("1.19.8")),
        ("no such thing", None),
        ("", None),
    ] {
        assert_eq!(TestRunner::version_in(printed), version, "{printed}");
    }
}

#[test]
fn of_several_runners_the_one_that_failed_is_told() {
    let both = "running 900 tests\ntest result: ok. 900 passed; 0 failed; 0 ignored; 0 measured; \
                0 filtered out; finished in 0.10s\n\
                ============ 1 failed, 2 passed in 0.10s ============\n";
    let told = report(&["make"], both, 2);
    assert_eq!(told.environment.test_framework.as_deref(), Some("pytest"));
    assert_eq!((told.results.failed, told.results.passed), (1, 2));
}
