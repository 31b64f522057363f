//! Commands that change what a check goes by, and do not say how.

use crate::parse::has_word;
use crate::parse::shell::Script;

/// What a command changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turned {
    /// What the code stands on: packages, services, caches.
    Surroundings,
    /// The code itself.
    Tree,
}

/// Programs with the words by which they change the tree.
const TREE: [(&str, &str); 3] = [
    ("git", "stash pull checkout switch reset merge rebase cherry-pick revert apply restore am"),
    ("patch", ""),
    ("jj", "restore undo edit new rebase abandon"),
];
/// Words by which those only look, or leave the files as they are.
const LEAVING: &str =
    "list show -b -B -c -C --create --staged --cached --check --stat --soft --mixed --help";
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
        let leaves = words.iter().any(|word| has_word(LEAVING, word));
        // Without an option a reset leaves the files.
        let is_index = words.first().is_some_and(|it| it == "reset")
            && !words.iter().any(|it| matches!(it.as_str(), "--hard" | "--keep" | "--merge"));
        if is_of(&TREE, program, words) && !leaves && !is_index {
            Some(Turned::Tree)
        } else {
            is_of(&SURROUNDINGS, program, words).then_some(Turned::Surroundings)
        }
    });
    all.max()
}
