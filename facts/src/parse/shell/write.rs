//! Which commands write.

use super::program::{self, Program};
use super::{Script, Simple};
use crate::parse::has_word;

/// Programs that write what their operands name.
const WRITERS: &str = "mv cp rm rmdir mkdir touch ln install truncate chmod chown rsync unzip";

/// Programs whose operands do not say what they write.
const EDITORS: &str = "patch apply_patch ed ex dd";

/// Programs that write where one of these is their subcommand or an argument.
const WRITING: [(&str, &str); 11] = [
    (
        "git",
        "apply am checkout restore reset clean merge rebase revert cherry-pick stash mv rm pull \
         switch",
    ),
    ("cargo", "fix add remove rm update --fix"),
    ("npm", "install i uninstall --fix"),
    ("prettier", "--write -w"),
    ("eslint", "--fix"),
    ("stylelint", "--fix"),
    ("ruff", "--fix"),
    ("biome", "--write --apply"),
    ("gofmt", "-w"),
    ("goimports", "-w"),
    ("find", "-delete"),
];

/// Formatters: they write unless they are told to look only.
const FORMATTERS: &str = "rustfmt black isort autopep8";

impl Script {
    /// Whether it writes files that may be the project's.
    pub fn writes(&self) -> bool {
        self.commands.iter().any(Simple::writes)
    }
}

impl Simple {
    /// As [`Script::writes`].
    pub fn writes(&self) -> bool {
        self.outputs.iter().any(|path| is_ours(path)) || program_writes(self)
    }
}

/// Whether a path may lie in a project: not below `/dev` or `/tmp`.
pub(super) fn is_ours(path: &str) -> bool {
    let outside = path.starts_with("/dev/") || path.starts_with("/tmp/");
    !outside || path.split('/').any(|part| part == "..")
}

pub(super) fn program_writes(command: &Simple) -> bool {
    let Some(program) = command.program() else { return false };
    if program::shell_given(&program, &command.given).is_some_and(|it| Script::of(it).writes())
        || writes(&program, &command.given)
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
            program_writes(&command.with(inner.to_vec(), vec![]))
        }
        name if has_word(FORMATTERS, name) => {
            !long(&program, "--check") && !long(&program, "--diff")
        }
        name if has_word(EDITORS, name) => true,
        name if has_word(WRITERS, name) => operands_are_ours(),
        name => WRITING.iter().filter(|(known, _)| *known == name).any(|(_, words)| {
            words.split(' ').any(|word| match word.starts_with('-') {
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

/// Programs that leave what code does as it is, whatever they write.
pub const FORMATTING: &str = "gofmt goimports gofumpt rustfmt black isort autopep8 yapf prettier eslint stylelint biome \
    ruff shfmt clang-format golangci-lint";

/// Interpreters, and the options behind which code follows.
const INTERPRETERS: [(&str, &str); 8] = [
    ("python", "-c"),
    ("node", "-e --eval -p --print"),
    ("deno", "eval"),
    ("bun", "-e --eval"),
    ("ruby", "-e"),
    ("perl", "-e -E"),
    ("php", "-r"),
    ("lua", "-e"),
];

/// What code says that writes, moves or removes files, or runs another program, which may.
const WRITES: &str = "\
    write Write .save( .dump( truncate unlink remove( removedirs( rename( renames( replace( \
    mkdir makedirs rmdir rmtree rmSync touch( symlink chmod shutil copyFile file_put_contents \
    subprocess os.system child_process FileUtils";

/// Whether an interpreter is given code, as a word or as a here-document, that may write.
pub(super) fn writes(program: &Program<'_>, given: &str) -> bool {
    let Some((_, options)) = interpreter(program.name) else { return false };
    let mut code = program.arguments.windows(2).filter(|it| has_word(options, &it[0]));
    code.any(|it| may_write(&it[1])) || may_write(given)
}

fn interpreter(program: &str) -> Option<&'static (&'static str, &'static str)> {
    let is_named = |name: &str| {
        let rest = program.strip_prefix(name);
        rest.is_some_and(|it| it.chars().all(|c| c.is_ascii_digit() || c == '.'))
    };
    INTERPRETERS.iter().find(|(name, _)| is_named(name))
}

pub fn is_interpreter(program: &str) -> bool {
    interpreter(program).is_some()
}

fn may_write(code: &str) -> bool {
    WRITES.split(' ').any(|sign| code.contains(sign)) || opens_to_write(code)
}

/// `open(path, 'w')`, `open(path, mode="a")`, `path.open('w')`.
fn opens_to_write(code: &str) -> bool {
    code.match_indices("open(").any(|(at, _)| {
        let call = code[at..].split('\n').next().unwrap_or_default();
        let parts: Vec<&str> = call.split(['\'', '"']).collect();
        let is_mode = |at: usize| {
            let before = parts[at - 1].trim_end();
            before.ends_with([',', '=']) || at == 1
        };
        let from = if code[..at].ends_with('.') { 1 } else { 3 };
        (from..parts.len()).step_by(2).filter(|at| is_mode(*at)).any(|at| {
            let mode = parts[at];
            (1..=4).contains(&mode.len())
                && mode.contains(['w', 'a', 'x', '+'])
                && mode.chars().all(|c| "rwaxbt+".contains(c))
        })
    })
}
