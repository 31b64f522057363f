//! Several who change one memory at once.

use super::*;

/// Each adds a tag to one convention, from what is there: nobody's is lost, and each repository is
/// identified once.
#[test]
fn edits_of_one_entry_wait_for_one_another() {
    let (dir, project) = project();
    work(&project, |it| it.upsert(None, convention("c", "T"), Expected::New)).unwrap();
    let root = dir.path();
    std::thread::scope(|scope| {
        for who in 0..4 {
            scope.spawn(move || {
                let project = Project::open(root).unwrap();
                for turn in 0..4 {
                    let id = format!("n{who}-{turn}");
                    let made =
                        work(&project, |it| it.upsert(None, note(&id, "mine"), Expected::New));
                    made.unwrap();
                    let same = work(&project, |it| {
                        it.upsert(None, note("one", "the first"), Expected::New)
                    });
                    assert!(matches!(same, Ok(_) | Err(RepoError::Exists { .. })), "{same:?}");
                }
            });
        }
    });
    let found = memory(&project, identify(root).unwrap().hash);
    assert_eq!(found.notes.len(), 17);
    let count = |name: &str| names(&project).iter().filter(|it| **it == name).count();
    assert_eq!((count("RepoIdentified"), count("NoteAdded")), (1, 17));
}
