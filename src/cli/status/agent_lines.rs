//! How an agent stands, for people.

use std::io;

use crate::cli::counted;
use crate::output::escape::line;
use crate::output::stream::{Colour, Output};
use crate::output::time::zone;
use crate::output::{time, wire};

pub fn agent(agent: &wire::Agent, output: &mut Output) -> io::Result<()> {
    let mut title = agent.agent.as_str();
    let mut say = |text: String, colour: Option<Colour>, output: &mut Output| {
        let text = format!("{:<14} {}", std::mem::take(&mut title), line(&text));
        output.coloured(colour, text)
    };
    for problem in &agent.problems {
        say(problem.clone(), Some(Colour::Red), output)?;
    }
    for it in &agent.installed {
        let gate = agent.gate.as_ref().filter(|gate| **gate != it.mode);
        let gate = gate.map(|gate| format!("; here {gate}, by .annals/config.toml"));
        let text = format!("hooks in {} ({}{})", it.path, it.mode, gate.unwrap_or_default());
        say(text, None, output)?;
        if !it.missing.is_empty() {
            let text = format!("without {}: annals enable adds them", it.missing.join(", "));
            say(text, Some(Colour::Yellow), output)?;
        }
    }
    if agent.installed.is_empty() {
        say(format!("no hooks: annals enable {}", agent.agent), None, output)?;
    } else if agent.installed.len() > 1 {
        let text = "each call runs all of them: annals disable, then annals enable";
        say(text.to_owned(), Some(Colour::Yellow), output)?;
    }
    if agent.last_fired.is_some() || !agent.installed.is_empty() {
        say(fired(agent), None, output)?;
    }
    if let Some(fault) = &agent.last_fault {
        let at = fault.at.as_deref().map(local).unwrap_or_default();
        let lost = if fault.not_recorded { ", not recorded" } else { "" };
        let count = counted(agent.faults, "fault");
        let text = format!("{count}, the last at {at} in {}{lost}: {}", fault.hook, fault.what);
        say(text, Some(Colour::Yellow), output)?;
    }
    if let Some(it) = &agent.coverage {
        let of = match it.read == it.transcripts {
            true => counted(it.transcripts, "transcript"),
            false => format!("the newest {} of {}", it.read, counted(it.transcripts, "transcript")),
        };
        let text = format!("{} of {} in {of} on record", it.recorded, counted(it.calls, "call"));
        let colour = (it.recorded < it.calls).then_some(Colour::Yellow);
        say(text, colour, output)?;
    }
    if agent.denied + agent.advised > 0 {
        let text = format!("the gate denied {}, and advised {}", agent.denied, agent.advised);
        say(text, None, output)?;
    }
    if let Some(last) = &agent.last_bypass {
        let count = agent.bypassed;
        let text = format!("{count} of them ran although denied: annals show {last}");
        say(text, Some(Colour::Red), output)?;
    }
    Ok(())
}

/// When a hook last fired, and how often each did.
fn fired(agent: &wire::Agent) -> String {
    let Some(last) = &agent.last_fired else {
        return match agent.agent.as_str() {
            "codex" => "none has fired here yet: trust them in codex, /hooks".to_owned(),
            _ => "none has fired here yet: begin a new session".to_owned(),
        };
    };
    let hooks = agent.hooks.iter().map(|it| format!("{} {}", it.hook, it.fired));
    format!("last fired {}: {}", local(last), hooks.collect::<Vec<_>>().join(", "))
}

/// A time of the JSON shape as a screen shows it.
fn local(utc: &str) -> String {
    let zone = zone::system();
    time::parse(utc, 0, &zone).map_or_else(|_| utc.to_owned(), |at_ms| time::local(at_ms, &zone))
}
