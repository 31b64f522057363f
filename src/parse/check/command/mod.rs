//! Which of a command line's commands check the work, and with what.

mod fault;
mod gate;
mod printed_code;
mod reach;
mod rows;
mod table;
#[cfg(test)]
mod tests;

use super::coverage::{Coverage, joined};
use super::{CheckRules, Kind};
use crate::event::{CheckStanding, DeclaredCheck};
use crate::parse::has_word;
use crate::parse::shell::{Program, RESERVED, Script, Simple};
use rows::{IDLE, LENIENT};

pub use fault::{check_fault, is_harmless};
pub use gate::{CheckKind, behind, plain};
pub use printed_code::PrintedCode;
pub use reach::{Reach, View, cuts_off, is_searched};
pub use table::Trust;

/// A command that checks the work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckCall {
    /// Which of the line's commands it is.
    pub at: usize,
    pub kind: Kind,
    /// `go test`, `golangci-lint`; `None` where only its output tells.
    pub program: Option<String>,
    /// What it is run by: `timeout 60`, `mise run lint`.
    pub wrapper: Option<String>,
    /// Names of the problem tables that read its output; none: all.
    pub tools: Vec<String>,
    pub trust: Trust,
    /// Its operands: packages, paths, names of tests.
    pub targets: Vec<String>,
    /// Whether it prints nothing where all is well.
    pub is_quiet: bool,
    /// What it looks at, as far as that is known.
    pub coverage: Option<Coverage>,
}

impl CheckCall {
    /// What a simple command checks; `own` are the project's own checks.
    pub fn of(command: &Simple, own: &CheckRules) -> Option<Self> {
        let program = Program::of(&command.words)?;
        Self::named(command, &program, own).filter(|_| !is_idle(&program))
    }

    fn named(command: &Simple, program: &Program<'_>, own: &CheckRules) -> Option<Self> {
        let (name, verb) = (program.name, program.verb());
        let before = &command.words[..command.words.len() - program.arguments.len() - 1];
        let before: Vec<&str> =
            before.iter().map(String::as_str).skip_while(|it| has_word(RESERVED, it)).collect();
        let before = (!before.is_empty()).then(|| before.join(" "));
        let operands = |skip: usize| program.operands().skip(skip).map(str::to_owned).collect();
        let call = Self {
            at: 0,
            kind: Kind::Test,
            program: None,
            wrapper: before.clone(),
            tools: Vec::new(),
            trust: Trust::Task,
            targets: Vec::new(),
            is_quiet: false,
            coverage: None,
        };
        let words = &command.words;
        let itself = |through: usize| {
            let (task, given) = words.split_at(through.min(words.len()));
            Some(Coverage::of_itself(&task.join(" "), given))
        };
        if let Some(check) = own.check_of(command).filter(|_| !table::is_named(program)) {
            return match check.standing {
                CheckStanding::InForce => Some(Self::declared(check, command, call)),
                // Nobody has allowed it, so its name says what it says.
                CheckStanding::Waiting => Self::named(command, program, &CheckRules::default()),
                CheckStanding::Idle => None,
            };
        }
        if let Some(row) = table::row(name, verb, program.arguments) {
            let verb = verb.filter(|it| has_word(row.verbs, it));
            let named = verb.map_or_else(|| name.to_owned(), |verb| format!("{name} {verb}"));
            let is_task = has_word("npm pnpm yarn", name) || row.trust != Trust::Named;
            let mut tools: Vec<String> = row.tools.split_whitespace().map(str::to_owned).collect();
            if !is_task || row.trust == Trust::Report {
                tools.push(name.to_owned());
            }
            return Some(Self {
                kind: row.kind,
                program: Some(named.clone()).filter(|_| !is_task || row.trust == Trust::Report),
                wrapper: if is_task && row.trust != Trust::Report { Some(named) } else { before },
                tools,
                trust: row.trust,
                targets: operands(usize::from(verb.is_some())),
                is_quiet: has_word(row.quiet, name),
                coverage: match row.trust {
                    Trust::Hook => None,
                    _ if is_task && row.trust != Trust::Report => {
                        let at = verb.and_then(|verb| words.iter().rposition(|it| it == verb));
                        itself(at.map_or(words.len(), |at| at + 1))
                    }
                    _ => Coverage::of(program, row.kind == Kind::Lint || row.kind == Kind::Types)
                        .map(|it| it.behind(&command.words)),
                },
                ..call
            });
        }
        let task = verb.and_then(|verb| table::task(name, verb, program.operands()));
        if let Some((kind, task)) = task {
            let words = command.words.iter();
            let through = words.clone().position(|it| it == task).map_or(1, |at| at + 1);
            let wrapper = command.words[..through].join(" ");
            // What formats writes: it bears nothing out.
            let trust = if kind == Kind::Format { Trust::Report } else { Trust::Task };
            let coverage = itself(through);
            return Some(Self { kind, wrapper: Some(wrapper), trust, coverage, ..call });
        }
        let through = command.words.len() - program.arguments.len();
        if let Some(kind) = table::script(&command.words[..through], name) {
            let wrapper = Some(command.words[..through].join(" "));
            let coverage = itself(through);
            return Some(Self { kind, wrapper, coverage, ..call });
        }
        let wrapper = Some(name.to_owned());
        let (kind, trust, coverage) = (Kind::Build, Trust::Report, itself(words.len()));
        let builds = table::builds(name, verb);
        builds.then_some(Self { kind, trust, wrapper, coverage, ..call })
    }
}

impl CheckCall {
    /// Whether it calls a program of this name.
    pub fn is_of(&self, script: &Script, name: &str) -> bool {
        let program = script.commands.get(self.at).and_then(|it| Program::of(&it.words));
        self.tools.iter().any(|it| it == name) || program.is_some_and(|it| it.name == name)
    }

    /// A project's own check: what runs behind it says more than its name, with what it is given.
    fn declared(check: &DeclaredCheck, command: &Simple, call: Self) -> Self {
        let last = check.command.split_whitespace().next_back();
        let at = command.words.iter().position(|it| Some(it.as_str()) == last);
        let given = at.map_or(&[][..], |at| &command.words[at + 1..]);
        let given = if given.first().is_some_and(|it| it == "--") { &given[1..] } else { given };
        let quoted = |it: &String| format!(" '{}'", it.replace('\'', "'\\''"));
        let given_too: String = given.iter().map(quoted).collect();
        let runs = check.runs.as_deref().map(|it| format!("{it}{given_too}"));
        let behind = runs.map(|it| calls(&Script::of(&it), &CheckRules::default()));
        let (wrapper, coverage) =
            (Some(check.command.clone()), Coverage::of_itself(&check.command, given));
        let of = Self { kind: check.kind, wrapper, coverage: Some(coverage.clone()), ..call };
        match behind.as_deref() {
            Some([only]) => Self {
                program: only.program.clone(),
                targets: only.targets.clone(),
                is_quiet: only.is_quiet,
                coverage: only.coverage.clone().or(Some(coverage)),
                ..of
            },
            _ => of,
        }
    }
}

/// All that a command line checks.
pub fn calls(script: &Script, own: &CheckRules) -> Vec<CheckCall> {
    // Where it looks, and whether that is not known.
    let (mut folder, mut goes_away) = (String::new(), false);
    let found = script.commands.iter().enumerate().filter_map(|(at, command)| {
        if let [cd, to] = command.words.as_slice()
            && cd == "cd"
        {
            folder = joined(&folder, to);
        }
        let words = &command.words;
        goes_away |= words.first().is_some_and(|it| has_word("pushd popd", it))
            || words.first().zip(words.get(1)).is_some_and(|it| it.0 == "git" && it.1 == "stash");
        let mut call = gate::call_at(script, at, own)?;
        call.coverage = call.coverage.filter(|_| !goes_away);
        if let Some(coverage) = &mut call.coverage {
            coverage.folder.clone_from(&folder);
        }
        Some(CheckCall { at, ..call })
    });
    found.collect()
}

/// Whether a line checks by one run of tests, named as such: its runner sums up what all of them came to.
pub fn is_one_test(calls: &[CheckCall]) -> bool {
    matches!(calls, [CheckCall { kind: Kind::Test, trust: Trust::Named, .. }])
}

/// Whether it is told to end well whatever it finds.
pub fn is_lenient(script: &Script, calls: &[CheckCall]) -> bool {
    let words = calls.iter().flat_map(|it| &script.commands[it.at].words);
    { words }.any(|it| has_word(LENIENT, it)) || {
        let all = calls.iter().flat_map(|it| script.commands[it.at].words.windows(2));
        { all }.any(|it| it[0] == "--issues-exit-code" && it[1] == "0")
    }
}

/// The check that a task says it runs: `[lint] $ golangci-lint run ./...`, `> eslint .`, `$ vitest run`.
pub fn echo(line: &str) -> Option<CheckCall> {
    let command = match line.strip_prefix('[') {
        Some(rest) => rest.split_once("] $ ")?.1,
        None => line.strip_prefix("> ").or_else(|| line.strip_prefix("$ "))?,
    };
    calls(&Script::of(command.trim_end_matches('…')), &CheckRules::default()).pop()
}

/// Whether a call checks nothing, whatever it is a call of.
fn is_idle(program: &Program<'_>) -> bool {
    let named = |argument: &str| {
        has_word(IDLE.options, argument)
            || argument.starts_with("--list")
            || program.name != "ctest" && matches!(argument, "-h" | "-V")
    };
    let own = IDLE.own.iter().find(|(names, _)| has_word(names, program.name));
    let own = |argument: &str| own.is_some_and(|(_, words)| has_word(words, argument));
    let is_pair = |it: &[String]| {
        IDLE.pairs
            .iter()
            .any(|(name, option, word)| *name == program.name && *option == it[0] && *word == it[1])
    };
    let mut arguments = program.arguments.iter().map(String::as_str);
    arguments.any(|it| named(it) || own(it))
        || has_word(IDLE.makers, program.name) && program.arguments.iter().any(|it| only_tells(it))
        || program.name == "cargo" && program.operands().take(2).eq(["nextest", "list"])
        || program.arguments.windows(2).any(is_pair)
        || program.name == "go" && runs_no_test(program)
}

/// `-n`, `-kn`, but not the `n` in `-Clinux`; `-q` and `-t` make nothing either.
fn only_tells(argument: &str) -> bool {
    let Some(letters) = argument.strip_prefix('-').filter(|it| !it.starts_with('-')) else {
        return false;
    };
    let letters = letters.chars().take_while(|it| !"CfIjloWE".contains(*it));
    letters.into_iter().any(|it| matches!(it, 'n' | 'q' | 't'))
}

/// `-run '^$'`, which is there to run none.
fn runs_no_test(program: &Program<'_>) -> bool {
    let none = |pattern: &str| matches!(pattern, "^$" | "$^" | "NONE" | "XXX" | "^$$");
    let apart = program.arguments.windows(2).any(|it| it[0] == "-run" && none(&it[1]));
    let bench = program.arguments.iter().any(|it| it.starts_with("-bench"));
    !bench && apart || program.arguments.iter().any(|it| it.strip_prefix("-run=").is_some_and(none))
}

/// Whether a variable among these words makes a call check nothing.
fn is_made_idle<'a>(program: &Program<'_>, mut words: impl Iterator<Item = &'a String>) -> bool {
    words.any(|word| {
        let Some((name, value)) = word.split_once('=') else { return false };
        let is_its =
            |(known, names): &(&str, &str)| *known == name && has_word(names, program.name);
        IDLE.variables.iter().any(is_its)
            && value.split_whitespace().enumerate().any(|(at, option)| {
                // The letters of the first one stand without a dash too.
                let bare = at == 0 && !option.contains(['=', '-']);
                let tells = has_word(IDLE.makers, program.name)
                    && only_tells(&if bare { format!("-{option}") } else { option.to_owned() });
                tells || has_word(IDLE.options, option)
            })
    })
}
