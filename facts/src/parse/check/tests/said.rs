//! What an output says that has a failure above or beside a passing sum.

use crate::parse::check::lines::OutputStream;
use crate::parse::check::{CheckReader, CheckRules, Verdict};

#[test]
fn a_passing_sum_says_nothing_beside_what_went_wrong() {
    let sum = "=== 3 passed in 0.10s ===\n";
    let junit = |attributes: &str, case: &str| {
        format!(
            "<?xml version=\"1.0\"?>\n<testsuite tests=\"1\" {attributes}>\n{case}\n</testsuite>\n"
        )
    };
    let well = "<testcase name=\"x\"></testcase>";
    let bad = "<testcase name=\"x\"><failure message=\"no\"/></testcase>";
    let whole = junit("failures=\"0\"", well);
    // A command, what it printed, whether it passed.
    let table: &[(&str, String, bool)] = &[
        ("pytest | tail", sum.to_owned(), true),
        ("pytest | tail", format!("INTERNALERROR> Traceback (most recent call last):\n{sum}"), false),
        (
            "bundle exec rspec | tail",
            "3 examples, 0 failures\n\nLine coverage (85.00%) is below the expected minimum coverage (90.00%).\nSimpleCov failed with exit 2\n".to_owned(),
            false,
        ),
        (
            "bundle exec rspec | tail",
            "SimpleCov failed with exit 2 due to a coverage related error\n3 examples, 0 failures\n".to_owned(),
            false,
        ),
        ("bundle exec rspec | tail", "3 examples, 0 failures\n".to_owned(), true),
        ("pytest --junitxml=r.xml; cat r.xml", whole.clone(), true),
        ("pytest --junitxml=r.xml; cat r.xml", junit("errors=\"1\"", well), false),
        ("pytest --junitxml=r.xml; cat r.xml", whole[..whole.len() - 14].to_owned(), false),
        ("pytest --junitxml=r.xml; cat r.xml", format!("{sum}{}", junit("failures=\"1\"", bad)), false),
        ("pytest --junitxml=r.xml; cat r.xml", format!("{sum}{whole}"), true),
    ];
    for (command, printed, has_passed) in table {
        let mut reader = CheckReader::of(command, &CheckRules::default());
        reader.feed(OutputStream::Stdout, printed.as_bytes());
        let report = reader.finish(Some(0));
        assert_eq!(report.verdict == Verdict::Passed, *has_passed, "{printed}: {report:?}");
    }
}
