//! Which of a command's words its program is, behind what only stands before it.

use super::program::{OWN_VALUED, VERB_VALUED, is_assignment, name_of};
use crate::parse::{Index, has_word};

/// Words of a shell's own that stand before a command.
pub const RESERVED: &str = "if then elif else while until do { !";
/// Programs that run another one, parted by blanks.
struct Runner {
    names: &'static str,
    /// The word behind the name that makes it one; none: it always is.
    verbs: &'static str,
    /// Options that take a word of their own.
    valued: &'static str,
    /// Words that stand before the other program's name.
    operands: usize,
}

const ALWAYS: Runner = Runner { names: "", verbs: "", valued: "", operands: 0 };
const RUN: Runner = Runner { verbs: "run", ..ALWAYS };
const EXEC: Runner = Runner { verbs: "exec", ..ALWAYS };

#[rustfmt::skip]
const RUNNERS: &[Runner] = &[
    Runner { names: "sudo doas", valued: "-u -g -h -p -C -r -t -T -U -D -R --user --group --chdir", ..ALWAYS },
    Runner { names: "timeout gtimeout", valued: "-k -s --kill-after --signal", operands: 1, ..ALWAYS },
    Runner { names: "time nohup command exec setsid unbuffer chronic caffeinate cross-env", valued: "-f -o -a -t",
             ..ALWAYS },
    Runner { names: "stdbuf", valued: "-i -o -e", ..ALWAYS },
    Runner { names: "nice ionice", valued: "-n -c -p --adjustment", ..ALWAYS },
    Runner { names: "env", valued: "-u -C --unset --chdir", ..ALWAYS },
    Runner { names: "xargs", valued: "-I -n -P -L -d -E -s -a --max-args --max-procs --delimiter --arg-file",
             ..ALWAYS },
    Runner { names: "taskset flock", valued: "-w -E --timeout", operands: 1, ..ALWAYS },
    Runner { names: "xvfb-run", valued: "-s -n -f -e -p", ..ALWAYS },
    Runner { names: "npx bunx", valued: "-p --package", ..ALWAYS },
    Runner { names: "uvx", valued: "--from --with --python -p", ..ALWAYS },
    Runner { names: "npm pnpm yarn", verbs: "exec dlx x", valued: "-p --package", ..ALWAYS },
    Runner { names: "bun", verbs: "x", ..ALWAYS },
    Runner { names: "uv", valued: "-p --python --with --extra --group --project --directory --env-file --package",
             ..RUN },
    Runner { names: "poetry pipenv pdm hatch rye pixi devbox dotenvx doppler op", valued: "-p --project -e", ..RUN },
    Runner { names: "pipx", valued: "--spec --python", ..RUN },
    Runner { names: "conda mamba micromamba", valued: "-n -p --name --prefix --cwd", ..RUN },
    Runner { names: "coverage", valued: "--source --omit --include --rcfile --data-file", ..RUN },
    Runner { names: "rustup", operands: 1, ..RUN },
    Runner { names: "direnv", operands: 1, ..EXEC },
    Runner { names: "bundle rbenv pyenv asdf nodenv", ..EXEC },
];

/// The rows of each program: they are asked of every command.
static BY_NAME: Index<Runner> = Index::of(RUNNERS, |it| it.names);

/// Programs of Node that a package manager runs by their bare names.
const NODE: &str =
    "jest vitest mocha ava eslint tsc vue-tsc prettier biome stylelint oxlint playwright cypress";

/// Which of a command's words its program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub at: usize,
    /// `hatch run ENVIRONMENT:PROGRAM`
    pub is_hatch: bool,
}

impl Place {
    pub fn of(words: &[String]) -> Option<Self> {
        let mut at = 0;
        let mut is_hatch = false;
        loop {
            let (first, rest) = words.get(at..)?.split_first()?;
            let name = name_of(first);
            let skipped = match name {
                _ if has_word(RESERVED, name) || is_assignment(first) => 0,
                "docker" | "podman" | "docker-compose" => contained(rest)?,
                "mise" if is(rest, "exec") || is(rest, "x") => {
                    rest.iter().position(|it| it == "--").map_or(1, |at| at + 1)
                }
                "nix" if is(rest, "develop") || is(rest, "shell") => {
                    rest.iter().position(|it| it == "-c" || it == "--command")? + 1
                }
                "pnpm" | "yarn" | "bun" if rest.first().is_some_and(|it| has_word(NODE, it)) => 0,
                "php" if rest.first().is_some_and(|it| is_phps(it)) => 0,
                "node" => match rest.iter().position(|it| !it.starts_with('-')) {
                    Some(at) if rest[at].contains("node_modules/") => at,
                    _ => return Some(Self { at, is_hatch: false }),
                },
                _ => match module(name, rest).or_else(|| behind(name, rest)) {
                    Some(skipped) => skipped,
                    None => return Some(Self { at, is_hatch }),
                },
            };
            is_hatch |= name == "hatch";
            at += 1 + skipped;
        }
    }

    /// As [`Program::is_fed`].
    pub fn is_fed(self, words: &[String]) -> bool {
        words[..self.at].iter().any(|word| name_of(word) == "xargs")
    }
}

/// What PHP runs by its file: Laravel's `artisan`, `vendor/bin/phpunit`.
fn is_phps(word: &str) -> bool {
    word == "artisan" || word.contains("vendor/bin/")
}

fn is(words: &[String], word: &str) -> bool {
    words.first().is_some_and(|first| first == word)
}

/// How many words, from the first on, are options and their values.
fn options(words: &[String], valued: &str) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-')) {
        at += if has_word(valued, word) { 2 } else { 1 };
    }
    at.min(words.len())
}

/// How many of these words stand before the program that this one runs; `None` where it runs none.
fn behind(name: &str, words: &[String]) -> Option<usize> {
    BY_NAME.rows(name).find_map(|it| {
        let verb = match it.verbs.is_empty() {
            true => 0,
            false => {
                let at = options(words, &format!("{VERB_VALUED} {}", it.valued));
                let at = at + options(&words[at..], OWN_VALUED[0].1);
                words.get(at).filter(|word| has_word(it.verbs, word))?;
                at + 1
            }
        };
        Some(verb + options(&words[verb..], it.valued) + it.operands)
    })
}

/// The same of `python -m MODULE`.
fn module(name: &str, words: &[String]) -> Option<usize> {
    let version = name.strip_prefix("python").or_else(|| name.strip_prefix("py"))?;
    if !version.bytes().all(|it| it.is_ascii_digit() || it == b'.') {
        return None;
    }
    let mut at = 0;
    loop {
        at += match words.get(at)?.as_str() {
            "-m" => return Some(at + 1),
            "-X" | "-W" => 2,
            script if name_of(script) == "manage.py" => return Some(at),
            option if option.starts_with('-') => 1,
            _ => return None,
        };
    }
}

/// Of a container's own words, how many stand before the command that it runs: `compose run --rm web`. How one
/// ended that nobody waits for is not told.
fn contained(words: &[String]) -> Option<usize> {
    const FLAGS: &str = "\
        --rm --init --privileged --read-only --no-deps --interactive --tty --quiet --quiet-pull --no-TTY \
        --service-ports --build --remove-orphans --use-aliases";
    let mut at = words.iter().position(|word| word == "run" || word == "exec")? + 1;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-')) {
        let letters = word.strip_prefix('-').filter(|it| !it.starts_with('-')).unwrap_or_default();
        let are_flags = !letters.is_empty() && letters.chars().all(|it| "itTPqd".contains(it));
        if are_flags && letters.contains('d') || word == "--detach" {
            return None;
        }
        let is_whole =
            are_flags || letters.len() > 1 || word.contains('=') || has_word(FLAGS, word);
        at += if is_whole { 1 } else { 2 };
    }
    Some(at + 1)
}
