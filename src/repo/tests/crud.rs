//! Made, changed, listed, removed.

use super::*;
use crate::event::NoteSource;

#[test]
fn memory_crud_of_a_convention() {
    let (dir, project) = project();
    let current = identify(dir.path()).unwrap();
    let made = work(&project, |it| it.upsert(None, convention("fmt", "Format"), Expected::New));
    let made = made.unwrap();
    assert_eq!((made.repo, made.done.id.as_str()), (current.hash, "fmt"));
    assert_eq!(made.done.created_ms, made.done.updated_ms);
    assert_eq!(made.done.tags, ["style"]);

    // What is not given stays; the id and when it was made stay whatever is given.
    std::thread::sleep(std::time::Duration::from_millis(3));
    let given = ConventionGiven {
        id: Some("fmt".to_owned()),
        content: Some("By cargo fmt.".to_owned()),
        ..ConventionGiven::default()
    };
    let edit = |given: &ConventionGiven| {
        work(&project, |it| it.upsert(None, given.clone(), Expected::Known)).unwrap()
    };
    let changed = edit(&given);
    assert_eq!((&*changed.done.title, &*changed.done.content), ("Format", "By cargo fmt."));
    assert_eq!(changed.done.tags, ["style"]);
    assert_eq!(changed.done.created_ms, made.done.created_ms);
    assert!(changed.done.updated_ms > made.done.updated_ms);

    // The same again is nothing.
    let again = edit(&given);
    assert_eq!((again.done, again.sequence), (changed.done.clone(), None));
    assert_eq!(memory(&project, current.hash).conventions, std::slice::from_ref(&changed.done));

    let gone = work(&project, |it| it.remove(None, EntryKind::Convention, "fmt")).unwrap();
    assert_eq!(gone.done.was, Entry::Convention(changed.done));
    assert_eq!(memory(&project, current.hash).conventions, []);
    let missing = work(&project, |it| it.remove(None, EntryKind::Convention, "fmt"));
    assert!(matches!(missing, Err(RepoError::NoEntry { .. })));
    assert_eq!(
        names(&project)[2..],
        ["RepoIdentified", "ConventionUpserted", "ConventionUpserted", "ConventionRemoved"]
    );
}

#[test]
fn memory_crud_of_a_decision() {
    let (_dir, project) = project();
    let made = work(&project, |it| it.upsert(None, decision("d1"), Expected::Either)).unwrap();
    assert_eq!(made.done.impacted_paths, ["src/journal", "src/**/*.rs"]);
    let given = DecisionGiven {
        id: Some("d1".to_owned()),
        impacted_paths: Some(Vec::new()),
        ..DecisionGiven::default()
    };
    let changed = work(&project, |it| it.upsert(None, given, Expected::Either)).unwrap().done;
    assert_eq!((&*changed.summary, &*changed.rationale), ("one journal", "two can disagree"));
    assert_eq!((changed.impacted_paths.len(), changed.created_ms), (0, made.done.created_ms));
    work(&project, |it| it.remove(None, EntryKind::Decision, "d1")).unwrap();
    assert_eq!(memory(&project, made.repo).decisions, []);
}

#[test]
fn memory_crud_of_a_note() {
    let (_dir, project) = project();
    let given = NoteGiven { content: Some("flaky on arm".to_owned()), ..NoteGiven::default() };
    let made = work(&project, |it| it.upsert(None, given, Expected::Either)).unwrap();
    assert_eq!(made.done.source, NoteSource::Manual);
    assert_eq!(made.done.id.len(), 36, "a UUID of its own");
    let given = NoteGiven {
        id: Some(made.done.id.clone()),
        content: None,
        source: Some(NoteSource::Agent),
    };
    let changed = work(&project, |it| it.upsert(None, given, Expected::Known)).unwrap().done;
    assert_eq!((&*changed.content, changed.source), ("flaky on arm", NoteSource::Agent));
    // The id of an entry of another kind is free.
    let other = convention(&made.done.id, "Other");
    work(&project, |it| it.upsert(None, other, Expected::New)).unwrap();
    work(&project, |it| it.remove(None, EntryKind::Note, &changed.id)).unwrap();
    let left = memory(&project, made.repo);
    assert_eq!((left.notes.len(), left.conventions.len()), (0, 1));
}

#[test]
fn a_repository_is_identified_once_and_each_branch_is_one() {
    let (dir, project) = project();
    let main = identify(dir.path()).unwrap();
    for id in ["a", "b"] {
        work(&project, |it| it.upsert(None, note(id, "n"), Expected::Either)).unwrap();
    }
    tree(dir.path(), "topic");
    let topic = identify(dir.path()).unwrap();
    work(&project, |it| it.append_summary(None, "r", "step-1", "done")).unwrap();
    work(&project, |it| it.upsert(Some(main.hash), note("c", "n"), Expected::New)).unwrap();
    let identified: Vec<_> = bodies(&project)
        .into_iter()
        .filter_map(|body| match body {
            Body::RepoIdentified(it) => Some(it),
            _ => None,
        })
        .collect();
    let told: Vec<_> = identified.iter().map(|it| (it.repo, it.branch.as_deref())).collect();
    assert_eq!(told, [(main.hash, Some("main")), (topic.hash, Some("topic"))]);
    assert_eq!(identified[0].remote.as_deref(), Some("https://example.com/o/r.git"));
    assert_eq!(memory(&project, main.hash).notes.len(), 3);
    assert_eq!(memory(&project, topic.hash).notes.len(), 0);
}

#[test]
fn summaries_are_appended_in_order_and_cut_to_the_settings() {
    let (_dir, project) = project();
    let keep = |step: &str, text: &str| {
        work(&project, |it| it.append_summary(None, "run-1", step, text)).unwrap()
    };
    let first = keep("step-1", "one");
    assert_eq!(
        (&*first.done.run_id, &*first.done.step_id, &*first.done.summary),
        ("run-1", "step-1", "one")
    );
    keep("step-1", "one again");
    let long = keep("step-2", &"long ".repeat(1_000));
    // Cut between words.
    assert!((1_990..=2_000).contains(&long.done.summary.chars().count()), "{:?}", long.done);
    assert!(long.done.summary.ends_with(" more characters were left out]"), "{:?}", long.done);
    // Cut, a secret would no longer look like one.
    let token = "ghp_Zx9Kq2LmN4pR7sT1vW3yB6cD8fG0hJ5kQw2E".to_owned();
    let secret = keep("step-3", &format!("{}{token}{}", "x ".repeat(975), " y".repeat(500)));
    assert!(!secret.done.summary.contains("ghp_Zx9K"), "{}", secret.done.summary);
    let found = looked(&project, |view| view.summaries(first.repo, 10).unwrap());
    let steps: Vec<_> = found.iter().map(|it| it.step_id.as_str()).collect();
    assert_eq!(steps, ["step-1", "step-1", "step-2", "step-3"]);
}

#[test]
fn a_cut_summary_counts_what_it_leaves_out() {
    for (text, chars_max, kept) in
        [("short".to_owned(), 2_000, 5), ("ä".repeat(200), 1, 200), ("ä".repeat(500), 300, 264)]
    {
        let cut = super::super::cut_summary(&text, chars_max);
        let begin = cut.chars().take_while(|c| *c != '\n').count();
        assert!(cut.chars().count() <= usize::try_from(chars_max).unwrap().max(200));
        assert_eq!(begin, kept, "{cut}");
        if begin < text.chars().count() {
            let left = text.chars().count() - begin;
            assert!(cut.ends_with(&format!("[{left} more characters were left out]")), "{cut}");
        }
    }
}

#[test]
fn what_is_linked_is_one_memory_and_changed_where_it_lies() {
    let (dir, project) = project();
    let main = identify(dir.path()).unwrap().hash;
    work(&project, |it| it.upsert(None, note("n", "of main"), Expected::New)).unwrap();
    tree(dir.path(), "topic");
    let topic = identify(dir.path()).unwrap().hash;
    work(&project, |it| it.upsert(None, note("n", "of topic"), Expected::New)).unwrap();
    // One of the two would be hidden.
    let refused = work(&project, |it| it.link(None, main)).unwrap_err();
    assert!(refused.is_refusal() && refused.to_string().contains("note n;"), "{refused}");
    work(&project, |it| it.remove(Some(main), EntryKind::Note, "n")).unwrap();
    let linked = work(&project, |it| it.link(None, main)).unwrap();
    assert_eq!((linked.done.linked.len(), linked.sequence.is_some()), (2, true));
    for (repo, with) in [(None, main), (Some(main), topic), (Some(topic), main)] {
        assert_eq!(work(&project, |it| it.link(repo, with)).unwrap().sequence, None);
    }
    for repo in [main, topic] {
        assert_eq!(memory(&project, repo).notes.len(), 1);
        assert_eq!(memory(&project, repo).notes[0].content, "of topic");
    }
    let changed =
        work(&project, |it| it.upsert(Some(main), note("n", "new"), Expected::Known)).unwrap();
    assert_eq!(changed.repo, topic, "whose it is");
    // What the other one hid does not come back.
    work(&project, |it| it.remove(Some(main), EntryKind::Note, "n")).unwrap();
    assert_eq!(memory(&project, main).notes, []);
}
