//! Whether the test that failed asks, where it passes, what it asked: its files are the same, but for tests that
//! came, moved or were renamed.

use std::collections::BTreeMap;

use super::Hunk;
use super::code::code_of;
use super::files::{ending_of, is_kept, is_of_runner, is_of_tests, name_of};
use super::silence::{has_mark, silences};
use crate::parse::check::command::calls;
use crate::parse::check::{CheckRules, is_test_file};
use crate::parse::has_word;
use crate::parse::shell::{FORMATTING, Program, Script, Simple, is_interpreter};

/// Programs that only look.
const LOOKING: &str = "\
    cat bat head tail less more grep egrep rg ag ls tree find fd wc diff cmp stat file sort uniq cut tr nl jq awk gawk \
    sed echo printf cd pwd test [ true false sleep date which type xxd hexdump mkdir touch chmod export set git";
/// Programs that change files they are given, and those that only copy from them.
const FED: &str = "sed gsed perl rm mv cp tee truncate python python3 ruby";
/// How code goes through files that it does not name.
const WALKING: [&str; 5] = ["glob", "os.walk", "listdir", "readdir", "iterdir"];

/// The files of a test that failed, as far as what it said tells them.
pub struct OwnFiles<'s>(Vec<&'s str>);

impl<'s> OwnFiles<'s> {
    pub fn told_by(said: &'s str) -> Self {
        let is_part = |it: char| it.is_alphanumeric() || "_-./@+[]".contains(it);
        let words = said.split(|it| !is_part(it)).map(|it| it.trim_end_matches('.'));
        Self(words.filter(|it| it.contains('.') && is_test_file(it) && !has_call(it)).collect())
    }

    /// Whether a file is one of them: where none is told any test's is, and what tests compare with always.
    pub fn has(&self, file: &str) -> bool {
        is_kept(file)
            || match self.0.is_empty() {
                true => is_of_tests(file),
                false => self.0.iter().any(|it| name_of(it) == name_of(file)),
            }
    }

    /// Whether a word of a command names one: itself, a folder that it lies in, a pattern.
    fn is_named_by(&self, word: &str) -> bool {
        let word = word.trim_start_matches("./").trim_end_matches('/');
        if let Some((_, end)) = word.rsplit_once('*') {
            let fits = |it: &&str| it.ends_with(end);
            return self.0.iter().any(fits) || self.0.is_empty();
        }
        let is_within = |it: &&str| it.trim_start_matches("./").starts_with(&format!("{word}/"));
        matches!(word, "" | ".") || self.has(word) || self.0.iter().any(is_within)
    }

    /// Whether code speaks of one.
    fn are_spoken_of(&self, code: &str) -> bool {
        WALKING.iter().any(|it| code.contains(it))
            || self.0.iter().any(|it| code.contains(name_of(it)))
            || self.0.is_empty() && !OwnFiles::told_by(code).0.is_empty()
    }
}

/// `a.test.only`: a call and no file.
fn has_call(word: &str) -> bool {
    let ending = ending_of(word);
    !has_word(
        "go py rs js jsx ts tsx mjs cjs mts cts java kt rb php ex exs c cc cpp sh swift cs scala",
        &ending,
    )
}

/// Whether what a command line changes may be one of these files.
pub fn may_change(command: &str, own: &OwnFiles<'_>) -> bool {
    let script = Script::of(command);
    let checks = calls(&script, &CheckRules::default());
    let is_check = |at: usize| checks.iter().any(|it| it.at == at);
    let mut commands = script.commands.iter().enumerate();
    commands.any(|(at, it)| {
        it.outputs.iter().any(|it| own.is_named_by(it)) || !is_check(at) && changes(it, own)
    })
}

fn formats(program: &Program<'_>) -> bool {
    has_word(FORMATTING, program.name) || program.name == "cargo" && program.verb() == Some("fmt")
}

fn changes(command: &Simple, own: &OwnFiles<'_>) -> bool {
    let Some(program) = command.program() else { return false };
    let names = |word: &String| own.is_named_by(word);
    if formats(&program) || is_move_of_tests(&program) {
        return false;
    }
    if is_interpreter(program.name) && !program.has_letter('i') {
        let words = program.arguments.iter().filter(|it| it.contains(char::is_whitespace));
        let mut code = words.chain([&command.given]).filter(|it| !it.is_empty());
        // The first file is the program itself.
        return code.any(|it| own.are_spoken_of(it))
            || program.operands().skip(1).any(|it| own.is_named_by(it));
    }
    let is_git = program.name == "git" && !matches!(program.verb(), Some("mv" | "rm"));
    if is_git || has_word(LOOKING, program.name) && !command.writes() {
        return false;
    }
    // What it is given nobody knows here.
    let is_fed = command.is_fed()
        || program.arguments.iter().any(|it| it.contains(['$', '`']))
        || program.name == "find";
    if is_fed && (has_word(FED, program.name) || program.name == "find") && command.writes() {
        return true;
    }
    match program.name {
        "cp" => program.arguments.last().is_some_and(names),
        "patch" | "apply_patch" => {
            program.operands().next().is_none() || program.operands().any(|it| own.is_named_by(it))
        }
        _ => {
            program.arguments.iter().any(names)
                || !command.given.is_empty() && own.are_spoken_of(&command.given)
        }
    }
}

/// Whether a command line takes the file of a test away.
pub fn takes_tests(command: &str) -> bool {
    let takes = |it: &Simple| {
        let Some(program) = it.program() else { return false };
        let is_git = program.name == "git" && matches!(program.verb(), Some("mv" | "rm"));
        let takes = is_git || has_word("rm unlink mv truncate trash", program.name);
        takes && program.operands().any(is_of_tests) && !is_move_of_tests(&program)
    };
    Script::of(command).commands.iter().any(takes)
}

/// `mv a_test.go b_test.go`: it is run as before.
fn is_move_of_tests(program: &Program<'_>) -> bool {
    let is_git = program.name == "git" && program.verb() == Some("mv");
    let files: Vec<&str> = program.operands().skip(usize::from(is_git)).collect();
    let [from, to] = files.as_slice() else { return false };
    let is_run = |it: &str| {
        is_test_file(name_of(it)) && !name_of(it).starts_with(['_', '.']) && !is_kept(it)
    };
    (is_git || program.name == "mv")
        && is_run(from)
        && is_run(to)
        && ending_of(from) == ending_of(to)
}

/// Whether, by what changed, the tests that failed may not have run again as they were: something switches tests off,
/// or of what their files asked something went.
pub fn is_changed(hunks: &[Hunk], own: &OwnFiles<'_>) -> bool {
    let is_silent = |it: &Hunk| {
        let may = is_of_tests(&it.file) || is_of_runner(&it.file) || ending_of(&it.file) == "rs";
        may && silences(it)
    };
    let is_unknown = |it: &Hunk| match &it.command {
        Some(command) => may_change(command, own) || own.has(&it.file) && !keeps(command),
        // Nobody knows what went, or all did.
        None => {
            own.has(&it.file)
                && (it.is_whole && !it.is_new || it.removed.is_empty() && it.added.is_empty())
        }
    };
    if hunks.iter().any(|it| is_silent(it) || is_unknown(it)) {
        return true;
    }
    let mut lines: BTreeMap<String, i64> = BTreeMap::new();
    for hunk in hunks {
        let (is_own, is_test) = (own.has(&hunk.file), is_of_tests(&hunk.file));
        let is_rust = ending_of(&hunk.file) == "rs" && !is_own;
        for (them, count) in [(&hunk.removed, 1), (&hunk.added, -1)] {
            let code = code_of(&hunk.file, them.iter().map(String::as_str));
            for line in code.into_iter().filter(|it| {
                if is_rust { asks_in_rust(it) } else { is_own || is_test && count < 0 }
            }) {
                let named = declared(&hunk.file, &line);
                let line = named.map_or(line.clone(), |it| line.replacen(&it, "", 1));
                *lines.entry(line.trim().to_owned()).or_default() += count;
            }
        }
        if is_own && !asks_more(hunk) {
            return true;
        }
    }
    lines.values().any(|it| *it > 0)
}

/// Whether all that a command line writes says what it said.
fn keeps(command: &str) -> bool {
    let script = Script::of(command);
    let keeps = |it: &Simple| it.program().is_some_and(|it| formats(&it) || is_move_of_tests(&it));
    script.commands.iter().filter(|it| it.writes()).all(keeps)
}

/// Whether what came is a test, or asks for more: nothing leaves a test early, or makes another value of what it is
/// asked for.
fn asks_more(hunk: &Hunk) -> bool {
    let count = |sign: &str| hunk.added.iter().map(|it| it.matches(sign).count()).sum::<usize>();
    let is_conditional = |it: &&str| {
        it.trim_start().starts_with("//go:build") || it.trim_start().starts_with("// +build")
    };
    if count("/*") != count("*/") || hunk.new_lines().any(|it| is_conditional(&it)) {
        return false;
    }
    let had = code_of(&hunk.file, hunk.removed.iter().map(String::as_str));
    let mut is_new = false;
    code_of(&hunk.file, hunk.added.iter().map(String::as_str)).iter().all(|line| {
        is_new |= declared(&hunk.file, line).is_some();
        let says = line.chars().any(char::is_alphanumeric);
        is_new || !says || had.contains(line) || asserts(line) && !leaves(line)
    })
}

fn leaves(line: &str) -> bool {
    ["return", "break", "continue", "exit", "goto", "throw"].iter().any(|it| has_mark(line, it))
}

/// What asks for something in a test.
const ASSERTING: [&str; 8] =
    ["assert", "expect", "require", "should", "t.Error", "t.Fatal", "want", "raises"];

fn asserts(line: &str) -> bool {
    ASSERTING.iter().any(|it| has_mark(line, it))
}

/// The same of Rust, whose code has its tests in it.
fn asks_in_rust(line: &str) -> bool {
    line.contains("assert!") || line.contains("assert_") || is_attribute(line)
}

fn is_attribute(line: &str) -> bool {
    line.starts_with("#[") && (line.ends_with("test]") || line.ends_with("#[cfg(test)]"))
}

/// The tests that have another name now, by their names before and after.
pub fn renamed(hunks: &[Hunk]) -> Vec<(String, String)> {
    let names = |lines: fn(&Hunk) -> &Vec<String>| -> Vec<String> {
        let of = |it: &Hunk| {
            let code = code_of(&it.file, lines(it).iter().map(String::as_str));
            code.iter().filter_map(|line| declared(&it.file, line)).collect::<Vec<_>>()
        };
        hunks.iter().flat_map(of).collect()
    };
    let (old, new) = (names(|it| &it.removed), names(|it| &it.added));
    let gone = old.iter().filter(|it| !new.contains(it)).cloned();
    gone.zip(new.iter().filter(|it| !old.contains(it)).cloned()).collect()
}

/// The name of the test that a line of code declares.
fn declared(file: &str, line: &str) -> Option<String> {
    let behind = |words: &[&str]| words.iter().find_map(|it| line.trim_start().strip_prefix(*it));
    let word = |rest: &str| {
        let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
        rest[..end].to_owned()
    };
    match ending_of(file).as_str() {
        "go" => {
            let name = word(behind(&["func "])?);
            ["Test", "Fuzz", "Example"].iter().any(|it| name.starts_with(it)).then_some(name)
        }
        "py" => Some(word(behind(&["def ", "async def "])?)).filter(|it| it.starts_with("test")),
        "rs" if line.contains("()") => Some(word(behind(&["fn ", "async fn "])?)),
        "java" | "kt" if line.contains("()") => {
            Some(word(behind(&["void ", "public void ", "fun "])?))
        }
        "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" => {
            let named = behind(&["test(", "it("])?;
            let quote = named.chars().next().filter(|it| "'\"`".contains(*it))?;
            Some(named[1..].split(quote).next().unwrap_or_default().to_owned())
        }
        _ => None,
    }
}
