//! `annals forget`: redacts what is beyond its time, by policy.

use std::path::PathBuf;
use std::rc::Rc;

use serde::Serialize;

use super::redact::elsewhere::{ElsewhereTold, bundles, elsewhere};
use super::redact::outcome::Told;
use super::redact::rest::{self, BundleTold, Rest};
use super::{CliError, Context, Exit, Result, ask, counted, damage, redact};
use crate::execution::replay::WalkError;
use crate::journal::clock;
use crate::output::{escape, time};
use crate::stores::leak::retention::{Beyond, Policy, tell};
use crate::stores::leak::{Given, Wanted, find};

/// Forget what is beyond its time
///
/// Destroys what calls, prompts and answers from before a date hold, as `annals redact` does. An event says by which
/// policy, how many and which. What tells of the journal itself stays, and sessions, tools, checks and memory do.
/// A call goes as a whole, once its last event is from before, with what was told of it since; one that is open
/// stays. A later call that printed the same keeps it. Neither a later import nor a hook brings any of it back.
///
/// Bundles from before that hold it are named, and what cannot be looked through without a value: reports, exports,
/// copies, agents' transcripts. Calls behind those that go get other numbers: events (@N) and ids stay.
///
/// The exit code is 1 where something holds it or may, or a dry run found what would go.
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
    /// Bundles to be rewritten without it, and without what was forgotten before
    #[arg(long, value_name = "FILE")]
    bundle: Vec<PathBuf>,
}

struct Forgot {
    /// What happened before this, UTC.
    before: Option<String>,
    told: Told,
}

#[derive(Serialize)]
struct Shown<'a> {
    path: &'a str,
    before: Option<&'a str>,
    dry_run: bool,
    /// By sequence.
    records: &'a [u64],
    /// Of those what only tells of the others: steps, debug sessions.
    along: &'a [u64],
    /// Later records that repeat a content of those, and keep it.
    repeated: &'a [u64],
    order: Option<&'a str>,
    /// What may still hold it, and why.
    left: &'a [String],
    bundles: &'a [BundleTold],
    /// What was written from this journal where a person said, and is still there.
    elsewhere: &'a [ElsewhereTold],
    /// Transcripts: only a value is looked for in them.
    not_looked: &'a [String],
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    let project = context.project()?;
    let before_ms = time::parse(&args.before, clock::now_ms(), &context.zone)
        .map_err(|_| CliError::Refused { what: "--before is no date, time or age" })?;
    let (sessions, paths) = (args.sessions.clone(), args.paths.clone());
    let policy = Policy { before_ms, sessions, paths };
    let reader = Rc::new(project.reader()?);
    let Beyond { records: old, missing, forgotten } = policy.beyond(&reader)?;
    if let Some(session) = missing.into_iter().next() {
        return Err(WalkError::NoSession { session }.into());
    }
    if args.dry_run {
        damage::ask_whether_seen(&project, context);
    }
    let wanted = Wanted { records: old.clone(), is_shared: true, ..Wanted::default() };
    let mut found = find(&reader, &wanted, &project.redactor())?;
    let records = found.records.clone();
    let rest = Rest::of(&args.bundle, &[], &project, &reader, &found);
    let mut told = Told::of(&project, &reader, &found, &wanted);
    told.along = records.difference(&old).map(|it| it.0).collect();
    told.dry_run = args.dry_run;
    let mut forgot = Forgot { before: crate::event::wire::utc_text(before_ms), told };
    if !args.dry_run {
        surely(&forgot, &args, context)?;
        if policy.is_of_all() {
            found.forget_before(before_ms);
        }
        let given = Given::now(redact::by(None, &found), args.reason.clone(), None);
        given.must_hold_nothing(&project, &found)?;
        for text in policy.sessions.iter().chain(&policy.paths) {
            found.must_not_be_in("a session or a path", &project, text)?;
        }
        if !records.is_empty() {
            tell(&project, &policy, &given, &records)?;
            rest::take_out(&project, &reader, &found, &given, &mut forgot.told, context)?;
        }
        forgot.told.leaves.extend(&forgotten);
        rest.bundles(&found, &given, &mut forgot.told);
    }
    rest.look(&found, false, &mut forgot.told);
    rest::elsewhere(&reader, &found, &mut forgot.told)?;
    if records.is_empty() {
        // What went before was named then, but a bundle that has it still has it.
        forgot.told.elsewhere.retain(|it| it.holds.is_some());
    }
    close(&forgot, context)
}

fn surely(forgot: &Forgot, args: &Args, context: &mut Context) -> Result<()> {
    let records = forgot.told.records.len() as u64;
    if args.yes || records == 0 {
        return Ok(());
    }
    if !ask::is_possible(context) {
        return Err(CliError::Refused {
            what: "nothing is forgotten unasked: --yes, or --dry-run to see what would go",
        });
    }
    also(&forgot.told, context)?;
    match ask::surely(
        &format!("Destroy what {} hold, for good?", counted(records, "record")),
        context,
    )? {
        true => Ok(()),
        false => Err(CliError::Refused { what: "nothing was forgotten" }),
    }
}

fn close(forgot: &Forgot, context: &mut Context) -> Result<Exit> {
    let told = &forgot.told;
    let exit = told.exit();
    let shown = Shown {
        path: &told.path,
        before: forgot.before.as_deref(),
        dry_run: told.dry_run,
        records: &told.records,
        along: &told.along,
        repeated: &told.repeated,
        order: told.order.as_deref(),
        left: &told.left,
        bundles: &told.bundles,
        elsewhere: &told.elsewhere,
        not_looked: &told.not_looked,
    };
    if context.output.as_json(&shown)? {
        return Ok(exit);
    }
    let records = counted(told.records.len() as u64, "record");
    let before = forgot.before.as_deref().unwrap_or_default();
    let what = match &told.order {
        Some(order) => format!("{records} from before {before} forgotten by order {order}"),
        None if told.records.is_empty() => {
            format!("nothing from before {before} is left to be forgotten")
        }
        None => format!("{records} from before {before} would be forgotten"),
    };
    context.output.line(what)?;
    also(told, context)?;
    for line in &told.left {
        context.output.line(format_args!("  may still hold it: {}", escape::line(line)))?;
    }
    bundles(told, context)?;
    elsewhere(told, context)?;
    Ok(exit)
}

/// What is not from before: what goes all the same, and what stays though it is the same.
fn also(told: &Told, context: &mut Context) -> Result<()> {
    for (list, what) in [
        (&told.along, "of them only telling of the others, whenever that was"),
        (&told.repeated, "later records that repeat a content of these, and keep it"),
    ] {
        if let Some(first) = list.first() {
            let count = list.len();
            context.output.line(format_args!("  {what}: {count}, from @{first}"))?;
        }
    }
    Ok(())
}
