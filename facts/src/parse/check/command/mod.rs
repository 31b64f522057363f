//! Which of a command line's commands check the work, and with what.

mod fault;
mod gate;
mod idle;
mod line;
mod printed_code;
mod reach;
mod rows;
mod table;
mod task;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::coverage::{Coverage, Led, joined};
use super::{CheckRules, Kind};
use crate::event::{CheckStanding, DeclaredCheck};
use crate::parse::has_word;
use crate::parse::shell::{Joint, Program, RESERVED, Script, Simple};
use idle::is_idle;
use rows::LENIENT;

pub use fault::{check_fault, is_harmless, prepares};
pub use gate::{CheckKind, behind, plain};
pub use line::Line;
pub use printed_code::PrintedCode;
pub use reach::{Reach, View, cuts_off, is_searched, seeks_failure, shown_together};
pub use rows::LISTING;
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
        let program = command.program()?;
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
        if let Some(check) = own.check_of(command).filter(|_| !table::is_named(program)) {
            return match check.standing {
                CheckStanding::InForce => Some(Self::declared(check, command, call)),
                // Nobody has allowed it, so its name says what it says.
                CheckStanding::Waiting => Self::named(command, program, &CheckRules::default()),
                // It bears nothing out; a failure that it prints is one.
                CheckStanding::Idle => {
                    Some(Self { trust: Trust::Idle, ..Self::declared(check, command, call) })
                }
            };
        }
        if let Some(row) = table::row(name, verb, program.arguments) {
            let verb = verb.filter(|it| row.has_verb(it));
            let named = verb.map_or_else(|| name.to_owned(), |verb| format!("{name} {verb}"));
            let is_task = has_word("npm pnpm yarn", name) || row.trust != Trust::Named;
            let mut tools: Vec<String> = row.tools.split_whitespace().map(str::to_owned).collect();
            if !is_task || row.trust == Trust::Report {
                tools.push(name.to_owned());
            }
            return Some(Self {
                kind: session(program).and_then(table::task_kind).unwrap_or(row.kind),
                program: Some(named.clone()).filter(|_| !is_task || row.trust == Trust::Report),
                wrapper: if is_task && row.trust != Trust::Report { Some(named) } else { before },
                tools,
                trust: row.trust,
                targets: operands(usize::from(verb.is_some())),
                is_quiet: has_word(row.quiet, name),
                coverage: match row.trust {
                    Trust::Hook => None,
                    _ if is_task && row.trust != Trust::Report => task::looked_at(words, verb),
                    _ => {
                        let is_lint = matches!(row.kind, Kind::Lint | Kind::Types);
                        Coverage::of(&Led::of(words), is_lint)
                    }
                },
                ..call
            });
        }
        if let Some(asked) = asked(program) {
            // Its exit code tells, and what it asks prints nothing.
            let call = calls(&Script::of(asked), &CheckRules::default()).pop()?;
            let (wrapper, trust) = (Some(format!("{name} -z")), Trust::Named);
            return Some(Self { wrapper, trust, is_quiet: false, ..call });
        }
        let called = verb.and_then(|verb| table::task(name, verb, program.operands()));
        if let Some((kind, called)) = called {
            let words = command.words.iter();
            let through = words.clone().position(|it| it == called).map_or(1, |at| at + 1);
            let wrapper = command.words[..through].join(" ");
            // What formats writes: it bears nothing out.
            let trust = if kind == Kind::Format { Trust::Report } else { Trust::Task };
            let coverage = task::looked_at(&command.words, Some(called));
            return Some(Self { kind, wrapper: Some(wrapper), trust, coverage, ..call });
        }
        let through = command.words.len() - program.arguments.len();
        if let Some(kind) = table::script(&command.words[..through], name) {
            let wrapper = Some(command.words[..through].join(" "));
            let coverage = task::of_script(words);
            return Some(Self { kind, wrapper, coverage, ..call });
        }
        table::builds(name, verb).then(|| {
            let (kind, trust, coverage) =
                (Kind::Build, Trust::Report, task::looked_at(words, None));
            Self { kind, trust, wrapper: Some(name.to_owned()), coverage, ..call }
        })
    }
}

impl CheckCall {
    /// Whether it calls a program of this name.
    pub fn is_of(&self, script: &Script, name: &str) -> bool {
        let program = script.commands.get(self.at).and_then(|it| it.program());
        self.tools.iter().any(|it| it == name) || program.is_some_and(|it| it.name == name)
    }

    /// A project's own check: what runs behind it says more than its name, with what it is given.
    fn declared(check: &DeclaredCheck, command: &Simple, call: Self) -> Self {
        let last = check.command.split_whitespace().next_back();
        let at = command.words.iter().position(|it| Some(it.as_str()) == last);
        let given = at.map_or(&[][..], |at| &command.words[at + 1..]);
        let given = if given.first().is_some_and(|it| it == "--") { &given[1..] } else { given };
        let quoted = |it: &String| format!(" '{}'", it.replace('\'', "'\\''"));
        let runs = check.runs.as_deref();
        let runs = runs.map(|it| it.to_owned() + &given.iter().map(quoted).collect::<String>());
        let behind = runs.map(|it| calls(&Script::of(&it), &CheckRules::default()));
        let (kind, wrapper) = (check.kind, Some(check.command.clone()));
        let led = Led::of(&command.words);
        let begin =
            Program::of(&led.words).map_or(0, |it| led.words.len() - it.arguments.len() - 1);
        let before = &led.words[..begin];
        let coverage = Coverage::of_task(&led, &check.command, before, given);
        let of = Self { kind, wrapper, coverage: Some(coverage.clone()), ..call };
        match behind.as_deref() {
            Some([only]) => Self {
                program: only.program.clone(),
                targets: only.targets.clone(),
                is_quiet: only.is_quiet,
                coverage: only
                    .coverage
                    .clone()
                    .map(|it| it.within(&led, before))
                    .or(Some(coverage)),
                ..of
            },
            _ => of,
        }
    }
}

/// All that a command line checks.
pub fn calls(script: &Script, own: &CheckRules) -> Vec<CheckCall> {
    // Where it looks, and whether that is not known; what was set for it, and what was removed.
    // A shell begins where the one around it is, and leaves that there.
    let (mut folders, mut goes_away) = (BTreeMap::<u16, String>::new(), false);
    let (mut exported, mut removed) = (Vec::new(), Vec::new());
    let found = script.commands.iter().enumerate().filter_map(|(at, command)| {
        let words = &command.words;
        let around = folders.get(&command.outer).cloned().unwrap_or_default();
        let folder = folders.entry(command.shell).or_insert(around);
        match words.as_slice() {
            [cd, to] if cd == "cd" => *folder = joined(folder, to),
            [export, set @ ..] if export == "export" => exported.extend_from_slice(set),
            _ => removed.extend(removes(words).map(|it| joined(folder, it))),
        }
        goes_away |= words.first().is_some_and(|it| has_word("pushd popd", it))
            || words.first().zip(words.get(1)).is_some_and(|it| it.0 == "git" && it.1 == "stash");
        let mut call = gate::call_at(script, at, own)?;
        call.coverage = call.coverage.filter(|_| !goes_away);
        if let Some(coverage) = &mut call.coverage {
            coverage.folder = joined(folder, &coverage.folder);
            coverage.is_given(&exported);
            coverage.removed.clone_from(&removed);
        }
        Some(CheckCall { at, ..call })
    });
    found.collect()
}

/// The files that a command takes away.
fn removes(words: &[String]) -> impl Iterator<Item = &str> {
    let program = Program::of(words).filter(|it| match it.name {
        "git" => it.verb().is_some_and(|it| matches!(it, "rm" | "mv")),
        name => has_word("rm unlink mv", name),
    });
    let skipped = program.as_ref().map_or(0, |it| usize::from(it.name == "git"));
    let arguments = program.map_or(&[][..], |it| it.arguments).iter().map(String::as_str);
    arguments.filter(|it| !it.starts_with('-')).skip(skipped)
}

/// Whether a line checks by one run of tests, named as such: its runner sums up what all of them came to.
pub fn is_one_test(script: &Script, calls: &[CheckCall]) -> bool {
    matches!(calls, [CheckCall { kind: Kind::Test, trust: Trust::Named, .. }])
        && !runs_often(script, calls)
}

/// Whether several runs of tests print to a line: those of a loop, of `xargs`, several calls, or one and a file
/// behind it that may hold another's.
pub fn runs_often(script: &Script, calls: &[CheckCall]) -> bool {
    calls.iter().filter(|it| it.kind == Kind::Test).count() > 1
        || calls.iter().any(|it| gate::is_repeated(script, it.at))
        || calls.last().is_some_and(|it| shows_files(&script.commands[it.at..]))
}

/// Whether something behind a check shows a file that is not the check's own.
fn shows_files(behind: &[Simple]) -> bool {
    const SHOWS: &str = "cat head tail less more sed awk grep egrep rg strings tac bat";
    let own = behind.first().map_or(&[][..], |it| &it.outputs);
    behind.windows(2).any(|pair| {
        let program = pair[1].program().filter(|it| has_word(SHOWS, it.name));
        let is_own = |file: &str| {
            let named = behind[0].words.iter().any(|it| it.ends_with(file));
            named || own.iter().any(|it| it == file)
        };
        pair[0].joint != Joint::Pipe
            && program.is_some_and(|it| it.operands().last().is_some_and(|file| !is_own(file)))
    })
}

/// Whether all that its tests are run by name each that they run, as `go test -v` does.
pub fn names_tests(script: &Script, calls: &[CheckCall]) -> bool {
    let mut tests = calls.iter().filter(|it| it.kind == Kind::Test).peekable();
    let is_told = |it: &CheckCall| script.commands[it.at].words.iter().any(|word| word == "-v");
    tests.peek().is_some()
        && tests.all(|it| it.program.as_deref() == Some("go test") && is_told(it))
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

/// What `nox -s lint`, `tox -e types` run.
fn session<'a>(program: &Program<'a>) -> Option<&'a str> {
    let option = match program.name {
        "nox" => "-s --session",
        "tox" => "-e",
        _ => return None,
    };
    let pairs = &mut program.arguments.windows(2);
    pairs.find(|it| has_word(option, &it[0])).map(|it| it[1].as_str())
}

/// What `test -z "$(gofmt -l .)"` asks.
fn asked<'a>(program: &Program<'a>) -> Option<&'a str> {
    let ([z, asked] | [z, asked, _]) = program.arguments else { return None };
    let is_test = has_word("test [ [[", program.name) && z == "-z";
    asked.strip_prefix("$(")?.strip_suffix(')').filter(|_| is_test)
}
