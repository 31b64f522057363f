//! `annals fleet verify` and `annals fleet pull`.

use std::path::PathBuf;

use super::super::check_proof::believed;
use super::super::{CliError, Context, Exit, Result, counted, shown, written};
use super::{NOTHING_THERE, standing};
use crate::event::wire::unhex;
use crate::fleet::{FleetError, Standing, bring, verify as check};
use crate::output::escape;

#[derive(clap::Args, Debug)]
pub struct Verify {
    /// The folder, or s3://BUCKET/PREFIX
    #[arg(value_name = "DIR|URL")]
    from: PathBuf,
    /// Only these journals, by how their ids begin; repeats
    #[arg(long, value_name = "JOURNAL")]
    journal: Vec<String>,
    /// Only every Nth journal, from the Kth on
    #[arg(long, value_name = "K/N", value_parser = part)]
    part: Option<(usize, usize)>,
    /// A public key that must have signed the checkpoint, as `annals key show` prints it; repeats [default: your own]
    #[arg(long, value_name = "LINE")]
    key: Vec<String>,
}

#[derive(clap::Args, Debug)]
pub struct Pull {
    /// The folder, or s3://BUCKET/PREFIX
    #[arg(value_name = "DIR|URL")]
    from: PathBuf,
    /// Which journal, by how its id begins
    #[arg(value_name = "JOURNAL")]
    journal: String,
    /// Where to: a new folder
    #[arg(value_name = "INTO")]
    into: PathBuf,
}

fn part(text: &str) -> Result<(usize, usize), String> {
    let parsed = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?))); // told below
    let is_part = |&(k, n): &(usize, usize)| (1..=n).contains(&k);
    parsed
        .filter(is_part)
        .ok_or_else(|| format!("{text:?} is no part: 3/16 is the third of sixteen"))
}

pub fn verify(args: Verify, context: &mut Context) -> Result<Exit> {
    let keys = believed(&args.key)?;
    let (all, mut exit) = standing(&args.from, context)?;
    let all = all.into_iter().filter(|it| !it.is_fork);
    let begins =
        |it: &Standing| args.journal.iter().any(|asked| it.state.journal.starts_with(asked));
    let asked: Vec<_> = all.filter(|it| args.journal.is_empty() || begins(it)).collect();
    if let Some(none) = args
        .journal
        .iter()
        .find(|journal| asked.iter().all(|it| !it.state.journal.starts_with(journal.as_str())))
    {
        return Err(FleetError::NoJournal { journal: none.clone() }.into());
    }
    if asked.is_empty() {
        return Err(NOTHING_THERE);
    }
    let (first, step) = args.part.map_or((0, 1), |(k, n)| (k - 1, n));
    let (mut checked, mut unread) = (Vec::new(), 0);
    for it in asked.iter().skip(first).step_by(step) {
        match check(&args.from, &it.state, &keys, !args.key.is_empty()) {
            Ok(one) => {
                exit = exit.worse(match (one.holds, &*one.beyond) {
                    (false, _) => Exit::Damaged,
                    (true, []) => Exit::Fine,
                    (true, _) => Exit::Findings,
                });
                checked.push(one);
            }
            // One journal keeps none of the others back.
            Err(error) => {
                let journal = &it.state.journal;
                exit = exit.worse(context.left_out(journal, &error.into()));
                unread += 1;
            }
        }
    }
    if context.output.as_json_list(&checked)? {
        return Ok(exit);
    }
    for it in &checked {
        let (segments, events) = (counted(it.segments, "segment"), counted(it.events, "event"));
        let (machine, journal) = (escape::line(&it.machine), &it.journal[..8]);
        let holds = match (it.holds, it.segments, it.checkpoint, it.signed) {
            (false, ..) => "does not hold",
            (true, 0, ..) => "nothing to verify",
            (true, _, Some("contains"), Some(true)) => "holds, and the signed checkpoint",
            (true, _, Some("contains"), Some(false)) => {
                "holds, and the checkpoint, which none of your keys signed"
            }
            (true, _, Some("contains"), None) => "holds, and the checkpoint (no key was given)",
            (true, ..) => "holds",
        };
        let line =
            format!("{machine} {journal}: {holds}: {segments}, {events}, up to @{}", it.through);
        context.output.line(line)?;
        for what in &it.findings {
            context.output.line(format_args!("  {}", escape::line(what)))?;
        }
        for what in &it.beyond {
            let what = escape::line(what);
            context.output.line(format_args!(
                "  {what}: it was put back, or a sending is under way or was cut"
            ))?;
        }
    }
    if exit == Exit::Damaged {
        context
            .output
            .line("Next: annals ship --anew on the machine whose it is sends it again")?;
    }
    let bad = checked.iter().filter(|it| !it.holds).count();
    let journals = counted(checked.len() as u64, "journal");
    let unread = match unread {
        0 => String::new(),
        count => format!(", and {count} that could not be verified"),
    };
    context.output.line(format_args!("{journals}, {bad} of which do not hold{unread}"))?;
    Ok(exit)
}

pub fn pull(args: Pull, context: &mut Context) -> Result<Exit> {
    let (all, _) = standing(&args.from, context)?;
    let mut found =
        all.into_iter().filter(|it| !it.is_fork && it.state.journal.starts_with(&args.journal));
    let no_journal = || FleetError::NoJournal { journal: args.journal.clone() };
    let it = found.next().ok_or_else(no_journal)?;
    if found.next().is_some() {
        return Err(CliError::Refused { what: "several journals begin so: name more of its id" });
    }
    let is_empty = || std::fs::read_dir(&args.into).is_ok_and(|mut it| it.next().is_none());
    let is_link = args.into.is_symlink();
    if is_link || args.into.exists() && !is_empty() {
        return Err(CliError::NotEmpty { path: args.into });
    }
    if it.state.segments.is_empty() {
        return Err(CliError::Refused {
            what: "no segment of it was sealed yet: its tables are all there is (annals ship --seal-after 0s sends one)",
        });
    }
    if let Some(journal) = unhex(&it.state.journal) {
        written::note(&journal, "copy", &args.into, context);
    }
    bring(&args.from, &it.state, &args.into)?;
    let (into, segments) = (shown(&args.into), counted(it.state.segments.len() as u64, "segment"));
    let through = it.state.segments.last().map_or(0, |it| it.last);
    context
        .output
        .line(format_args!("{into}: {segments}, up to @{through} of @{}", it.state.through))?;
    Ok(context
        .output
        .line(format_args!("Next: annals --dir {into} --evidence log"))
        .map(|()| Exit::Fine)?)
}
