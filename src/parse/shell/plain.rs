//! A check's command line without what hides how it ends.

use super::check::{CHECKERS, SUBCOMMANDS};
use super::program::Program;
use super::{Joint, Script, Simple};

impl Script {
    /// Its first check alone, without what comes behind it; `bare`, without what it is narrowed to as
    /// well. `None` where there is none, or a variable is in it.
    pub fn plain(&self, own: &[String], bare: bool) -> Option<String> {
        let at = self.first_check(own)?;
        let words = &self.commands[at].words;
        let kept = if bare { &words[..bare_len(words)] } else { &words[..] };
        let folder = at.checked_sub(1).map(|at| &self.commands[at]);
        let folder = folder.filter(|it| it.words.first().is_some_and(|it| it == "cd"));
        let lines: Option<Vec<_>> =
            folder.map(|it| line(&it.words)).into_iter().chain([line(kept)]).collect();
        lines.map(|lines| lines.join(" && "))
    }

    /// What stands behind its first check and has the last word: `| tail`, `; echo`.
    pub fn behind(&self, own: &[String]) -> Option<String> {
        let at = self.first_check(own)?;
        let joint = match self.commands[at].joint {
            Joint::And | Joint::End => return None,
            Joint::Or => "||",
            Joint::Pipe => "|",
            Joint::Background => return Some("&".to_owned()),
            Joint::Then => ";",
        };
        let next: &Simple = self.commands.get(at + 1)?;
        Some(format!("{joint} {}", next.words.first()?))
    }
}

/// Of a check's words, those up to its program and subcommand.
fn bare_len(words: &[String]) -> usize {
    let Some(program) = Program::of(words) else { return words.len() };
    let begin = words.len() - program.arguments.len();
    if CHECKERS.contains(&program.name) {
        return begin;
    }
    let known = SUBCOMMANDS.iter().find(|(name, _)| *name == program.name);
    let verbs = known.map(|(_, verbs)| *verbs).unwrap_or_default();
    let verb = program.arguments.iter().position(|it| verbs.contains(&it.as_str()));
    match verb {
        Some(at) if program.arguments[at] == "nextest" => (begin + at + 2).min(words.len()),
        Some(at) => begin + at + 1,
        None => words.len(),
    }
}

/// Words as a shell reads them.
fn line(words: &[String]) -> Option<String> {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%~".contains(c);
    let quoted = |word: &String| match word {
        _ if word.contains(['$', '`', '\'']) => None,
        _ if !word.is_empty() && word.chars().all(plain) => Some(word.clone()),
        _ => Some(format!("'{word}'")),
    };
    Some(words.iter().map(quoted).collect::<Option<Vec<_>>>()?.join(" "))
}
