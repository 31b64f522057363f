//! Executions that free text cites beyond doubt.

use std::fmt;

use crate::event::ExecutionId;
use crate::parse::has_word;

/// An execution as a text cites it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Citation {
    /// `#142`, `execution 142`
    Ordinal(u64),
    Id(ExecutionId),
}

const CITATIONS_MAX: usize = 64;
const TEXT_BYTES_MAX: usize = 64 << 10;
const UUID_BYTES: usize = 36;

impl Citation {
    fn read(word: &str, is_number: bool) -> Option<Self> {
        if word.len() == UUID_BYTES && word.is_ascii() {
            return uuid::Uuid::try_parse(word)
                .ok() // then it cites nothing
                .map(|id| Self::Id(ExecutionId(id.into_bytes())));
        }
        let digits = match word.strip_prefix('#') {
            Some(digits) => digits,
            None => Some(word).filter(|_| is_number)?,
        };
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // A number beyond all numbers is an execution that does not exist.
        plain.then(|| Self::Ordinal(digits.parse().unwrap_or(u64::MAX)))
    }
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ordinal(ordinal) => ordinal.fmt(f),
            Self::Id(id) => id.fmt(f),
        }
    }
}

// An agent's last words have numbers of issues and pull requests, colours and other systems'
// UUIDs in them. A stop that is refused for one of these costs more than a citation that is missed:
// only what `execution` stands before is held against the journal; a bare `#142` cites where there
// is such an execution, and else is somebody else's number.

#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    /// `issue`, `PR`: the numbers behind it are not ours.
    Foreign,
    /// `execution`, `executions`
    Named {
        many: bool,
    },
    /// `executions 138`: more may follow.
    Listed,
}

/// What numbers other than executions' stand behind.
const FOREIGN: &str = "\
    issue issues pr prs pull request requests mr mrs merge bug bugs ticket tickets gh github \
    gitlab fix fixes close closes closed resolve resolves refs ref task story epic discussion \
    comment item step line color colour hex build";

/// What a text cites, in order, each once; `given` ordinals exist.
pub fn citations(text: &str, given: u64) -> Vec<Citation> {
    let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
    let mut found = Vec::new();
    let mut before = Before::Nothing;
    for told in text.split(|c: char| c.is_whitespace() || ",;()[]\"'`".contains(c)) {
        if told.is_empty() {
            continue; // between a comma and a blank
        }
        let word = told.trim_end_matches(['.', ':', '!', '?']);
        let ends = told.trim_end_matches(':').len() != word.len();
        let cited = cited(word, before, given);
        before = match before {
            _ if ends => Before::Nothing,
            Before::Named { many: true } | Before::Listed if cited.is_some() => Before::Listed,
            _ => after(&word.to_ascii_lowercase(), before),
        };
        found.extend(cited.filter(|cited| !found.contains(cited)));
        if found.len() >= CITATIONS_MAX {
            break;
        }
    }
    found
}

fn cited(word: &str, before: Before, given: u64) -> Option<Citation> {
    match before {
        Before::Foreign => None,
        Before::Named { .. } | Before::Listed => Citation::read(word, true),
        Before::Nothing => Citation::read(word, false)
            .filter(|it| matches!(it, Citation::Ordinal(it) if (1..=given).contains(it))),
    }
}

/// What a word that cites nothing leaves behind it.
fn after(word: &str, before: Before) -> Before {
    match (word, before) {
        ("execution", _) => Before::Named { many: false },
        ("executions", _) => Before::Named { many: true },
        ("id" | "ids" | "no" | "number", Before::Named { many }) => Before::Named { many },
        ("and" | "or" | "&", Before::Listed) => Before::Listed,
        ("and" | "or" | "&", Before::Foreign) => Before::Foreign,
        (_, Before::Foreign) if word.starts_with('#') => Before::Foreign,
        _ if has_word(FOREIGN, word) => Before::Foreign,
        _ => Before::Nothing,
    }
}
