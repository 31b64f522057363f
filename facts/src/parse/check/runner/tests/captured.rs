//! Every captured output, against the report that it comes to (`ANNALS_BLESS=1` writes those anew).

use std::fs;

use serde_json::json;

use super::folder;
use crate::parse::check::runner::{OutputStream, TestReport, TestReportReader};

/// (folder, file, the command, its exit code)
const CAPTURED: &[(&str, &str, &str, i32)] = &[
    ("cargo", "fail", "cargo test --no-fail-fast", 101),
    ("cargo", "backtrace", "cargo test --lib", 101),
    ("cargo", "nocapture", "cargo test --lib -- --nocapture", 101),
    ("cargo", "pass", "cargo test --test whole whole_passes", 0),
    ("cargo", "quiet", "cargo test -q --lib", 101),
    ("cargo", "color", "cargo test --lib --color always -- --color always", 101),
    ("cargo", "types", "cargo test", 101),
    ("cargo", "syntax", "cargo test", 101),
    ("cargo", "printed", "cargo test --no-fail-fast -- --show-output", 101),
    ("cargo", "printed_pass", "cargo test --test green -- --show-output", 0),
    ("cargo", "printed_quiet", "cargo test --no-fail-fast -- --test-threads=1 -q", 101),
    (
        "cargo",
        "printed_nocapture",
        "cargo test --no-fail-fast -- --nocapture --test-threads=1",
        101,
    ),
    ("cargo", "option", "cargo test --nosuchflag", 1),
    ("nextest", "retries", "cargo nextest run --no-fail-fast --retries 1", 100),
    ("nextest", "flaky", "cargo nextest run --no-fail-fast --retries 1 flaky tests::ok g1", 0),
    ("nextest", "nocapture", "cargo nextest run --no-fail-fast --no-capture", 100),
    ("nextest", "final", "cargo nextest run --no-fail-fast --failure-output=final", 100),
    ("nextest", "both", "cargo nextest run --no-fail-fast --failure-output=immediate-final", 100),
    ("nextest", "fail", "cargo nextest run --no-fail-fast", 100),
    ("nextest", "pass", "cargo nextest run whole_passes", 0),
    ("nextest", "failfast", "cargo nextest run", 100),
    ("nextest", "color", "cargo nextest run --color always --no-fail-fast", 100),
    ("nextest", "types", "cargo nextest run", 101),
    ("pytest", "fail", "python -m pytest", 1),
    ("pytest", "cov", "python -m pytest --cov=cart -q", 1),
    ("pytest", "verbose", "pytest -v -rA --tb=long", 1),
    ("pytest", "short", "pytest --tb=short", 1),
    ("pytest", "line", "pytest --tb=line", 1),
    ("pytest", "native", "pytest --tb=native", 1),
    ("pytest", "color", "pytest --color=yes", 1),
    ("pytest", "pass", "pytest -k test_total", 0),
    ("pytest", "none", "pytest -k nothing_such", 5),
    ("pytest", "syntax", "pytest", 2),
    ("pytest", "many", "pytest --tb=short", 1),
    ("pytest", "many_line", "pytest --tb=line", 1),
    ("pytest", "many_native", "pytest --tb=native", 1),
    ("pytest", "option", "python -m pytest --badopt", 4),
    ("unittest", "fail", "python -m unittest", 1),
    ("unittest", "pass", "python -m unittest test_m.C.test_ok", 0),
    ("node", "tap", "node --test", 1),
    ("node", "spec", "node --test --test-reporter=spec", 1),
    ("jest", "projects", "jest", 1),
    ("jest", "fail", "npx jest", 1),
    ("jest", "cov", "npx jest --coverage test/cart.test.js", 1),
    ("jest", "verbose", "jest --verbose test/cart.test.js test/ok.test.js", 1),
    ("jest", "color", "jest --colors", 1),
    ("jest", "json", "jest --json", 1),
    ("jest", "pass", "jest test/ok.test.js --coverage", 0),
    ("jest", "none", "jest nothing_such", 1),
    ("go", "fail", "go test . ./deep ./panics ./compiles ./empty", 2),
    ("go", "slow", "go test -timeout 200ms ./slow", 1),
    ("go", "verbose", "go test -v -count=1 . ./deep ./panics", 1),
    ("go", "json", "go test -json -count=1 . ./deep ./panics ./compiles ./empty", 2),
    ("go", "cover", "go test -count=1 -cover . ./deep", 1),
    ("go", "pass", "go test -count=1 ./deep", 0),
    ("go", "packages", "go test ./... -timeout 3s", 1),
    ("go", "packages_cover", "go test -cover . ./sub ./c1 ./c2", 1),
    ("go", "json_pass", "go test -count=1 -json -cover ./deep", 0),
];

fn streams(runner: &str, name: &str) -> [(OutputStream, Vec<u8>); 2] {
    let read = |ending| {
        let path = folder().join(runner).join(format!("{name}.{ending}"));
        fs::read(path).unwrap_or_default() // a stream on which nothing was printed has no file
    };
    let streams = [(OutputStream::Stdout, read("out")), (OutputStream::Stderr, read("err"))];
    assert!(streams.iter().any(|(_, bytes)| !bytes.is_empty()), "{runner}/{name} is not there");
    streams
}

/// What an output comes to, fed in pieces of so many bytes.
fn read(runner: &str, name: &str, command: &str, exit_code: i32, piece: usize) -> TestReport {
    let argv: Vec<&str> = command.split(' ').collect();
    let mut reader = TestReportReader::of(&argv);
    for (from, bytes) in streams(runner, name) {
        bytes.chunks(piece).for_each(|piece| reader.feed(from, piece));
    }
    reader.finish(Some(exit_code), Some(777))
}

#[test]
fn is_read_as_the_report_beside_it() {
    let bless = std::env::var_os("ANNALS_BLESS").is_some();
    for (runner, name, command, exit_code) in CAPTURED {
        let report = read(runner, name, command, *exit_code, usize::MAX);
        let told = json!({
            "command": command,
            "exit_code": exit_code,
            "environment": report.environment,
            "test_results": report.results,
            "failures": report.failures,
            "left_out": report.left_out,
            "is_understood": report.is_understood,
        });
        let told = serde_json::to_string_pretty(&told).unwrap() + "\n";
        let path = folder().join(runner).join(format!("{name}.json"));
        if bless {
            fs::write(&path, &told).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(told, expected, "{}", path.display());
    }
}

#[test]
fn is_read_the_same_in_any_pieces() {
    for (runner, name, command, exit_code) in CAPTURED {
        let whole = read(runner, name, command, *exit_code, usize::MAX);
        for piece in [1, 7, 1000] {
            assert_eq!(read(runner, name, command, *exit_code, piece), whole, "{runner}/{name}");
        }
    }
}

#[test]
fn is_read_the_same_where_the_command_names_no_runner() {
    for (runner, name, command, exit_code) in CAPTURED {
        let named = read(runner, name, command, *exit_code, usize::MAX);
        let sniffed = read(runner, name, "make check", *exit_code, usize::MAX);
        if named.is_understood {
            assert_eq!(sniffed, named, "{runner}/{name}");
        } else {
            assert!(!sniffed.is_understood, "{runner}/{name}");
        }
    }
}

/// The same run told in two ways has the same failing tests, with the same types.
#[test]
fn two_tellings_of_one_run_name_the_same_failures() {
    let failing = |runner: &str, name: &str| {
        let (.., command, code) =
            CAPTURED.iter().find(|it| it.0 == runner && it.1 == name).unwrap();
        let report = read(runner, name, command, *code, usize::MAX);
        let told = report.failures.into_iter().map(|it| (it.test_name, it.error_type));
        let mut told: Vec<_> = told.collect();
        told.sort();
        told
    };
    for (runner, one, other) in [
        ("cargo", "backtrace", "nocapture"),
        ("cargo", "backtrace", "quiet"),
        ("cargo", "backtrace", "color"),
        ("nextest", "fail", "color"),
        ("pytest", "fail", "verbose"),
        ("pytest", "fail", "short"),
        ("pytest", "fail", "native"),
        ("pytest", "fail", "line"),
        ("pytest", "fail", "color"),
        ("jest", "fail", "color"),
        ("jest", "fail", "json"),
        ("go", "fail", "json"),
        ("cargo", "printed", "printed_quiet"),
        ("nextest", "final", "both"),
        ("pytest", "many", "many_native"),
        ("node", "tap", "spec"),
    ] {
        assert_eq!(failing(runner, one), failing(runner, other), "{runner}: {one}, {other}");
    }
}
