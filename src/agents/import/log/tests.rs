//! Every source survives every damage: one harness over the files in `tests/fixtures/sources`, a folder a source.

use std::path::{Path, PathBuf};

use super::*;
use crate::agents::SOURCES;
use crate::agents::import::source_file::source_files;
use crate::agents::import::{Ledger, LogSource};
use crate::event::{Body, Event};

/// The files of each source's folder, with its name.
fn fixtures() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sources");
    let mut found = Vec::new();
    for source in std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()) {
        if !source.is_dir() {
            continue;
        }
        let name = source.file_name().unwrap().to_string_lossy().into_owned();
        for file in std::fs::read_dir(&source).unwrap().map(|it| it.unwrap().path()) {
            let is_text_about = ["LICENSE", "README.md"].iter().any(|it| file.ends_with(it));
            if file.is_file() && !is_text_about {
                found.push((name.clone(), file));
            }
        }
    }
    found.sort();
    found
}

/// What a file says, by the source of this name: its events, and how many records could not be read.
fn read(path: &Path, name: &str) -> (Vec<Event>, u64) {
    let mut file = source_files(&[path.to_owned()]).unwrap().remove(0);
    if file.check(LogSource::named(name)).is_err() {
        return (Vec::new(), 0);
    }
    let (mut ledger, mut events) = (Ledger::new(name), Vec::new());
    ledger.read_on(&path.to_string_lossy(), 1_772_000_000_000, true);
    let Ok(log) = Log::open(&file) else { return (Vec::new(), 0) };
    for item in log {
        let Ok(item) = item else { break };
        ledger.take(item, &mut events);
        assert!(events.len() < 10_000, "{}", path.display());
    }
    ledger.close(&mut events);
    (events, ledger.report.unreadable_lines)
}

fn calls(events: &[Event]) -> usize {
    events.iter().filter(|it| matches!(it.body, Body::ExecutionStarted(_))).count()
}

#[test]
fn every_source_has_a_fixture_that_it_alone_knows() {
    let fixtures = fixtures();
    for source in SOURCES.iter().filter(|it| !["claude-code", "codex"].contains(&it.name)) {
        let own = fixtures.iter().filter(|(name, _)| name == source.name).count();
        assert!(own > 0, "no file in tests/fixtures/sources/{}", source.name);
    }
    for (name, path) in &fixtures {
        let head = std::fs::read(path).unwrap();
        let found = LogSource::sniff(&head).map(|it| it.name);
        assert_eq!(found, Some(name.as_str()), "{}", path.display());
        let (events, unread) = read(path, name);
        // What Cursor exports has no call.
        let told = if name == "cursor" { events.len() } else { calls(&events) };
        assert!(told > 0 && unread == 0, "{}: {unread} unread", path.display());
    }
}

#[test]
fn every_source_survives_every_damage() {
    let dir = tempfile::tempdir().unwrap();
    let mut random = 88_172_645_463_325_252u64;
    let mut next = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below.max(1) as u64) as usize
    };
    for (name, path) in fixtures() {
        let whole = std::fs::read(&path).unwrap();
        let damaged = dir.path().join(path.file_name().unwrap());
        let hold = |bytes: &[u8]| {
            std::fs::write(&damaged, bytes).unwrap();
            read(&damaged, &name)
        };
        let all = calls(&hold(&whole).0);
        for part in 0..40 {
            let (events, _) = hold(&whole[..whole.len() * part / 40]);
            assert!(calls(&events) <= all, "{}", path.display());
        }
        for _ in 0..60 {
            let mut bytes = whole.clone();
            for _ in 0..=next(4) {
                let at = next(bytes.len());
                bytes[at] = next(256) as u8;
            }
            hold(&bytes);
        }
        for _ in 0..8 {
            let (from, len) = (next(whole.len()), next(512));
            let mut bytes = whole.clone();
            let to = (from + len).min(bytes.len());
            bytes[from..to].fill(0);
            hold(&bytes);
        }
        // A value far deeper than anybody reads, in place of the first ones.
        let deep = ["[", "{\"a\":"].map(|open| open.repeat(100_000));
        for deep in deep {
            for at in [0, 1, whole.iter().position(|&byte| byte == b':').map_or(2, |at| at + 1)] {
                let mut bytes = whole[..at.min(whole.len())].to_vec();
                bytes.extend(deep.as_bytes());
                bytes.extend(&whole[at.min(whole.len())..]);
                hold(&bytes);
            }
        }
        // Twice the same: what is known is not told again, and nothing is lost for it.
        let twice = [&whole[..], b"\n", &whole[..]].concat();
        assert!(calls(&hold(&twice).0) <= 2 * all);
        hold(&vec![0; 100_000]);
    }
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("log.traj");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    for source in SOURCES {
        let mut file = source_files(std::slice::from_ref(&pipe)).unwrap().remove(0);
        file.check(Some(source)).unwrap_err();
        file.source = source;
        assert!(Log::open(&file).is_err(), "{}", source.name);
    }
}
