//! Bad input: long, broken, strange, and text that imitates a runner. Time and memory are bounded, and nothing is
//! taken for a verdict that is none.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Failed, Passed, Unknown, read};
use crate::parse::check::lines::OutputStream;
use crate::parse::check::{CheckReader, CheckReport, CheckRules, Verdict};

const CHATTER: &str = "a line of what the test prints, as tests do\n";
const RUST_OK: &str = "\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";
const RUST_FAILED: &str = "running 1 test\ntest it ... FAILED\n\nfailures:\n\n---- it stdout ----\n\nthread 'it' panicked at \
    src/lib.rs:3:5:\nno\n\n\nfailures:\n    it\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 \
    measured; 0 filtered out; finished in 0.00s\n\nerror: test failed, to rerun pass `--lib`\n";

/// Feeds a piece so often, then the end; what the reader held of it, by its debug print, and what it said.
fn fed(command: &str, piece: &[u8], times: usize, end: &[u8]) -> (usize, CheckReport) {
    let mut reader = CheckReader::of(command, &CheckRules::default());
    for _ in 0..times {
        reader.feed(OutputStream::Stdout, piece);
    }
    let held = format!("{reader:?}").len();
    reader.feed(OutputStream::Stdout, end);
    (held, reader.finish(None))
}

/// Bytes of no pattern.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    (0..len).map(next).collect()
}

#[test]
fn a_log_of_100_mb_is_read_in_bounded_memory() {
    let piece = CHATTER.repeat(5_000);
    let times = 100_000_000 / piece.len() + 1;
    let (held, report) = fed("cargo test", piece.as_bytes(), times, RUST_OK.as_bytes());
    assert!(held < 1 << 20, "{held}");
    assert_eq!((report.verdict, report.findings.len()), (Passed, 0));
}

/// Where the bytes are the same in number, no shape of them costs many times what plain lines cost.
#[test]
fn no_shape_of_lines_costs_more_than_a_multiple_of_plain_ones() {
    const BYTES: usize = 2_000_000;
    let took = |piece: &[u8]| {
        let from = Instant::now();
        let (held, report) = fed("make test", piece, BYTES / piece.len(), b"\n");
        (from.elapsed(), held, report)
    };
    let (floor, ..) = took(CHATTER.repeat(1_000).as_bytes());
    let bars: String = (0..20_000).map(|it| format!("\r{it:>6}/20000 [====>     ]")).collect();
    let cursor =
        "\u{1b}[2K\u{1b}[1A\u{1b}[38;5;9mworking\u{1b}[0m \u{1b}]0;title\u{7}".repeat(50) + "\n";
    let shapes: [(&str, Vec<u8>, Verdict); 12] = [
        ("noise", noise(100_000), Unknown),
        ("NUL", vec![0; 100_000], Unknown),
        ("no line's end", vec![b'x'; 1_000_000], Unknown),
        ("progress bars", bars.into_bytes(), Unknown),
        ("cursor moves", cursor.into_bytes(), Unknown),
        ("line ends", b"\r\n".repeat(50_000), Unknown),
        ("an escape that does not end", [b"\x1b[".as_slice(), &[b'0'; 100_000]].concat(), Unknown),
        ("brackets", b"[".repeat(100_000), Unknown),
        ("braces", b"{".repeat(100_000), Unknown),
        ("colons", b"a:1:2: \n:::::\n".repeat(5_000), Unknown),
        ("errors", b"src/a.c:1:2: error: no\n".repeat(4_000), Failed),
        ("beginnings", b"error: x\n --> \nFAIL\t\n--- FAIL: \n=====\n".repeat(2_000), Failed),
    ];
    for (what, piece, verdict) in shapes {
        let (took, held, report) = took(&piece);
        // A debug print of bytes has five for each; a line that begins as JSON may have 4 MiB.
        let held_max = if matches!(piece[0], b'{' | b'[') { 48 << 20 } else { 6 << 20 };
        assert!(held < held_max, "{what}: {held} held");
        assert!(
            took < floor * 60 + Duration::from_millis(500),
            "{what}: {took:?}, floor {floor:?}"
        );
        assert_eq!(report.verdict, verdict, "{what}: {report:?}");
    }
}

#[test]
fn what_is_said_among_bad_bytes_is_heard() {
    let long = "x".repeat(10 << 20);
    let bar = (0..40_000).map(|it| format!("\r{it:>6}/40000")).collect::<String>();
    // The command, what it printed, of the first finding file, line and level.
    let table: &[(&str, Vec<u8>, (&str, u32))] = &[
        ("make", format!("{long}\nsrc/a.c:3:5: error: no\n").into(), ("src/a.c", 3)),
        ("make", b"\xff\xfe\0\nsrc/\xff.c:3:5: error: n\xc3\n".to_vec(), ("src/\u{fffd}.c", 3)),
        ("npx tsc", b"a.ts(3,5): error TS2304: no\r\nFound 1 error.\r\n".to_vec(), ("a.ts", 3)),
        ("make", format!("{bar}\rsrc/a.c:4:5: error: no\n").into(), ("src/a.c", 4)),
        (
            "cargo check",
            b"\x1b[0m\x1b[1m\x1b[38;5;9merror[E0308]\x1b[0m\x1b[1m: no\x1b[0m\n \x1b[94m--> \x1b[0msrc/a.rs:7:5\n\n".to_vec(),
            ("src/a.rs", 7),
        ),
        ("go vet ./...", b"\x1b[2K\rchecking\r\x1b[2Ka.go:9:2: no\n".to_vec(), ("a.go", 9)),
    ];
    for (command, printed, (file, line)) in table {
        for size in [1, 7, 4096, usize::MAX] {
            if size < 4096 && printed.len() > 1 << 16 {
                continue;
            }
            let mut reader = CheckReader::of(command, &CheckRules::default());
            let pieces = printed.chunks(size.min(printed.len()));
            pieces.for_each(|it| reader.feed(OutputStream::Stderr, it));
            let report = reader.finish(Some(1));
            let first = report.findings.first().map(|it| &it.diagnostic);
            let first = first.map(|it| (it.file_name.clone().unwrap_or_default(), it.line_start));
            assert_eq!(first, Some(((*file).to_owned(), Some(*line))), "{command} by {size}");
            assert_eq!(report.verdict, Failed);
        }
    }
}

/// Two processes that print at once: the lines of one stand between those of the other.
#[test]
fn processes_that_print_at_once_are_both_heard() {
    let passing = format!("running 2 tests\ntest a ... ok\ntest b ... ok\n{RUST_OK}");
    let mut mixed = String::new();
    let (mut one, mut two) = (passing.lines(), RUST_FAILED.lines());
    loop {
        let lines = [one.next(), two.next()];
        if lines == [None, None] {
            break;
        }
        lines.into_iter().flatten().for_each(|it| mixed += &format!("{it}\n"));
    }
    for code in [None, Some(101)] {
        let report = read("cargo test --workspace", &mixed, code);
        assert_eq!(report.verdict, Failed, "{report:?}");
    }
    assert_eq!(read("cargo test --workspace", &mixed, Some(0)).verdict, Passed);
}

/// What was cut away is unknown: a check that failed never passed, and one that passed never failed.
#[test]
fn half_a_log_is_no_other_verdict() {
    let folder = Path::new("../tests/fixtures/checks/captured");
    let text = fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: HashMap<String, Value> = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    for (name, label) in &expected {
        let Some(command) = label["command"].as_str().filter(|_| label["doubt"].is_null()) else {
            continue;
        };
        let printed = fs::read(folder.join(format!("{name}.txt"))).unwrap();
        let code = label["exit"].as_i64().and_then(|it| i32::try_from(it).ok());
        let verdict = match label["verdict"].as_str() {
            Some("passed") => Passed,
            Some("failed") if code.is_some_and(|it| it > 0) => Failed,
            _ => continue,
        };
        for tenth in 1..10 {
            let (head, tail) = printed.split_at(printed.len() * tenth / 10);
            for half in [head, tail] {
                let report = read(command, &String::from_utf8_lossy(half), code);
                let is_wrong = match verdict {
                    Passed => report.verdict == Failed,
                    _ => report.verdict == Passed,
                };
                if is_wrong {
                    wrong.push(format!("{name} {tenth}: {command}: {:?}", report.verdict));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Ended by somebody before its end.
    let begun =
        format!("running 2 tests\ntest a ... ok\n{RUST_OK}\nrunning 9 tests\ntest c ... ok\n");
    assert_eq!(read("cargo test", &begun, Some(130)).verdict, Unknown);
}

const IMITATED: &str = "running 3 tests\ntest a ... FAILED\n--- FAIL: TestA (0.00s)\nFAIL\nFAIL\texample.com/a\t0.1s\n\
    error[E0308]: mismatched types\n --> src/a.rs:1:2\n\nsrc/a.c:1:2: error: no\nFAILED tests/test_a.py::test_b - no\n\
    test result: FAILED. 0 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
    Tests: 3 failed, 3 total\nFound 3 errors.\n";

#[test]
fn text_that_imitates_a_runner_is_no_verdict() {
    let none = [
        "echo cargo test passed",
        "printf 'test result: FAILED'",
        "cat old.log",
        "cat old.log | tail -40",
        "grep FAIL old.log",
        "rg 'error\\[E0308\\]'",
        "git log -p -3",
        "git diff",
        "less test.log",
        "tail -f test.log",
        "head -50 cargo-test.log",
        "sed -n 1,40p pytest.log",
        "ls tests",
        "which pytest",
        "man cargo-test",
        "curl https://ci/logs",
        "gh run view 3 --log-failed",
        "journalctl -u test",
        "docker logs web",
        "ssh host pytest",
    ];
    for command in none {
        for code in [None, Some(0), Some(1)] {
            assert_eq!(read(command, IMITATED, code), CheckReport::default(), "{command}");
        }
    }
    // A check that ended well, whatever its tests printed.
    for (command, end) in [
        ("cargo test -- --nocapture", RUST_OK),
        ("pytest -s", "===== 5 passed in 0.10s =====\n"),
        ("go test -v ./...", "PASS\nok  \texample.com/b\t0.1s\n"),
        ("npx jest", "Tests:       5 passed, 5 total\n"),
        ("npx vitest run", "      Tests  5 passed (5)\n"),
        ("make test", ""),
        ("npm test", ""),
        ("mise run test", ""),
        ("cat old.log; cargo test -q", RUST_OK),
        ("cargo test -q && cat old.log", ""),
        ("git log -3 && go vet ./...", ""),
    ] {
        let report = read(command, &format!("{IMITATED}{end}"), Some(0));
        let errors = report.findings.iter().filter(|it| it.diagnostic.level == "error").count();
        assert_eq!(
            (report.verdict, errors, report.failures.len()),
            (Passed, 0, 0),
            "{command}: {report:?}"
        );
    }
    // And one that did not, whatever they printed.
    for command in ["cargo test", "pytest", "go test ./...", "npm test", "make check"] {
        let report =
            read(command, &format!("{RUST_OK}===== 5 passed in 0.10s =====\nPASS\n"), Some(1));
        assert_eq!(report.verdict, Failed, "{command}: {report:?}");
    }
}

/// A linter that is told to end well whatever it finds: so it ended, and what it found stays found.
#[test]
fn a_linter_that_is_told_to_end_well_passes_with_its_findings() {
    for (command, printed) in [
        (
            "ruff check --exit-zero .",
            "a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n",
        ),
        ("flake8 --exit-zero", "a.py:1:1: E265 block comment should start with '# '\n"),
        (
            "golangci-lint run --issues-exit-code 0",
            "a.go:3:5: unused x (unused)\n1 issues:\n* unused: 1\n",
        ),
        (
            "golangci-lint run --issues-exit-code=0",
            "a.go:3:5: unused x (unused)\n1 issues:\n* unused: 1\n",
        ),
        ("hadolint --no-fail Dockerfile", "Dockerfile:1 DL3006 error: Always tag the version\n"),
    ] {
        let report = read(command, printed, Some(0));
        let first = report.findings.first().map(|it| it.diagnostic.level.as_str());
        assert_eq!((report.verdict, first), (Passed, Some("error")), "{command}: {report:?}");
        assert!(report.bears_out(false).is_err(), "{command}: found, so it bears nothing out");
        assert_eq!(read(command, printed, Some(1)).verdict, Failed, "{command}");
    }
}
