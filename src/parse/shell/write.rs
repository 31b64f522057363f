//! Which commands write.

use super::program::{self, Program};
use super::{Script, Simple, inline};

/// Programs that write what their operands name.
const WRITERS: [&str; 13] = [
    "mv", "cp", "rm", "rmdir", "mkdir", "touch", "ln", "install", "truncate", "chmod", "chown",
    "rsync", "unzip",
];

/// Programs whose operands do not say what they write.
const EDITORS: [&str; 5] = ["patch", "apply_patch", "ed", "ex", "dd"];

/// Programs that write where one of these is their subcommand or an argument.
const WRITING: [(&str, &[&str]); 11] = [
    (
        "git",
        &[
            "apply",
            "am",
            "checkout",
            "restore",
            "reset",
            "clean",
            "merge",
            "rebase",
            "revert",
            "cherry-pick",
            "stash",
            "mv",
            "rm",
            "pull",
            "switch",
        ],
    ),
    ("cargo", &["fix", "add", "remove", "rm", "update", "--fix"]),
    ("npm", &["install", "i", "uninstall", "--fix"]),
    ("prettier", &["--write", "-w"]),
    ("eslint", &["--fix"]),
    ("stylelint", &["--fix"]),
    ("ruff", &["--fix"]),
    ("biome", &["--write", "--apply"]),
    ("gofmt", &["-w"]),
    ("goimports", &["-w"]),
    ("find", &["-delete"]),
];

/// Formatters: they write unless they are told to look only.
const FORMATTERS: [&str; 4] = ["rustfmt", "black", "isort", "autopep8"];

impl Script {
    /// Whether it writes files that may be the project's.
    pub fn writes(&self) -> bool {
        self.commands.iter().any(|command| {
            command.outputs.iter().any(|path| is_ours(path)) || program_writes(command)
        })
    }
}

/// Whether a path may lie in a project: not below `/dev` or `/tmp`.
fn is_ours(path: &str) -> bool {
    let outside = path.starts_with("/dev/") || path.starts_with("/tmp/");
    !outside || path.split('/').any(|part| part == "..")
}

fn program_writes(command: &Simple) -> bool {
    let Some(program) = Program::of(&command.words) else { return false };
    if program::shell_given(&program, &command.given).is_some_and(|it| Script::of(it).writes())
        || inline::writes(&program, &command.given)
    {
        return true;
    }
    let operands_are_ours = || program.operands().any(is_ours);
    match program.name {
        "sed" => program.has_letter('i') || long(&program, "--in-place"),
        "perl" | "ruby" => program.has_letter('i'),
        "awk" | "gawk" => program.has("inplace"),
        "tee" => operands_are_ours(),
        "cargo" if program.verb() == Some("fmt") => !program.has("--check"),
        "ruff" if program.verb() == Some("format") => !program.has("--check"),
        "find" if program.has("-exec") || program.has("-execdir") => {
            let at = program.arguments.iter().position(|it| it.starts_with("-exec"));
            let inner = at.and_then(|at| program.arguments.get(at + 1..)).unwrap_or_default();
            let simple = Simple { words: inner.to_vec(), outputs: vec![], ..command.clone() };
            program_writes(&simple)
        }
        name if FORMATTERS.contains(&name) => {
            !long(&program, "--check") && !long(&program, "--diff")
        }
        name if EDITORS.contains(&name) => true,
        name if WRITERS.contains(&name) => operands_are_ours(),
        name => WRITING.iter().filter(|(known, _)| *known == name).any(|(_, words)| {
            words.iter().any(|word| match word.starts_with('-') {
                true => program.has(word),
                false => program.verb() == Some(word),
            })
        }),
    }
}

fn long(program: &Program<'_>, option: &str) -> bool {
    program.arguments.iter().any(|it| {
        it.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    })
}
