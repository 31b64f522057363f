//! Tables that are asked for rows by a word.

use super::{ASKED_FEW, Index, has_word};

const ROWS: &[(&str, u8)] = &[("go gofmt", 1), ("cargo  rustc", 2), ("", 3), ("gofmt go go", 4)];

#[test]
fn rows_are_the_same_looked_for_one_by_one_and_by_an_index() {
    let index: Index<(&str, u8)> = Index::of(ROWS, |it| it.0);
    let words = ["go", "gofmt", "cargo", "rustc", "rust", "go gofmt", "", " "];
    for asked in 0..2 * ASKED_FEW {
        let word = words[asked as usize % words.len()];
        let found: Vec<u8> = index.rows(word).map(|it| it.1).collect();
        let of = |it: &&(&str, u8)| it.0.split_whitespace().any(|one| one == word);
        let expected: Vec<u8> = ROWS.iter().filter(of).map(|it| it.1).collect();
        assert_eq!(found, expected, "{word:?}, asked {asked} times before");
        assert_eq!(index.by_word.get().is_some(), asked >= ASKED_FEW);
        assert!(ROWS.iter().all(|it| has_word(it.0, word) == of(&it)));
    }
}
