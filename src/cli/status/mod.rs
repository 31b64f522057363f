//! `annals status`: how the journal and the stores stand, and what to run next.

mod gather;
mod print;
mod repos;

use std::path::Path;

use super::{CliError, Context, Exit, catch_up, damage};
use crate::agents::import::transcript_calls;
use crate::agents::settings::{Agent, Home, Place, SettingsFile, standing};
use crate::cli::{import, quote, with_causes};
use crate::execution::query::Stores;
use crate::journal::{FOLDER, HookLog, Project, Reading};
use crate::output::{time, wire};
use crate::store::JournalHealth;
use crate::store::look::Depth;
use crate::stores::StorePlaces;
use crate::stores::repair::{UnseenCalls, unseen_calls};

/// How the journal and the stores stand, and what to run next
///
/// Of each agent: whether its hooks are installed and when one last fired, how many calls of its
/// transcripts are on record, what the gate denied, and what ran although it was denied.
///
/// Of a copy: whether the stores that lie in it hold what its journal says. The exit code is 1 where
/// a store lags or was found broken, something is wrong or a loss is recorded, 3 where the journal is damaged: every byte
/// that changed since it was last looked at is read, and a store that another program changed is held
/// against the journal.
#[derive(clap::Args, Debug, Default)]
pub struct Args {
    /// Digest the stores' content too: equal digests, equal content
    #[arg(long)]
    pub digest: bool,
    /// Hold every transcript of an agent against the journal, not only the newest ones
    #[arg(long)]
    pub coverage: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let sources = context.sources()?;
    let several = sources.len() > 1;
    let (mut list, mut exit) = (Vec::new(), Exit::Fine);
    for (source, name) in sources.iter().zip(catch_up::names(&sources)) {
        let mut look = damage::look_whole(source, context);
        let (mut status, found) = match source.reading(context.evidence) {
            Reading::Live if context.at.is_none() => {
                catch_up::settle_doubts(source, Depth::Whole, context);
                catch_up::catch_up_source(source, context)?;
                // That opens the journal, which may have mended it.
                look.is_mendable = look.is_mendable && damage::is_mendable(source, context);
                gather::live(source, &args, &look, context)?
            }
            _ => {
                let opened = catch_up::open(source, several, context);
                gather::built(source, opened, &args, &look, context)?
            }
        };
        let root = source.root.as_deref().unwrap_or(&source.given);
        let was_broken = context.contradiction.was_broken(root);
        status.fine &= !was_broken;
        exit = exit.worse(found).worse(if was_broken { Exit::Findings } else { Exit::Fine });
        status.next = status.next.replacen("annals verify", &damage::verifying(source, context), 1);
        status.name = several.then_some(name);
        list.push(status);
    }
    match list.as_slice() {
        [status] if context.output.is_json() => context.output.json(status)?,
        list if context.output.is_json() => context.output.json_list(list)?,
        list => {
            for (at, status) in list.iter().enumerate() {
                if at > 0 {
                    context.output.blank()?;
                }
                print::status(status, &mut context.output)?;
            }
        }
    }
    Ok(exit)
}

/// What was looked at, not yet put together.
pub struct Looked {
    pub journal: JournalHealth,
    pub stores: Vec<wire::Store>,
    pub counts: Option<wire::Counts>,
    /// Open calls that a repair would close.
    pub left_open: u64,
    pub unseen: Vec<wire::Unseen>,
    pub anomalies: Vec<wire::Anomaly>,
    pub losses: Vec<wire::Anomaly>,
    pub found: Vec<wire::FoundStore>,
    pub in_the_way: Vec<String>,
    pub agents: Vec<wire::Agent>,
}

impl Looked {
    /// What is known where only the journal was looked at.
    pub fn of(journal: JournalHealth) -> Self {
        let (stores, found, agents) = (Vec::new(), Vec::new(), Vec::new());
        let (anomalies, losses, in_the_way) = (Vec::new(), Vec::new(), Vec::new());
        let (counts, left_open, unseen) = (None, 0, Vec::new());
        Self {
            journal,
            stores,
            counts,
            left_open,
            unseen,
            anomalies,
            losses,
            found,
            in_the_way,
            agents,
        }
    }
}

/// Sessions with such calls; none where the index cannot be asked, which its own line tells.
pub fn rows(owners: &Path, places: &StorePlaces) -> Vec<wire::Unseen> {
    unseen_calls(owners, places).unwrap_or_default().into_iter().map(row).collect()
}

fn row(found: UnseenCalls) -> wire::Unseen {
    let UnseenCalls { agent, native_id: session, calls } = found;
    let close =
        format!("annals session end {} --agent {}", quote::word(&session), quote::word(&agent));
    wire::Unseen { session, agent, calls, close }
}

/// Transcripts that are read each time: the newest, 0.1 s of work.
const BYTES_MAX: u64 = 32 << 20;

/// The agents that are used on this machine, or whose hooks are installed or have fired here.
pub fn all(
    root: &Path,
    stores: Option<&Stores>,
    everything: bool,
) -> Result<Vec<wire::Agent>, CliError> {
    let home = Home::of_environment();
    let mut list = Vec::new();
    for agent in Agent::ALL {
        let log = HookLog::read(&root.join(FOLDER), agent.as_str());
        let fired = log.is_some();
        let told = one(agent, log.unwrap_or_default(), &home, root, stores, everything)?;
        let is_used = home.has(agent) || fired || told.coverage.is_some();
        if is_used || !told.installed.is_empty() || !told.problems.is_empty() {
            list.push(told);
        }
    }
    Ok(list)
}

fn one(
    agent: Agent,
    log: HookLog,
    home: &Home,
    root: &Path,
    stores: Option<&Stores>,
    everything: bool,
) -> Result<wire::Agent, CliError> {
    let (mut installed, mut problems) = (Vec::new(), Vec::new());
    for place in home.places(agent, root) {
        match self::installed(agent, &place) {
            Ok(found) => installed.extend(found),
            Err(error) => problems.push(with_causes(&error)),
        }
    }
    // Settings that cannot be read are told by every command that writes.
    let gate = Project::open(root).ok().and_then(|project| project.config().gate);
    let gate = gate.map(|gate| gate.as_str().to_owned());
    let verdicts = match stores {
        Some(stores) => stores.agent_verdicts(agent.as_str())?,
        None => Default::default(),
    };
    let hooks = log.hooks.iter().map(|(hook, count)| wire::Hook {
        hook: hook.clone(),
        fired: count.fired,
        last_at: time::utc(count.last_ms),
    });
    let last_fault = log.last_fault.as_ref().map(|fault| wire::HookFault {
        at: time::utc(fault.at_ms),
        hook: fault.hook.clone(),
        what: fault.what.clone(),
        not_recorded: fault.not_recorded,
    });
    Ok(wire::Agent {
        agent: agent.as_str().to_owned(),
        installed,
        gate,
        problems,
        last_fired: log.last_ms().and_then(time::utc),
        hooks: hooks.collect(),
        faults: log.faults,
        not_recorded: log.not_recorded,
        last_fault,
        coverage: coverage(agent, root, stores, everything)?,
        denied: verdicts.denied,
        advised: verdicts.advised,
        bypassed: verdicts.bypassed,
        last_bypass: verdicts.last_bypass.map(|id| id.to_string()),
    })
}

fn installed(agent: Agent, place: &Place) -> Result<Option<wire::Installed>, CliError> {
    let file = SettingsFile::read(&place.path)?;
    let found = standing(file.text(), agent).map_err(|fault| file.fault(fault))?;
    let Some(first) = found.first() else { return Ok(None) };
    let has = |event: &str| found.iter().any(|it| it.event == event);
    Ok(Some(wire::Installed {
        path: place.path.to_string_lossy().into_owned(),
        scope: place.scope.as_str().to_owned(),
        mode: first.line.mode.as_str().to_owned(),
        events: found.iter().map(|it| it.event.clone()).collect(),
        missing: agent
            .events()
            .iter()
            .filter(|event| !has(event))
            .map(|&event| event.to_owned())
            .collect(),
    }))
}

/// Calls in the agent's transcripts against calls on record.
fn coverage(
    agent: Agent,
    root: &Path,
    stores: Option<&Stores>,
    everything: bool,
) -> Result<Option<wire::Coverage>, CliError> {
    let Some(stores) = stores else { return Ok(None) };
    let root = root.canonicalize().map_err(|source| CliError::io("find", root, source))?;
    let bytes_max = if everything { u64::MAX } else { BYTES_MAX };
    let found = transcript_calls(agent.as_str(), &import::past(&root), bytes_max)?;
    if found.transcripts == 0 {
        return Ok(None);
    }
    Ok(Some(wire::Coverage {
        transcripts: found.transcripts,
        read: found.read,
        calls: found.calls.len() as u64,
        recorded: stores.recorded_calls(found.calls.iter())?,
    }))
}
