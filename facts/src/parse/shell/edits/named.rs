//! The files that a program is told to change.

use super::Changed;
use super::changed::{is_file, last};
use crate::parse::has_word;
use crate::parse::shell::Program;

/// What a program changes, by its arguments alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// These files.
    Files(Vec<Changed>),
    /// Files that it does not name.
    Others,
    Nothing,
    /// It is none of those that are known here.
    Unknown,
}

/// Formatters and linters, the options with which they write, and those with which they do not after all.
/// Without an option of the first kind they always do.
const FORMATTERS: [(&str, &str, &str); 15] = [
    ("gofmt", "-w", ""),
    ("gofumpt", "-w", ""),
    ("goimports", "-w", ""),
    ("shfmt", "-w", "-d"),
    ("prettier", "--write -w", "--check -c"),
    ("eslint", "--fix", "--fix-dry-run"),
    ("stylelint", "--fix", ""),
    ("biome", "--write --apply --fix", ""),
    ("ruff", "", "--check --diff"),
    ("clang-format", "-i", "--dry-run -n"),
    ("autopep8", "-i --in-place", "--diff"),
    ("yapf", "-i --in-place", "--diff"),
    ("rustfmt", "", "--check"),
    ("black", "", "--check --diff"),
    ("isort", "", "--check --check-only -c --diff"),
];

/// Options of these that take a word of their own.
const VALUED: &str = "\
    --config -c --config-path --ignore-path --plugin --parser --rulesdir --ext --format --line-length -r \
    -local --local --edition --select --ignore --style --target-version";

impl Named {
    pub fn of(program: &Program<'_>, given: &str) -> Self {
        let arguments = program.arguments;
        match program.name {
            "sed" | "gsed" => in_place(arguments, "ef", true),
            "perl" | "ruby" => in_place(arguments, "eE", false),
            "tee" | "touch" => Self::files(operands(arguments, "-r -d -t")),
            "truncate" => Self::files(operands(arguments, "-s -r --size")),
            "rm" if recursive(arguments) => Self::Others,
            "rm" => Self::files(operands(arguments, "")),
            "mv" | "cp" if recursive(arguments) || has(arguments, "-t --target-directory -d") => {
                Self::Others
            }
            "mv" => moved(&operands(arguments, "-S --suffix"), true),
            "cp" => moved(&operands(arguments, "-S --suffix"), false),
            "git" => git(program, given),
            "ruff" if !matches!(program.verb(), Some("format" | "check")) => Self::Nothing,
            "ruff" if program.verb() == Some("check") && !program.has("--fix") => Self::Nothing,
            name => match FORMATTERS.iter().find(|(known, ..)| *known == name) {
                Some((_, writes, looks)) => formatted(arguments, writes, looks),
                None => Self::Unknown,
            },
        }
    }
}

impl Named {
    /// What the program writes can be no folder.
    fn files(paths: Vec<String>) -> Self {
        Self::Files(paths.into_iter().map(Changed::File).collect())
    }

    /// Files or folders, as their names say.
    fn any(paths: Vec<String>) -> Self {
        let is_folder = |it: &String| it.ends_with('/') || matches!(last(it), "." | "..");
        match paths.is_empty() || paths.iter().any(is_folder) {
            true => Self::Others,
            false => Self::Files(paths.into_iter().map(Changed::of).collect()),
        }
    }
}

fn has(arguments: &[String], options: &str) -> bool {
    arguments.iter().any(|it| has_word(options, it.split('=').next().unwrap_or_default()))
}

fn recursive(arguments: &[String]) -> bool {
    let short =
        |it: &String| it.starts_with('-') && !it.starts_with("--") && it.contains(['r', 'R']);
    let long = |it: &String| matches!(it.as_str(), "--recursive" | "--archive" | "-a");
    let mut options = arguments.iter().take_while(|it| *it != "--");
    options.any(|it| short(it) || long(it))
}

/// What is no option, nor the word of one; behind `--` all.
fn operands(arguments: &[String], valued: &str) -> Vec<String> {
    let (mut found, mut skip, mut all) = (Vec::new(), false, false);
    for argument in arguments {
        match argument.as_str() {
            _ if all => found.push(argument.clone()),
            _ if std::mem::take(&mut skip) => {}
            "--" => all = true,
            it if it.len() > 1 && it.starts_with('-') => skip = has_word(valued, it),
            _ => found.push(argument.clone()),
        }
    }
    found
}

/// `sed -i`, `perl -pi`: files behind options and code. Letters of `coded` take code as their word; without
/// them it is the first operand, or, where it `is_operand` not, nobody knows what runs.
fn in_place(arguments: &[String], coded: &str, is_operand: bool) -> Named {
    let (mut writes, mut has_code, mut files) = (false, false, Vec::new());
    let mut rest = arguments.iter().map(String::as_str).peekable();
    let mut all = false;
    while let Some(argument) = rest.next() {
        match argument {
            _ if all => files.push(argument),
            "--" => all = true,
            "-i" => {
                writes = true;
                // The suffix of the systems that want one apart.
                rest.next_if(|it| is_operand && (it.is_empty() || is_suffix(it)));
            }
            _ if argument.starts_with("--in-place") => writes = true,
            _ if argument.starts_with("--expression") || argument.starts_with("--file") => {
                has_code = true;
                if !argument.contains('=') {
                    rest.next();
                }
            }
            _ if argument.starts_with("--") => {}
            _ if argument.len() > 1 && argument.starts_with('-') => {
                for (at, letter) in argument.char_indices().skip(1) {
                    if letter == 'i' {
                        writes = true;
                    } else if coded.contains(letter) {
                        has_code = true;
                        if at + 1 == argument.len() {
                            rest.next();
                        }
                    } else if is_operand || !"MmIxFC".contains(letter) {
                        continue;
                    }
                    // What follows is its value.
                    break;
                }
            }
            _ => files.push(argument),
        }
    }
    if !writes {
        return Named::Nothing;
    }
    if !has_code {
        match is_operand && !files.is_empty() {
            true => drop(files.remove(0)),
            false => return Named::Others,
        }
    }
    Named::files(files.into_iter().map(str::to_owned).collect())
}

/// `.bak`
fn is_suffix(word: &str) -> bool {
    let rest = word.strip_prefix('.');
    rest.is_some_and(|it| it.len() <= 8 && it.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// What `mv` and `cp` leave behind: the target, which may be a folder, and by `mv` the sources.
fn moved(operands: &[String], are_gone: bool) -> Named {
    let Some((target, sources)) = operands.split_last() else { return Named::Nothing };
    let is_folder =
        target.ends_with('/') || sources.len() > 1 || matches!(last(target), "." | "..");
    let folder = target.trim_end_matches('/');
    let of = |source: &String| {
        let inner = || format!("{folder}/{}", last(source));
        let target = if is_folder { inner() } else { target.clone() };
        // A folder has hardly ever what its files end in.
        if !is_file(source) || !is_file(&target) {
            return vec![Changed::Moved { source: source.clone(), target, is_gone: are_gone }];
        }
        let gone = Some(source.clone()).filter(|_| are_gone);
        gone.into_iter().chain([target]).map(Changed::File).collect()
    };
    match sources {
        [] => Named::Others,
        _ => Named::Files(sources.iter().flat_map(of).collect()),
    }
}

fn git(program: &Program<'_>, given: &str) -> Named {
    let Some(verb) = program.verb() else { return Named::Nothing };
    let at = program.arguments.iter().position(|it| it == verb).unwrap_or_default();
    let (before, rest) = (&program.arguments[..at], &program.arguments[at + 1..]);
    let behind = rest.iter().position(|it| it == "--").map(|at| &rest[at + 1..]);
    let files = match (verb, behind) {
        ("apply", _) if has(rest, "--check --stat --numstat --summary --cached") => {
            return Named::Nothing;
        }
        ("apply", _) if operands(rest, "-p -C --directory --exclude --include").is_empty() => {
            return match patched(given) {
                files if files.is_empty() => Named::Others,
                files => inside(Named::files(files), before),
            };
        }
        ("checkout", Some(files)) => files.to_vec(),
        // What is no file is a branch or a commit, whatever it looks like.
        ("checkout", None) if !has(rest, "-b -B --orphan -t --track --detach") => {
            return match operands(rest, "") {
                names if names.is_empty() => Named::Unknown,
                names => {
                    inside(Named::Files(names.into_iter().map(Changed::Any).collect()), before)
                }
            };
        }
        ("restore", _) if has(rest, "--staged -S") && !has(rest, "--worktree -W") => {
            return Named::Nothing;
        }
        ("restore", _) => operands(rest, "-s --source"),
        ("rm", _) if has(rest, "--cached -n --dry-run") => return Named::Nothing,
        ("rm", _) if recursive(rest) => return Named::Others,
        // Of a folder it wants to be told so.
        ("rm", _) => return inside(Named::files(operands(rest, "")), before),
        ("mv", _) if !has(rest, "-n --dry-run") => {
            return inside(moved(&operands(rest, ""), true), before);
        }
        _ => return Named::Unknown,
    };
    inside(Named::any(files), before)
}

/// The files below the folder of `git -C sub restore a.rs`.
fn inside(named: Named, before: &[String]) -> Named {
    let folder = before.windows(2).find(|it| it[0] == "-C").map(|it| it[1].as_str());
    let (Named::Files(files), Some(folder)) = (&named, folder) else { return named };
    let below = |file: &str| match file.starts_with('/') {
        true => file.to_owned(),
        false => format!("{folder}/{file}"),
    };
    Named::Files(files.iter().filter_map(|it| it.with(|file| Some(below(file)))).collect())
}

/// The files of a patch that is given as a here-document.
fn patched(given: &str) -> Vec<String> {
    let told = given.lines().filter_map(|line| {
        let path = line.strip_prefix("+++ ").or_else(|| line.strip_prefix("--- "))?;
        let path = path.split('\t').next().unwrap_or_default().trim();
        path.split_once('/').filter(|_| path != "/dev/null").map(|(_, rest)| rest.to_owned())
    });
    let mut files: Vec<String> = Vec::new();
    for file in told {
        if !files.contains(&file) && files.len() < super::FILES_MAX {
            files.push(file);
        }
    }
    files
}

fn formatted(arguments: &[String], writes: &str, looks: &str) -> Named {
    if has(arguments, looks) || !writes.is_empty() && !has(arguments, writes) {
        return Named::Nothing;
    }
    let mut operands = operands(arguments, VALUED);
    operands.retain(|it| !has_word("format check lint run", it));
    Named::any(operands)
}
