//! Whether a command line may bear out that the work is done, and what must say that it does.

use super::CheckCall;
use super::idle::is_made_idle;
use super::rows::LISTING;
use super::table::{self, Trust};
use crate::event::derived::{Decode, Encode};
use crate::parse::check::CheckRules;
use crate::parse::has_word;
use crate::parse::shell::{Joint, Program, Script, Simple};

/// Whether a call checks the work, and what says that it passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub enum CheckKind {
    #[default]
    None,
    /// Its outcome says whether it passed.
    Plain,
    /// It may not have run, or something behind it has the last word (`cargo test | tail`): what it
    /// printed must say that it passed.
    Masked,
    /// As `Masked`, of a check that prints nothing where it passes, and that is seen to.
    Quiet,
    /// As `Masked`, of the whole of a project's `cargo test`, whose end alone is shown.
    End,
}

/// First words behind which what follows may not run though the whole succeeds, or runs as another.
const UNSURE: &str = "\
    then elif else while until for do case exit return exec alias function trap if";

impl CheckKind {
    /// Of a command line. `own` are the project's own checks.
    pub fn of(script: &Script, own: &CheckRules) -> Self {
        Self::of_calls(script, &super::calls(script, own))
    }

    /// Of all that a command line checks.
    pub fn of_calls(script: &Script, calls: &[CheckCall]) -> Self {
        let checks: Vec<&CheckCall> = calls.iter().filter(|it| it.trust <= Trust::Task).collect();
        if checks.is_empty() {
            return Self::None;
        }
        let plain = |it: &&CheckCall| surely_runs(script, it.at) && has_last_word(script, it.at);
        let seen = |it: &&CheckCall| {
            surely_runs(script, it.at) && it.is_quiet && is_seen(&script.commands[it.at..])
        };
        match checks.iter().all(plain) {
            true => Self::Plain,
            false if checks.iter().all(seen) => Self::Quiet,
            false if is_end_of_tests(script, &checks) => Self::End,
            false => Self::Masked,
        }
    }
}

/// What the command at this place checks, where no variable before it lets it check nothing.
pub(super) fn call_at(script: &Script, at: usize, own: &CheckRules) -> Option<CheckCall> {
    let command = &script.commands[at];
    let words = script.commands[..=at].iter().flat_map(|it| &it.words);
    let is_idle = |it| is_made_idle(&it, words);
    CheckCall::of(command, own).filter(|_| !command.program().is_some_and(is_idle))
}

fn first_check(script: &Script, own: &CheckRules) -> Option<usize> {
    let is_check = |at: &usize| call_at(script, *at, own).is_some_and(|it| it.trust <= Trust::Task);
    (0..script.commands.len()).find(is_check)
}

/// `cargo test 2>&1 | tail -5`: all of them, and nothing else but their end.
fn is_end_of_tests(script: &Script, checks: &[&CheckCall]) -> bool {
    let [CheckCall { at, .. }] = checks else { return false };
    let [tests, tail] = &script.commands[*at..] else { return false };
    let options = ["--workspace", "--all", "-q", "--quiet", "--release", "--locked", "--offline"];
    let whole = tests.program().is_some_and(|it| {
        let mut arguments = it.arguments.iter().map(String::as_str);
        it.name == "cargo"
            && arguments.next().is_some_and(|it| matches!(it, "test" | "t"))
            && arguments.all(|it| options.contains(&it))
    });
    surely_runs(script, *at)
        && whole
        && tests.joint == Joint::Pipe
        && tests.outputs.is_empty()
        && tail.program().is_some_and(|it| it.name == "tail")
        && tail.outputs.is_empty()
}

/// Whether nothing before this command can end the whole well without it.
pub(super) fn surely_runs(script: &Script, at: usize) -> bool {
    let commands = &script.commands;
    let unsure = |it: &Simple| it.words.first().is_some_and(|it| has_word(UNSURE, it));
    let skipped = at > 0 && commands[at - 1].joint == Joint::Or;
    let fed = commands[at].is_fed();
    !skipped && !fed && !script.defines && !commands[..=at].iter().any(unsure)
}

/// Whether a command is in a loop, or run for each of its input's parts.
pub(super) fn is_repeated(script: &Script, at: usize) -> bool {
    let first = |it: &Simple, words: &str| it.words.iter().take(2).any(|it| has_word(words, it));
    let before = &script.commands[..=at];
    let begun = before.iter().filter(|it| first(it, "for while until select")).count();
    let ended = before.iter().filter(|it| first(it, "done")).count();
    begun > ended || script.commands[at].is_fed()
}

/// Whether all that the first of these commands prints is seen.
pub(super) fn is_seen(commands: &[Simple]) -> bool {
    let shown = |it: &Simple| {
        let viewers = ["head", "tail", "cat", "tee"];
        it.program().is_some_and(|it| viewers.contains(&it.name))
    };
    let mut piped = commands.iter().zip(&commands[1..]);
    let piped = piped.by_ref().take_while(|(before, _)| before.joint == Joint::Pipe);
    commands[0].outputs.is_empty() && { piped }.all(|(_, next)| shown(next))
}

/// Whether its exit code is the whole's, and says that something was checked.
pub(super) fn has_last_word(script: &Script, at: usize) -> bool {
    let words = &script.commands[at].words;
    let lists = |it: Program<'_>| {
        has_word(LISTING, it.name) && !it.has("--check") && !it.has("--check-only") && !it.has("-c")
    };
    script.arrives(at) && !may_run_none(words) && !script.commands[at].program().is_some_and(lists)
}

/// Whether a call also passes where it finds nothing to run, or whatever fails: what it printed must say that
/// it ran some, and that they passed.
fn may_run_none(command: &[String]) -> bool {
    let lenient = [
        "--passWithNoTests",
        "--no-tests=pass",
        "NEXTEST_NO_TESTS=pass",
        "-Dmaven.test.failure.ignore",
        "-Dmaven.test.failure.ignore=true",
        "--fail-never",
        "-fn",
    ];
    command.iter().any(|word| lenient.contains(&word.as_str()))
        || command.windows(2).any(|it| it[0] == "--no-tests" && it[1] == "pass")
}

/// A line's first check alone, without what comes behind it; `bare`, without what it is narrowed to as
/// well. `None` where there is none, or a variable is in it.
pub fn plain(script: &Script, own: &CheckRules, bare: bool) -> Option<String> {
    let at = first_check(script, own)?;
    let words = &script.commands[at].words;
    let kept = if bare { &words[..bare_len(words)] } else { &words[..] };
    let folder = at.checked_sub(1).map(|at| &script.commands[at]);
    let folder = folder.filter(|it| it.words.first().is_some_and(|it| it == "cd"));
    let lines: Option<Vec<_>> =
        folder.map(|it| line(&it.words)).into_iter().chain([line(kept)]).collect();
    lines.map(|lines| lines.join(" && "))
}

/// What stands behind a line's first check and has the last word: `| tail`, `; echo`.
pub fn behind(script: &Script, own: &CheckRules) -> Option<String> {
    let at = first_check(script, own)?;
    let joint = match script.commands[at].joint {
        Joint::And | Joint::End => return None,
        Joint::Or => "||",
        Joint::Pipe => "|",
        Joint::Background => return Some("&".to_owned()),
        Joint::Then => ";",
    };
    let next: &Simple = script.commands.get(at + 1)?;
    Some(format!("{joint} {}", next.words.first()?))
}

/// Of a check's words, those up to its program and subcommand.
fn bare_len(words: &[String]) -> usize {
    let Some(program) = Program::of(words) else { return words.len() };
    let begin = words.len() - program.arguments.len();
    let Some(row) = table::row(program.name, program.verb(), program.arguments) else {
        return words.len();
    };
    let verb = program.arguments.iter().position(|it| has_word(row.verbs, it));
    match verb {
        None if row.verbs.is_empty() && row.option.is_empty() => begin,
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
