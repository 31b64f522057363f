//! The tour's steps, in order; each holds what it says or fails.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{remembered, sample, wound};
use crate::cli::run::execute;
use crate::cli::{CliError, Context, Exit, log, salvage, shown, verify};
use crate::config::RepoConfig;
use crate::event::{Outcome, Sequence};
use crate::execution::query::{LogFilter, Stores};
use crate::journal::{InitOptions, Project};
use crate::output::stream::Colour;
use crate::store::rebuild::RebuildMode;
use crate::store::{JournalFeed, store_digest};
use crate::stores::{StoreName, StorePlaces};

/// What the compiler says of the sample.
const CODE: &str = "E0425";

/// Walks through all of it in `folder`.
pub fn all(folder: &Path, context: &mut Context) -> Result<(), CliError> {
    let root = folder.join("crate");
    let io = |what| move |source| CliError::io(what, folder, source);
    context.start = root.clone();
    context.given = true;
    context.session = Some("tour".to_owned());

    title("A crate with a fault, and a recorder beside it", context)?;
    sample::write_broken(&root).map_err(io("write the crate in"))?;
    say("annals init", context)?;
    let (project, _) = Project::init(&root, &InitOptions::default())?;
    keep_inside(&project)?;

    title("A check fails, and is recorded", context)?;
    remembered::does(&["step", "begin", "mend the sum"], context)?;
    hold(check(&root, context)? != 0, "cargo check finds the fault")?;
    title("The fault is repaired, and the check passes", context)?;
    sample::repair(&root).map_err(io("repair the crate in"))?;
    hold(check(&root, context)? == 0, "cargo check passes once the fault is repaired")?;

    title("What happened", context)?;
    say("annals log", context)?;
    log::run(log::Args { number: 20, ..log::Args::default() }, context)?;
    recorded(&project)?;

    remembered::branches(context)?;
    remembered::repository(&project, context)?;

    title("One bit of a copy of the journal flips", context)?;
    damage(folder, &project, context)?;

    title("execution_log.db is deleted, and rebuilt from the journal", context)?;
    rebuild(&project, context)?;
    context.output.blank()?;
    let done = context.output.paint(Colour::Green, "Every step held.");
    Ok(context.output.line(done)?)
}

/// What the repository remembers lies beside the crate: a tour leaves nothing in anybody's home.
fn keep_inside(project: &Project) -> Result<(), CliError> {
    let path = project.config_path();
    let failed = |source| CliError::io("write the settings in", &path, source);
    let text = std::fs::read_to_string(&path).map_err(failed)?;
    let home = format!("home = {:?}", RepoConfig::default().home);
    std::fs::write(&path, text.replacen(&home, "home = \"../memory\"", 1)).map_err(failed)
}

fn check(root: &Path, context: &mut Context) -> Result<u8, CliError> {
    say("annals run -- cargo check --offline", context)?;
    let argv = ["cargo", "check", "--offline"].map(OsString::from);
    let ended = execute(&argv, None, Some(root), context)
        .map_err(|source| CliError::io("run cargo in", root, source))?;
    let code = ended.code;
    context.output.line(format_args!("(exit code {code}, as cargo's own)"))?;
    Ok(code)
}

/// Both checks are in the stores, the first with its diagnostic.
fn recorded(project: &Project) -> Result<(), CliError> {
    let stores = Stores::open(&StorePlaces::of(project.root()))?;
    let page = stores.log(&LogFilter::default())?;
    let outcomes: Vec<_> = page.executions.iter().map(|row| row.outcome).collect();
    hold(outcomes == [Some(Outcome::Failed), Some(Outcome::Ok)], "both checks are in the log")?;
    let first = page.executions.first().and_then(|row| row.diagnostic.as_deref());
    hold(first.is_some_and(|text| text.contains(CODE)), "the failure has its diagnostic")
}

/// Flips a bit of the first check's record, the one with the compiler's diagnostic.
fn damage(folder: &Path, project: &Project, context: &mut Context) -> Result<(), CliError> {
    let damaged = folder.join("damaged");
    let salvaged = folder.join("salvaged");
    let stores = Stores::open(&StorePlaces::of(project.root()))?;
    let page = stores.log(&LogFilter::default())?;
    let flipped = page.executions.first().map_or(0, |row| row.sequence);
    wound::copy_and_flip(&project.journal_dir(), &damaged, Sequence(flipped))?;
    say(&format!("annals verify {}", shown(&damaged)), context)?;
    let exit = verify::run(verify::Args { paths: vec![damaged.clone()] }, context)?;
    hold(exit == Exit::Damaged, "verify finds the flipped bit")?;
    context.output.line("(exit code 3)")?;
    let report = crate::store::verify::verify(&damaged)?;
    let named = report.findings.iter().any(|finding| {
        finding.lost.is_some_and(|(first, last)| first.0 == flipped && last.0 == flipped)
    });
    hold(named, "verify names exactly the event whose bit flipped")?;
    context.output.blank()?;
    say(&format!("annals salvage {} {}", shown(&damaged), shown(&salvaged)), context)?;
    let args = salvage::Args { from_store: false, source: damaged, destination: salvaged.clone() };
    salvage::run(args, context)?;
    let saved = crate::store::verify::verify(&salvaged)?;
    hold(saved.events == report.events, "salvage keeps every other event")?;
    hold(!saved.is_damaged(), "what was salvaged is a whole journal")
}

fn rebuild(project: &Project, context: &mut Context) -> Result<(), CliError> {
    let places = StorePlaces::of(project.root());
    let before = store_digest(&places, StoreName::ExecutionLog)?;
    let path: PathBuf = places.execution_log.clone();
    say("rm execution_log.db && annals rebuild", context)?;
    std::fs::remove_file(&path).map_err(|source| CliError::io("remove", &path, source))?;
    let feed = JournalFeed::of(project)?;
    crate::store::rebuild::rebuild(&places, &feed, &[], RebuildMode::Replace)?;
    let after = store_digest(&places, StoreName::ExecutionLog)?;
    context.output.line(format_args!("digest before   {before}"))?;
    context.output.line(format_args!("digest rebuilt  {after}"))?;
    hold(before == after, "the rebuilt store holds what the deleted one held")?;
    hold(
        crate::store::verify::verify(project.root())?.is_clean(),
        "the project's own journal is whole",
    )
}

pub(super) fn title(text: &str, context: &mut Context) -> Result<(), CliError> {
    context.output.blank()?;
    let text = context.output.paint(Colour::Bold, &format!("== {text}"));
    Ok(context.output.line(text)?)
}

pub(super) fn say(command: &str, context: &mut Context) -> Result<(), CliError> {
    let command = context.output.paint(Colour::Dim, &format!("$ {command}"));
    Ok(context.output.line(command)?)
}

pub(super) fn hold(held: bool, claim: &'static str) -> Result<(), CliError> {
    if held { Ok(()) } else { Err(CliError::Claim { claim }) }
}
