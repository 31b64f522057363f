//! Branches, by the nodes of a search tree they stand for; memory from the past, from a file, to a file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::archival::records;
use crate::cli::memory::branches;
use crate::memory::query::{NodeMemory, NodeScope};
use crate::memory::store::MemoryView;
use crate::memory::{
    Asker, Forked, MemoryError, NodeWrite, NodeWritten, Operation, RecallGiven, export_memory,
};
use crate::output::wire::OfJournal;
use crate::pipe::{Answer, Answered, Pipe, PipeError, arguments, operations};

const NODE_ID: &str = "the node, or a branch";

operations! { OPS:
    remember mem_node_fork(Fork)
        = "make the branch of a node under its parent's; the same once more changes nothing";
    remember mem_node_read(Read) = "what a node's branch sees";
    remember mem_node_write(Write) by written
        = "write into a node's branch, which is made where there is none: one commit";
    remember create_branch(Create) = "make a branch: a primitive";
}

arguments! {
    struct Fork {
        parent_node_id: Option<String> = "the parent; none: a root",
        child_node_id: String = "the new node",
        ancestor_chain: Option<Vec<String>>
            = "from the root to the parent: those that do not exist are made",
    }

    struct Read {
        node_id: String = NODE_ID,
        scope: Option<NodeScope> = "all, core, recall or archival",
    }

    struct Write {
        node_id: String = NODE_ID,
        core_updates: Option<BTreeMap<String, String>> = "keys and values",
        recall_event: Option<RecallGiven> = "as mem_recall_append takes it",
        archival_records: Option<serde_json::Value> as "list of objects"
            = "each with text, tags, meta",
    }

    struct Create {
        parent_branch_id: Option<String> = "the parent; none: a root",
        node_uid: Option<String> = "the node it stands for",
        branch_id | branch: String = "its name",
    }
}

type Found<T> = Result<T, MemoryError>;

fn mem_node_fork(asked: Fork, operation: &mut Operation<'_>) -> Found<Forked> {
    let (parent, chain) =
        (asked.parent_node_id.as_deref(), asked.ancestor_chain.unwrap_or_default());
    operation.mem_node_fork(parent, &asked.child_node_id, &chain, None)
}

fn mem_node_read(asked: Read, operation: &mut Operation<'_>) -> Found<OfJournal<NodeMemory>> {
    let scope = asked.scope.unwrap_or(NodeScope::All);
    Ok(OfJournal::only(operation.mem_node_read(&asked.node_id, scope)?))
}

fn written(_: &mut Pipe<'_>, given: Write) -> Result<(String, NodeWrite), PipeError> {
    let write = NodeWrite {
        core_updates: given.core_updates.unwrap_or_default().into_iter().collect(),
        recall_event: given.recall_event,
        archival_records: match given.archival_records {
            Some(given) => records(&given)?,
            None => Vec::new(),
        },
    };
    Ok((given.node_id, write))
}

fn mem_node_write(
    (node, write): (String, NodeWrite),
    operation: &mut Operation<'_>,
) -> Found<NodeWritten> {
    operation.mem_node_write(&node, &write)
}

fn create_branch(asked: Create, operation: &mut Operation<'_>) -> Found<Forked> {
    let (parent, node) = (asked.parent_branch_id.as_deref(), asked.node_uid.as_deref());
    operation.primitive(|op| op.create_branch(parent, node, &asked.branch_id))
}

operations! { MOVES:
    act memory_fork_at(ForkAt) = "make a branch from what another saw in the past: a root with copies";
    act memory_import(Import) = "move a memory.sqlite of the reference implementation here";
    act memory_export(Export)
        = "write memory as a new memory.sqlite of the reference implementation";
}

arguments! {
    struct ForkAt {
        branch | branch_id: String = "the new branch's name",
        from: String = "the branch, or the node, that saw it",
        at: String = "then: @4711, 142, 2h, an RFC 3339 time",
        node_id: Option<String> = "the node that it stands for",
    }

    struct Import {
        file: PathBuf = "the file",
    }

    struct Export {
        file: PathBuf = "the new file",
    }
}

fn asker(pipe: &mut Pipe<'_>) -> Result<Asker, PipeError> {
    let session = pipe.caller.named();
    if session.is_some() {
        pipe.introduce()?;
    }
    Ok(Asker::of(session))
}

fn memory_fork_at(pipe: &mut Pipe<'_>, asked: ForkAt) -> Answered {
    let ForkAt { branch, from, at, node_id: node } = asked;
    let asker = asker(pipe)?;
    pipe.rest();
    pipe.context.at = Some(at);
    let found = branches::then(pipe.context);
    pipe.context.at = None;
    let (then, through) = found?;
    let no_branch = || MemoryError::NoBranch { name: from.clone() };
    let seen = then.stores.memory()?.ok_or_else(no_branch)?;
    let view: MemoryView<'_> = seen.view();
    let (forked, appended) = pipe.memory(|memory| {
        let forked = memory.operate(&asker, |operation| {
            operation.fork_at(&branch, node.as_deref(), &from, &view, through)
        })?;
        Ok((forked, memory.appended()))
    })?;
    Ok(Answer::of(&forked)?.at(appended.map(|appended| appended.last.0)))
}

fn memory_import(pipe: &mut Pipe<'_>, Import { file }: Import) -> Answered {
    let asker = asker(pipe)?;
    let (done, appended) = pipe.memory(|memory| {
        let done = memory.import(asker.session, &file)?;
        Ok((done, memory.appended()))
    })?;
    // Several commits.
    pipe.others_recorded();
    Ok(Answer::of(&done)?.at(appended.map(|appended| appended.last.0)))
}

fn memory_export(pipe: &mut Pipe<'_>, Export { file }: Export) -> Answered {
    let Some(memory) = pipe.all_stores()?.memory()? else {
        return Err(PipeError::new("not_found", "nothing is remembered yet"));
    };
    Answer::of(&export_memory(&memory.view(), &file)?)
}
