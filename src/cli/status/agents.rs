//! The agents that are used here, and how their hooks stand.

use std::path::Path;

use crate::agents::import::transcript_calls;
use crate::agents::settings::{Agent, Home, Place, SettingsFile, standing};
use crate::cli::{CliError, Result, import, with_causes};
use crate::execution::query::Stores;
use crate::journal::{FOLDER, HookLog, Project};
use crate::output::{time, wire};

/// Transcripts that are read each time: the newest, 0.1 s of work.
const BYTES_MAX: u64 = 32 << 20;

/// The agents that are used on this machine, or whose hooks are installed or have fired here.
pub fn agents(root: &Path, stores: Option<&Stores>, everything: bool) -> Result<Vec<wire::Agent>> {
    let home = Home::of_environment();
    let mut list = Vec::new();
    for agent in Agent::ALL.iter().copied() {
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
) -> Result<wire::Agent> {
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

fn installed(agent: Agent, place: &Place) -> Result<Option<wire::Installed>> {
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
) -> Result<Option<wire::Coverage>> {
    let Some(stores) = stores else { return Ok(None) };
    let root = root.canonicalize().map_err(|source| CliError::io("find", root, source))?;
    let bytes_max = if everything { u64::MAX } else { BYTES_MAX };
    let found = transcript_calls(agent, &import::past(&root), bytes_max)?;
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
