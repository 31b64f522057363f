//! What an agent concluded: the sentences of its last answer that say something.

use super::facts::{line, shortened};

/// Words that alone say nothing of what was done or found.
const EMPTY: &str = "done all perfect great excellent good nice question feedback fixed sure ok okay right alright \
                     absolutely got it i see now understand understood complete completed finished ready thanks";
/// What a sentence begins with that only tells what comes next.
const ANNOUNCING: [&str; 6] =
    ["let me ", "now let me ", "now i ", "i see", "i understand", "i think i understand"];
/// A heading of fewer words is none but a heading.
const HEADING_WORDS_MIN: usize = 5;

/// Whole sentences, in one line of at most so many characters; the first is cut where it is longer than that. Where
/// none says anything, the longest line of the last paragraphs all the same; what only leads to something is none.
pub fn conclusion(answer: &str, chars_max: usize) -> String {
    let answer = &without_thoughts(answer);
    let mut kept = String::new();
    for sentence in sentences(answer).iter().filter(|it| says_something(it)) {
        if kept.is_empty() {
            kept = shortened(sentence, chars_max);
            continue;
        }
        let with = if kept.ends_with(['.', '!', '?']) { " " } else { "; " };
        if kept.chars().count() + with.len() + sentence.chars().count() > chars_max {
            break;
        }
        kept.push_str(with);
        kept.push_str(sentence);
    }
    let last = || {
        let told = lines(answer).into_iter().rev().take(LAST_LINES);
        let told = told.filter(|it| !it.ends_with(':') && it.contains(char::is_alphanumeric));
        line(&told.max_by_key(|it| it.len()).unwrap_or_default(), chars_max)
    };
    if kept.is_empty() { last() } else { kept }
}

/// Lines that are looked at where no sentence says anything.
const LAST_LINES: usize = 3;
/// Around what a model thought and nobody was told.
const THOUGHTS: [&str; 2] = ["thinking", "antml:thinking"];

fn without_thoughts(answer: &str) -> String {
    let mut told = answer.to_owned();
    for name in THOUGHTS {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        while let Some(begin) = told.find(&open) {
            let end = told[begin..].find(&close).map(|at| begin + at + close.len());
            told.replace_range(begin..end.unwrap_or(told.len()), "");
        }
        told = told.replace(&close, "");
    }
    told
}

/// The sentences outside of code and tables, without what marks them up.
fn sentences(answer: &str) -> Vec<String> {
    let lines = lines(answer).into_iter();
    lines.flat_map(|it| split(unmarked(&it)).map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn lines(answer: &str) -> Vec<String> {
    let mut is_code = false;
    let prose = answer.lines().map(str::trim).filter(move |it| {
        let is_fence = it.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence && !it.starts_with('|')
    });
    let is_title =
        |it: &&str| it.starts_with('#') && it.split_whitespace().count() <= HEADING_WORDS_MIN;
    prose.filter(|it| !is_title(it)).map(|it| it.replace("**", "")).collect()
}

fn unmarked(line: &str) -> &str {
    let line = line.trim_start_matches(['#', '-', '*', '>', '\u{2022}', ' ']);
    let rest = line.trim_start_matches(|it: char| it.is_ascii_digit());
    let item = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "));
    item.filter(|_| rest.len() < line.len()).unwrap_or(line).trim()
}

fn split(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let is_end = |(at, _): &(usize, &str)| {
            // `2. ` begins an item of a list.
            rest[at + 1..].starts_with(' ')
                && !rest[..*at].ends_with(|it: char| it.is_ascii_digit())
        };
        let end = rest.match_indices(['.', '!', '?']).find(is_end);
        let (sentence, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at + 1));
        rest = after.trim_start();
        (!sentence.is_empty()).then_some(sentence)
    })
}

fn says_something(sentence: &str) -> bool {
    let told = sentence.to_lowercase();
    let mut words = told.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    let is_empty = words.all(|it| EMPTY.split_whitespace().any(|empty| empty == it));
    let is_announced = ANNOUNCING.iter().any(|it| told.starts_with(it));
    !is_empty && !is_announced && !told.ends_with(':')
}
