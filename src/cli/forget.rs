//! `annals forget`: redacts what is beyond its time, by policy.

use std::rc::Rc;

use serde::Serialize;

use super::{CliError, Context, Exit, Result, ask, counted, damage, redact};
use crate::execution::replay::WalkError;
use crate::journal::clock;
use crate::output::{escape, time};
use crate::stores::leak::retention::{Beyond, Policy, tell};
use crate::stores::leak::{Given, Wanted, find, take_out};

/// Forget what is beyond its time
///
/// Destroys what calls, prompts and answers from before a date hold, as `annals redact` does. An event says by which
/// policy, how many and which. What tells of the journal itself stays, and sessions, tools, checks and memory do.
/// A call goes as a whole, once its last event is from before, with what was told of it since; one that is open
/// stays. A later call that printed the same keeps it. Neither a later import nor a hook brings any of it back.
///
/// The exit code is 1 where something may still hold it, or a dry run found what would go.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What happened before: a date, a time, or an age (90d)
    #[arg(long, value_name = "DATE")]
    before: String,
    /// Of this session alone: its id, the beginning of it, or its agent's name for it
    #[arg(long = "session", value_name = "ID")]
    sessions: Vec<String>,
    /// Only calls about what lies at or below this path
    #[arg(long = "path", value_name = "PATH")]
    paths: Vec<String>,
    /// Why; it stays in the journal
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Only show what would go
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

#[derive(Serialize)]
struct Forgot {
    path: String,
    /// What happened before this, UTC.
    before: Option<String>,
    dry_run: bool,
    /// By sequence.
    records: Vec<u64>,
    /// Of those what only tells of the others: steps, debug sessions.
    along: Vec<u64>,
    /// Later records that repeat a content of those, and keep it.
    repeated: Vec<u64>,
    order: Option<String>,
    /// What may still hold it, and why.
    left: Vec<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    let project = context.project()?;
    let before_ms = time::parse(&args.before, clock::now_ms(), &context.zone)
        .map_err(|_| CliError::Refused { what: "--before is no date, time or age" })?;
    let (sessions, paths) = (args.sessions.clone(), args.paths.clone());
    let policy = Policy { before_ms, sessions, paths };
    let reader = Rc::new(project.reader()?);
    let Beyond { records: old, missing } = policy.beyond(&reader)?;
    if let Some(session) = missing.into_iter().next() {
        return Err(WalkError::NoSession { session }.into());
    }
    if args.dry_run {
        damage::ask_whether_seen(&project, context);
    }
    let wanted = Wanted { records: old.clone(), is_shared: true, ..Wanted::default() };
    let mut found = find(&reader, &wanted, &project.redactor())?;
    let records = found.records.clone();
    let mut forgot = Forgot {
        path: project.root().to_string_lossy().into_owned(),
        before: crate::event::wire::utc_text(before_ms),
        dry_run: args.dry_run,
        records: records.iter().map(|it| it.0).collect(),
        along: records.difference(&old).map(|it| it.0).collect(),
        repeated: found.repeated.iter().map(|it| it.0).collect(),
        order: None,
        left: Vec::new(),
    };
    if !args.dry_run && !records.is_empty() {
        let count = counted(records.len() as u64, "record");
        if !args.yes {
            if !ask::is_possible(context) {
                return Err(CliError::Refused {
                    what: "nothing is forgotten unasked: --yes, or --dry-run to see what would go",
                });
            }
            also(&forgot, context)?;
            if !ask::surely(&format!("Destroy what {count} hold, for good?"), context)? {
                return Err(CliError::Refused { what: "nothing was forgotten" });
            }
        }
        if policy.is_of_all() {
            found.forget_before(before_ms);
        }
        let given = Given::now(redact::by(None, &found), args.reason.clone(), None);
        given.must_hold_nothing(&project, &found)?;
        for text in policy.sessions.iter().chain(&policy.paths) {
            found.must_not_be_in("a session or a path", &project, text)?;
        }
        tell(&project, &policy, &given, &records)?;
        let done = take_out(&project, &found, &given, &context.cache)?;
        forgot.order = Some(given.order.to_string());
        let left = done.redacted.may_hold();
        forgot.left = left.iter().map(|it| format!("{}: {}", it.path.display(), it.why)).collect();
    }
    close(&forgot, context)
}

fn close(forgot: &Forgot, context: &mut Context) -> Result<Exit> {
    let would = forgot.dry_run && !forgot.records.is_empty();
    let exit = if forgot.left.is_empty() && !would { Exit::Fine } else { Exit::Findings };
    if context.output.as_json(forgot)? {
        return Ok(exit);
    }
    let records = counted(forgot.records.len() as u64, "record");
    let before = forgot.before.as_deref().unwrap_or_default();
    match &forgot.order {
        Some(order) => {
            context
                .output
                .line(format_args!("{records} from before {before} forgotten by order {order}"))?;
        }
        None if forgot.records.is_empty() => {
            context
                .output
                .line(format_args!("nothing from before {before} is left to be forgotten"))?;
        }
        None => {
            context
                .output
                .line(format_args!("{records} from before {before} would be forgotten"))?;
        }
    }
    also(forgot, context)?;
    for line in &forgot.left {
        context.output.line(format_args!("  may still hold it: {}", escape::line(line)))?;
    }
    Ok(exit)
}

/// What is not from before: what goes all the same, and what stays though it is the same.
fn also(forgot: &Forgot, context: &mut Context) -> Result<()> {
    for (list, what) in [
        (&forgot.along, "of them only telling of the others, whenever that was"),
        (&forgot.repeated, "later records that repeat a content of these, and keep it"),
    ] {
        if let Some(first) = list.first() {
            let count = list.len();
            context.output.line(format_args!("  {what}: {count}, from @{first}"))?;
        }
    }
    Ok(())
}
