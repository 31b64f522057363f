//! Loops, conditions and groups of a command line.

use super::{FILES_MAX, is_plain};
use crate::parse::has_word;
use crate::parse::shell::Simple;

/// Words that begin what may not run, or run often; the same many end it.
const OPENING: &str = "if for while until case select function {";
const CLOSING: &str = "fi done esac }";

/// A loop, a condition, a group or a function that has not ended yet.
#[derive(Debug)]
pub(super) struct Open {
    /// Whether what is in it runs where it does itself.
    pub is_sure: bool,
    /// Whether it runs.
    pub runs: bool,
    /// What a loop goes through, by the name of its variable.
    each: Option<(String, Vec<String>)>,
}

impl Open {
    pub fn ends(first: &str) -> bool {
        has_word(CLOSING, first)
    }

    /// What these words begin. `defines`: a group may be a function's body.
    pub fn of(words: &[String], runs: bool, defines: bool) -> Option<Self> {
        let first = words.first().filter(|it| has_word(OPENING, it))?;
        let each = match words {
            [_, name, within, values @ ..] if first == "for" && within == "in" => {
                let is_known = !values.is_empty() && values.iter().all(|it| is_plain(it));
                is_known.then(|| (name.clone(), values.to_vec()))
            }
            _ => None,
        };
        Some(Self { is_sure: each.is_some() || first == "{" && !defines, runs, each })
    }

    pub fn is_loop(&self) -> bool {
        self.each.is_some()
    }

    /// A command with each of its variable's values in place of its name.
    fn put_in(&self, command: Simple) -> Vec<Simple> {
        let mut texts = command.words.iter().chain(&command.outputs);
        let has_variable = texts.any(|it| it.contains('$'));
        let Some((name, values)) = self.each.as_ref().filter(|_| has_variable) else {
            return vec![command];
        };
        let of = |value: &String| {
            let with = |texts: &[String]| texts.iter().map(|it| put_in(it, name, value)).collect();
            let (words, outputs) = (with(&command.words), with(&command.outputs));
            command.with(words, outputs)
        };
        values.iter().take(FILES_MAX + 1).map(of).collect()
    }
}

/// What a command is, each time that the loops around it run it.
pub(super) fn each(open: &[Open], command: &Simple) -> Vec<Simple> {
    open.iter().fold(vec![command.clone()], |all, open| {
        all.into_iter().flat_map(|it| open.put_in(it)).take(FILES_MAX + 1).collect()
    })
}

/// `$NAME` and `${NAME}`; where anything else is made of the variable, the text stays no path.
fn put_in(text: &str, name: &str, value: &str) -> String {
    let text = text.replace(&format!("${{{name}}}"), value);
    let mut made = String::new();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once(&format!("${name}")) {
        let goes_on = behind.starts_with(|it: char| it.is_alphanumeric() || it == '_');
        made.push_str(before);
        match goes_on {
            true => made.extend(["$", name]),
            false => made.push_str(value),
        }
        rest = behind;
    }
    made + rest
}
