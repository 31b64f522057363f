//! Branches, by the nodes of a search tree they stand for.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Event;
use crate::memory::query::NodeScope;
use crate::memory::{NodeWrite, RecallGiven};
use crate::output::wire::OfJournal;
use crate::pipe::remember::with_origin;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Remember, Run, Told};

const NODE_ID: Argument = Argument::needed("node_id", "text", "the node, or a branch");

pub const OPS: &[Op] = &[
    Op {
        name: "mem_node_fork",
        about: "make the branch of a node under its parent's; the same once more changes nothing",
        args: with_origin![
            Argument::maybe("parent_node_id", "text", "the parent; none: a root"),
            Argument::needed("child_node_id", "text", "the new node"),
            Argument::maybe(
                "ancestor_chain",
                "list of texts",
                "from the root to the parent: those that do not exist are made",
            ),
        ],
        run: Run::Memory(fork),
    },
    Op {
        name: "mem_node_read",
        about: "what a node's branch sees",
        args: with_origin![
            NODE_ID,
            Argument::maybe("scope", "text", "all, core, recall or archival")
        ],
        run: Run::Memory(read),
    },
    Op {
        name: "mem_node_write",
        about: "write into a node's branch, which is made where there is none: one commit",
        args: with_origin![
            NODE_ID,
            Argument::maybe("core_updates", "object", "keys and values"),
            Argument::maybe("recall_event", "object", "as mem_recall_append takes it"),
            Argument::maybe("archival_records", "list of objects", "each with text, tags, meta"),
        ],
        run: Run::Memory(write),
    },
    Op {
        name: "create_branch",
        about: "make a branch: a primitive",
        args: with_origin![
            Argument::maybe("parent_branch_id", "text", "the parent; none: a root"),
            Argument::maybe("node_uid", "text", "the node it stands for"),
            Argument::needed("branch_id", "text", "its name").or(&["branch"]),
        ],
        run: Run::Memory(create),
    },
];

fn fork(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let parent: Option<String> = args.take("parent_node_id")?;
    let child: String = args.need("child_node_id")?;
    let chain: Vec<String> = args.take("ancestor_chain")?.unwrap_or_default();
    Remember::new(caller, &mut args, move |operation| {
        let done = operation.mem_node_fork(parent.as_deref(), &child, &chain, None)?;
        Ok(Told::of(&done))
    })
}

fn read(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let node: String = args.need("node_id")?;
    let scope = match args.take::<String>("scope")? {
        None => NodeScope::All,
        Some(text) => NodeScope::parse(&text)
            .ok_or_else(|| PipeError::argument("scope", "must be all, core, recall or archival"))?,
    };
    Remember::new(caller, &mut args, move |operation| {
        Ok(Told::of(&OfJournal::only(operation.mem_node_read(&node, scope)?)))
    })
}

fn write(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let node: String = args.need("node_id")?;
    let core: BTreeMap<String, String> = args.take("core_updates")?.unwrap_or_default();
    let event: Option<Event> = args.take("recall_event")?;
    let records = args.take::<Value>("archival_records")?;
    let write = NodeWrite {
        core_updates: core.into_iter().collect(),
        recall_event: event.map(RecallGiven::from),
        archival_records: records
            .map(crate::pipe::ops::memory::records)
            .transpose()?
            .unwrap_or_default(),
    };
    Remember::new(caller, &mut args, move |operation| {
        Ok(Told::of(&operation.mem_node_write(&node, &write)?))
    })
}

fn create(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let parent: Option<String> = args.take("parent_branch_id")?;
    let node: Option<String> = args.take("node_uid")?;
    let branch: String = args.need("branch_id")?;
    Remember::new(caller, &mut args, move |operation| {
        let done = operation.create_branch(parent.as_deref(), node.as_deref(), &branch)?;
        Ok(Told::of(&done))
    })
}
