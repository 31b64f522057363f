//! The program that a simple command runs, behind what only stands before it.

use crate::parse::has_word;

/// Words of a shell's own that stand before a command.
const RESERVED: &str = "if then elif else while until do { !";
/// Programs that run another one, whose name follows after options.
const RUNNERS: &str = "\
    sudo time nice nohup command exec env stdbuf ionice setsid npx bunx xargs cross-env";
/// Options of these that take a word of their own.
const VALUED: &str = "-u -n -I -P -L --user";

/// Options before a subcommand that take a word of their own.
const VERB_VALUED: &str = "-C --color --config -Z --prefix -f -c --dir";

/// A program's name without its folder, and its arguments.
pub(crate) struct Program<'a> {
    pub name: &'a str,
    pub arguments: &'a [String],
}

impl<'a> Program<'a> {
    pub fn of(words: &'a [String]) -> Option<Self> {
        let mut words = words;
        loop {
            let (first, rest) = words.split_first()?;
            let name = name_of(first);
            let skipped = match name {
                _ if has_word(RESERVED, name) || is_assignment(first) => 0,
                "timeout" => options(rest) + 1,
                _ if has_word(RUNNERS, name) => options(rest),
                "uv" | "poetry" | "pipenv" | "hatch" | "rye" | "pdm" if is(rest, "run") => 1,
                "pnpm" | "yarn" | "npm" if is(rest, "exec") || is(rest, "dlx") => {
                    1 + options(&rest[1..])
                }
                "bundle" if is(rest, "exec") => 1,
                "docker" | "podman" | "docker-compose" => contained(rest)?,
                "mise" if is(rest, "exec") || is(rest, "x") => {
                    rest.iter().position(|it| it == "--").map_or(1, |at| at + 1)
                }
                "python" | "python3" if is(rest, "-m") => 1,
                _ => return Some(Self { name, arguments: rest }),
            };
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
        let mut skip = false;
        for argument in self.arguments.iter().map(String::as_str) {
            match argument {
                _ if has_word(VERB_VALUED, argument) => skip = true,
                _ if std::mem::take(&mut skip) => {}
                _ if argument.starts_with(['-', '+']) || is_assignment(argument) => {}
                _ => return Some(argument),
            }
        }
        None
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

/// The script of `bash -lc SCRIPT`, and of `eval SCRIPT`.
pub(super) fn script(words: &[String]) -> Option<String> {
    let program = Program::of(words)?;
    match program.name {
        "sh" | "bash" | "zsh" | "dash" | "fish" => {
            let at = program
                .arguments
                .iter()
                .position(|it| it.starts_with('-') && !it.starts_with("--") && it.ends_with('c'))?;
            program.arguments.get(at + 1).cloned()
        }
        "eval" => Some(program.arguments.join(" ")),
        _ => None,
    }
}

/// The here-document that a shell runs as its script.
pub(super) fn shell_given<'g>(program: &Program<'_>, given: &'g str) -> Option<&'g str> {
    let is_shell = ["sh", "bash", "zsh", "dash", "fish"].contains(&program.name);
    (is_shell && !given.is_empty()).then_some(given)
}

fn name_of(word: &str) -> &str {
    let name = word.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".exe").unwrap_or(name)
}

/// `NAME=value` before a command.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !name.starts_with(|first: char| first.is_ascii_digit())
    })
}

fn is(words: &[String], word: &str) -> bool {
    words.first().is_some_and(|first| first == word)
}

/// How many words, from the first on, are options and their values.
fn options(words: &[String]) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-')) {
        at += if has_word(VALUED, word) { 2 } else { 1 };
    }
    at.min(words.len())
}

/// Of a container's own words, how many stand before the command that it runs: `compose run --rm web`.
fn contained(words: &[String]) -> Option<usize> {
    let valued =
        "-v -e -w -u -p -f --name --network --entrypoint --env --volume --workdir --env-file";
    let mut at = words.iter().position(|word| word == "run" || word == "exec")? + 1;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-')) {
        at += if has_word(valued, word) { 2 } else { 1 };
    }
    Some(at + 1)
}
