//! The file of a session: whatever lies in its place, the fold is the journal's.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::super::sealed_file::sealed;
use super::super::{GateError, SessionFile};
use super::made::{SESSION, execution_of};
use crate::event::{
    Body, Envelope, Event, ExecutionId, Outcome, Sequence, SessionId, Source, StepBegun,
};
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
    project.sessions_dir().join(format!("{SESSION}.json"))
}

/// What the file says, without its first line.
fn stored(project: &Project) -> String {
    let file = fs::read_to_string(place(project)).unwrap();
    let (head, text) = file.split_once('\n').unwrap();
    text[..head.split(' ').next().unwrap().parse().unwrap()].to_owned()
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
    let field = |name: &str, value: &str| {
        let begin = format!("\"{name}\":");
        let at = good.find(&begin).unwrap() + begin.len();
        let end = at + good[at..].find([',', '}']).unwrap();
        format!("{}{value}{}", &good[..at], &good[end..])
    };
    let other = SessionId([6; 16]).to_string().replace('-', "");
    let own = SESSION.to_string().replace('-', "");
    let row_of_no_state = format!("\"{}Cg==\"", "A".repeat(32));
    let many = format!("\"closed\":\"{}\"", "A".repeat(16 * 4_097));
    for (what, text) in [
        ("empty", String::new()),
        ("cut", good[..good.len() / 2].to_owned()),
        ("garbage", "\u{0}\u{1}{}[]".to_owned()),
        ("deep", "[".repeat(100_000)),
        ("huge", " ".repeat(2 << 20)),
        ("a newer version", field("version", "3")),
        ("other rules", field("rules", &format!("\"{other}\""))),
        ("another journal's", field("journal", &format!("\"{other}\""))),
        ("another session's", good.replacen(&own, &other, 1)),
        ("ahead", field("sequence", "18446744073709551615")),
        ("of another place", field("end", "18446744073709551615")),
        ("of another segment", field("segment", "77")),
        ("of an inner place", field("end", "5000")),
        ("more than a fold holds", good.replacen("\"closed\":\"\"", &many, 1)),
        ("half a call", good.replacen("\"closed\":\"\"", "\"closed\":\"AAAA\"", 1)),
        ("no base 64", good.replacen("\"closed\":\"\"", "\"closed\":\"-\"", 1)),
        ("a state that there is not", field("rows", &row_of_no_state)),
        ("as it was", good.clone()),
    ] {
        fs::write(place(&project), sealed(&text)).unwrap();
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

/// Every number of a JSON value, by where it is.
fn numbers(value: &serde_json::Value, place: String, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Number(_) => found.push(place),
        serde_json::Value::Object(fields) => {
            fields.iter().for_each(|(name, it)| numbers(it, format!("{place}/{name}"), found));
        }
        serde_json::Value::Array(items) => {
            items.iter().zip(0..).for_each(|(it, at)| numbers(it, format!("{place}/{at}"), found));
        }
        _ => {}
    }
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
    let events = [begun, started, failed].map(body);
    project.journal().unwrap().append(&events, NOW_MS).unwrap();
    assert_eq!(executions(&project).unwrap(), 2);
    let good = stored(&project);
    let mut whole: serde_json::Value = serde_json::from_str(&good).unwrap();
    let read = serde_json::json!({"sequence": 1, "at_ms": NOW_MS});
    let mut places = Vec::new();
    numbers(&whole["grounding"], String::new(), &mut places);
    places.extend(["/last_read/sequence", "/last_read/at_ms"].map(str::to_owned));
    // What is cut off a list has no bound that is known here; it is added to with care. Of
    // a declared tool it keeps a digest.
    places.retain(|place| place != "/step/changed_more" && !place.contains("/declared/"));
    assert!(places.len() > 30, "{places:?}");
    let fold = whole["grounding"].take();
    for place_of in places {
        let mut fold = fold.clone();
        if place_of.starts_with("/last_read") {
            fold["last_read"] = read.clone();
        }
        *fold.pointer_mut(&place_of).unwrap() = u64::MAX.into();
        whole["grounding"] = fold;
        fs::write(place(&project), sealed(&whole.to_string())).unwrap();
        let file = SessionFile::open(&project, SESSION).unwrap();
        let saved: serde_json::Value = serde_json::from_str(&good).unwrap();
        let now = serde_json::to_value(file.grounding()).unwrap();
        assert_eq!(now, saved["grounding"], "{place_of}");
    }
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
    assert_ne!(fs::read_to_string(place(&project)).unwrap(), "mine");

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
