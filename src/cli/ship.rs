//! `annals ship`: sends journals to a folder or bucket.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::{CliError, Context, Exit, Result, catch_up, counted, exported_tables, shown, written};
use crate::fleet::{Sent, Ship};
use crate::journal::archive::reach;
use crate::journal::trust::{user_config, waiting};
use crate::journal::{Project, ProjectError, Reading, Source, clock};
use crate::output::time;
use crate::stores::exported::EXPORTED;

/// Send journals to a folder or bucket that many machines send to
///
/// Ends the newest segment where it is due (`annals seal`), writes the tables that engines read (`annals export parquet`, in a
/// build with `parquet`), sends copies of sealed segments with the tiles of the tree, the last checkpoint, and at last a
/// state that says so: `annals fleet status` tells of all machines. Only what is new is sent; what was killed goes on. For cron
/// or the end of a CI job: no agent waits for it. docs/fleet.md has the layout.
///
/// Where `[ship]` in `~/.config/annals/config.toml` names where `to`, the end of an agent's session notes that its project
/// waits; `--waiting` sends those.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The folder, made where there is none, or s3://BUCKET/PREFIX [default: `to` under [ship] in the settings]
    #[arg(long, value_name = "DIR|URL")]
    pub to: Option<PathBuf>,
    /// Every project in which a session ended since it was sent
    #[arg(long)]
    pub waiting: bool,
    /// Seal a segment whose first record is older: an age (1d), or `never` [default: the settings', else 1d]
    #[arg(long, value_name = "AGE")]
    pub seal_after: Option<String>,
    /// Look at every byte that lies there, and make anew what is not as it should be
    #[arg(long)]
    pub anew: bool,
    /// How long a bucket is asked again that is away or busy, later each time; seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub within: u64,
}

/// How long a project that is not there is waited for.
const GONE_MS_MAX: u64 = 30 * 86_400_000;

#[derive(Serialize)]
struct Done {
    root: String,
    journal: String,
    machine: String,
    through: u64,
    /// The event that the tables go to; `null` where none were ever written.
    tables: Option<u64>,
    /// Segments that lie there, and those of them that were sent now.
    segments: u64,
    sent: u64,
    findings: BTreeMap<String, u64>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    if context.evidence {
        let what = "--evidence reads, and this command writes";
        return Err(CliError::Refused { what });
    }
    let settings = user_config().map_err(ProjectError::Config)?.ship;
    let to = args.to.clone().or_else(|| settings.to.as_ref().map(PathBuf::from));
    let Some(to) = to.filter(|it| !it.as_os_str().is_empty()) else {
        let what = "nobody said where to: --to DIR|URL, or `to` under [ship] in ~/.config/annals/config.toml";
        return Err(CliError::Refused { what });
    };
    if args.to.is_none() && !to.is_absolute() && !to.to_string_lossy().contains("://") {
        let what = "`to` under [ship] in ~/.config/annals/config.toml is of every project: name a whole path";
        return Err(CliError::Refused { what });
    }
    let now_ms = clock::now_ms();
    let seal_before_ms = match args.seal_after.as_deref() {
        Some("never") => 0,
        Some(age) => time::parse(age, now_ms, &context.zone)?,
        None => now_ms.saturating_sub(settings.seal_after_s.saturating_mul(1_000)),
    };
    let patience = Duration::from_secs(args.within);
    let how = How { to: &to, seal_before_ms, patience, anew: args.anew };
    let (sources, mut exit) = sources(args.waiting, context)?;
    let (several, mut all) = (sources.len() > 1, Vec::new());
    for (source, waits) in sources {
        match one(&source, &how, several, context) {
            Ok(done) => {
                if let Some(waits) = &waits {
                    waits.take().map_err(|error| CliError::io("forget", &waits.root, error))?;
                }
                exit = exit.worse(match (done.is_the_seen, done.state.damaged) {
                    (false, _) => Exit::Contradicted,
                    (true, true) => Exit::Damaged,
                    (true, false) => Exit::Fine,
                });
                all.push((source, done));
            }
            Err(error) => {
                if !several && waits.is_none() {
                    return Err(error);
                }
                // One journal keeps none of the others back.
                exit = exit.worse(context.left_out(shown(&source.given), &error));
            }
        }
    }
    let done: Vec<_> = all.iter().map(|(source, sent)| told(source, sent)).collect();
    if context.output.as_json_list(&done)? {
        return Ok(exit);
    }
    for (it, (source, sent)) in done.iter().zip(&all) {
        let tables = match it.tables {
            _ if sent.state.damaged || !sent.is_the_seen => "nothing but its state".to_owned(),
            Some(through) => format!("tables through @{through}"),
            None => "no tables (a build with `parquet` writes them)".to_owned(),
        };
        let (segments, sent) = (counted(it.segments, "segment"), it.sent);
        context.output.line(format_args!(
            "{}: through @{}, {tables}, {segments} of which {sent} new",
            shown(&source.given),
            it.through
        ))?;
        for (kind, count) in &it.findings {
            context.output.line(format_args!("  {count} × {kind}"))?;
        }
    }
    if done.is_empty() && exit == Exit::Fine {
        context.output.line("Nothing waits.")?;
    } else {
        let to = shown(&to);
        context.output.line(format_args!("Next: annals fleet status {to}"))?;
    }
    Ok(exit)
}

fn told(source: &Source, Sent { state, segments, .. }: &Sent) -> Done {
    Done {
        root: source.given.to_string_lossy().into_owned(),
        journal: state.journal.clone(),
        machine: state.machine.clone(),
        through: state.through,
        tables: state.tables,
        segments: state.segments.len() as u64,
        sent: *segments,
        findings: state.findings.clone(),
    }
}

/// The projects that are to be sent, and of each how it waits.
fn sources(
    waiting: bool,
    context: &mut Context,
) -> Result<(Vec<(Source, Option<waiting::Waiting>)>, Exit)> {
    if !waiting {
        if context.others.is_empty() {
            return Ok((context.sources()?.into_iter().map(|it| (it, None)).collect(), Exit::Fine));
        }
        // One that is none keeps none of the others back.
        let (mut sources, mut exit) = (Vec::new(), Exit::Fine);
        for path in context.named()? {
            match Source::of(&path) {
                Ok(source) => sources.push((source, None)),
                Err(error) => exit = exit.worse(context.left_out(shown(&path), &error.into())),
            }
        }
        return Ok((sources, exit));
    }
    if context.given {
        return Err(CliError::Refused { what: "--waiting names the projects: leave --dir away" });
    }
    let folder = Path::new("the projects that wait");
    let all = waiting::all().map_err(|error| CliError::io("list", folder, error))?;
    let (mut sources, mut exit) = (Vec::new(), Exit::Fine);
    for waits in all {
        match Source::of(&waits.root) {
            Ok(source) => sources.push((source, Some(waits))),
            Err(error) => {
                let root = shown(&waits.root);
                let is_old = waits.since_ms < clock::now_ms().saturating_sub(GONE_MS_MAX);
                let then = if is_old { "it waits no more" } else { "it waits on for 30 days" };
                context.output.note(format_args!("{root} cannot be sent, {then}: {error}"));
                if is_old {
                    waits.take().map_err(|error| CliError::io("forget", &waits.root, error))?;
                }
                exit = Exit::Findings;
            }
        }
    }
    Ok((sources, exit))
}

struct How<'a> {
    to: &'a Path,
    seal_before_ms: u64,
    patience: Duration,
    anew: bool,
}

fn one(source: &Source, how: &How<'_>, several: bool, context: &mut Context) -> Result<Sent> {
    let Some(root) = source.root.as_deref() else {
        let what = "a journal alone is read, never sent: name its project";
        return Err(CliError::Refused { what });
    };
    let project = Project::open(root)?;
    project.must_be_believed()?;
    reach();
    written::remember(std::slice::from_ref(source), "ship", how.to, context);
    let ship = Ship::begin(&project, how.to, how.patience, how.anew)?;
    let (dir, cache) = (project.journal_dir(), &context.cache);
    let found = crate::store::verify::audit(Some(source), &dir, Reading::Live, cache)?;
    if found.is_damaged() || project.must_contain_seen().is_err() {
        return Ok(ship.finish(&found, BTreeMap::new(), None)?);
    }
    ship.seal(how.seal_before_ms)?;
    let opened = catch_up::open(source, several, context)?;
    // A build that writes no tables makes none.
    let made = if cfg!(feature = "parquet") { EXPORTED } else { &[] };
    let (tables, findings) = ship.tables(&exported_tables::journal(&opened, made)?)?;
    drop(opened);
    Ok(ship.finish(&found, findings, tables)?)
}
