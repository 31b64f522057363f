//! What cannot be declared a check.

use super::is_idle;
use crate::parse::has_word;
use crate::parse::shell::{Script, Simple};

/// Programs that end well whatever the code is.
const NEVER: &str = "echo printf true : false yes test [ [[ exit return set unset export local eval alias cd pwd \
    pushd popd sleep wait date mkdir touch rm cp mv cat head tail tee ls wc sort uniq read source . trap kill \
    whoami hostname id uname clear history";
/// Those that say nothing of it without a word behind them.
const ALONE: &str = "sh bash zsh dash fish env sudo time nice nohup command exec xargs timeout python python3 \
    node deno bun ruby perl php java npx bunx npm pnpm yarn uv poetry pdm pipenv hatch rye bundle git docker \
    podman docker-compose";

/// Why a command's beginning cannot be declared a check; `None` where it can.
pub fn check_fault(command: &str) -> Option<&'static str> {
    let script = Script::of(command);
    let [simple] = script.commands.as_slice() else {
        return Some("it must be one command, without `&&`, `;`, `|` or a line's end");
    };
    if !simple.outputs.is_empty() || !simple.given.is_empty() {
        return Some("it must be how a command begins, without redirections");
    }
    let Some(program) = simple.program() else {
        return Some("it names no program");
    };
    if has_word(NEVER, program.name) {
        return Some("its program ends well whatever the code is");
    }
    if has_word(ALONE, program.name) && program.arguments.is_empty() {
        return Some("it needs a word behind it: the program alone may run anything");
    }
    is_idle(&program).then_some("with these options it checks nothing")
}

/// Whether a script has commands, and each ends well whatever the code is: it checks nothing.
pub fn is_harmless(script: &Script) -> bool {
    !script.commands.is_empty() && script.commands.iter().all(does_nothing)
}

fn does_nothing(command: &Simple) -> bool {
    command.program().is_some_and(|program| {
        has_word(NEVER, program.name) && !matches!(program.name, "source" | "." | "eval")
    })
}

/// Whether a command beside a check only makes ready for it, as far as anybody can tell.
pub fn prepares(command: &Simple) -> bool {
    const BY_VERB: [(&str, &str); 8] = [
        ("npm pnpm yarn bun", "ci install i"),
        ("pip pip3 bundle composer", "install"),
        ("uv poetry pdm hatch", "sync install lock"),
        ("go", "mod generate fmt work install run"),
        ("cargo", "fmt fetch"),
        ("git", "diff status rev-parse"),
        ("ruff", "format"),
        ("docker docker-compose", "compose up"),
    ];
    const ALWAYS: &str = "\
        cmake protoc gofmt goimports gofumpt prettier black isort rustfmt find grep rg sed awk xargs git-lfs \
        fi done set shift basename dirname mktemp which";
    let told = command.program();
    does_nothing(command)
        || told.is_none_or(|it| {
            let verb = it.verb().unwrap_or_default();
            has_word(ALWAYS, it.name)
                || BY_VERB
                    .iter()
                    .any(|(names, verbs)| has_word(names, it.name) && has_word(verbs, verb))
        })
}
