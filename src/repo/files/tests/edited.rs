//! Files that a person edited: told, left, and told entry by entry.

use std::fs;

use super::{catch_up_through, event, project};
use crate::event::{
    Body, ConventionUpserted, NoteAdded, NoteRemoved, NoteSource, RepoIdentified, SummaryAppended,
    SummaryMaker,
};
use crate::output::remedy;
use crate::repo::files::{Change, Publish, RepoFiles};
use crate::store::catch_up::tests::of_repo::repo;
use crate::store::feed::memory::MemoryFeed;

fn identified() -> Body {
    let (path, remote) = ("/home/me/project".to_owned(), None);
    Body::RepoIdentified(RepoIdentified { repo: repo(1), path, remote, branch: None, common: None })
}

fn note(id: &str, content: &str) -> Body {
    let (id, content) = (id.to_owned(), content.to_owned());
    let (source, created_ms) = (NoteSource::Manual, None);
    Body::NoteAdded(NoteAdded { repo: repo(1), id, content, source, created_ms })
}

fn convention(id: &str, content: &str) -> Body {
    Body::ConventionUpserted(ConventionUpserted {
        repo: repo(1),
        id: id.to_owned(),
        title: "A title".to_owned(),
        content: content.to_owned(),
        tags: vec!["tag".to_owned()],
        created_ms: None,
        updated_ms: None,
    })
}

fn summary(step: &str) -> Body {
    Body::SummaryAppended(SummaryAppended {
        repo: repo(1),
        run_id: "run".to_owned(),
        step_id: step.to_owned(),
        summary: "It went well.".to_owned(),
        made_by: SummaryMaker::Caller,
        step: None,
        through: None,
        created_ms: None,
    })
}

fn changes(files: &RepoFiles) -> Vec<String> {
    let found = files.difference(repo(1)).unwrap();
    let entries = found.entries.iter().map(|it| {
        let told = format!("{} {}", it.kind.as_str(), it.id);
        match it.change {
            Change::Added => format!("added {told}"),
            Change::Changed => format!("changed {told} {}", it.stale),
            Change::Removed => format!("removed {told} {}", it.stale),
            Change::Unreadable => panic!("no entry is unreadable: {told}"),
        }
    });
    let fields = found.fields.iter().map(|field| format!("field {field}"));
    let summaries = found.summaries.iter().map(|it| match (it.change, &it.summary) {
        (Change::Added, Some(summary)) => format!("added summary {}", summary.step_id),
        (Change::Removed, Some(summary)) => format!("removed summary {}", summary.step_id),
        _ => format!("line {}: {}", it.line.unwrap(), it.fault.as_ref().unwrap()),
    });
    entries.chain(fields).chain(summaries).collect()
}

#[test]
fn an_edit_is_told_entry_by_entry_and_what_was_recorded_meanwhile_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let (places, files) = project(folder.path());
    let mut feed = MemoryFeed::new(1);
    let first = [identified(), note("a", "one"), note("b", "two"), convention("c", "three")];
    feed.commit(first.map(|body| event(1_000, body)).to_vec());
    feed.commit(vec![event(1_000, summary("step-1")), event(1_000, summary("step-2"))]);
    catch_up_through(&places, &feed);
    assert!(files.publish(Publish::Newest).unwrap().is_current());
    assert!(!files.difference(repo(1)).unwrap().differs);

    let path = files.folder(repo(1)).join("memory.json");
    let text = fs::read_to_string(&path).unwrap();
    let edited = text.replace("\"two\"", "\"two, by hand\"").replace("\"three\"", "\"by hand\"");
    fs::write(&path, &edited).unwrap();
    assert_eq!(changes(&files), ["changed convention c false", "changed note b false"]);

    // Others go on recording: that is no edit.
    let later = [note("d", "later"), convention("c", "later"), summary("step-3")];
    feed.commit(later.map(|body| event(2_000, body)).to_vec());
    let removed = NoteRemoved { repo: repo(1), id: "a".to_owned() };
    feed.commit(vec![event(2_000, Body::NoteRemoved(removed))]);
    catch_up_through(&places, &feed);
    let report = files.publish(Publish::Newest).unwrap();
    let why = report.folders[0].lag().unwrap();
    let why = remedy::problem(&why);
    for word in ["annals repo diff", "annals repo adopt", "annals rebuild repo_memory --discard"] {
        assert!(why.contains(word), "{why}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), edited);
    assert_eq!(changes(&files), ["changed convention c true", "changed note b false"]);
    let lines = fs::read_to_string(files.folder(repo(1)).join("summaries.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 3, "the others go on");
    let status = files.status().unwrap().remove(0);
    assert!(status.is_edited && status.problem.is_some());

    assert!(files.publish(Publish::Discard).unwrap().is_current());
    assert!(!files.difference(repo(1)).unwrap().differs);
    assert!(fs::read_to_string(&path).unwrap().contains("later"));
}

/// Another form of the same is no edit: the next publication writes its own.
#[test]
fn a_file_that_says_the_same_in_another_form_is_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    let (places, files) = project(folder.path());
    let mut feed = MemoryFeed::new(1);
    let first = [identified(), note("a", "one"), summary("step-1"), summary("step-2")];
    feed.commit(first.map(|body| event(1_000, body)).to_vec());
    catch_up_through(&places, &feed);
    files.publish(Publish::All).unwrap();
    let path = |name: &str| files.folder(repo(1)).join(name);
    let edit = |name: &str, edit: &dyn Fn(&str) -> String| {
        let text = fs::read_to_string(path(name)).unwrap();
        let edited = edit(&text);
        assert_ne!(edited, text);
        fs::write(path(name), edited).unwrap();
        text
    };
    let tight = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap().to_string();
    for (name, form) in [
        ("memory.json", &(|text: &str| text.trim_end().to_owned()) as &dyn Fn(&str) -> String),
        ("memory.json", &tight),
        ("summaries.jsonl", &(|text: &str| text.replace("\":\"", "\": \""))),
        (
            "summaries.jsonl",
            &(|text: &str| text.lines().rev().map(|it| format!("{it}\n\n")).collect()),
        ),
    ] {
        let before = edit(name, form);
        let status = files.status().unwrap().remove(0);
        assert!(!status.is_edited && status.problem.is_none(), "{name}: {status:?}");
        assert!(!files.difference(repo(1)).unwrap().differs);
        assert!(files.publish(Publish::Newest).unwrap().is_current());
        assert_eq!(fs::read_to_string(path(name)).unwrap(), before, "{name}");
    }
    // So it is when the rows have gone on since.
    edit("memory.json", &tight);
    feed.commit(vec![event(2_000, note("a", "changed")), event(2_000, note("b", "new"))]);
    catch_up_through(&places, &feed);
    assert!(files.publish(Publish::Newest).unwrap().is_current());
    assert!(fs::read_to_string(path("memory.json")).unwrap().contains("\"new\""));
    // A word besides is an edit in any form.
    edit("memory.json", &|text| tight(text).replace("changed", "mine"));
    assert!(files.status().unwrap().remove(0).is_edited);
}

#[test]
fn edits_of_every_kind_are_told() {
    /// What is replaced by what, in which file, and what is told.
    type Row<'a> = (&'a str, &'a str, &'a str, &'a [&'a str]);
    let rows: &[Row<'_>] = &[
        ("memory.json", "\"/home/me/project\"", "\"/elsewhere\"", &["field path"]),
        (
            "memory.json",
            "\"id\": \"a\"",
            "\"id\": \"z\"",
            &["added note z", "removed note a false"],
        ),
        ("memory.json", "  \"notes\": [", "  \"notes\": [],\n  \"decisions\": [", &[]),
        (
            "summaries.jsonl",
            "It went well.",
            "It went badly.",
            &["added summary step-1", "removed summary step-1"],
        ),
        (
            "summaries.jsonl",
            "{\"runId\"",
            "{\"runID\"",
            &["line 1: runId: is missing", "removed summary step-1"],
        ),
    ];
    for (file, from, to, told) in rows {
        let folder = tempfile::tempdir().unwrap();
        let (places, files) = project(folder.path());
        let mut feed = MemoryFeed::new(1);
        let first = [identified(), note("a", "one"), summary("step-1")];
        feed.commit(first.map(|body| event(1_000, body)).to_vec());
        catch_up_through(&places, &feed);
        files.publish(Publish::All).unwrap();
        let path = files.folder(repo(1)).join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        match told.is_empty() {
            false => assert_eq!(changes(&files), *told, "{from}"),
            true => {
                let unreadable = files.difference(repo(1)).unwrap().unreadable.unwrap();
                assert_eq!(unreadable.field, "decisions[0].summary");
            }
        }
    }
}
