//! The keys of records, and what of a question they have.

use proptest::prelude::*;

use super::{Asked, Counts, Entry, Exact, Said, each_exact, tag_keys};

fn tags(tags: &[&str]) -> Vec<String> {
    tags.iter().map(|it| (*it).to_owned()).collect()
}

#[test]
fn records_are_read_as_they_were_written_and_cut_bytes_give_the_whole_ones() {
    let said = [
        Said::of("the defaultAgent fails", &tags(&["node_id:7", "größe"])),
        Said::of("", &tags(&[])),
        Said::of("日本語", &tags(&[""])),
    ];
    let entries: Vec<Entry<'_>> =
        (1..).zip(&said).map(|(id, it)| it.entry(id, 1_000 * id)).collect();
    let mut bytes = Vec::new();
    let mut ends = vec![0];
    for entry in &entries {
        entry.write(&mut bytes);
        ends.push(bytes.len());
        assert_eq!(bytes.len(), ends[ends.len() - 2] + entry.size());
    }
    assert_eq!(Entry::all(&bytes).collect::<Vec<_>>(), entries);
    assert_eq!(entries[0].said(), said[0]);
    for end in 0..bytes.len() {
        let whole = ends[1..].iter().filter(|it| **it <= end).count();
        assert_eq!(Entry::all(&bytes[..end]).count(), whole, "{end}");
    }
    // A count that no memory holds.
    bytes[16..20].fill(0xff);
    assert_eq!(Entry::all(&bytes).count(), 0);
}

#[test]
fn text_and_tags_are_changed_apart() {
    let (old, new) = (tags(&["a_b"]), tags(&["c", "d"]));
    let mut said = Said::of("old text", &old);
    said.set_tags(&new);
    assert_eq!(said, Said::of("old text", &new));
    said.set_text("new");
    assert_eq!(said, Said::of("new", &new));
}

#[test]
fn forms_of_a_word_are_counted_once_each() {
    for (query, text, total) in [
        // A word, whatever its form.
        ("failing", "It fails, failed and will fail.", 3.0),
        ("größe", "GRÖSSE Größe Grösse grosse", 4.0),
        ("cafe", "café cafe\u{301} cafes", 3.0),
        // Words side by side count again.
        ("shadow branch", "the shadow branches", 3.0),
        ("branch shadow", "the shadow branches", 2.0),
        // An identifier by its parts together, by each of them, and whole.
        ("default agent", "defaultAgent", 3.0),
        ("defaultAgent", "default agent", 3.0),
        ("defaultAgent", "default_agent", 3.8),
        ("defaultAgent", "agent by default", 2.0),
        ("defaultagent", "defaultAgent", 0.8),
        // By pairs of letters.
        ("日本語", "これは日本語です", 3.0),
        ("日", "日本", 0.8),
        // What says nothing, unless nothing else is said.
        ("what is the branch", "the branch", 1.0),
        ("the", "the branch the", 2.0),
        ("sun", "sunshine", 0.0),
        ("AND OR NOT NEAR(x)", "or not", 0.0),
        ("", "anything", 0.0),
    ] {
        let (asked, said) = (Asked::of(query), Said::of(text, &tags(&[])));
        let mut counts = Counts::default();
        asked.count(&said.entry(1, 1), &mut counts);
        let found: f64 = counts.take().map(|it| it.1).sum();
        assert!((found - total).abs() < 1e-9, "{query:?} in {text:?}: {found}");
        assert_eq!(asked.is_any_in(text), total > 0.0, "{query:?} in {text:?}");
        // What was taken is gone.
        assert_eq!(counts.take().count(), 0);
    }
}

#[test]
fn words_of_two_texts_are_not_side_by_side() {
    let asked = Asked::of("one two");
    for (text, of_tags, found) in
        [("one", &["two"][..], 2), ("x", &["one", "two"], 2), ("x aB", &["one two"], 3)]
    {
        let said = Said::of(text, &tags(of_tags));
        let mut counts = Counts::default();
        asked.count(&said.entry(1, 1), &mut counts);
        assert_eq!(counts.take().count(), found, "{text} {of_tags:?}");
    }
}

#[test]
fn tags_are_known_whole() {
    let said = Said::of("text", &tags(&["id:7", "RES"]));
    let entry = said.entry(1, 1);
    for (wanted, has) in [
        (&[][..], true),
        (&["RES"], true),
        (&["id:7", "RES"], true),
        (&["res"], false),
        (&["id"], false),
        (&["RES", "id:8"], false),
    ] {
        assert_eq!(entry.has_tags(&tag_keys(&tags(wanted))), has, "{wanted:?}");
    }
}

#[test]
fn a_query_of_any_length_is_bounded() {
    for query in
        ["word ".repeat(200_000), "日".repeat(1 << 20), "aB".repeat(1 << 20), "a_".repeat(1 << 19)]
    {
        assert!(Asked::of(&query).forms() <= 256);
    }
    assert!(Asked::of("* ( ) : ^ - + ' ; -- 🦀 \0").is_empty());
}

#[test]
fn a_record_may_have_all_words_by_its_keys_where_it_has_them() {
    let long = "a".repeat(100);
    for (text, word, is_odd) in [
        ("It fails here", "fails", false),
        ("defaultAgent is set", "defaultagent", false),
        ("default_agent is set", "agent", false),
        ("größe und Weite", "weite", false),
        // What the keys do not tell of: part of a longer identifier, a long word, letters that belong to a colour.
        ("my_defaultAgent", "defaultagent", true),
        (&long, &long, true),
        ("\u{1b}[1mred", "1mred", true),
    ] {
        let of = |words: &[&'static str], tags: &[String]| Exact::of(words.iter().copied(), tags);
        let said = Said::of(text, &tags(&["node_id:7"]));
        let entry = said.entry(1, 1);
        assert!(Exact::of([word].into_iter(), &[]).may_be_in(&entry), "{text}: {word}");
        assert_eq!(of(&["nowhere"], &[]).may_be_in(&entry), is_odd, "{text}");
        assert!(of(&["node", "7"], &tags(&["node_id:7"])).may_be_in(&entry), "{text}");
        assert!(!of(&[], &tags(&["node_id:8"])).may_be_in(&entry), "{text}");
    }
}

proptest! {
    #[test]
    fn no_word_of_any_text_is_missed(text in "\\PC{0,40}|[a-cA-C_ 1\u{1b}\\[mKé\u{301}\u{212a}日]{0,24}") {
        let said = Said::of(&text, &tags(&[&text]));
        each_exact(&text, |word| {
            let word = word.to_lowercase();
            let exact = Exact::of([word.as_str()].into_iter(), &[]);
            assert!(!word.is_ascii() || exact.may_be_in(&said.entry(1, 1)), "{word}");
        });
    }
}
