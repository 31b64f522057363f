//! `annals repo sync`: what several machines of one person remember of a repository.

use std::collections::HashSet;
use std::path::PathBuf;

use serde::Serialize;

use super::files::said;
use crate::cli::recorded::settled;
use crate::cli::{CliError, Context, Exit, Result, catch_up, counted, shown, with_causes, written};
use crate::debug::DebugWriter;
use crate::debug::query::DebugFilter;
use crate::event::wire::hex_text;
use crate::event::{DebugDocument, DebugStatus, Sequence};
use crate::execution::live_recorder;
use crate::fleet::{
    Learnt, Offer, Offered, OfferedAs, Shared, offers, others, publish, remote_name,
};
use crate::journal::archive::{Target, reach};
use crate::journal::project::home::machine_label;
use crate::journal::trust::user_config;
use crate::journal::{Project, ProjectError, clock};
use crate::output::escape;
use crate::repo::RepoWriter;
use crate::repo::files::EntryChange;
use crate::repo::query::RepoMemory;

/// Sessions that are shared at most, those that changed last first.
const LEARNT_MAX: usize = 2_000;

/// Share a repository's memory, and what was learnt there, with your other machines
///
/// Writes this machine's conventions, decisions, notes and learnt fixes (passed debug sessions) to a folder or bucket, in a file of
/// its own, and shows what the others have there that this one has not. Nothing is taken over unasked: `--adopt` takes what is
/// new; what differs, and what was removed here, only by its id. A repository is the same by its remote, however each
/// machine reaches it, and its branch.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The folder, or s3://BUCKET/PREFIX [default: `to` under [ship] in the settings]
    #[arg(value_name = "DIR|URL")]
    to: Option<PathBuf>,
    /// Take over what is new
    #[arg(long)]
    adopt: bool,
    /// Take over this entry or debug session as another machine has it, also over what is here; repeats
    #[arg(long, value_name = "ID")]
    theirs: Vec<String>,
    /// What the repository is called there, instead of its remote and branch
    #[arg(long, value_name = "NAME")]
    called: Option<String>,
    /// Only show what would be done
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Done {
    name: String,
    others: Vec<Offer>,
    /// Entries and debug sessions that were taken over, or would be.
    taken: usize,
    /// What is left to be decided: what differs, or was removed here.
    left: usize,
    /// The event that tells of the last of them.
    sequence: Option<Sequence>,
    /// What this machine shares is another by now, and was written.
    shared: bool,
    unread: Vec<String>,
}

pub fn run(args: Args, repo: Option<&str>, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    project.must_be_believed()?;
    let settings = user_config().map_err(ProjectError::Config)?.ship.to;
    let Some(to) = args.to.clone().or_else(|| settings.map(PathBuf::from)) else {
        let what = "nobody said where: name a folder or s3://BUCKET/PREFIX";
        return Err(CliError::Refused { what });
    };
    reach();
    written::remember(&context.sources()?, "sync", &to, context);
    catch_up::catch_up(&project, context);
    let target = Target::of(&to, None)?;
    let own = memory(&project, repo, context)?;
    let name = match (&args.called, &own.remote) {
        (Some(called), _) => called.clone(),
        (None, Some(remote)) => {
            format!("{} {}", remote_name(remote), own.branch.as_deref().unwrap_or_default())
        }
        (None, None) => {
            let what = "the repository has no remote, so that nobody can tell it on another machine: --called NAME";
            return Err(CliError::Refused { what });
        }
    };
    let reader = project.reader()?;
    let journal = hex_text(&reader.id());
    let (others, unread) = others(&target, &name, &journal)?;
    for (path, error) in &unread {
        context.output.note(format_args!("{}: left out: {}", shown(path), with_causes(error)));
    }
    let offers = {
        let stores = catch_up::stores(&project, context)?;
        let debug = stores.debug();
        offers(&own, others, &reader, |session| {
            let asked = debug.document(session);
            asked.map_err(|error| crate::fleet::FleetError::Asked { message: error.to_string() })
        })?
    };
    for asked in &args.theirs {
        let of_entry = |it: &Offered| it.change.id == *asked;
        let has = |it: &Offer| {
            it.entries.iter().any(of_entry) || it.learnt.iter().any(|it| it.session == *asked)
        };
        if !offers.iter().any(has) {
            return Err(CliError::Field {
                field: format!("--theirs {asked}"),
                may: "what is listed".to_owned(),
            });
        }
    }
    let is_taken = |standing: OfferedAs, id: &str| {
        args.adopt && standing == OfferedAs::New || args.theirs.iter().any(|it| it == id)
    };
    let entries: Vec<EntryChange> = once(offers.iter().flat_map(|it| &it.entries), |it| {
        let name = || format!("{} {}", it.change.kind.as_str(), it.change.id);
        is_taken(it.standing, &it.change.id).then(|| (name(), it.change.clone()))
    });
    let learnt: Vec<&Learnt> = once(offers.iter().flat_map(|it| &it.learnt), |it| {
        is_taken(it.standing, &it.session).then_some((it.session.clone(), it))
    });
    // What there is to be decided on yet: new, and the rest.
    let is_open = |standing, id: &str| args.dry_run || !is_taken(standing, id);
    let (mut new, mut left) = (0, 0);
    for it in &offers {
        let entries = it.entries.iter().map(|it| (it.standing, it.change.id.as_str()));
        let learnt = it.learnt.iter().map(|it| (it.standing, it.session.as_str()));
        for (standing, _) in entries.chain(learnt).filter(|(standing, id)| is_open(*standing, id)) {
            match standing {
                OfferedAs::New => new += 1,
                OfferedAs::Differs | OfferedAs::RemovedHere => left += 1,
            }
        }
    }
    let taken = entries.len() + learnt.len();
    let sequence = match args.dry_run || taken == 0 {
        true => None,
        false => take(&project, repo, entries, &learnt, context)?,
    };
    let shared = match args.dry_run {
        true => false,
        false => {
            let own = memory(&project, repo, context)?;
            let documents = documents(&project, context)?;
            let machine = reader.created().map_or_else(machine_label, |it| it.machine);
            let by = (journal, machine, clock::now_ms());
            let reader = project.reader()?;
            let shared = Shared::new(by, reader.mark(), name.clone(), &own, &documents);
            publish(&target, &shared, &reader)?
        }
    };
    let unread = unread.into_iter().map(|(path, _)| path.to_string_lossy().into_owned()).collect();
    let done = Done { name, others: offers, taken, left, sequence, shared, unread };
    print(&done, new, &to, &args, context)
}

/// Each once, by what it is called.
fn once<'a, T: 'a, U>(
    all: impl Iterator<Item = &'a T>,
    pick: impl Fn(&'a T) -> Option<(String, U)>,
) -> Vec<U> {
    let mut seen = HashSet::new();
    all.filter_map(pick).filter_map(|(id, it)| seen.insert(id).then_some(it)).collect()
}

fn memory(project: &Project, repo: Option<&str>, context: &Context) -> Result<RepoMemory> {
    let mut recorder = live_recorder(project);
    let writer = RepoWriter::new(project, &mut recorder, context.named_session());
    let repo = repo.map(|prefix| writer.find(prefix)).transpose()?;
    Ok(RepoMemory { inherited: Vec::new(), ..writer.memory(repo)? })
}

/// The debug sessions that passed, from which something was learnt.
fn documents(project: &Project, context: &Context) -> Result<Vec<DebugDocument>> {
    let stores = catch_up::stores(project, context)?;
    let debug = stores.debug();
    let filter = DebugFilter {
        limit: LEARNT_MAX,
        status: Some(DebugStatus::Passed),
        ..DebugFilter::default()
    };
    let mut documents = Vec::new();
    for session in debug.list(&filter)?.iter().filter(|it| it.patterns > 0) {
        documents.extend(debug.document(session.id)?);
    }
    documents.sort_by(|one, other| one.session_id.cmp(&other.session_id));
    Ok(documents)
}

fn take(
    project: &Project,
    repo: Option<&str>,
    entries: Vec<EntryChange>,
    learnt: &[&Learnt],
    context: &mut Context,
) -> Result<Option<Sequence>> {
    let session = context.named_session();
    let mut last = None;
    if !entries.is_empty() {
        let mut recorder = live_recorder(project);
        let mut writer = RepoWriter::new(project, &mut recorder, session);
        let repo = repo.map(|prefix| writer.find(prefix)).transpose()?;
        last = writer.take(repo, entries)?;
    }
    if !learnt.is_empty() {
        let documents: Vec<_> = learnt.iter().map(|it| &it.document).collect();
        // JSON that was read.
        let bytes = serde_json::to_vec(&documents).unwrap_or_default();
        let mut recorder = live_recorder(project);
        let mut writer = DebugWriter::new(project, &mut recorder, session);
        last = writer.import("what was shared", &bytes, true)?.sequence.or(last);
    }
    settled(project, context)?;
    Ok(last)
}

fn print(
    done: &Done,
    new: usize,
    to: &std::path::Path,
    args: &Args,
    context: &mut Context,
) -> Result<Exit> {
    let is_open = done.left > 0 && (args.adopt || !args.theirs.is_empty());
    let exit = match done.unread.is_empty() && !is_open {
        true => Exit::Fine,
        false => Exit::Findings,
    };
    if context.output.as_json(done)? {
        return Ok(exit);
    }
    let machines = counted(done.others.len() as u64, "other machine");
    context.output.line(format_args!("{}: {machines}", escape::line(&done.name)))?;
    for offer in &done.others {
        for it in &offer.entries {
            let sign = sign(it.standing);
            let change = &it.change;
            let text = change.is.as_ref().map(said).unwrap_or_default();
            let here = match (it.standing, change.was.as_ref().map(said)) {
                (OfferedAs::RemovedHere, _) => " (removed here)".to_owned(),
                (_, Some(was)) => format!(" (here: {was})"),
                _ => String::new(),
            };
            let (host, kind, id) = (&offer.host, change.kind.as_str(), &change.id);
            let line = format!("{sign} {kind} {id}, {host}: {text}{here}");
            context.output.line(escape::line(&line))?;
        }
        for it in &offer.learnt {
            let (sign, host, patterns) = (sign(it.standing), &offer.host, it.patterns.join(", "));
            let line =
                format!("{sign} learnt {}, {host}: {}: {patterns}", it.session, it.file_path);
            context.output.line(escape::line(&line))?;
        }
    }
    let taken = match (args.dry_run, done.taken) {
        (_, 0) => None,
        (true, taken) => Some(format!("{taken} would be taken over; nothing was recorded")),
        (false, taken) => Some(format!(
            "Took over {taken}{}",
            done.sequence.map(|at| format!(" (@{})", at.0)).unwrap_or_default()
        )),
    };
    if let Some(taken) = taken {
        context.output.line(taken)?;
    }
    if done.shared {
        context.output.line("What this machine remembers is there for the others.")?;
    }
    let to = shown(to);
    if new > 0 && !args.adopt {
        context
            .output
            .line(format_args!("Next: annals repo sync {to} --adopt takes over what is new (+)"))?;
    }
    if done.left > 0 {
        context.output.line(format_args!(
            "Next: annals repo sync {to} --theirs ID takes over one that differs (~) or was removed here (-)"
        ))?;
    }
    Ok(exit)
}

fn sign(standing: OfferedAs) -> char {
    match standing {
        OfferedAs::New => '+',
        OfferedAs::Differs => '~',
        OfferedAs::RemovedHere => '-',
    }
}
