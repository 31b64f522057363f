//! Documents wherever they stand in an output, whole, cut and hostile.

use std::time::{Duration, Instant};

use crate::parse::check::diagnostic::Finding;
use crate::parse::check::lines::OutputStream;
use crate::parse::check::{CheckReader, CheckReport, CheckRules, Verdict};
use Verdict::{Failed, Passed, Unknown};

fn read(command: &str, printed: &str, code: Option<i32>) -> CheckReport {
    let mut reader = CheckReader::of(command, &CheckRules::default());
    printed.as_bytes().chunks(7).for_each(|it| reader.feed(OutputStream::Stdout, it));
    reader.finish(code)
}

/// `error no-undef src/a.js:3:5 message`.
fn told(finding: &Finding) -> String {
    let Finding { diagnostic, column, .. } = finding;
    let or = |it: Option<u32>| it.map_or_else(|| "-".to_owned(), |it| it.to_string());
    let text = |it: &Option<String>| it.clone().unwrap_or_else(|| "-".to_owned());
    let (code, file) = (text(&diagnostic.code), text(&diagnostic.file_name));
    let (line, column) = (or(diagnostic.line_start), or(*column));
    format!("{} {code} {file}:{line}:{column} {}", diagnostic.level, diagnostic.message)
}

fn sarif(results: &str) -> String {
    let run = r#""tool":{"driver":{"name":"lint","rules":[{"id":"A","defaultConfiguration":{"level":"error"}},{"id":"B","defaultConfiguration":{"level":"note"},"messageStrings":{"m":{"text":"no {0} in {1}"}}},{"id":"C"}]}},"originalUriBaseIds":{"ROOT":{"uri":"file:///w/app/"},"%SRCROOT%":{"description":{"text":"the project"}}},"artifacts":[{"location":{"uri":"src/of index.c"}}]"#;
    format!("{{\"version\":\"2.1.0\",\"runs\":[{{{run},\"results\":[{results}]}}]}}\n")
}

#[test]
fn sarif_is_read_as_its_standard_has_it() {
    let place = r#""locations":[{"physicalLocation":{"artifactLocation":{"uri":"src/a%20b.c","uriBaseId":"%SRCROOT%"},"region":{"startLine":3,"startColumn":5}}}]"#;
    let at = |members: &str| format!("{{{members},\"message\":{{\"text\":\"m\"}},{place}}}");
    let table: &[(String, &[&str])] = &[
        (at(r#""ruleId":"A""#), &["error A src/a b.c:3:5 m"]),
        (at(r#""ruleId":"A/sub""#), &["error A/sub src/a b.c:3:5 m"]),
        (at(r#""ruleIndex":1"#), &["note B src/a b.c:3:5 m"]),
        (at(r#""rule":{"index":1}"#), &["note B src/a b.c:3:5 m"]),
        (at(r#""ruleId":"C""#), &["warning C src/a b.c:3:5 m"]),
        (at(r#""ruleId":"unknown""#), &["warning unknown src/a b.c:3:5 m"]),
        (at(r#""ruleId":"A","level":"note""#), &["note A src/a b.c:3:5 m"]),
        (at(r#""ruleId":"A","level":"none""#), &["note A src/a b.c:3:5 m"]),
        (at(r#""ruleId":"A","kind":"open""#), &["note A src/a b.c:3:5 m"]),
        (at(r#""ruleId":"A","kind":"pass""#), &[]),
        (at(r#""ruleId":"A","kind":"notApplicable""#), &[]),
        (at(r#""ruleId":"A","suppressions":[{"kind":"inSource"}]"#), &[]),
        (at(r#""ruleId":"A","suppressions":[]"#), &["error A src/a b.c:3:5 m"]),
        (at(r#""ruleId":"A","suppressions":[{"kind":"external","status":"rejected"}]"#), &[
            "error A src/a b.c:3:5 m",
        ]),
        (at(r#""ruleId":"A","baselineState":"absent""#), &[]),
        (
            r#"{"ruleId":"B","message":{"id":"m","arguments":["tabs","it"]},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"x.c","uriBaseId":"ROOT"}}}]}"#.to_owned(),
            &["note B /w/app/x.c:-:- no tabs in it"],
        ),
        (
            r#"{"ruleId":"A","message":{"text":"m"},"locations":[{"physicalLocation":{"artifactLocation":{"index":0}}}]}"#.to_owned(),
            &["error A src/of index.c:-:- m"],
        ),
        (
            r#"{"ruleId":"A","message":{"text":"m"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///C:/w/x.c"}}}]}"#.to_owned(),
            &["error A C:/w/x.c:-:- m"],
        ),
        (r#"{"message":{"text":"no place"}}"#.to_owned(), &["warning - -:-:- no place"]),
    ];
    for (result, wanted) in table {
        let report = read("mylint run | cat; ruff check | cat", &sarif(result), Some(0));
        let found: Vec<String> = report.findings.iter().map(told).collect();
        assert_eq!(found, *wanted, "{result}");
        let verdict = if found.iter().any(|it| it.starts_with("error")) { Failed } else { Passed };
        assert_eq!(report.verdict, verdict, "{result}");
    }
    let places = r#"{"ruleId":"A","message":{"text":"m"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.c"},"region":{"startLine":1}}},{"physicalLocation":{"artifactLocation":{"uri":"b.c"},"region":{"startLine":2}}}],"relatedLocations":[{"message":{"text":"borrowed here"},"physicalLocation":{"artifactLocation":{"uri":"c.c"},"region":{"startLine":3}}}]}"#;
    let report = read("ruff check", &sarif(places), Some(1));
    assert_eq!(report.findings[0].related, ["b.c:2", "c.c:3: borrowed here"]);
}

#[test]
fn documents_of_linters_are_read_between_other_lines() {
    let eslint = r#"[{"filePath":"/w/a.js","messages":[{"ruleId":"no-undef","severity":2,"message":"no x","line":3,"column":5}]},{"filePath":"/w/b.js","messages":[]}]"#;
    let golangci = r#"{"Issues":[{"FromLinter":"errcheck","Text":"unchecked","Severity":"","Pos":{"Filename":"a.go","Line":3,"Column":5}}],"Report":{}}"#;
    let clean = [
        ("eslint", r#"[{"filePath":"/w/b.js","messages":[]}]"#),
        ("golangci-lint run", r#"{"Issues":null,"Report":{}}"#),
        ("ruff check", "[]"),
        ("ruff check", "[]exit 0"),
        ("pyright", "{\n\"generalDiagnostics\": [],\n\"summary\": {}\n}"),
        ("cargo check", r#"{"reason":"build-finished","success":true}"#),
        ("ruff check", r#"{"runs":[{"tool":{"driver":{"name":"x"}},"results":[]}]}"#),
    ];
    for (command, document) in clean {
        let report = read(&format!("{command} | cat"), document, Some(0));
        assert_eq!((report.verdict, report.findings.len()), (Passed, 0), "{command}: {document}");
    }
    let wrong = [
        ("eslint", eslint, "error no-undef /w/a.js:3:5 no x"),
        ("golangci-lint run", golangci, "error errcheck a.go:3:5 unchecked"),
        (
            "mypy",
            r#"{"file": "a.py", "line": 3, "column": 4, "message": "m", "hint": null, "code": "c", "severity": "error"}"#,
            "error c a.py:3:5 m",
        ),
        (
            "pyright",
            "{\n\"generalDiagnostics\": [{\"file\":\"a.py\",\"severity\":\"error\",\"message\":\"m\",\"rule\":\"r\",\n\
             \"range\":{\"start\":{\"line\":2,\"character\":4}}}]\n}",
            "error r a.py:3:5 m",
        ),
        (
            "cargo clippy",
            r#"{"reason":"compiler-message","message":{"message":"m","level":"error","code":{"code":"E1"},"spans":[{"file_name":"a.rs","line_start":3,"column_start":5,"is_primary":true}],"children":[{"level":"help","message":"h"}]}}"#,
            "error E1 a.rs:3:5 m",
        ),
    ];
    for (command, document, wanted) in wrong {
        for (before, behind) in [
            ("", ""),
            ("> app@1.0.0 lint\n[INFO] it begins\n{ not a document\n[\n", "\n"),
            ("", "\nexit 1\n"),
            ("{\"name\": \"other\",\n\"of\": [1]}\n", "\ndone\n"),
        ] {
            let printed = format!("{before}{document}{behind}");
            let report = read(&format!("{command} | cat"), &printed, Some(0));
            let found: Vec<String> = report.findings.iter().map(told).collect();
            assert_eq!((found, report.verdict), (vec![wanted.to_owned()], Failed), "{printed}");
        }
        // Cut in its midst it is no document, and says nothing.
        let report = read(&format!("{command} | cat"), &document[..document.len() - 1], Some(0));
        assert_eq!((report.verdict, report.findings.len()), (Unknown, 0), "{command}");
    }
}

#[test]
fn a_build_that_says_that_it_failed_has_failed() {
    let printed = "{\"reason\":\"build-finished\",\"success\":false}\n";
    let report = read("cargo build --message-format=json | cat", printed, Some(0));
    assert_eq!((report.verdict, report.telling.as_deref()), (Failed, Some("the build failed")));
    let sarif = r#"{"runs":[{"tool":{"driver":{"name":"x"}},"invocations":[{"executionSuccessful":false}],"results":[]}]}"#;
    assert_eq!(read("ruff check | cat", sarif, Some(0)).verdict, Failed);
}

#[test]
fn what_tests_print_is_no_document_of_theirs() {
    let printed = "[{\"file\":\"a\",\"line\":1,\"message\":\"no\"}]\n\
                   ok  \texample.com/a\t0.003s\n";
    let report = read("go test ./... | cat", printed, Some(0));
    assert_eq!((report.verdict, report.findings.len()), (Passed, 0), "{report:?}");
    let printed = "<testsuite tests=\"1\" failures=\"1\"><testcase name=\"x\"><failure/></testcase></testsuite>\n\
                   === 3 passed in 0.10s ===\n";
    let report = read("pytest -s | cat", printed, Some(0));
    assert_eq!((report.verdict, report.failures.len()), (Passed, 0), "{report:?}");
}

#[test]
fn junit_tells_tests_by_its_own_or_counts_them() {
    let suite =
        |inner: &str| format!("<?xml version=\"1.0\"?>\n<testsuites>\n{inner}\n</testsuites>\n");
    let table: &[(String, Verdict, [u64; 4], &[&str])] = &[
        (
            suite("<testsuite name='s'><testcase name='a'/><testcase classname='p.C' name='b'><failure message='1 != 2' type='AssertionError'>x</failure></testcase></testsuite>"),
            Failed,
            [1, 1, 0, 0],
            &["p.C.b"],
        ),
        // Suites in suites; skipped and to be done; errors; a class that says what the name says.
        (
            suite("<testsuite name='o'><testsuite name='i'><testcase name='a'><skipped/></testcase><testcase name='b'><skipped/><failure/></testcase><testcase classname='c d' name='c d e'><error message='boom'/></testcase></testsuite></testsuite>"),
            Failed,
            [0, 0, 1, 2],
            &["c d e"],
        ),
        // Markup in texts; an end in a text; one that ran again.
        (
            suite("<testsuite><testcase name='a&lt;b&gt;'><failure message='&quot;x&quot;&#10;y'><![CDATA[</testcase> at f (src/a.js:3:9)]]></failure><system-out>FAILED b - no</system-out></testcase><testcase name='f'><flakyFailure/></testcase></testsuite>"),
            Failed,
            [1, 1, 0, 0],
            &["a<b>"],
        ),
        (suite("<testsuite tests='2' failures='0'/>"), Passed, [2, 0, 0, 0], &[]),
        ("<testsuites tests='3' failures='1' errors='0' skipped='1'/>\n".to_owned(), Failed, [1, 1, 0, 1], &[]),
        ("<testsuite tests='2' failures='0' errors='0'>\n<testcase name='a'/><testcase name='b'/>\n</testsuite>\n".to_owned(), Passed, [2, 0, 0, 0], &[]),
    ];
    for (document, verdict, counts, names) in table {
        let printed = format!("some log\n{document}behind it\n");
        let report = read("vitest run | cat", &printed, Some(0));
        let results = report.results.clone().unwrap_or_default();
        let found = [
            results.passed,
            results.failed,
            results.errors.unwrap_or(0),
            results.skipped.unwrap_or(0),
        ];
        assert_eq!((report.verdict, found), (*verdict, *counts), "{document}: {report:?}");
        let found: Vec<&str> = report.failures.iter().map(|it| it.test_name.as_str()).collect();
        assert_eq!(found, *names, "{document}");
    }
    let (document, ..) = &table[2];
    let report = read("vitest run", document, Some(1));
    let failure = &report.failures[0];
    assert_eq!((failure.test_file.as_deref(), failure.test_line), (Some("src/a.js"), Some(3)));
    assert_eq!(failure.error_message, "\"x\"\ny");
    // Without its end the counts of its head are what is known.
    let cut = "<testsuites tests='9' failures='2'>\n<testsuite><testcase name='a'><failure message='no'>x";
    let report = read("vitest run | head -3", cut, Some(0));
    let results = report.results.unwrap();
    assert_eq!((report.verdict, results.total, results.failed), (Failed, 9, 2));
    assert_eq!(report.failures[0].test_name, "a");
    // Other XML is lines.
    let other =
        "<?xml version='1.0'?>\n<checkstyle>\n<error/>\n</checkstyle>\na.c:1:2: error: no\n";
    assert_eq!(read("gcc a.c", other, Some(1)).findings.len(), 1);
}

#[test]
fn tap_is_read_with_subtests_blocks_and_directives() {
    let table: &[(&str, Verdict, [u64; 3], &[&str])] = &[
        ("TAP version 13\n1..2\nok 1 - a\nnot ok 2 - b\n", Failed, [1, 1, 0], &["b"]),
        ("1..2\nok 1 a\nok 2\n", Passed, [2, 0, 0], &[]),
        ("ok\nnot ok c\n1..2\n", Failed, [1, 1, 0], &["c"]),
        (
            "TAP version 14\n1..4\nnot ok 1 - a # TODO later\nok 2 - b # skip no\nnot ok 3 - \\# c\nok 4 # Skip\n",
            Failed,
            [0, 1, 3],
            &["\\# c"],
        ),
        ("TAP version 14\n1..1\nnot ok 1 - a # TODO\n", Unknown, [0, 0, 1], &[]),
        // The outer one fails with its subtest, alone it fails by itself.
        (
            "TAP version 14\n# Subtest: o\n    1..2\n    ok 1 - x\n    not ok 2 - y\n      ---\n      message: 'no'\n      stack: |\n        not ok 7 - text\n      ...\nnot ok 1 - o\n    ok 1 - z\n    1..1\nnot ok 2 - p\n1..2\n",
            Failed,
            [2, 2, 0],
            &["y", "p"],
        ),
        ("1..3\nok 1 - a\nBail out! no database\n", Failed, [1, 0, 0], &["Bail out!"]),
        ("TAP version 13\n1..0 # SKIP none\n", Unknown, [0, 0, 0], &[]),
        // A plan that was not kept, and somebody's `ok`s.
        ("1..3\nok 1 - a\n", Unknown, [0, 0, 0], &[]),
        ("ok 1\nok 2\n", Unknown, [0, 0, 0], &[]),
        ("1..1\nok 1\n# tests 3\n# pass  2\n# fail  1\n", Failed, [2, 1, 0], &[]),
    ];
    for (printed, verdict, counts, names) in table {
        let report = read("npx tap | cat", printed, Some(0));
        let results = report.results.clone().unwrap_or_default();
        let found = [results.passed, results.failed, results.skipped.unwrap_or(0)];
        assert_eq!((report.verdict, found), (*verdict, *counts), "{printed}: {report:?}");
        let found: Vec<&str> = report.failures.iter().map(|it| it.test_name.as_str()).collect();
        assert_eq!(found, *names, "{printed}");
    }
}

#[test]
fn a_hostile_document_costs_no_more_than_its_length() {
    let deep = "[".repeat(3 << 20);
    let mut wide = "<testsuites><testsuite><testcase name='a'".to_owned();
    (0..200_000).for_each(|it| wide.push_str(&format!(" a{it}='x'")));
    let nested = "<testsuite>".repeat(200_000);
    let empty = "<testsuite/>\n".repeat(200_000);
    let entities = format!(
        "<!DOCTYPE x [<!ENTITY a '{}'>]><testsuites>{}",
        "x".repeat(99),
        "&a;".repeat(500_000)
    );
    let rules = format!(
        "{{\"runs\":[{{\"tool\":{{\"driver\":{{\"name\":\"x\",\"rules\":[{}{{}}]}}}},\"results\":[{}{{}}]}}]}}",
        "{\"id\":\"r\"},".repeat(100_000),
        "{\"ruleId\":\"q\"},".repeat(100_000)
    );
    let message = format!(
        "{{\"runs\":[{{\"results\":[{{\"message\":{{\"text\":\"{}\",\"arguments\":[\"{}\"]}}}}]}}]}}",
        "{0}".repeat(300_000),
        "{0}".repeat(300_000)
    );
    let objects = "{\"a\": 1,\n".repeat(300_000);
    for document in [deep, wide, nested, empty, entities, rules, message, objects] {
        let began = Instant::now();
        let mut reader = CheckReader::of("npm run lint", &CheckRules::default());
        document.as_bytes().chunks(4096).for_each(|it| reader.feed(OutputStream::Stdout, it));
        let report = reader.finish(None);
        assert!(report.findings.len() <= 2_000);
        let start: String = document.chars().take(40).collect();
        assert!(began.elapsed() < Duration::from_secs(20), "{start}: {:?}", began.elapsed());
    }
}
