//! Every operation there is. A family is a file under `ops/`, and a line here.

use super::{Op, PipeError, ops};

/// Families, in the order `help` tells them.
pub const FAMILIES: &[(&str, &[Op])] = &[
    ("about", crate::pipe::ops::OPS),
    ("recording", ops::recording::OPS),
    ("sessions", ops::sessions::OPS),
    ("executions", ops::executions::OPS),
    ("history", ops::history::OPS),
    ("timeline", ops::timeline::OPS),
    ("gate", ops::gate::OPS),
    ("tools", ops::tools::OPS),
    ("core memory", ops::memory::core::OPS),
    ("recall memory", ops::memory::recall::OPS),
    ("archival memory", ops::memory::archival::OPS),
    ("branches of memory", ops::memory::node::OPS),
    ("memory and models", ops::memory::system::OPS),
    ("care of memory", ops::memory::care::OPS),
    ("looks at memory", ops::memory::looks::OPS),
    ("moves of memory", crate::pipe::ops::memory::OPS),
    ("replies", ops::replies::OPS),
    ("repositories", ops::repo::looks::OPS),
    ("entries of a repository", ops::repo::entries::OPS),
    ("summaries of steps", crate::pipe::ops::repo::OPS),
    ("context packs", ops::repo::packs::OPS),
    ("files of a repository", ops::repo::files::OPS),
    ("debug sessions", ops::debug::sessions::OPS),
    ("what is told of a debug session", ops::debug::observation::OPS),
    ("looks at debug memory", ops::debug::looks::OPS),
    ("documents of debug memory", crate::pipe::ops::debug::OPS),
];

/// Families that tell or use what a journal remembers: of one that came with a clone only with consent.
const REMEMBERED: &[&str] = &[
    "core memory",
    "recall memory",
    "archival memory",
    "branches of memory",
    "memory and models",
    "care of memory",
    "looks at memory",
    "moves of memory",
    "repositories",
    "entries of a repository",
    "summaries of steps",
    "context packs",
    "files of a repository",
    "debug sessions",
    "what is told of a debug session",
    "looks at debug memory",
    "documents of debug memory",
];

/// Whether an operation tells or uses what a journal remembers.
pub fn is_remembered(op: &Op) -> bool {
    let of = FAMILIES.iter().filter(|(family, _)| REMEMBERED.contains(family));
    of.flat_map(|(_, ops)| *ops).any(|it| it.name == op.name)
}

/// Every operation.
pub fn all() -> impl Iterator<Item = &'static Op> {
    FAMILIES.iter().flat_map(|(_, ops)| *ops)
}

/// The operation of a name, or of the same in camelCase, as spec 004 writes it.
pub fn find(name: &str) -> Result<&'static Op, PipeError> {
    let written = snake(name);
    all().find(|op| op.name == name || op.name == written).ok_or_else(|| {
        let shown = &name[..name.floor_char_boundary(80)];
        PipeError::new("unknown_op", format!("there is no operation {shown:?}"))
            .with_hint(r#"{"op":"help"} lists what there is"#)
    })
}

/// `getRepoMemory` as `get_repo_memory`.
fn snake(name: &str) -> String {
    let mut written = String::with_capacity(name.len());
    for (at, c) in name.char_indices() {
        if at > 0 && c.is_ascii_uppercase() {
            written.push('_');
        }
        // What begins with a capital is no operation's name.
        written.push(if at > 0 { c.to_ascii_lowercase() } else { c });
    }
    written
}
