//! Spec 004's functions, as a program calls them.

use std::path::Path;

use super::*;
use crate::execution::asked_stores::tests::{evidence, rolled_back};

/// A project that keeps its files beside itself.
fn repository(path: &Path) -> Repository {
    std::fs::create_dir_all(path.join(".annals")).unwrap();
    let settings = "[repo]\nhome = \".home\"\n[journal]\ndurability = \"buffered\"\n";
    std::fs::write(path.join(".annals/config.toml"), settings).unwrap();
    Repository::initialize(path).unwrap()
}

#[test]
fn spec_004s_functions_work_on_one_memory() {
    let dir = tempfile::tempdir().unwrap();
    let repository = repository(dir.path()).with_session("s1");
    let hash = repository.repo_hash().unwrap();
    assert_eq!(repository.get_repo_memory(&hash).unwrap().notes, []);

    let note = repository
        .upsert_note(NoteGiven {
            content: Some("slow on arm".to_owned()),
            source: Some(NoteSource::Tool),
            ..NoteGiven::default()
        })
        .unwrap();
    let decision = repository
        .upsert_decision(DecisionGiven {
            summary: Some("one journal".to_owned()),
            rationale: Some("two can disagree".to_owned()),
            impacted_paths: Some(vec!["src".to_owned()]),
            id: None,
        })
        .unwrap();
    let summary = repository.append_summary("run-1", "step-1", "done").unwrap();
    let memory = repository.get_repo_memory(&hash).unwrap();
    assert_eq!((memory.notes, memory.decisions), (vec![note.clone()], vec![decision.clone()]));
    assert_eq!(repository.summaries(5).unwrap(), [summary]);

    let path = dir.path().join(format!(".home/repos/{hash}/memory.json"));
    let file = || std::fs::read_to_string(&path).unwrap();
    assert!(file().contains("slow on arm"));
    let context = repository.build_context_from_memory(3_000).unwrap();
    assert!(context.contains("slow on arm") && context.chars().count() <= 3_000, "{context}");

    repository.remove_note(&note.id).unwrap();
    assert!(!file().contains("slow on arm"), "{}", file());
    repository.remove_decision(&decision.id).unwrap();
    assert!(matches!(repository.remove_convention("none"), Err(Error::Repo(_))));

    // Somebody else's process sees the same.
    let again = Repository::open(dir.path()).unwrap().with_repo(&hash).unwrap();
    let memory = again.get_repo_memory(&hash).unwrap();
    assert_eq!((memory.notes, memory.decisions), (vec![], vec![]));
    assert!(matches!(again.link(&hash), Err(Error::Repo(RepoError::Field { .. }))));
}

#[test]
fn what_is_no_hash_and_what_is_not_known_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let repository = repository(dir.path());
    for bad in ["", "abcd", &"g".repeat(64)] {
        assert!(matches!(repository.get_repo_memory(bad), Err(Error::RepoHash { .. })), "{bad}");
    }
    assert!(matches!(repository.get_repo_memory(&"0".repeat(64)), Err(Error::Repo(_))));
    let missing = repository.upsert_convention(ConventionGiven::default()).unwrap_err();
    assert_eq!(missing.to_string(), "title is missing");
    assert!(Repository::open(&dir.path().join("none")).is_err());
}

#[test]
fn what_only_a_store_ahead_of_its_journal_tells_is_given_to_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let repository = repository(dir.path());
    let note = |content: &str| {
        let content = Some(content.to_owned());
        repository.upsert_note(NoteGiven { content, ..NoteGiven::default() })
    };
    note("slow on arm").unwrap();
    let hash = repository.repo_hash().unwrap();
    rolled_back(dir.path(), || drop(note("a ghost").unwrap()));
    let before = evidence(dir.path());

    let again = Repository::open(dir.path()).unwrap();
    let memory = again.get_repo_memory(&hash).unwrap();
    assert_eq!(memory.notes.iter().map(|it| &*it.content).collect::<Vec<_>>(), ["slow on arm"]);
    let context = again.build_context_from_memory(3_000).unwrap();
    assert!(context.contains("slow on arm") && !context.contains("ghost"), "{context}");
    // What decides by it refuses.
    let given = NoteGiven { content: Some("more".to_owned()), ..NoteGiven::default() };
    assert!(again.upsert_note(given).is_err());
    assert_eq!(evidence(dir.path()), before);
}
