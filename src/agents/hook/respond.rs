//! From what an agent tells to what it is answered.

use std::io::Read;
use std::path::PathBuf;

use super::input::Result;
use super::{
    Firing, HookAnswer, HookError, HookInput, HookName, HookRequest, Known, damage, ended, session,
    tool_use,
};
use crate::agents::import::loose::parsed;
use crate::config::ConfigError;
use crate::grounding::agents::{close_gone_agent, close_gone_agents};
use crate::journal::owner::agent as agent_process;
use crate::journal::tlog::{self, Occasion};
use crate::journal::{
    FOLDER, HookFault, HookLog, LostJournal, Project, ProjectError, clock, enclosure,
};
use crate::output::escape::with_causes;
use crate::output::remedy;

/// How long a hook waits for the journal's lock, each time. An agent waits for it.
const LOCK_WAIT_MS: u64 = 1_900;

/// The answer to what is told on `input`, as JSON; empty where the agent expects nothing.
pub fn respond(request: &HookRequest, input: impl Read) -> String {
    let at_ms = clock::now_ms();
    let bytes = match super::read(input) {
        Ok(bytes) => bytes,
        Err(error) => return unheard(request, at_ms, error.into()),
    };
    let mended;
    let told = match serde_json::from_slice::<HookInput<'_>>(&bytes) {
        Ok(told) => told,
        Err(error) => {
            // Half a surrogate pair, which some agents write, is no JSON to a strict reader.
            mended = crate::agents::import::mended(&bytes).unwrap_or_default();
            match parsed::<HookInput<'_>>(&mended) {
                Some(told) => told,
                None => {
                    let reason = error.to_string();
                    return unheard(request, at_ms, super::InputError::NotJson { reason }.into());
                }
            }
        }
    };
    let name = HookName::of(told.name());
    if name == HookName::Ignored {
        return String::new();
    }
    let mut starts: Vec<PathBuf> = request.starts.clone();
    starts.splice(0..0, told.cwd.to_text().map(PathBuf::from));
    let project = match find(request, &starts) {
        Ok(Some(project)) => project.waiting(LOCK_WAIT_MS),
        Ok(None) => return "{}".to_owned(),
        Err(ProjectError::Lost(lost)) => return lost_in(request, &lost, &told, at_ms),
        Err(error) => return told_of(request, None, told.name(), at_ms, vec![error.into()]),
    };
    let (mut answer, mut faults) = fire(request, &told, name, &project, at_ms);
    faults.extend(damage::told(&project, name));
    let unusable = project.settings().faults.first().map(ConfigError::place);
    faults.extend(unusable.map(|place| HookError::Settings { place }));
    let session = told.session_id.to_text().unwrap_or_default();
    let session = (told.name(), session.as_ref());
    answer.messages.extend(note(request, Some(&project), session, at_ms, &faults));
    json(answer, name, told.name())
}

/// The nearest project upward from the first of these that has one.
fn find(request: &HookRequest, starts: &[PathBuf]) -> Result<Option<Project>, ProjectError> {
    // Where the agent was started counts before where its shell has gone since.
    let own =
        request.starts.iter().take(usize::from(request.agent.facts().project_variable.is_some()));
    for start in own.chain(starts) {
        match Project::find_around(start, request.around) {
            // In whichever working tree its shell is.
            Ok(project) => {
                return Ok(Some(starts.iter().take(1).fold(project, Project::worked_in)));
            }
            // Another user's is no reason to speak, and none to look further.
            Err(ProjectError::Foreign { .. }) => return Ok(None),
            Err(ProjectError::NotFound { .. } | ProjectError::Folder { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

fn fire(
    request: &HookRequest,
    told: &HookInput<'_>,
    name: HookName,
    project: &Project,
    at_ms: u64,
) -> (HookAnswer, Vec<HookError>) {
    let firing = match Firing::new(request.agent, told, project, request.mode, at_ms) {
        Ok(firing) => firing,
        Err(error) => return (HookAnswer::default(), vec![error]),
    };
    // These read a transcript first, which may take longer than others of the session can wait.
    let alone = match name {
        HookName::Stop => Some(session::stopped(&firing)),
        HookName::SubagentStop => Some(super::subagent(&firing)),
        HookName::SessionEnd => Some(super::answer(&firing)),
        _ => None,
    };
    if let Some(answered) = alone {
        let mut faults = Vec::new();
        if name == HookName::SessionEnd {
            faults.extend(ended::settle(project));
        }
        if name != HookName::SubagentStop {
            ended::keep_up(project);
        }
        faults.extend(close_gone(project, &firing));
        let on = match name {
            HookName::SessionEnd => Some(Occasion::End),
            HookName::Stop => Some(Occasion::Recorded),
            _ => None,
        };
        let signed = on.map(|on| tlog::sign_by_itself(project, on));
        faults.extend(signed.and_then(Result::err).map(HookError::from));
        return whole(answered, faults);
    }
    let mut faults = Vec::new();
    let fired = format!("{} {}", told.name(), told.tool_use_id.to_text().unwrap_or_default());
    let (owners, program) = (project.owners_dir(), request.agent.facts().program);
    if agent_process::note(&owners, firing.session, program, &fired) {
        let closed = close_gone_agent(project, firing.session);
        faults.extend(closed.err().map(HookError::from));
    }
    let mut known = Known::of(project, firing.session);
    let answered = loop {
        let answered = answer(&firing, request, name, &mut known);
        match answered.as_ref().err().and_then(HookError::overtaken) {
            Some(last) => {
                if let Err(error) = known.read_on(last) {
                    break Err(error);
                }
            }
            None => break answered,
        }
    };
    known.save();
    faults.extend(known.take_faults());
    // Another's file is opened once ours is let go: two hooks that wait for each other both give up.
    drop(known);
    faults.extend(close_gone(project, &firing));
    whole(answered, faults)
}

fn close_gone(project: &Project, firing: &Firing<'_>) -> Vec<HookError> {
    let closed = close_gone_agents(project, firing.session);
    closed.err().map(HookError::from).into_iter().collect()
}

fn answer(
    firing: &Firing<'_>,
    request: &HookRequest,
    name: HookName,
    known: &mut Known<'_>,
) -> Result<HookAnswer> {
    match name {
        HookName::PreToolUse => tool_use::begun(firing, known),
        HookName::PostToolUse => tool_use::ended(firing, false, known),
        HookName::PostToolUseFailure => tool_use::ended(firing, true, known),
        HookName::SessionStart => session::started(firing, request.env_file.clone(), known),
        HookName::UserPromptSubmit => session::prompted(firing, known),
        _ => {
            let outcome =
                firing.input.trigger.to_text().or_else(|| firing.input.notification_type.to_text());
            firing.note(outcome.as_deref().unwrap_or("ran"), known)
        }
    }
}

fn whole(answered: Result<HookAnswer>, mut faults: Vec<HookError>) -> (HookAnswer, Vec<HookError>) {
    match answered {
        Ok(answer) => (answer, faults),
        Err(error) => {
            faults.push(error);
            (HookAnswer::default(), faults)
        }
    }
}

/// The answer where the journal is lost. What happened is counted beside it, for people to find.
fn lost_in(request: &HookRequest, lost: &LostJournal, told: &HookInput<'_>, at_ms: u64) -> String {
    let hook = told.name();
    let what = remedy::line(lost);
    let fault = HookFault { at_ms, hook: hook_name(hook).to_owned(), what, not_recorded: true };
    let annals = lost.root.join(FOLDER);
    let message = format!("annals: {}", fault.what);
    let (agent, session) = (request.agent.as_str(), told.session_id.to_text().unwrap_or_default());
    let is_news = HookLog::note_standing(&annals, agent, hook_name(hook), fault, &session);
    let name = HookName::of(hook);
    // One line a session, whenever it is lost: no call waits for a journal that is gone.
    let is_news = is_news.unwrap_or(name == HookName::SessionStart);
    let messages = if is_news { vec![message] } else { Vec::new() };
    json(HookAnswer { messages, ..HookAnswer::default() }, name, hook)
}

/// A hook's name. Whatever else is told for one goes through no redaction here.
fn hook_name(told: &str) -> &str {
    let is_name = told.len() <= 40 && told.bytes().all(|byte| byte.is_ascii_alphabetic());
    if is_name { told } else { "unknown" }
}

/// The answer where this build panicked while it made one: the agent goes on, and its user hears of it.
pub fn panicked(request: &HookRequest) -> String {
    unheard(request, clock::now_ms(), HookError::Panicked)
}

fn unheard(request: &HookRequest, at_ms: u64, error: HookError) -> String {
    // Where there is no journal nobody asked us to listen.
    match find(request, &request.starts) {
        Ok(Some(project)) => told_of(request, Some(&project), "", at_ms, vec![error]),
        _ => "{}".to_owned(),
    }
}

fn told_of(
    request: &HookRequest,
    project: Option<&Project>,
    hook: &str,
    at_ms: u64,
    faults: Vec<HookError>,
) -> String {
    let messages = note(request, project, (hook, ""), at_ms, &faults).into_iter().collect();
    json(HookAnswer { messages, ..HookAnswer::default() }, HookName::Other, hook)
}

/// Keeps what went wrong, and gives it in a sentence for the user.
fn note(
    request: &HookRequest,
    project: Option<&Project>,
    (hook, session): (&str, &str),
    at_ms: u64,
    faults: &[HookError],
) -> Option<String> {
    // A stranger's folder: nobody asked us to listen there, and nothing is written into it.
    let is_barred = faults.iter().any(|fault| enclosure::is_cause_of(fault));
    if is_barred && project.is_none_or(|it| it.must_be_believed().is_err()) {
        return None;
    }
    let mut whats: Vec<String> = faults.iter().map(|fault| with_causes(fault)).collect();
    whats.extend(request.usage.clone());
    let what = Some(whats.join("; ")).filter(|what| !what.is_empty());
    let not_recorded = faults.iter().any(HookError::lost_something);
    let is_standing = is_barred || faults.iter().any(HookError::stands);
    let mut is_news = None;
    if let Some(project) = project {
        let (annals, agent, hook) = (project.annals_dir(), request.agent.as_str(), hook_name(hook));
        let fault =
            what.clone().map(|what| HookFault { at_ms, hook: hook.to_owned(), what, not_recorded });
        match fault {
            Some(fault) if is_standing => {
                is_news = HookLog::note_standing(&annals, agent, hook, fault, session);
            }
            fault => HookLog::note(&annals, agent, hook, at_ms, fault),
        }
    }
    // Nothing that an agent does ends it: its user hears it once a session.
    let is_news = is_news.unwrap_or(HookName::of(hook) == HookName::SessionStart);
    let what = what.filter(|_| !is_standing || is_news);
    let is_settings = |fault: &HookError| matches!(fault, HookError::Settings { .. });
    let advice = match faults.iter().any(is_settings) {
        _ if not_recorded => " (annals status tells more)",
        true => " (annals trust --show tells more)",
        false if faults.iter().any(HookError::is_of_journal) => " (annals verify tells more)",
        false => "",
    };
    what.map(|what| format!("annals: {what}{advice}"))
}

fn json(answer: HookAnswer, name: HookName, hook: &str) -> String {
    // Texts and two levels of objects: there is no value that could not be written.
    serde_json::to_string(&answer.output(name, hook)).unwrap_or_else(|_| "{}".to_owned())
}
