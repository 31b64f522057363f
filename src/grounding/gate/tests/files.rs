//! The file of a session: whatever lies in its place, the fold is the journal's.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::super::sealed_file::{sealed, unsealed};
use super::super::session_file::KeptFold;
use super::super::{GateError, SessionFile};
use super::made::{SESSION, execution_of};
use crate::event::derived;
use crate::event::{
    Body, Envelope, Event, ExecutionId, Outcome, Sequence, SessionId, Source, StepBegun,
};
use crate::grounding::fold::Grounding;
use crate::journal::{InitOptions, Project};
use crate::store::JournalFeed;
use crate::store::catch_up::catch_up;

const NOW_MS: u64 = super::made::NOW_MS;

fn project(folder: &Path) -> Project {
    let (project, _) = Project::init(folder, &InitOptions::default()).unwrap();
    ran(&project, 1);
    project
}

/// An execution in its own commit.
fn ran(project: &Project, number: u8) {
    let id = ExecutionId::v7(NOW_MS, &[number; 10]);
    let (started, finished) = execution_of(id, "lsp_check", "{}", Outcome::Ok);
    let event = |body| Event { envelope: Envelope::new(Some(SESSION), Source::Live, NOW_MS), body };
    project.journal().unwrap().append(&[event(started), event(finished)], NOW_MS).unwrap();
}

fn place(project: &Project) -> PathBuf {
    project.sessions_dir().join(format!("{SESSION}.fold"))
}

/// What the file holds, below its sum.
fn stored(project: &Project) -> Vec<u8> {
    unsealed(&fs::read(place(project)).unwrap()).unwrap().to_vec()
}

fn shape(bytes: &[u8]) -> KeptFold<Grounding> {
    derived::decode(bytes).unwrap()
}

fn executions(project: &Project) -> Result<u64, GateError> {
    let mut file = SessionFile::open(project, SESSION)?;
    let executions = file.grounding().executions;
    file.save()?;
    Ok(executions)
}

#[test]
fn a_file_that_is_not_its_own_is_folded_anew() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    assert_eq!(executions(&project).unwrap(), 1);
    let good = stored(&project);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&place(&project)), 0o600);
    assert_eq!(mode(&project.sessions_dir()), 0o700);
    ran(&project, 2);
    let with = |change: fn(&mut KeptFold<Grounding>)| {
        let mut shape = shape(&good);
        change(&mut shape);
        derived::encode(&shape).unwrap()
    };
    for (what, bytes) in [
        ("empty", Vec::new()),
        ("cut", good[..good.len() / 2].to_vec()),
        ("longer", [&good[..], b"\0"].concat()),
        ("garbage", b"\0\x01{}[]\xff".to_vec()),
        ("long lists", vec![0xfd; 100_000]),
        ("huge", vec![b' '; 2 << 20]),
        ("a newer version", with(|it| it.version += 1)),
        ("other rules", with(|it| it.rules.0 = [6; 16])),
        ("another journal's", with(|it| it.journal = [6; 16])),
        ("another session's", with(|it| it.grounding = Grounding::new(SessionId([6; 16])))),
        ("ahead", with(|it| it.sequence = u64::MAX)),
        ("of another chain", with(|it| it.chain[31] ^= 1)),
        ("of another place", with(|it| it.end = u64::MAX)),
        ("of another segment", with(|it| it.segment = 77)),
        ("of an inner place", with(|it| it.end = 5_000)),
        ("as it was", good.clone()),
    ] {
        fs::write(place(&project), sealed(&bytes)).unwrap();
        assert_eq!(executions(&project).unwrap(), 2, "{what}");
        let saved = stored(&project);
        assert_ne!(saved, good, "{what}: it was written anew");
        assert_eq!(executions(&project).unwrap(), 2, "{what}, again");
    }
}

#[test]
fn a_file_that_was_written_in_part_is_folded_anew() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    assert_eq!(executions(&project).unwrap(), 1);
    let before = fs::read(place(&project)).unwrap();
    (2..6).for_each(|number| ran(&project, number));
    assert_eq!(executions(&project).unwrap(), 5);
    let after = fs::read(place(&project)).unwrap();
    // As a death, or a loss of power by pages, leaves it: so much of the new one, the rest of the old one. And what
    // is left of a longer one behind it changes nothing.
    for cut in (0..after.len()).step_by(7) {
        let mut torn = after[..cut].to_vec();
        torn.extend(before.iter().skip(cut));
        fs::write(place(&project), torn).unwrap();
        assert_eq!(executions(&project).unwrap(), 5, "{cut}");
    }
    fs::write(place(&project), [&after[..], &before[..]].concat()).unwrap();
    let file = SessionFile::open(&project, SESSION).unwrap();
    assert_eq!(file.grounding().executions, 5);
}

#[test]
fn a_number_that_no_fold_of_this_journal_has_is_folded_anew() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let body = |body| Event { envelope: Envelope::new(Some(SESSION), Source::Live, NOW_MS), body };
    let begun = Body::StepBegun(StepBegun { title: None });
    let (started, failed) = execution_of(
        ExecutionId::v7(NOW_MS, &[7; 10]),
        "file_edit",
        r#"{"path":"a"}"#,
        Outcome::Failed,
    );
    let events = [begun, started, failed, super::made::read()].map(body);
    project.journal().unwrap().append(&events, NOW_MS).unwrap();
    assert_eq!(executions(&project).unwrap(), 2);
    let good = stored(&project);
    let expected = shape(&good).grounding;
    assert!(expected.last_read.is_some());
    // A number of one byte, or of nine, is the largest that there is, wherever one may stand: then nothing is
    // believed of the file, or the number says nothing. A tag may be any number. What is cut off a list has no
    // bound that is known here; it is added to with care.
    let largest = [&[0xfd][..], &[0xff; 8]].concat();
    let mut refused = 0;
    for (at, byte) in good.iter().enumerate() {
        let is_long = *byte == 0xfd;
        let Some(rest) = good.get(at + if is_long { 9 } else { 1 }..) else { continue };
        if is_long && good[at + 7..at + 9] != [0, 0] {
            continue;
        }
        let bytes = [&good[..at], &largest, rest].concat();
        fs::write(place(&project), sealed(&bytes)).unwrap();
        let mut now = SessionFile::open(&project, SESSION).unwrap().grounding().clone();
        refused += usize::from(now == expected);
        now.step.changed_more = expected.step.changed_more;
        let (now, expected) = (now.without_others(), expected.clone().without_others());
        assert_eq!(now, expected, "{at} of {}", good.len());
    }
    assert!(refused > 300, "{refused}");
}

#[test]
fn a_link_a_pipe_or_a_folder_in_its_place_is_neither_followed_nor_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let outside = folder.path().join("outside");
    fs::write(&outside, "mine").unwrap();
    fs::create_dir(project.sessions_dir()).unwrap();
    symlink(&outside, place(&project)).unwrap();
    assert_eq!(executions(&project).unwrap(), 1);
    assert_eq!(fs::read_to_string(&outside).unwrap(), "mine");
    assert!(fs::symlink_metadata(place(&project)).unwrap().is_file());

    fs::remove_file(place(&project)).unwrap();
    let fifo = rustix::fs::FileType::Fifo;
    let mode = rustix::fs::Mode::from(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, place(&project), fifo, mode, 0).unwrap();
    assert_eq!(executions(&project).unwrap(), 1);

    fs::remove_file(place(&project)).unwrap();
    fs::hard_link(&outside, place(&project)).unwrap();
    assert_eq!(executions(&project).unwrap(), 1);
    assert_eq!(fs::read_to_string(&outside).unwrap(), "mine");
    assert_ne!(fs::read(place(&project)).unwrap(), b"mine");

    drop(fs::remove_file(place(&project)));
    fs::create_dir(place(&project)).unwrap();
    assert!(matches!(executions(&project), Err(GateError::File { .. })), "it says so");
}

#[test]
fn a_session_that_nothing_tells_of_is_known_up_to_the_journals_end() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    catch_up(&crate::stores::places(project.root()), &JournalFeed::of(&project).unwrap());
    let of_another = SessionId([6; 16]);
    // The index has read all there is: there is nothing left to read, and no place to read on from.
    let mut file = SessionFile::open(&project, of_another).unwrap();
    let last = project.reader().unwrap().mark().sequence;
    assert_eq!(file.through(), last);
    ran(&project, 2);
    file.catch_up().unwrap();
    assert_eq!(file.through(), Sequence(last.0 + 2));
    assert_eq!(SessionFile::unkept(&project, SESSION).unwrap().grounding().executions, 2);
}

#[test]
fn a_journal_that_lost_its_tail_is_folded_anew() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let root = folder.path().join("root");
    fs::create_dir(&root).unwrap();
    let journal = root.join(".annals/journal");
    {
        let project = project(&root);
        copy(&journal, &kept);
        ran(&project, 2);
        ran(&project, 3);
        assert_eq!(executions(&project).unwrap(), 3);
    }
    copy(&kept, &journal);
    let project = Project::open(&root).unwrap();
    assert_eq!(executions(&project).unwrap(), 1, "the file is ahead of the journal");
    ran(&project, 4);
    ran(&project, 5);
    ran(&project, 6);
    assert_eq!(executions(&project).unwrap(), 4);
}

fn copy(from: &Path, to: &Path) {
    drop(fs::remove_dir_all(to));
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
}

#[test]
fn threads_on_one_session_come_one_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let project = &project(folder.path());
    std::thread::scope(|scope| {
        for thread in 0..4_u8 {
            scope.spawn(move || {
                for turn in 0..8_u8 {
                    let mut file = SessionFile::open(project, SESSION).unwrap();
                    let before = file.grounding().executions;
                    ran(project, 10 + thread * 8 + turn);
                    file.catch_up().unwrap();
                    assert_eq!(file.grounding().executions, before + 1, "nobody came between");
                    file.save().unwrap();
                }
            });
        }
    });
    assert_eq!(executions(project).unwrap(), 33);
}
