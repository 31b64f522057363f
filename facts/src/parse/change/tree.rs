//! Commands that change what a check goes by, and do not say how.

use crate::parse::has_word;
use crate::parse::shell::{Script, Simple};

/// What a command changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turned {
    /// What the code stands on was brought to what the project's own files say of it.
    Restored,
    /// What the code stands on: packages, services, caches.
    Surroundings,
    /// The code itself.
    Tree,
}

/// Programs with the words by which they change the tree.
const TREE: [(&str, &str); 2] = [("patch", ""), ("jj", "restore undo edit new rebase abandon")];
/// Words of git's that leave the files as they are; any other, an alias too, may change them. What `mv` and `rm` do
/// their names say.
const GIT_LEAVING: &str = "\
    add annotate archive blame branch bundle cat-file check-attr check-ignore clone commit config count-objects describe \
    diff diff-tree fetch for-each-ref format-patch fsck gc grep help init log ls-files ls-remote ls-tree maintenance \
    merge-base mv name-rev notes push range-diff reflog remote rev-list rev-parse rm shortlog show show-ref status \
    symbolic-ref tag version whatchanged worktree";
/// Words by which those only look, or leave the files as they are.
const LEAVING: &str =
    "list show -b -B -c -C --create --staged --cached --check --stat --soft --mixed --help";
/// Programs with the words by which they bring what is declared, where nothing else is named.
const RESTORING: [(&str, &str); 10] = [
    ("npm", "install i ci"),
    ("yarn", "install"),
    ("pnpm", "install i"),
    ("bun", "install"),
    ("uv", "sync"),
    ("poetry", "install"),
    ("bundle", "install"),
    ("go", "tidy download vendor"),
    ("cargo", "fetch"),
    ("composer", "install"),
];
/// Programs with the words by which they change what the code stands on.
const SURROUNDINGS: [(&str, &str); 18] = [
    ("docker", "up start restart run build"),
    ("docker-compose", "up start restart"),
    ("podman", "up start restart run"),
    ("npm", "install i ci update add rebuild"),
    ("yarn", "install add upgrade"),
    ("pnpm", "install i add update"),
    ("bun", "install add update"),
    ("pip", "install uninstall"),
    ("pip3", "install uninstall"),
    ("uv", "sync install add"),
    ("poetry", "install add update"),
    ("bundle", "install update"),
    ("go", "get tidy clean"),
    ("cargo", "update clean"),
    ("apt-get", "install"),
    ("apt", "install"),
    ("brew", "install upgrade"),
    ("systemctl", "start restart"),
];

/// Of what runs something in a container the program is that.
fn is_container(program: &str) -> bool {
    has_word("docker docker-compose podman", program)
}

/// What a command line changed without saying how; `None`: nothing of the kind.
pub fn turned_by(command: &str) -> Option<Turned> {
    let is_of = |table: &[(&str, &str)], program: &str, words: &[String]| {
        let row = table.iter().find(|(name, _)| *name == program);
        row.is_some_and(|(_, verbs)| {
            verbs.is_empty() || words.iter().any(|word| has_word(verbs, word))
        })
    };
    let script = Script::of(command);
    let all = script.commands.iter().filter_map(|it| {
        let container = it.words.split_first().filter(|(program, _)| is_container(program));
        let program = it.program();
        let of_program = || program.as_ref().map(|it| (it.name, it.arguments));
        let (program, words) =
            container.map(|(program, words)| (program.as_str(), words)).or_else(of_program)?;
        if program == "git" && turns_git(it) || is_of(&TREE, program, words) {
            return Some(Turned::Tree);
        }
        let verbs = if program == "go" { 2 } else { 1 };
        let named = words.iter().filter(|it| !it.starts_with('-')).count();
        if is_of(&RESTORING, program, words) && named <= verbs {
            return Some(Turned::Restored);
        }
        is_of(&SURROUNDINGS, program, words).then_some(Turned::Surroundings)
    });
    all.max()
}

fn turns_git(command: &Simple) -> bool {
    let Some(program) = command.program() else { return false };
    let Some(verb) = program.verb() else { return false };
    let at = program.arguments.iter().position(|it| it == verb).unwrap_or_default();
    let words = &program.arguments[at + 1..];
    // Without an option a reset leaves the files.
    let is_index = verb == "reset"
        && !words.iter().any(|it| matches!(it.as_str(), "--hard" | "--keep" | "--merge"));
    let leaves = words.iter().any(|word| has_word(LEAVING, word));
    !has_word(GIT_LEAVING, verb) && !leaves && !is_index
}
