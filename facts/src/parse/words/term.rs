//! The words of a question.

use super::{is_spaceless, runs, split, word};

/// Characters of a query that are read.
pub const QUERY_CHARS_MAX: usize = 4_096;
/// Words of a query that count: the first ones.
pub const TERMS_MAX: usize = 32;
/// Words that say nothing of what is sought, unless nothing else is said.
const STOP: &str = "a an and are as at be been but by can could did do does for from had has have how i if in into is \
    it its me my no not of on or our she should so than that the their them then there these they this to us was we \
    were what when where which who why will with would you your \
    aber als am an auch auf aus bei das dass dem den der des die doch ein eine einem einen einer es für hat ich im ist \
    mit nach nicht noch nur oder sich sie sind und uns von vor war warum was wenn wer wie wir wo wurde zu zum zur";

/// What must, or must not, be found together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Term {
    /// Words, one after the other; of an identifier its parts.
    pub words: Vec<String>,
    pub is_phrase: bool,
    pub is_beginning: bool,
    pub is_unwanted: bool,
}

impl Term {
    /// What stands between two blanks: `foo/bar.rs`, `a::b`. `None` where no word is in it.
    pub fn of(text: &str) -> Option<Self> {
        let mut words = Vec::new();
        for run in runs(text).take(TERMS_MAX) {
            split(run, |part| words.push(word(part).to_lowercase()));
        }
        (!words.is_empty()).then(|| Self { words, ..Self::default() })
    }

    /// The words, one after the other, by which it is found: of an identifier first its parts together, then as one
    /// word; else some of them.
    pub fn forms(&self) -> Vec<Vec<String>> {
        let mut all = vec![self.words.clone()];
        if self.is_single() {
            return all;
        }
        if self.together() == 2 {
            all.push(vec![self.words.concat()]);
        }
        let telling = self.words.iter().filter(|it| it.chars().count() > 1);
        all.extend(telling.map(|it| vec![it.clone()]));
        all
    }

    /// How many of its forms are all of it.
    pub fn together(&self) -> usize {
        let is_pairs = self.words.iter().any(|it| it.chars().any(is_spaceless));
        if self.is_single() || is_pairs { 1 } else { 2 }
    }

    fn is_single(&self) -> bool {
        self.is_phrase || self.words.len() == 1
    }

    fn is_plain(&self) -> bool {
        !self.is_unwanted && !self.is_phrase && !self.is_beginning
    }

    fn is_telling(&self) -> bool {
        self.is_phrase || self.words.len() > 1 || !is_stop(&self.words[0])
    }
}

/// Leaves out what says nothing, where anything else is said; what is not to be found counts whatever it says.
pub fn telling(terms: &mut Vec<Term>) {
    if terms.iter().any(|it| !it.is_unwanted && it.is_telling()) {
        terms.retain(|it| it.is_unwanted || it.is_telling());
    }
}

/// Words that are asked for side by side say more where they are found so.
pub fn pairs(terms: &[Term]) -> impl Iterator<Item = [String; 2]> {
    let both = terms.windows(2).filter(|it| it.iter().all(Term::is_plain));
    both.filter_map(|it| Some([it[0].words.last()?.clone(), it[1].words.first()?.clone()]))
}

fn is_stop(word: &str) -> bool {
    STOP.split_whitespace().any(|it| it == word)
}
