//! The tour's steps, in order; each holds what it says or fails.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::cli::memory::look;
use crate::cli::run::execute;
use crate::cli::{CliError, Context, Exit, Result, log, salvage, shown, verify};
use crate::config::RepoConfig;
use crate::event::{Outcome, Sequence};
use crate::execution::query::{Identity, LogFilter, Stores};
use crate::journal::{InitOptions, Project};
use crate::memory::query as memory;
use crate::output::stream::Colour;
use crate::repo::entry::Convention;
use crate::repo::identify;
use crate::store::StoreName;
use crate::store::rebuild::RebuildMode;
use crate::store::{JournalFeed, store_digest};

/// What the compiler says of the sample.
const CODE: &str = "E0425";

pub fn all(folder: &Path, context: &mut Context) -> Result<()> {
    let root = folder.join("crate");
    let io = |what| move |source| CliError::io(what, folder, source);
    context.start = root.clone();
    context.given = true;
    context.session = Some("tour".to_owned());

    title("A crate with a fault, and a recorder beside it", context)?;
    write_broken(&root).map_err(io("write the crate in"))?;
    say("annals init", context)?;
    let (project, _) = Project::init(&root, &InitOptions::default())?;
    keep_inside(&project)?;

    title("A check fails, and is recorded", context)?;
    does(&["step", "begin", "fix the sum"], context)?;
    hold(check(&root, context)? != 0, "cargo check finds the fault")?;
    title("The fault is repaired, and the check passes", context)?;
    repair(&root).map_err(io("repair the crate in"))?;
    hold(check(&root, context)? == 0, "cargo check passes once the fault is repaired")?;

    title("What happened", context)?;
    say("annals log", context)?;
    log::run(log::Args { number: 20, ..log::Args::default() }, context)?;
    recorded(&project)?;

    branches(context)?;
    repository(&project, context)?;

    title("One bit of a copy of the journal flips", context)?;
    damage(folder, &project, context)?;

    title("execution_log.db is deleted, and rebuilt from the journal", context)?;
    rebuild(&project, context)?;
    context.output.blank()?;
    Ok(context.output.coloured(Colour::Green, "Every step held.")?)
}

/// What the repository remembers lies beside the crate: a tour leaves nothing in anybody's home.
fn keep_inside(project: &Project) -> Result<()> {
    let path = project.config_path();
    let failed = |source| CliError::io("write the settings in", &path, source);
    let text = std::fs::read_to_string(&path).map_err(failed)?;
    let home = format!("home = {:?}", RepoConfig::default().home);
    std::fs::write(&path, text.replacen(&home, "home = \"../memory\"", 1)).map_err(failed)
}

fn check(root: &Path, context: &mut Context) -> Result<u8> {
    say("annals run -- cargo check --offline", context)?;
    let argv = ["cargo", "check", "--offline"].map(OsString::from);
    let ended = execute(&argv, None, Some(root), context)
        .map_err(|source| CliError::io("run cargo in", root, source))?;
    let code = ended.code;
    context.output.line(format_args!("(exit code {code}, as cargo's own)"))?;
    Ok(code)
}

/// Both checks are in the stores, the first with its diagnostic.
fn recorded(project: &Project) -> Result<()> {
    let stores = Stores::open(&crate::stores::places(project.root()))?;
    let page = stores.log(&LogFilter::default())?;
    let outcomes: Vec<_> = page.executions.iter().map(|row| row.outcome).collect();
    hold(outcomes == [Some(Outcome::Failed), Some(Outcome::Ok)], "both checks are in the log")?;
    let first = page.executions.first().and_then(|row| row.diagnostic.as_deref());
    hold(first.is_some_and(|text| text.contains(CODE)), "the failure has its diagnostic")
}

/// Flips a bit of the first check's record, the one with the compiler's diagnostic.
fn damage(folder: &Path, project: &Project, context: &mut Context) -> Result<()> {
    let damaged = folder.join("damaged");
    let salvaged = folder.join("salvaged");
    let stores = Stores::open(&crate::stores::places(project.root()))?;
    let page = stores.log(&LogFilter::default())?;
    let flipped = page.executions.first().map_or(0, |row| row.sequence);
    copy_and_flip(&project.journal_dir(), &damaged, Sequence(flipped))?;
    say(&format!("annals verify {}", shown(&damaged)), context)?;
    let exit = verify::run(
        verify::Args { paths: vec![damaged.clone()], ..verify::Args::default() },
        context,
    )?;
    hold(exit == Exit::Damaged, "verify finds the flipped bit")?;
    context.output.line("(exit code 3)")?;
    let report = crate::stores::source::verify(&damaged)?;
    let named = report.findings.iter().any(|finding| {
        finding.lost.is_some_and(|(first, last)| first.0 == flipped && last.0 == flipped)
    });
    hold(named, "verify names exactly the event whose bit flipped")?;
    context.output.blank()?;
    say(&format!("annals salvage {} {}", shown(&damaged), shown(&salvaged)), context)?;
    let args = salvage::Args { from_store: false, source: damaged, destination: salvaged.clone() };
    salvage::run(args, context)?;
    let saved = crate::stores::source::verify(&salvaged)?;
    hold(saved.events == report.events, "salvage keeps every other event")?;
    hold(!saved.is_damaged(), "what was salvaged is a whole journal")
}

fn rebuild(project: &Project, context: &mut Context) -> Result<()> {
    let places = crate::stores::places(project.root());
    let before = store_digest(&places, StoreName::EXECUTION_LOG)?;
    let path: PathBuf = places.execution_log().to_owned();
    say("rm execution_log.db && annals rebuild", context)?;
    std::fs::remove_file(&path).map_err(|source| CliError::io("remove", &path, source))?;
    let feed = JournalFeed::of(project)?;
    crate::store::rebuild::rebuild(&places, &feed, &[], RebuildMode::Replace)?;
    let after = store_digest(&places, StoreName::EXECUTION_LOG)?;
    context.output.line(format_args!("digest before   {before}"))?;
    context.output.line(format_args!("digest rebuilt  {after}"))?;
    hold(before == after, "the rebuilt store holds what the deleted one held")?;
    hold(
        crate::stores::source::verify(project.root())?.is_clean(),
        "the project's own journal is whole",
    )
}

pub(super) fn title(text: &str, context: &mut Context) -> Result<()> {
    context.output.blank()?;
    Ok(context.output.coloured(Colour::Bold, format_args!("== {text}"))?)
}

pub(super) fn say(command: &str, context: &mut Context) -> Result<()> {
    Ok(context.output.coloured(Colour::Dim, format_args!("$ {command}"))?)
}

pub(super) fn hold(held: bool, claim: &'static str) -> Result<()> {
    if held { Ok(()) } else { Err(CliError::Claim { claim }) }
}

/// What the parent branch holds, and what the child makes of it.
const GOAL: &str = "every check passes";
const TRIED: &str = "rename totl to total";

/// A branch sees its parent's, and changes nothing of it.
pub fn branches(context: &mut Context) -> Result<()> {
    title("What an agent remembers, in branches", context)?;
    for words in [
        &["memory", "fork", "main"][..],
        &["memory", "set", "main", "goal", GOAL],
        &["memory", "fork", "try-1", "--from", "main"],
        &["memory", "set", "try-1", "goal", TRIED],
        &["memory", "get", "try-1", "goal"],
        &["memory", "get", "main", "goal"],
    ] {
        does(words, context)?;
    }
    hold(goal("main", context)? == [GOAL], "a branch changes nothing of its parent")?;
    hold(goal("try-1", context)? == [TRIED], "a branch has its own value")
}

/// The step leaves its summary; with what holds here it is what the next agent begins with.
pub fn repository(project: &Project, context: &mut Context) -> Result<()> {
    title("What the repository keeps, and what the next agent is given", context)?;
    for words in [
        &["step", "end"][..],
        &["repo", "convention", "add", "Names", "No letter is left out of a name."],
        &["context"],
    ] {
        does(words, context)?;
    }
    let repo = identify(project.tree())?.hash;
    let index = Identity::open(crate::stores::places(project.root()).index())?;
    let summaries = index.repos().summaries(repo, 2)?;
    let kept = index.repos().list::<Convention>(repo)?;
    hold(summaries.len() == 1, "a step leaves its summary")?;
    hold(kept.len() == 1, "the repository has its convention")
}

/// What a branch sees of the goal.
fn goal(branch: &str, context: &mut Context) -> Result<Vec<String>> {
    let seen = look::branch(branch, context, |one, branch| {
        let seen = memory::core(&one.view, branch, one.now_ms)?;
        Ok(seen.into_values().filter(|it| it.key == "goal").map(|it| it.value).collect::<Vec<_>>())
    })?;
    Ok(seen.into_iter().flatten().collect())
}

/// Says a command and does it.
pub fn does(words: &[&str], context: &mut Context) -> Result<()> {
    let quoted: Vec<String> = words
        .iter()
        .map(|word| match word.contains(' ') {
            true => format!("{word:?}"),
            false => (*word).to_owned(),
        })
        .collect();
    say(&format!("annals {}", quoted.join(" ")), context)?;
    let exit = crate::cli::execute(words, context)?;
    hold(exit == Exit::Fine, "what the tour does is done")
}

/// From the beginning of a frame, a byte of its payload: beyond header and salt.
const INTO_PAYLOAD_BYTES: u64 = 64;

/// Copies a journal's segments and flips one bit of an event's payload in the copy.
pub fn copy_and_flip(journal: &Path, copy: &Path, at: Sequence) -> Result<()> {
    std::fs::create_dir_all(copy).map_err(|source| CliError::io("make", copy, source))?;
    let failed = |source| CliError::io("copy", journal, source);
    for entry in std::fs::read_dir(journal).map_err(failed)? {
        let from = entry.map_err(failed)?.path();
        if from.extension().is_some_and(|extension| extension == "seg") {
            std::fs::copy(&from, copy.join(from.file_name().unwrap_or_default()))
                .map_err(failed)?;
        }
    }
    let place = crate::journal::reader::place(copy, at)?
        .ok_or(CliError::Claim { claim: "the copy holds the event that is to be damaged" })?;
    flip(&place.path, place.offset + INTO_PAYLOAD_BYTES)
        .map_err(|source| CliError::io("damage", &place.path, source))
}

fn flip(path: &Path, offset: u64) -> std::io::Result<()> {
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut byte = [0];
    file.read_exact_at(&mut byte, offset)?;
    file.write_all_at(&[byte[0] ^ 1], offset)
}

/// The broken line; rustc says E0425 of `totl`.
const BROKEN: &str = "    std::process::exit(totl);\n";
const REPAIRED: &str = "    std::process::exit(total);\n";

/// Its own workspace: whatever folder it lies in is not asked.
const MANIFEST: &str = "\
[package]
name = \"tour\"
version = \"0.1.0\"
edition = \"2021\"

[workspace]
";

pub fn write_broken(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder.join("src"))?;
    std::fs::write(folder.join("Cargo.toml"), MANIFEST)?;
    write_main(folder, BROKEN)
}

pub fn repair(folder: &Path) -> io::Result<()> {
    write_main(folder, REPAIRED)
}

fn write_main(folder: &Path, line: &str) -> io::Result<()> {
    let text = format!("fn main() {{\n    let total: i32 = [1, -1].iter().sum();\n{line}}}\n");
    std::fs::write(folder.join("src/main.rs"), text)
}
