//! The operations of a pipe, by families.

mod debug;
mod executions;
mod gate;
mod history;
mod memory;
mod recording;
mod repo;
mod search;
mod sessions;
mod timeline;

use serde::Serialize;

use super::{Answer, Argument, Op, PipeError, operations};

pub struct Family {
    pub name: &'static str,
    pub ops: &'static [Op],
    /// They tell or use what a journal remembers: of one that came with a clone only with consent.
    pub is_remembered: bool,
}

/// Families, in the order `help` tells them.
pub const FAMILIES: &[Family] = &[
    of("about", OPS),
    of("recording", recording::OPS),
    of("sessions", sessions::OPS),
    of("executions", executions::OPS),
    of("history", history::OPS),
    remembered("search", search::OPS),
    of("timeline", timeline::OPS),
    of("gate", gate::OPS),
    of("tools", gate::TOOL_OPS),
    remembered("core memory", memory::CORE),
    remembered("recall memory", memory::RECALL),
    remembered("archival memory", memory::archival::OPS),
    remembered("values of frameworks", memory::state::KV),
    remembered("threads of messages", memory::state::THREADS),
    remembered("branches of memory", memory::branches::OPS),
    remembered("memory and models", memory::model::MODEL_OPS),
    remembered("care of memory", memory::model::OPS),
    remembered("looks at memory", memory::looks::OPS),
    remembered("moves of memory", memory::branches::MOVES),
    of("replies", memory::model::REPLIES),
    remembered("repositories", repo::OPS),
    remembered("entries of a repository", repo::entries::OPS),
    remembered("summaries of steps", repo::entries::SUMMARIES),
    remembered("context packs", repo::PACKS),
    remembered("files of a repository", repo::FILES),
    remembered("debug sessions", debug::sessions::OPS),
    remembered("what is told of a debug session", debug::sessions::OBSERVATION),
    remembered("looks at debug memory", debug::LOOKS),
    remembered("documents of debug memory", debug::DOCUMENTS_OPS),
];

const fn of(name: &'static str, ops: &'static [Op]) -> Family {
    Family { name, ops, is_remembered: false }
}

const fn remembered(name: &'static str, ops: &'static [Op]) -> Family {
    Family { name, ops, is_remembered: true }
}

pub fn all() -> impl Iterator<Item = (&'static Family, &'static Op)> {
    FAMILIES.iter().flat_map(|family| family.ops.iter().map(move |op| (family, op)))
}

/// The operation of a name, or of the same in camelCase, as spec 004 writes it.
pub fn find(name: &str) -> Result<(&'static Family, &'static Op), PipeError> {
    let written = snake(name);
    all().find(|(_, op)| op.name == name || op.name == written).ok_or_else(|| {
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

operations! { OPS:
    act help = "what each operation does and takes" {
        op: Option<String> = "only this operation",
    } => |_pipe| {
        if let Some(name) = &op {
            find(name)?;
        }
        let asked = all().filter(|(_, it)| op.as_ref().is_none_or(|only| only == it.name));
        Answer::list(asked.map(|(family, op)| Helped {
            op: op.name,
            family: family.name,
            about: op.about,
            args: (op.arguments)(),
        }))
    };
}

/// An operation as `help` tells it.
#[derive(Serialize)]
struct Helped {
    op: &'static str,
    family: &'static str,
    about: &'static str,
    args: Vec<Argument>,
}
