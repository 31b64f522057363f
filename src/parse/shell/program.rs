//! The program that a simple command runs, behind what only stands before it.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::parse::has_word;

/// Words of a shell's own that stand before a command.
pub(crate) const RESERVED: &str = "if then elif else while until do { !";
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
static BY_NAME: LazyLock<HashMap<&str, Vec<&Runner>>> = LazyLock::new(|| {
    let mut found: HashMap<&str, Vec<&Runner>> = HashMap::new();
    for row in RUNNERS {
        row.names.split(' ').for_each(|it| found.entry(it).or_default().push(row));
    }
    found
});

/// Options before a subcommand that take a word of their own: of any program, and of these.
const VERB_VALUED: &str = "-C --color --config -Z --prefix -f -c --dir --manifest-path --directory";
const OWN_VALUED: [(&str, &str); 4] = [
    ("npm pnpm yarn bun", "-w --workspace --filter -F --cwd"),
    ("gradle gradlew", "-p --project-dir -I -b"),
    ("mvn mvnw", "-pl -s -P"),
    ("just task", "-d -t --justfile --working-directory"),
];
/// Programs that are given several goals, of which cleaning is none.
const MAKERS: &str = "make gmake gradle gradlew mvn mvnw";
/// Programs of Node that a package manager runs by their bare names.
const NODE: &str =
    "jest vitest mocha ava eslint tsc vue-tsc prettier biome stylelint oxlint playwright cypress";

/// A program's name without its folder, and its arguments.
pub(crate) struct Program<'a> {
    pub name: &'a str,
    pub arguments: &'a [String],
}

impl<'a> Program<'a> {
    pub fn of(words: &'a [String]) -> Option<Self> {
        let mut words = words;
        let mut is_hatch = false;
        loop {
            let (first, rest) = words.split_first()?;
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
                    _ => return Some(Self { name, arguments: rest }),
                },
                _ => match module(name, rest).or_else(|| behind(name, rest)) {
                    Some(skipped) => skipped,
                    None => {
                        // `hatch run ENVIRONMENT:PROGRAM`
                        let bare = name.rsplit(':').next().filter(|_| is_hatch);
                        return Some(Self { name: bare.unwrap_or(name), arguments: rest });
                    }
                },
            };
            is_hatch |= name == "hatch";
            words = rest.get(skipped..)?;
        }
    }

    /// Whether it runs as often as there is input for it: `xargs` runs it not once where there is none.
    pub fn is_fed(words: &'a [String]) -> bool {
        let before = Self::of(words).map_or(0, |it| words.len() - it.arguments.len() - 1);
        words[..before].iter().any(|word| name_of(word) == "xargs")
    }

    /// The first argument that is no option: a subcommand.
    pub fn verb(&self) -> Option<&'a str> {
        let (mut skip, mut clean) = (false, None);
        let own = OWN_VALUED.iter().find(|it| has_word(it.0, self.name)).map_or("", |it| it.1);
        let is_maker = has_word(MAKERS, self.name);
        for argument in self.arguments.iter().map(String::as_str) {
            match argument {
                _ if has_word(VERB_VALUED, argument) || has_word(own, argument) => skip = true,
                _ if std::mem::take(&mut skip) => {}
                "workspace" if self.name == "yarn" => skip = true,
                "workspaces" | "foreach" if self.name == "yarn" => {}
                "hack" if self.name == "cargo" => {}
                _ if argument.starts_with(['-', '+']) || is_assignment(argument) => {}
                // `make -j 8 test`
                _ if argument.bytes().all(|it| it.is_ascii_digit()) => {}
                _ if is_maker && argument.ends_with("clean") => clean = Some(argument),
                // `:app:test`
                _ if self.name.starts_with("gradle") => return argument.rsplit(':').next(),
                _ => return Some(argument),
            }
        }
        clean
    }

    pub fn has(&self, option: &str) -> bool {
        self.arguments.iter().any(|argument| argument == option)
    }

    /// Whether one of its short options, alone or with others, is this letter: `-pi.bak`.
    pub fn has_letter(&self, letter: char) -> bool {
        let short = |it: &&String| it.starts_with('-') && !it.starts_with("--");
        self.arguments.iter().filter(short).any(|it| it.contains(letter))
    }

    pub fn operands(&self) -> impl Iterator<Item = &'a str> {
        self.arguments.iter().map(String::as_str).filter(|it| !it.starts_with('-'))
    }
}

/// The script of `bash -lc SCRIPT`, and of `eval SCRIPT`, with what its options set.
pub(super) fn script(words: &[String]) -> Option<String> {
    let Program { name, arguments } = Program::of(words)?;
    let ends = |it: &String, end: &str| it.starts_with('-') && it.ends_with(end);
    let at = match name {
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish" | "su" => {
            arguments.iter().position(|it| !it.starts_with("--") && ends(it, "c"))?
        }
        "nix-shell" => arguments.iter().position(|it| it == "--run" || it == "--command")?,
        "eval" => return Some(arguments.join(" ")),
        _ => return None,
    };
    let script = arguments.get(at + 1)?;
    let options = arguments[..=at].iter().map(|it| it.trim_end_matches('c'));
    let is_set = |it: &&str| {
        let letters = it.strip_prefix('-').filter(|it| !it.starts_with('-'));
        *it == "pipefail" || letters.is_some_and(|it| it.contains(['e', 'o']))
    };
    let set: Vec<&str> = options.filter(|it| name != "su" && is_set(it)).collect();
    let set = if set.is_empty() { String::new() } else { format!("set {}; ", set.join(" ")) };
    Some(set + script)
}

/// The here-document that a shell runs as its script.
pub(super) fn shell_given<'g>(program: &Program<'_>, given: &'g str) -> Option<&'g str> {
    let is_shell = ["sh", "bash", "zsh", "dash", "fish"].contains(&program.name);
    (is_shell && !given.is_empty()).then_some(given)
}

fn name_of(word: &str) -> &str {
    let name = word.rsplit('/').next().unwrap_or_default();
    let script = name.rsplit_once('.').filter(|_| word.contains("node_modules/"));
    script.map_or(name, |(name, _)| name).trim_end_matches(".exe")
}

/// `NAME=value` before a command.
pub(super) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !name.starts_with(|first: char| first.is_ascii_digit())
    })
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
    BY_NAME.get(name)?.iter().find_map(|it| {
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
