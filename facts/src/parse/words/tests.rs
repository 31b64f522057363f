//! What words texts and questions have.

use super::runs::{split_any, split_ascii};
use super::stem::is_mark;
use super::{Words, runs, stem};

#[test]
fn identifiers_are_split_and_kept_whole() {
    for (text, parts, wholes) in [
        ("failing tests", "failing tests", ""),
        ("defaultAgent", "default Agent", "defaultAgent"),
        ("default_agent_2", "default agent 2", "defaultagent2"),
        ("HTTPServer v2Beta", "HTTP Server v2 Beta", "HTTPServer v2Beta"),
        ("src/session_state.rs:42", "src session state rs 42", "sessionstate"),
        ("a::b->c()", "a b c", ""),
        ("__init__", "init", ""),
        ("naïve Größe cafe\u{301}", "naïve Grösse cafe\u{301}", ""),
        ("Maßstab ﬁle œuvre Ｗｉｄｅ４ Ærø", "Massstab file oeuvre Wide4 aerø", ""),
        // What colours a terminal is none of it, wherever it stands.
        ("\u{1b}[1;32mpassgreen\u{1b}[0m1", "passgreen 1", ""),
        ("\u{1b}]8;;http://x.y\u{1b}\\link\u{1b}]8;;\u{7}s \u{9b}31mred", "link s red", ""),
        ("\u{1b}[12", "12", ""),
        ("\u{1b}]no end", "no end", ""),
        // A script without spaces, by pairs.
        ("日本語です", "日本 本語 語で です", "日 本 語 で す"),
        ("語", "語", ""),
        ("x日本y語", "x 日本 y 語", "日 本"),
        ("", "", ""),
        ("--- *** ___", "", ""),
    ] {
        let found = Words::of(text);
        assert_eq!((found.parts.as_str(), found.wholes.as_str()), (parts, wholes), "{text}");
    }
}

#[test]
fn data_is_no_word_and_a_long_word_is_cut() {
    assert_eq!(Words::of(&"A1".repeat(100)), Words::default());
    assert_eq!(Words::of(&"a".repeat(100)).parts.len(), 64);
    assert!(Words::of(&"ä".repeat(60)).parts.len() <= 64);
}

/// The words that SQLite's tokenizer makes of texts, one each.
fn by_sqlite(words: &[String]) -> Vec<String> {
    let conn = rusqlite::Connection::open_in_memory().unwrap();
    conn.execute_batch(
        "CREATE VIRTUAL TABLE t USING fts5(w, tokenize = 'porter unicode61 remove_diacritics 2');
         CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)",
    )
    .unwrap();
    let mut insert = conn.prepare("INSERT INTO t (rowid, w) VALUES (?1, ?2)").unwrap();
    for (at, word) in words.iter().enumerate() {
        insert.execute((at as i64, word)).unwrap();
    }
    let mut read = conn.prepare("SELECT term FROM v ORDER BY doc").unwrap();
    let found = read.query_map([], |row| row.get(0)).unwrap();
    found.collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_stem_is_what_the_full_text_index_makes_of_a_word() {
    const BEGINNINGS: &str = "a b by sh ski trou creat reveal rat hop fall fil condi predica oscill adopt homolog cafÉ y \
        yell toy sky happ relat defens commun triplic form electr hope good reviv allow infer airlin gyroscop adjust \
        irrit replac activ angul effect bowdl prob ceas contr roll digit sens radic differ vile analog vietnam oper \
        feud decis calli sess";
    const ENDINGS: &str = "- s es ies sses ss ed eed ing y e l ll al ly ational tional enci anci izer bli alli entli eli \
        ousli ization ation ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful \
        ness ance ence er ic able ible ant ement ment ent ion sion tion ou ism ate iti ous ive ize logi at bl iz tt \
        ting ated bled ized tted lled ying yed w x ings ingly edly";
    let both = BEGINNINGS.split_whitespace().flat_map(|one| {
        ENDINGS.split_whitespace().map(move |other| format!("{one}{}", other.trim_matches('-')))
    });
    // Its tables are older, and know one letter with two diacritics by one of them alone.
    const UNKNOWN: &str = "ͿԨԪԬԮǠǡ";
    let letters =
        ('\u{c0}'..='\u{24f}').chain('\u{1e00}'..='\u{1eff}').chain('\u{370}'..='\u{52f}');
    let others = ["Größe", "cafe\u{301}", "straße", "naïve", "日本", "İstanbul", "ᾳ", "x"];
    let words = both.chain(
        letters.filter(|it| it.is_alphabetic() && !UNKNOWN.contains(*it)).map(|it| it.to_string()),
    );
    let words: Vec<String> = words
        .chain(others.map(str::to_owned))
        .chain(["runnings".repeat(8), "r".repeat(62) + "ing", "r".repeat(61) + "ing"])
        .collect();
    let expected = by_sqlite(&words);
    assert_eq!(expected.len(), words.len());
    let differ = words.iter().zip(&expected).filter(|(word, it)| stem(word) != **it);
    let differ: Vec<_> = differ.map(|(word, it)| (word, it, stem(word))).collect();
    assert!(differ.is_empty(), "{}: {differ:?}", differ.len());
}

/// Texts of few characters, each in every place.
fn texts() -> impl Iterator<Item = String> {
    const LETTERS: [char; 10] = ['a', 'B', '7', '_', ' ', '-', 'é', '\u{301}', '日', '\u{1b}'];
    (0..100_000_usize).map(|mut number| {
        let mut text = String::new();
        while number > 0 {
            text.push(LETTERS[number % 10]);
            number /= 10;
        }
        text
    })
}

#[test]
fn what_a_table_tells_is_what_characters_are() {
    let is_between = |it: char| !it.is_alphanumeric() && it != '_' && !is_mark(it);
    for text in texts() {
        let slow = text.split(is_between).filter(|it| it.contains(char::is_alphanumeric));
        assert!(runs(&text).eq(slow), "{text:?}");
        let (mut table, mut any) = (Vec::new(), Vec::new());
        if text.is_ascii() {
            split_ascii(&text, |it| table.push(it));
            split_any(&text, |it| any.push(it));
            assert_eq!(table, any, "{text:?}");
        }
    }
}
