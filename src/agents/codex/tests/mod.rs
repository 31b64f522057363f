//! Rollouts in, executions out.

mod forms;
mod hostile;
mod journal;
mod told;
mod whose;

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::*;
use crate::agents::Agent;
use crate::agents::import::{ImportReport, Ledger, Transcript};
use crate::event::{
    Body, Change, Closing, Content, Event, ExecutionStarted, Outcome, SessionStarted,
};

/// A call's id the way the fixtures make them up.
fn id(name: &str) -> String {
    let tail = "0Ab1Cd2Ef3Gh4Ij5Kl6Mn7";
    format!("call_{name}{}", &tail[..tail.len().min(24 - name.len())])
}

fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/transcripts/codex");
    folder.join(name)
}

/// The report and the events of these fixtures, read in this order.
fn read(names: &[&str]) -> (ImportReport, Vec<Event>) {
    let (mut ledger, mut events) = (Ledger::new("codex"), Vec::new());
    for name in names {
        ledger.read_on(name, 1_772_000_000_000, true);
        let file = BufReader::new(File::open(fixture(name)).unwrap());
        for item in Transcript::new(file, Box::<Rollout>::default()) {
            ledger.take(item.unwrap(), &mut events);
        }
    }
    for loose in ledger.loose_results() {
        let event = ledger.give_up(&loose);
        events.push(event);
    }
    ledger.close(&mut events);
    (ledger.report, events)
}

fn started<'a>(events: &'a [Event], call: &str) -> &'a ExecutionStarted {
    let of = |event: &'a Event| match &event.body {
        Body::ExecutionStarted(b) => Some(b),
        _ => None,
    };
    let is = |b: &&ExecutionStarted| b.call.as_ref().is_some_and(|key| key.call == call);
    events.iter().filter_map(of).find(is).unwrap_or_else(|| panic!("no call {call}"))
}

fn closing<'a>(events: &'a [Event], call: &str) -> &'a Closing {
    let id = started(events, call).execution;
    let of = |event: &'a Event| match &event.body {
        Body::ExecutionFinished(b) if b.execution == id => Some(&b.closing),
        _ => None,
    };
    events.iter().find_map(of).unwrap_or_else(|| panic!("no result of {call}"))
}

fn text(content: &Option<Content>) -> &str {
    match content {
        Some(Content::Inline(bytes)) => std::str::from_utf8(bytes).unwrap(),
        Some(other) => panic!("{other:?}"),
        None => "-",
    }
}

fn prompts(events: &[Event]) -> Vec<&str> {
    let of = |event| match event {
        &Event { body: Body::PromptSubmitted(ref b), .. } => match &b.text {
            Content::Inline(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        },
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

fn sessions(events: &[Event]) -> Vec<&SessionStarted> {
    let of = |event| match event {
        &Event { body: Body::SessionStarted(ref b), .. } => Some(b),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}
