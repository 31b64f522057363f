//! What the title of a step says by itself.

use crate::parse::has_word;

/// Words of which a title is made that only answers.
const ANSWERS: &str = "yes yeah yep y no n ok okay sure please go on ahead continue proceed next do it that this its \
                       perfect great good fine thanks thank you both all again now lets and";
const ANSWER_WORDS_MAX: usize = 5;

/// Whether a title only answers what was said before: `yes please`, `go on`, `1`.
pub fn is_answer(title: &str) -> bool {
    let title = title.to_lowercase().replace(['\'', '\u{2019}'], "");
    let words: Vec<&str> =
        title.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let is_one = |it: &&str| {
        has_word(ANSWERS, it) || it.len() == 1 || it.bytes().all(|it| it.is_ascii_digit())
    };
    !words.is_empty() && words.len() <= ANSWER_WORDS_MAX && words.iter().all(is_one)
}
