//! Events through a journal on a real disk, and the blobs beside it.

use std::fs;
use std::path::Path;

use super::*;
use crate::event::limits::INLINE_BYTES_MAX;
use crate::event::{
    Body, Content, Envelope, Event, EventError, Sequence, SessionEnded, Source, encode,
};
use annals_journal_format::storage::FsStorage;
use annals_journal_format::writer::{Record, Writer, WriterOptions};

const AT_MS: u64 = 1_735_689_600_000;

fn event(reason: &str) -> Event {
    let body = Body::SessionEnded(SessionEnded { reason: reason.into() });
    Event { envelope: Envelope::new(None, Source::Live, AT_MS), body }
}

fn journal(dir: &Path) -> Journal {
    Journal::create(dir, &[7; 48], JournalOptions::default()).unwrap()
}

/// A replay in short: events by their reason, commit ends by their sequence.
fn steps(dir: &Path, from: u64, through: Option<u64>) -> Vec<String> {
    let reader = JournalReader::open(dir).unwrap();
    let replay = reader.replay(Sequence(from), through.map(Sequence));
    replay
        .map(|item| match item.unwrap() {
            ReplayItem::Event(recorded) => match recorded.event.body {
                Body::SessionEnded(ended) => format!("{} {}", recorded.sequence, ended.reason),
                body => body.name().into(),
            },
            ReplayItem::CommitEnd(mark) => format!("end {}", mark.sequence),
            ReplayItem::Lost(finding) => finding.to_string(),
            ReplayItem::Undecodable { sequence, error, .. } => format!("{sequence} {error}"),
            ReplayItem::Skipped { sequence, .. } => format!("{sequence} skipped"),
        })
        .collect()
}

#[test]
fn a_commit_is_read_back_with_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("journal");
    let journal = journal(&dir);
    let appended = journal.append(&[event("a"), event("b")], AT_MS).unwrap();
    assert_eq!((appended.first, appended.last), (Sequence(1), Sequence(2)));
    journal.append(&[event("c")], AT_MS + 1).unwrap();
    assert_eq!(steps(&dir, 1, None), ["@1 a", "@2 b", "end @2", "@3 c", "end @3"]);
    assert_eq!(steps(&dir, 2, None), ["@2 b", "end @2", "@3 c", "end @3"]);
    assert_eq!(steps(&dir, 1, Some(2)), ["@1 a", "@2 b", "end @2"]);
    assert_eq!(steps(&dir, 4, None), [""; 0]);
    assert_eq!(steps(&dir, 4, Some(3)), [""; 0]);

    let reader = JournalReader::open(&dir).unwrap();
    assert_eq!((reader.id(), reader.mark()), (journal.id(), journal.watermark()));
    let third = reader.get(Sequence(3)).unwrap().unwrap();
    assert_eq!((third.event, third.recorded_ms), (event("c"), AT_MS + 1));
    assert!(reader.get(Sequence(4)).unwrap().is_none());
}

#[test]
fn what_is_staged_becomes_commits_by_size_and_is_there_after_a_sync() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("journal");
    let journal = journal(&dir);
    let long = "x".repeat(1 << 20);
    journal.stage(&[event("a"), event("b")], AT_MS).unwrap();
    let many: Vec<_> = (0..20).map(|_| event(&long)).collect();
    journal.stage(&many, AT_MS).unwrap();
    assert_eq!(journal.sync().unwrap().sequence, Sequence(22));
    let steps = steps(&dir, 1, None);
    let ends = steps.iter().filter(|step| step.starts_with("end")).count();
    assert!(ends > 2, "20 MiB are more than one commit can hold");
    assert_eq!(steps.len(), 22 + ends);
}

#[test]
fn a_journal_opened_again_goes_on_where_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("journal");
    let id = {
        let journal = journal(&dir);
        journal.append(&[event("a")], AT_MS).unwrap();
        journal.id()
    };
    let (journal, recoveries) = Journal::open(&dir, &[8; 48], JournalOptions::default()).unwrap();
    assert!(recoveries.is_empty());
    assert_eq!(journal.id(), id);
    assert_eq!(journal.append(&[event("b")], AT_MS).unwrap().first, Sequence(2));
    assert!(matches!(
        Journal::create(&dir, &[9; 48], JournalOptions::default()),
        Err(JournalError::Open { .. })
    ));
}

#[test]
fn what_this_build_does_not_know_is_passed_over_only_where_it_may_be() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("journal");
    let id = annals_journal_format::JournalId([1; 16]);
    let writer = Writer::create(FsStorage, &dir, id, WriterOptions::new([2; 32])).unwrap();
    let mut known = Vec::new();
    encode(&event("a"), &mut known).unwrap();
    let kind = event("a").body.kind().0;
    let record = |kind, version, skippable, payload| Record {
        kind,
        version,
        time_ms: AT_MS,
        skippable,
        payload,
    };
    writer
        .append(&[
            record(kind, 1, false, known.as_slice()),
            record(0x7001, 1, true, b"passed over"),
            record(0x7002, 1, false, b"told"),
            record(kind, 9, true, b"of a newer schema: told"),
            record(kind, 1, false, b"\xff"),
            record(kind, 1, false, known.as_slice()),
        ])
        .unwrap();
    let told = steps(&dir, 1, None);
    assert_eq!(told.len(), 7, "{told:#?}");
    assert_eq!((told[0].as_str(), told[5].as_str(), told[6].as_str()), ("@1 a", "@6 a", "end @6"));
    for (step, says) in [
        (1, "@2 skipped"),
        (2, "@3 event kind 0x7002 is not known"),
        (3, "schema 9"),
        (4, "could not be decoded"),
    ] {
        assert!(told[step].contains(says), "{}", told[step]);
    }
    let error = JournalReader::open(&dir).unwrap().get(Sequence(3)).unwrap_err();
    assert!(matches!(
        error,
        JournalError::Undecodable { source: EventError::UnknownKind { .. }, .. }
    ));
}

#[test]
fn a_blob_is_kept_once_and_checked_when_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::beside(folder.path());
    let bytes = vec![b'x'; INLINE_BYTES_MAX];
    let content = blobs.put(&bytes).unwrap();
    assert_eq!(blobs.put(&bytes).unwrap(), content);
    let Content::Blob { hash, len } = content else { panic!("{content:?}") };
    assert_eq!(blobs.get(&hash, len).unwrap(), bytes);
    let names: Vec<_> = fs::read_dir(folder.path().join("blobs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names, [blake3::hash(&bytes).to_hex().to_string()]);

    let path = blobs.path(&hash);
    for (damage, expected) in [
        ([b"y".as_slice(), &bytes[1..]].concat(), "does not hold what its name says"),
        (bytes[1..].to_vec(), "has 262143 bytes where 262144 were recorded"),
        (Vec::new(), "has 0 bytes"),
    ] {
        fs::write(&path, &damage).unwrap();
        let error = blobs.get(&hash, len).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(blobs.put(&bytes).unwrap(), content, "what is damaged is written anew");
    assert_eq!(blobs.get(&hash, len).unwrap(), bytes);
    fs::remove_file(&path).unwrap();
    assert!(blobs.get(&hash, len).is_err());
}

#[test]
fn no_blob_leads_out_of_its_folder_or_makes_its_reader_wait() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::beside(folder.path());
    let hash = *blake3::hash(b"secret").as_bytes();
    fs::create_dir(folder.path().join("blobs")).unwrap();
    let outside = folder.path().join("outside");
    fs::write(&outside, b"secret").unwrap();
    std::os::unix::fs::symlink(&outside, blobs.path(&hash)).unwrap();
    assert!(blobs.get(&hash, 6).is_err(), "a link is not a blob");
    fs::remove_file(blobs.path(&hash)).unwrap();
    let fifo = std::process::Command::new("mkfifo").arg(blobs.path(&hash)).status().unwrap();
    assert!(fifo.success());
    assert!(blobs.get(&hash, 6).is_err(), "a FIFO is not a blob");
    assert!(blobs.get(&hash, u64::MAX).is_err());
}

#[test]
fn a_payload_that_says_nothing_is_damage_to_verifying() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("journal");
    let id = annals_journal_format::JournalId([1; 16]);
    let writer = Writer::create(FsStorage, &dir, id, WriterOptions::new([2; 32])).unwrap();
    let kind = event("a").body.kind().0;
    // What a newer build wrote is no damage.
    for (kind, version, payload) in [(kind, 9, b"x"), (0x7001, 1, b"x")] {
        let record = Record { kind, version, time_ms: AT_MS, skippable: false, payload };
        writer.append(&[record]).unwrap();
    }
    assert!(audit(&dir, Reading::Evidence, Testimony::default()).unwrap().is_clean());
    let record = Record { kind, version: 1, time_ms: AT_MS, skippable: false, payload: &[255; 9] };
    writer.append(&[record]).unwrap();
    let found = audit(&dir, Reading::Evidence, Testimony::default()).unwrap();
    let findings = &found.report.findings;
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!(finding.verdict, Verdict::Undecodable);
    assert_eq!(finding.lost.map(|(first, last)| (first.0, last.0)), Some((3, 3)));
    assert!(found.is_damaged());
}
