//! Bad input is refused with its field, and nothing is recorded.

use super::*;

fn field<T: std::fmt::Debug>(told: Result<T, RepoError>) -> String {
    match told {
        Err(RepoError::Field { field, .. }) => field,
        other => panic!("{other:?}"),
    }
}

#[test]
fn bad_input_is_refused_with_the_field_named() {
    let (_dir, project) = project();
    let before = names(&project).len();
    let long = |count: usize| "x".repeat(count);
    let upsert = |given: ConventionGiven| {
        field(work(&project, |it| it.upsert(None, given, Expected::Either)))
    };
    let good = || convention("c", "Title");
    let title = |text: &str| ConventionGiven { title: Some(text.to_owned()), ..good() };
    let content = |text: &str| ConventionGiven { content: Some(text.to_owned()), ..good() };
    let tags = |tags: &[&str]| ConventionGiven {
        tags: Some(tags.iter().map(|tag| (*tag).to_owned()).collect()),
        ..good()
    };
    for id in
        ["", "a b", "a/b", "ä", "../x", &long(129), "ghp_Zx9Kq2LmN4pR7sT1vW3yB6cD8fG0hJ5kQw2E"]
    {
        assert_eq!(upsert(convention(id, "Title")), "id", "{id}");
    }
    for bad in ["", "  ", "two\nlines", "bell\u{7}", &long(201)] {
        assert_eq!(upsert(title(bad)), "title", "{bad:?}");
    }
    for bad in ["", " \n", &long(16_385)] {
        assert_eq!(upsert(content(bad)), "content");
    }
    assert_eq!(upsert(tags(&["good", ""])), "tags[1]");
    assert_eq!(upsert(tags(&[&long(65)])), "tags[0]");
    assert_eq!(upsert(tags(&["x"; 33])), "tags");
    assert_eq!(upsert(ConventionGiven { title: None, ..good() }), "title");
    assert_eq!(upsert(ConventionGiven { content: None, ..good() }), "content");

    let decide =
        |given: DecisionGiven| field(work(&project, |it| it.upsert(None, given, Expected::Either)));
    let paths = |paths: &[&str]| DecisionGiven {
        impacted_paths: Some(paths.iter().map(|path| (*path).to_owned()).collect()),
        ..decision("d")
    };
    assert_eq!(decide(DecisionGiven { summary: Some(long(501)), ..decision("d") }), "summary");
    assert_eq!(decide(DecisionGiven { rationale: None, ..decision("d") }), "rationale");
    for bad in ["/etc", "~/x", "a/../b", "..", "a\\b", "", "a\nb", &long(1_025)] {
        assert_eq!(decide(paths(&["src", bad])), "impactedPaths[1]", "{bad:?}");
    }
    assert_eq!(decide(paths(&["x"; 65])), "impactedPaths");

    let bad = note("n", &long(16_385));
    assert_eq!(field(work(&project, |it| it.upsert(None, bad, Expected::Either))), "content");
    let keep = |run: &str, step: &str, text: &str| {
        field(work(&project, |it| it.append_summary(None, run, step, text)))
    };
    assert_eq!(keep("", "s", "t"), "runId");
    assert_eq!(keep("r", "s\u{1b}[2J", "t"), "stepId");
    assert_eq!(keep(&long(257), "s", "t"), "runId");
    assert_eq!(keep("r", "ghp_Zx9Kq2LmN4pR7sT1vW3yB6cD8fG0hJ5kQw2E", "t"), "stepId");
    assert_eq!(keep("r", "s", " "), "summary");
    assert_eq!(keep("r", "s", &long((1 << 20) + 1)), "summary");
    assert_eq!(names(&project).len(), before, "nothing of it was recorded");
}

#[test]
fn an_entry_that_is_not_as_expected_is_refused() {
    let (_dir, project) = project();
    let add = |expected| work(&project, |it| it.upsert(None, convention("c", "T"), expected));
    assert!(matches!(add(Expected::Known), Err(RepoError::NoEntry { .. })));
    add(Expected::New).unwrap();
    assert!(matches!(add(Expected::New), Err(RepoError::Exists { .. })));
    // Of another repository nothing is known.
    let other = RepoHash([7; 32]);
    let told = work(&project, |it| it.upsert(Some(other), note("n", "x"), Expected::New));
    assert!(matches!(told, Err(RepoError::Query(_))), "{told:?}");
    assert!(matches!(work(&project, |it| it.link(None, other)), Err(RepoError::Query(_))));
    let own = identify(project.root()).unwrap().hash;
    assert_eq!(field(work(&project, |it| it.link(None, own))), "with");
}

#[test]
fn the_largest_that_is_taken_is_kept_whole() {
    let (_dir, project) = project();
    let given = ConventionGiven {
        id: Some("i".repeat(128)),
        title: Some("ä".repeat(200)),
        content: Some("c ".repeat(8_192)),
        tags: Some(vec!["t".repeat(64); 32]),
    };
    let told = work(&project, |it| it.upsert(None, given.clone(), Expected::New));
    let done = told.unwrap().done;
    assert_eq!(Some(done.title), given.title);
    assert_eq!(Some(done.content), given.content);
    assert_eq!(Some(done.tags), given.tags);
}
