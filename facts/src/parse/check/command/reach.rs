//! What a line's exit code and its output say of the checks in it.

use super::{CheckCall, Trust, gate};
use crate::parse::has_word;
use crate::parse::shell::{Joint, Program, Script, Simple};

/// What an exit code says of a line's checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// They all ran where it is 0, and each would have made it another one.
    pub passes: bool,
    /// Where it is not 0, it is one of them that failed.
    pub fails: bool,
}

/// Commands that hardly ever fail, and say nothing of the work where they do.
const HARMLESS: &str = "\
    cd export echo printf true set source sleep pwd date mkdir : [ test unset local head tail cat tee exit }";

impl Reach {
    pub fn of(script: &Script, calls: &[CheckCall]) -> Self {
        let commands = &script.commands;
        let sure = |it: &CheckCall| {
            let is_own = gate::surely_runs(script, it.at) && gate::has_last_word(script, it.at);
            is_own && it.trust != Trust::Idle
        };
        let is_told = |at: usize| {
            calls.iter().any(|it| it.at == at)
                || commands[at].program().is_none_or(|it| has_word(HARMLESS, it.name))
        };
        let list = (0..commands.len()).filter(|at| script.arrives(*at));
        Self {
            passes: !calls.is_empty() && calls.iter().all(sure),
            fails: calls.iter().any(|it| script.arrives(it.at)) && { list }.all(is_told),
        }
    }
}

/// What is seen of an output behind pipes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// All of it, or its end.
    End,
    /// So many lines from its end.
    Tail(u64),
    /// So many lines from its beginning.
    Head(u64),
    /// Lines that were chosen, failures and passes alike.
    Chosen,
    Other,
}

impl View {
    /// Of the last check in a line.
    pub fn of(script: &Script, calls: &[CheckCall]) -> Self {
        let Some(call) = calls.last() else { return Self::Other };
        if script.defines {
            return Self::Other; // what a function of that name printed
        }
        let mut view = Self::End;
        for next in script.readers(call.at) {
            let Some(program) = next.program() else { return Self::Other };
            view = match (program.name, view) {
                ("tail", _) if shown_lines(&program) == 0 => return Self::Other,
                ("tail", Self::End) => Self::Tail(shown_lines(&program)),
                ("tail" | "cat" | "tee", view) => view,
                ("head", Self::End) => Self::Head(shown_lines(&program)),
                ("grep" | "egrep" | "rg", Self::End | Self::Tail(_) | Self::Chosen)
                    if shows_both(&program) =>
                {
                    Self::Chosen
                }
                _ => return Self::Other,
            };
        }
        match script.commands[call.at].outputs.is_empty() {
            true => view,
            false => Self::of_file(&script.commands[call.at..]).unwrap_or(Self::Other),
        }
    }

    /// Of a check that wrote what it has to say into a file, which another command of the line prints.
    fn of_file(behind: &[Simple]) -> Option<Self> {
        let (call, rest) = behind.split_first()?;
        let names = |file: &str| {
            let given =
                call.words.iter().map(|it| it.rsplit_once('=').map_or(it.as_str(), |it| it.1));
            call.outputs.iter().map(String::as_str).chain(given).any(|it| it == file)
        };
        let prints = |it: &&Simple| {
            let program = it.program().filter(|it| has_word("cat tail", it.name));
            it.outputs.is_empty() && program.is_some_and(|it| it.operands().any(&names))
        };
        let at = rest.iter().position(|it| prints(&it))?;
        (rest[at].joint != Joint::Pipe).then_some(Self::End)
    }
}

fn shown_lines(program: &Program<'_>) -> u64 {
    let digits = |word: &String| word.trim_start_matches(['-', 'n', '=']).parse().ok();
    program.arguments.iter().find_map(digits).unwrap_or(10)
}

/// Whether what is searched for is a failure's word and a pass's, or the sums that cargo's tests end with.
fn shows_both(program: &Program<'_>) -> bool {
    let has = |words: &[&str]| {
        program.arguments.iter().any(|it| words.iter().any(|word| it.contains(word)))
    };
    let is_some =
        has(&["result: ok", "result: FAILED"]) || "cvqLo".contains(|it| program.has_letter(it));
    has(&["FAIL", "fail"]) && has(&["ok", "PASS", "pass"]) || has(&["test result"]) && !is_some
}

/// Of what several runs print together, how many lines are shown: `for …; done | tail`, `(a; b) | head -3`.
pub fn shown_together(script: &Script) -> Option<u64> {
    script.commands.windows(2).find_map(|pair| {
        let [many, next] = pair else { return None };
        let is_end = many.words.first().is_some_and(|it| it == "done" || it == "}");
        let is_fed = |it: &Simple| it.is_fed();
        let is_whole = is_end || many.shell != next.shell || is_fed(many) && !is_fed(next);
        let program = next.program().filter(|it| has_word("head tail", it.name))?;
        (many.joint == Joint::Pipe && is_whole).then(|| shown_lines(&program))
    })
}

/// Whether something behind the last check kept a part of what it printed back; `seen`: the lines that came.
pub fn cuts_off(script: &Script, calls: &[CheckCall], seen: u64) -> bool {
    let Some(call) = calls.last() else { return false };
    let behind = script.commands[call.at..].windows(2);
    let piped = behind.take_while(|it| it[0].joint == Joint::Pipe);
    { piped }.filter_map(|it| it[1].program()).any(|program| match program.name {
        "head" | "tail" => seen >= shown_lines(&program),
        name => has_word("grep egrep fgrep rg ag ack sed awk", name),
    })
}

/// Whether a search in what the last check printed says how the line ends.
pub fn is_searched(script: &Script, calls: &[CheckCall]) -> bool {
    let Some(call) = calls.last() else { return false };
    let behind = &script.commands[call.at..];
    let (Some(last), [.., before, _]) = (behind.last(), behind) else { return false };
    let pipes = behind[..behind.len() - 1].iter().all(|it| it.joint == Joint::Pipe);
    let searches =
        last.program().is_some_and(|it| has_word("grep egrep fgrep zgrep rg ag ack", it.name));
    pipes && searches && before.joint == Joint::Pipe && !script.pipefail()
}

/// Whether a search that ends a line is for words of a failure alone: where nothing matches, nothing failed that is known.
pub fn seeks_failure(script: &Script) -> bool {
    const WORDS: [&str; 4] = ["fail", "error", "panick", "not ok"];
    const NONE: [&str; 3] = ["0 ", "no ", "without"];
    let is_failure = |it: &str| {
        let it = it.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| it.contains(word));
        has(&WORDS) && !has(&NONE)
    };
    let Some(program) = script.commands.last().and_then(Simple::program) else { return false };
    let is_told = |it: &str| it.split('|').all(|it| is_failure(it.trim_end_matches('\\')));
    "vL".chars().all(|it| !program.has_letter(it)) && program.operands().next().is_some_and(is_told)
}
