//! Which tasks check the work.

use super::Task;
use crate::event::limits::{CHECK_BYTES_MAX, RUNS_BYTES_MAX};
use crate::event::{CheckStanding, DeclaredCheck};
use crate::parse::check::command::{self, Reach, Trust, check_fault, is_harmless, prepares};
use crate::parse::check::{CheckRules, Kind};
use crate::parse::shell::Script;

/// A task as a check of the project; `None` where it is none, by what it runs or else by its name.
pub fn check_of(task: &Task, found_in: &str) -> Option<DeclaredCheck> {
    let own = CheckRules::default();
    let is_watch = task.command.contains("watch");
    if is_watch || task.command.len() > CHECK_BYTES_MAX || check_fault(&task.command).is_some() {
        return None;
    }
    let named = command::calls(&Script::of(&task.command), &own);
    let runs = task.runs.clone().filter(|it| it.len() <= RUNS_BYTES_MAX);
    let script = Script::of(runs.as_deref().unwrap_or_default());
    let behind = command::calls(&script, &own);
    let is_other =
        |at: usize| !behind.iter().any(|it| it.at == at) && !prepares(&script.commands[at]);
    let has_others = (0..script.commands.len()).any(is_other);
    let heaviest = behind.iter().filter(|it| it.trust != Trust::Hook).map(|it| it.kind).max();
    let (kind, standing) = match (heaviest, named.first().map(|it| it.kind)) {
        // It may do anything (`kubectl apply … && go test ./smoke`).
        (Some(_), None) if has_others => return None,
        (Some(kind), _) => {
            let is_known = behind.iter().all(|it| matches!(it.trust, Trust::Named | Trust::Report));
            let is_sure = Reach::of(&script, &behind).passes;
            (
                kind,
                match (is_sure, is_known) {
                    // It ends well whatever its checks say.
                    (false, _) => CheckStanding::Idle,
                    (true, true) if !has_others => CheckStanding::InForce,
                    (true, _) => CheckStanding::Waiting,
                },
            )
        }
        (None, Some(Kind::Build)) => return None,
        // It writes.
        (None, Some(Kind::Format)) if !task.command.contains("check") => return None,
        (None, Some(kind)) if is_harmless(&script) => (kind, CheckStanding::Idle),
        (None, Some(kind)) => (kind, CheckStanding::Waiting),
        (None, None) => return None,
    };
    let (command, found_in) = (task.command.clone(), found_in.to_owned());
    Some(DeclaredCheck { command, kind, found_in, runs, standing })
}
