//! The reader of checks' outputs: each real output by a reader of its own, and one long output.

use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::Path;

use annals::internal::parse::check::{CheckReader, CheckRules, OutputStream};
use regex::bytes::RegexSet;
use serde_json::Value;

use crate::BenchError;
use crate::harness::{Contest, timed};
use crate::request::Request;

/// Real outputs, seen from this package.
const CAPTURED: &str = "../tests/fixtures/checks/captured";
/// What the least of readers asks of every line: the shapes of places, and of a few verdicts.
const SHAPES: [&str; 8] = [
    r"^[^\s:]+:\d+:\d+: ",
    r"^[^\s(]+\(\d+,\d+\): ",
    r"^\s+--> .+:\d+:\d+$",
    r"^(?:error|warning)(?:\[\w+\])?: ",
    r"^--- FAIL: ",
    r"^(?:FAILED|ERROR) ",
    r"^test result: ",
    r"^\d+ (?:passed|failed)",
];

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let size = usize::try_from(request.count_or(16)).unwrap_or(usize::MAX) << 20;
    let set = RegexSet::new(SHAPES).map_err(|_| wrong())?;
    let captured = captured()?;
    let once: usize = captured.iter().map(|it| it.1.len()).sum();
    let times = (size / once).max(1);
    let whole: Vec<u8> = captured.iter().flat_map(|it| it.1.iter().copied()).collect();
    let title = |what: &str| format!("{what}, {} MiB", (times * once) >> 20);

    let mut contest =
        Contest::new(title("checks, each output by itself"), (times * once) as f64, "B");
    contest.enter("floor: lines and one set of eight patterns", || floor(&set, &whole, times));
    contest.enter("annals, by the call's command", || {
        timed(|| {
            for (command, printed) in captured.iter().cycle().take(times * captured.len()) {
                black_box(read(command, [printed.as_slice()].into_iter()));
            }
            Ok(())
        })
    });
    contest.run(request.rounds, out)?;

    let mut contest = Contest::new(title("checks, one long output"), (times * once) as f64, "B");
    contest.enter("floor: lines and one set of eight patterns", || floor(&set, &whole, times));
    for command in ["cargo test", "go test ./...", "mise run test"] {
        contest.enter(format!("annals, as `{command}`"), || {
            timed(|| {
                black_box(read(command, std::iter::repeat_n(whole.as_slice(), times)));
                Ok(())
            })
        });
    }
    contest.run(request.rounds, out)?;
    Ok(())
}

fn read<'a>(command: &str, pieces: impl Iterator<Item = &'a [u8]>) -> usize {
    let mut reader = CheckReader::of(command, &CheckRules::default());
    pieces.for_each(|it| reader.feed(OutputStream::Stdout, it));
    reader.finish(Some(1)).findings.len()
}

fn floor(set: &RegexSet, whole: &[u8], times: usize) -> Result<std::time::Duration, BenchError> {
    timed(|| {
        for _ in 0..times {
            for line in black_box(whole).split(|it| *it == b'\n') {
                black_box(set.is_match(line));
            }
        }
        Ok(())
    })
}

/// Command lines and what they printed.
fn captured() -> Result<Vec<(String, Vec<u8>)>, BenchError> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(CAPTURED);
    let labels =
        fs::read(folder.join("expected.json")).map_err(BenchError::io("reading labels"))?;
    let labels: Value = serde_json::from_slice(&labels).map_err(|_| wrong())?;
    let each = labels.as_object().ok_or_else(wrong)?.iter().map(|(name, label)| {
        let printed = fs::read(folder.join(format!("{name}.txt")));
        let printed = printed.map_err(BenchError::io("reading an output"))?;
        Ok((label["command"].as_str().unwrap_or_default().to_owned(), printed))
    });
    each.collect()
}

fn wrong() -> BenchError {
    BenchError::Wrong { path: CAPTURED.into() }
}
