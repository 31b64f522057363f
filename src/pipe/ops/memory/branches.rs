//! Branches, by the nodes of a search tree they stand for; memory from the past, from a file, to a file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::archival::records;
use crate::cli::memory::branches;
use crate::memory::query::NodeScope;
use crate::memory::{Asker, MemoryError, NodeWrite, Operation, RecallGiven, export_memory};
use crate::output::wire::OfJournal;
use crate::pipe::{Answer, Pipe, PipeError, arguments, operations};

const NODE_ID: &str = "the node, or a branch";

operations! { OPS:
    remember mem_node_fork
        = "make the branch of a node under its parent's; the same once more changes nothing"
    {
        parent_node_id: Option<String> = "the parent; none: a root",
        child_node_id: String = "the new node",
        ancestor_chain: Option<Vec<String>>
            = "from the root to the parent: those that do not exist are made",
    } => |op| {
        let chain = ancestor_chain.unwrap_or_default();
        op.mem_node_fork(parent_node_id.as_deref(), &child_node_id, &chain, None)
    };

    remember mem_node_read = "what a node's branch sees" {
        node_id: String = NODE_ID,
        scope: Option<NodeScope> = "all, core, recall or archival",
    } => |op| Ok(OfJournal::only(op.mem_node_read(&node_id, scope.unwrap_or(NodeScope::All))?));

    remember mem_node_write
        = "write into a node's branch, which is made where there is none: one commit"
        (Write) by written => |(node, write), op| op.mem_node_write(&node, &write);

    remember create_branch = "make a branch: a primitive" {
        parent_branch_id: Option<String> = "the parent; none: a root",
        node_uid: Option<String> = "the node it stands for",
        branch_id | branch: String = "its name",
    } => |op| {
        let (parent, node) = (parent_branch_id.as_deref(), node_uid.as_deref());
        op.primitive(|op| op.create_branch(parent, node, &branch_id))
    };
}

operations! { MOVES:
    act memory_fork_at = "make a branch from what another saw in the past: a root with copies" {
        branch | branch_id: String = "the new branch's name",
        from: String = "the branch, or the node, that saw it",
        at: String = "then: @4711, 142, 2h, an RFC 3339 time",
        node_id: Option<String> = "the node that it stands for",
    } => |pipe| {
        let asker = asker(pipe)?;
        pipe.rest();
        pipe.context.at = Some(at);
        let found = branches::then(pipe.context);
        pipe.context.at = None;
        let (then, through) = found?;
        let no_branch = || MemoryError::NoBranch { name: from.clone() };
        let seen = then.stores.memory()?.ok_or_else(no_branch)?;
        let view = seen.view();
        let (forked, appended) = pipe.memory(|memory| {
            let node = node_id.as_deref();
            let fork = |op: &mut Operation<'_>| op.fork_at(&branch, node, &from, &view, through);
            Ok((memory.operate(&asker, fork)?, memory.appended()))
        })?;
        Ok(Answer::of(&forked)?.at(appended.map(|appended| appended.last.0)))
    };

    act memory_import = "move a memory.sqlite of the reference implementation here" {
        file: PathBuf = "the file",
    } => |pipe| {
        let asker = asker(pipe)?;
        let (done, appended) = pipe.memory(|memory| {
            let done = memory.import(asker.session, &file)?;
            Ok((done, memory.appended()))
        })?;
        // Several commits.
        pipe.others_recorded();
        Ok(Answer::of(&done)?.at(appended.map(|appended| appended.last.0)))
    };

    act memory_export = "write memory as a new memory.sqlite of the reference implementation" {
        file: PathBuf = "the new file",
    } => |pipe| {
        let Some(memory) = pipe.all_stores()?.memory()? else {
            return Err(PipeError::new("not_found", "nothing is remembered yet"));
        };
        Answer::of(&export_memory(&memory.view(), &file)?)
    };
}

arguments! {
    struct Write {
        node_id: String = NODE_ID,
        core_updates: Option<BTreeMap<String, String>> = "keys and values",
        recall_event: Option<RecallGiven> = "as mem_recall_append takes it",
        archival_records: Option<serde_json::Value> as "list of objects"
            = "each with text, tags, meta",
    }
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

fn asker(pipe: &mut Pipe<'_>) -> Result<Asker, PipeError> {
    let session = pipe.caller.named();
    if session.is_some() {
        pipe.introduce()?;
    }
    Ok(Asker::of(session))
}
