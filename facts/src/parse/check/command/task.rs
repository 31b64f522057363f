//! What a project's task looks at: it only stands for itself, however it is spelled.

use crate::parse::check::coverage::{Coverage, Led, is_showing};
use crate::parse::has_word;
use crate::parse::shell::Program;

/// Managers of packages whose scripts are the same, whichever of them runs one.
const MANAGERS: &str = "npm pnpm yarn bun";

/// Of a command's words; `task`: the last word of the task's name, none where all of them are it.
pub(super) fn looked_at(words: &[String], task: Option<&str>) -> Option<Coverage> {
    let mut led = Led::of(words);
    let package = package(&mut led.words);
    let begin = led.words.len() - Program::of(&led.words)?.arguments.len() - 1;
    let (before, called) = led.words.split_at(begin);
    let through = task.and_then(|task| called.iter().position(|it| it == task));
    let (called, given) = called.split_at(through.map_or(called.len(), |at| at + 1));
    let (set, named): (Vec<_>, Vec<_>) =
        called.iter().cloned().partition(|it| it.contains('=') && !it.starts_with('-'));
    let before = [before, &set].concat();
    let name = name(&named) + &package.map(|it| format!(" of {it}")).unwrap_or_default();
    Some(Coverage::of_task(&led, &name, &before, given))
}

/// Takes out of a manager's words which package's script it runs, wherever they say so.
fn package(words: &mut Vec<String>) -> Option<String> {
    let options = match Program::of(words)?.name {
        "npm" => "-w --workspace",
        "pnpm" => "-F --filter",
        "bun" => "--filter",
        _ => return None,
    };
    let end = words.iter().position(|it| it == "--").unwrap_or(words.len());
    let at = words[..end]
        .iter()
        .position(|it| has_word(options, it.split_once('=').map_or(it, |it| it.0)))?;
    match words[at].split_once('=') {
        Some((_, package)) => {
            let package = package.to_owned();
            words.remove(at);
            Some(package)
        }
        None if at + 1 < end => words.drain(at..at + 2).next_back(),
        None => None,
    }
}

/// Of a script that an environment runs by its name: `pdm run lint`.
pub(super) fn of_script(words: &[String]) -> Option<Coverage> {
    let led = Led::of(words);
    let through = led.words.len() - Program::of(&led.words)?.arguments.len();
    let (called, given) = led.words.split_at(through);
    let (set, named): (Vec<_>, Vec<_>) =
        called.iter().cloned().partition(|it| it.contains('=') && !it.starts_with('-'));
    Some(Coverage::of_task(&led, &named.join(" "), &set, given))
}

/// `npm t` and `yarn test` are `npm run test`, `make -j4 test` is `make test`.
fn name(words: &[String]) -> String {
    let mut is_count = false;
    let mut kept: Vec<&str> = words
        .iter()
        .map(|it| it.trim_start_matches("./"))
        .filter(|it| {
            let skips = std::mem::take(&mut is_count) && it.bytes().all(|it| it.is_ascii_digit());
            is_count = *it == "-j";
            !skips && !is_count && !is_showing(it)
        })
        .collect();
    if let [manager, .., script] = kept.as_mut_slice()
        && has_word(MANAGERS, manager)
    {
        *manager = "npm";
        if matches!(*script, "t" | "tst") {
            *script = "test";
        }
        kept.retain(|it| !matches!(*it, "run" | "run-script"));
        kept.insert(kept.len() - 1, "run");
    }
    kept.join(" ")
}
