//! `annals memory append`: remembers an event.

use super::OriginArgs;
use crate::cli::{CliError, Context, Exit, counted};
use crate::memory::{MemoryError, RecallGiven};
use crate::output::wire;

/// Remember an event: what happened
///
/// Where a branch then sees too many, older ones become summaries.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The branch, or the node it stands for
    #[arg(value_name = "BRANCH")]
    branch: String,
    /// What happened; - reads it from standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: String,
    /// Its kind: phase1_complete, coding_failed, …
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// What it refers to; may be repeated
    #[arg(long = "ref", value_name = "REF")]
    refs: Vec<String>,
    /// A tag; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    #[command(flatten)]
    origin: OriginArgs,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let own = |text: Option<&str>| text.map(str::to_owned);
    let given = RecallGiven {
        run_id: own(args.origin.run()),
        node_id: own(args.origin.node()),
        branch_id: Some(args.branch.clone()),
        phase: own(args.origin.phase()),
        kind: args.kind,
        summary: crate::cli::memory::or_given(args.text)?,
        refs: args.refs,
        tags: args.tags,
        ..RecallGiven::default()
    };
    if given.summary.trim().is_empty() {
        return Err(MemoryError::Empty { what: "the event's text" }.into());
    }
    let branch = &args.branch;
    let done = crate::cli::memory::operate(&args.origin, context, |operation| {
        operation.mem_recall_append(branch, &given)
    })?;
    let done = done.map(|it| wire::memory::RecallDone::of(&it));
    let (id, branch) = (done.done.id, &done.done.branch);
    let mut sentence = match done.done.written {
        true => format!("Remembered event {id} on {branch}"),
        false => format!("Event {id} on {branch} says the same: nothing was recorded"),
    };
    if let Some(record) = done.done.archived_as {
        sentence += &format!("; the whole text is record {record}");
    }
    for (what, moved) in [("inherited", &done.done.inherited), ("its own", &done.done.own)] {
        if let Some(moved) = moved {
            let (events, kept) = (counted(moved.events, "event"), moved.kept);
            sentence += &format!("; {events} ({what}) became summaries, {kept} stay");
        }
    }
    crate::cli::memory::tell(&done, &sentence, context)?;
    Ok(Exit::Fine)
}
