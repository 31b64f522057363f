//! Commands that may change files which they do not name: formatters over folders, git that puts back what it
//! has, scripts. None of it is sure; it is what may have been at work where a file turns out to hold other lines.

use super::changed::is_file;
use super::write::{self, is_ours};
use super::{Changed, is_plain};
use crate::parse::has_word;
use crate::parse::shell::{Program, Simple};

/// What they change of files is no line.
const LINELESS: &str = "mkdir rmdir chmod chown ln touch";
/// Interpreters that are given a script's name.
const INTERPRETERS: &str = "python py node deno bun ruby perl php lua sh bash zsh dash fish";
const SCRIPTS: [&str; 12] =
    ["py", "js", "mjs", "cjs", "ts", "rb", "pl", "php", "lua", "sh", "bash", "zsh"];
/// Programs that run a task by its name.
const RUNNERS: &str = "npm pnpm yarn bun make gmake just task";
/// What in a task's name says that it writes sources.
const TASKS: [&str; 4] = ["fmt", "format", "fix", "generate"];
/// Programs that write sources where this is their subcommand.
const VERBS: [(&str, &str); 6] = [
    ("go", "fmt generate fix"),
    ("deno dprint zig terraform tofu", "fmt"),
    ("mix dart dotnet", "format"),
    ("rubocop", "-a -A --autocorrect --autocorrect-all"),
    ("pre-commit", "run"),
    ("alembic protoc buf", "revision generate"),
];

/// Whether what a program is known to change, and does not name, may be the project's: `rm -rf src`.
pub(super) fn others(program: &Program<'_>) -> bool {
    let mut operands = program.operands().peekable();
    !has_word("rm cp mv", program.name) || operands.peek().is_none() || operands.any(is_ours)
}

/// The same of a program that nobody knows by its arguments alone.
pub(super) fn unknown(command: &Simple, program: &Program<'_>) -> bool {
    let verb = || program.verb().unwrap_or_default();
    match program.name {
        "git" => git(program),
        name if has_word(LINELESS, name) => false,
        name if has_word(RUNNERS, name) => {
            let words = program.operands().filter(|it| !has_word("run --", it));
            words.take(1).any(|it| TASKS.iter().any(|task| it.contains(task)))
                || write::program_writes(command)
        }
        name => {
            VERBS.iter().any(|(names, verbs)| {
                has_word(names, name)
                    && (has_word(verbs, verb())
                        || program
                            .arguments
                            .iter()
                            .any(|it| it.starts_with('-') && has_word(verbs, it)))
            }) || is_script(name)
                || is_interpreter(name) && program.operands().next().is_some_and(is_script)
                || write::program_writes(command)
        }
    }
}

/// Whether a change is of a file that its command line does not name for sure.
pub(super) fn is_unnamed(change: &Changed, is_sure: bool) -> bool {
    let is_open = |path: &str| is_ours(path) && !(is_sure && is_plain(path));
    match change {
        Changed::File(path) => is_open(path) || is_ours(path) && path.ends_with('/'),
        Changed::Any(path) => is_open(path) || is_ours(path) && !is_file(path),
        Changed::Moved { source, target, .. } => is_open(source) || is_open(target),
    }
}

fn is_script(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| SCRIPTS.contains(&end))
}

fn is_interpreter(name: &str) -> bool {
    has_word(INTERPRETERS, name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

fn git(program: &Program<'_>) -> bool {
    let Some(verb) = program.verb() else { return false };
    let has = |options: &str| program.arguments.iter().any(|it| has_word(options, it));
    let behind = program.arguments.iter().skip_while(|it| *it != verb).nth(1);
    match verb {
        "am" | "apply" | "merge" | "rebase" | "revert" | "cherry-pick" | "pull" => true,
        "switch" => !has("-c -C --create --orphan"),
        "reset" => has("--hard --merge --keep"),
        "clean" => !has("-n --dry-run"),
        "stash" => {
            behind.is_none_or(|it| has_word("push pop apply save", it) || it.starts_with('-'))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::ShellEdits;

    #[test]
    fn what_may_change_files_that_it_does_not_name() {
        for command in [
            "cargo fmt",
            "cargo fmt && cargo test",
            "black .",
            "npx prettier --write .",
            "prettier --write 'src/**/*.ts'",
            "gofmt -w .",
            "go fmt ./...",
            "ruff check --fix",
            "eslint --fix src",
            "npm run format",
            "make fmt",
            "sed -i s/a/b/ *.py",
            "sed -i s/a/b/ $F",
            "rg -l x | xargs sed -i s/a/b/",
            "for f in *.go; do sed -i s/a/b/ $f; done",
            "test -f x.go && sed -i s/a/b/ x.go; true",
            "python x.py",
            "python3 scripts/rewrite.py src",
            "uv run python x.py",
            "node tools/gen.mjs",
            "bash fix.sh",
            "./fix.sh --all",
            "python3 - <<'E'\nopen(p, 'w').write(t)\nE",
            "git reset --hard",
            "git reset --hard HEAD~1",
            "git checkout .",
            "git checkout -- .",
            "git checkout main",
            "git checkout -- src",
            "git restore .",
            "git stash",
            "git stash pop",
            "git pull --rebase",
            "git -C sub merge main",
            "git clean -fd",
            "rm -rf src/old",
            "cp -r a b",
            "patch -p1 < x.patch",
            "unzip x.zip",
        ] {
            assert!(ShellEdits::of(command).strays, "{command}");
        }
        for command in [
            "ls -la",
            "cargo test",
            "cargo fmt --check",
            "cargo test > build.log 2>&1",
            "cargo test > /tmp/log",
            "cargo test | tee out.txt",
            "black --check .",
            "gofmt -l .",
            "python -m pytest tests",
            "python -c 'print(1)'",
            "python --version",
            "npm test",
            "make -j4",
            "sed -i s/a/b/ x.py",
            "cd sub && sed -i s/a/b/ x.py",
            "echo x > a.txt",
            "mkdir -p src/x && touch src/x/a.rs",
            "chmod +x run.sh",
            "rm -rf /tmp/x",
            "rm a.rs",
            "git status && git diff",
            "git commit -m 'cargo fmt'",
            "git checkout -b new",
            "git checkout -- src/a.rs",
            "git checkout src/a.rs",
            "git switch -c new",
            "git reset HEAD~1",
            "git reset a.rs",
            "git stash list",
            "git clean -n",
            "git restore --staged .",
            "docker exec web python x.py",
        ] {
            assert!(!ShellEdits::of(command).strays, "{command}");
        }
    }
}
