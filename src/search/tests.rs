//! Questions as people write them.

use super::find::Found;
use super::store::Search;
use super::{Asked, Order, SearchReader, search};

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
        ("branch -shadow", r#""branch""#),
        (r#"a1 -"b c""#, r#""a1""#),
        ("src/s*", r#""src""#),
        ("接*", r#""接" *"#),
        ("x* -y*", ""),
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
        let found = Asked::of(text).wanted().unwrap_or_default();
        match text.starts_with("x AND") {
            true => assert!(!found.contains(['{', '^', ':']), "{found}"),
            false => assert_eq!(found, expression, "{text}"),
        }
    }
    let mut all = Asked::of("shadow branch");
    all.all = true;
    assert_eq!(all.wanted().unwrap(), r#""shadow" AND "branch""#);
    // What is not to be there counts whatever it is.
    for (text, unwanted) in [
        ("branch -shadow -the", Some(r#""shadow" OR "the""#)),
        (r#"a1 -"b c""#, Some(r#""b c""#)),
        ("in:prompt -shadow", Some(r#""shadow""#)),
        ("branch", None),
    ] {
        assert_eq!(Asked::of(text).unwanted().as_deref(), unwanted, "{text}");
    }
}

#[test]
fn what_is_not_looked_for_is_told() {
    let words = |count: usize| (0..count).map(|it| format!("w{it}")).collect::<Vec<_>>();
    let many = words(40).join(" ");
    let phrase = format!("\"{}\"", words(34).join(" "));
    for (text, left_out) in [
        ("shadow branch sh*", vec![]),
        // Words that say nothing are no loss.
        ("when did the branch", vec![]),
        (&many, words(40)[32..].to_vec()),
        (&format!("w1 w1 {} -gone", words(32).join(" ")), vec!["-gone".to_owned()]),
        ("a* branch -B* src/s*", vec!["a*".to_owned(), "-B*".to_owned(), "src/s*".to_owned()]),
        (&phrase, vec!["w32 w33".to_owned()]),
    ] {
        let asked = Asked::of(text);
        assert_eq!((asked.left_out, asked.left_out_chars), (left_out, 0), "{text}");
    }
    assert_eq!(Asked::of(&"x ".repeat(2_050)).left_out_chars, 4);
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
    assert!(asked.wanted().unwrap().contains("http y"));
    for (text, unknown) in [
        ("in:nowhere failed:perhaps", &["in:nowhere", "failed:perhaps"][..]),
        ("in: x", &["in:"]),
        ("-in:answer x", &["-in:answer"]),
        ("path::of -a::b", &[]),
    ] {
        assert_eq!(Asked::of(text).unknown, unknown, "{text}");
    }
    for (text, asks) in [
        ("x", true),
        ("failed:yes", true),
        ("!!!", false),
        ("-x", false),
        ("", false),
        ("a*", false),
    ] {
        assert_eq!(Asked::of(text).asks(), asks, "{text}");
    }
}

#[test]
fn a_question_of_any_length_is_bounded() {
    let long = Asked::of(&"wörter \"und ( NEAR - * : ".repeat(5_000));
    assert!(long.left_out_chars > 0);
    assert!(long.wanted().unwrap().len() < 20_000);
}

/// A thousand turns of five texts, one of which says `odd` in turns 5 and 9; `stray` stands in no session.
fn thousand() -> (tempfile::TempDir, SearchReader) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search.db");
    let made = Search::create(&path).unwrap();
    for sql in [
        "INSERT INTO documents (number, seq, part, at_ms, session, turn, failed, left_out, words) \
         WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999) \
         SELECT i + 1, i + 1, i % 5, i, 1, i / 5, 0, 0, x'00' FROM n",
        "INSERT INTO documents (number, seq, part, at_ms, failed, left_out, words) \
         VALUES (5001, 5001, 0, 9000, 0, 0, x'00'), (5002, 5002, 0, 9001, 0, 0, x'00')",
        "INSERT INTO names (number, name) VALUES (1, 'a session')",
        "INSERT INTO found (rowid, parts, wholes) SELECT number, \
         iif(number IN (27, 47, 5002), 'able odd', 'able'), '' FROM documents",
    ] {
        made.conn.run(sql, "filling it").unwrap();
    }
    drop(made);
    let reader = SearchReader::open(&path).unwrap();
    (folder, reader)
}

#[test]
fn a_page_is_full_as_long_as_there_are_turns_and_one_with_what_is_unwanted_is_none() {
    let (_folder, reader) = thousand();
    let asked = |words: &str, order, page| -> Found {
        search(&reader, &Asked::of(words), None, order, page).unwrap()
    };
    for order in [Order::Newest, Order::Ranked] {
        let last = asked("ab*", order, (992, 10));
        assert_eq!((last.hits.len(), last.turns, last.is_more), (10, 1_002, false), "{order:?}");
    }
    let newest = asked("able", Order::Newest, (2, 2)).hits;
    let places: Vec<_> =
        newest.iter().map(|it| (it.session.as_deref(), it.turn, it.others)).collect();
    assert_eq!(places, [(Some("a session"), 999, 4), (Some("a session"), 998, 4)]);
    // Turns 5 and 9, and one of the two texts of no session.
    assert_eq!(asked("able -odd", Order::Newest, (0, 1)).turns, 1_002 - 3);
    // Where prompts alone are looked through, those hold it in no session: 26 is no prompt.
    assert_eq!(asked("able -odd in:prompt", Order::Newest, (0, 1)).turns, 1_002 - 1);
    assert_eq!(asked("in:prompt -odd", Order::Newest, (0, 1)).turns, 1_002 - 1);
    assert_eq!(asked("odd", Order::Ranked, (0, 9)).turns, 3);
}
