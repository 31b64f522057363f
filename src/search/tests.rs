//! Questions as people write them.

use super::Asked;

#[test]
fn a_question_is_read_as_people_write_it() {
    for (text, expression) in [
        ("shadow branch", r#""shadow" OR "branch" OR "shadow branch""#),
        // Words that say nothing count where nothing else is said.
        ("when did we drop the branch", r#""drop" OR "branch" OR "drop branch""#),
        ("who are you", r#""who" OR "are" OR "you" OR "who are" OR "are you""#),
        (r#""shadow branch""#, r#""shadow branch""#),
        (r#""never closed"#, r#""never closed""#),
        ("defaultAgent", r#"("default agent" OR "defaultagent" OR "default" OR "agent")"#),
        ("config*", r#""config" *"#),
        ("branch -shadow", r#"("branch") NOT ("shadow")"#),
        (r#"a1 -"b c""#, r#"("a1") NOT ("b c")"#),
        ("-shadow", ""),
        ("ab* ab* ab*", r#""ab" *"#),
        ("Maßstab ﬁle", r#""massstab" OR "file" OR "massstab file""#),
        ("接", r#""接""#),
        ("日本語", r#"("日本 本語" OR "日本" OR "本語")"#),
        // No operator of the index below is one here.
        ("x AND y NEAR(z) {col}: ^q", r#""x" OR "and" OR "y" OR "near z""#),
        ("*", ""),
        ("", ""),
        ("\u{202e}evil\0", r#""evil""#),
    ] {
        let found = Asked::of(text).expression().unwrap_or_default();
        match text.starts_with("x AND") {
            true => assert!(!found.contains(['{', '^', ':']), "{found}"),
            false => assert_eq!(found, expression, "{text}"),
        }
    }
    let mut all = Asked::of("shadow branch");
    all.all = true;
    assert_eq!(all.expression().unwrap(), r#""shadow" AND "branch""#);
}

#[test]
fn fields_narrow_and_a_wrong_one_is_told() {
    let asked = Asked::of(
        "in:prompt in:answer tool:Bash path:\"a b\" session:01 model:opus since:2d failed:yes x http://y",
    );
    assert_eq!(asked.parts.len(), 2);
    assert_eq!(asked.tool.as_deref(), Some("Bash"));
    assert_eq!(asked.path.as_deref(), Some("a b"));
    assert_eq!(asked.session.as_deref(), Some("01"));
    assert_eq!(asked.model.as_deref(), Some("opus"));
    assert_eq!(asked.since.as_deref(), Some("2d"));
    assert!(asked.only_failed && asked.unknown.is_empty());
    assert!(asked.expression().unwrap().contains("http y"));
    for (text, unknown) in [
        ("in:nowhere failed:perhaps", &["in:nowhere", "failed:perhaps"][..]),
        ("in: x", &["in:"]),
        ("-in:answer x", &["-in:answer"]),
        ("path::of -a::b", &[]),
    ] {
        assert_eq!(Asked::of(text).unknown, unknown, "{text}");
    }
    for (text, asks) in
        [("x", true), ("failed:yes", true), ("!!!", false), ("-x", false), ("", false)]
    {
        assert_eq!(Asked::of(text).asks(), asks, "{text}");
    }
}

#[test]
fn a_question_of_any_length_is_bounded() {
    let long = Asked::of(&"wörter \"und ( NEAR - * : ".repeat(5_000));
    assert!(long.is_cut);
    assert!(long.expression().unwrap().len() < 20_000);
}
