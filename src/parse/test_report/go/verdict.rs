//! How a test ended.

/// `    --- FAIL: TestDiscount/half (0.00s)`: a subtest is indented deeper than its test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub name: String,
    pub depth: usize,
    pub word: Word,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Pass,
    Fail,
    Skip,
}

impl Verdict {
    pub fn of(line: &str) -> Option<Self> {
        let bare = line.trim_start_matches(' ');
        let (word, rest) = bare.strip_prefix("--- ")?.split_once(": ")?;
        let word = match word {
            "PASS" => Word::Pass,
            "FAIL" => Word::Fail,
            "SKIP" => Word::Skip,
            _ => return None,
        };
        let (name, took) = rest.rsplit_once(" (")?;
        let depth = (line.len() - bare.len()) / 4;
        took.ends_with("s)").then(|| Self { name: name.to_owned(), depth, word })
    }
}
