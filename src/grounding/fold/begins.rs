//! Executions as they begin.

use super::{
    CheckKind, Grounding, GroundingRules, Hex, LIST_MAX, Moment, OpenCall, TEXT_BYTES_MAX, command,
    paths, push,
};
use crate::event::ExecutionStarted;
use crate::event::target::{Target, arguments_digest, call_target};
use crate::event::tool::{self, Stake};
use crate::parse::check::coverage::Site;
use crate::parse::check::diagnostic::cut;
use crate::parse::check::{Begun, call_key};

impl Grounding {
    pub(super) fn begin(
        &mut self,
        started: &ExecutionStarted,
        is_hooked: bool,
        moment: Moment,
        rules: &GroundingRules,
    ) {
        let target = Target::of(&started.arguments.0, &started.paths, &started.symbols);
        let arguments = arguments_digest(&started.arguments.0);
        let command = command(&started.arguments.0);
        let begun = command.as_deref().map(|it| Begun::of(it, &self.own));
        let Begun {
            kind: check,
            is_check,
            asks,
            edits,
            edits_last,
            stake,
            subjects,
            asks_for_files,
        } = begun.unwrap_or_else(|| Begun {
            kind: rules.check(&started.tool, None, &self.own),
            ..about(started, target.as_ref())
        });
        let checks = command.as_deref().filter(|_| is_check);
        let key = call_target(target.as_ref(), arguments);
        let site = Site { root: &self.root, cwd: started.cwd.as_deref() };
        let open = OpenCall {
            execution: started.execution.into(),
            call: started.call.as_ref().map(Hex::of_call),
            tool: started.tool.clone(),
            key: call_key(key, checks, site).into(),
            target: target.map(|target| cut(&target.shown, TEXT_BYTES_MAX).to_owned()),
            arguments: arguments.into(),
            is_hooked,
            started: moment,
            mutation: tool::is_mutation(&started.tool),
            check,
            asks,
            edits,
            edits_last,
            stake,
            subjects: paths(subjects.iter()),
            asks_for_files,
            cwd: started.cwd.clone().filter(|_| is_check),
            command: command.filter(|_| check != CheckKind::None || is_check),
            paths: paths(started.paths.iter()),
        };
        push(&mut self.open, open, LIST_MAX);
    }
}

/// What a call without a command line may lose, and is about.
fn about(started: &ExecutionStarted, target: Option<&Target>) -> Begun {
    let stake = match tool::stake(&started.tool) {
        // Of several files some may be changed by then.
        Stake::Deed if started.paths.len() > 1 => Stake::Files,
        stake => stake,
    };
    let is_sought = matches!(started.tool.as_str(), "file_search" | "file_glob");
    let is_place = |it: &&str| it.contains(['.', '/']) && !it.contains(char::is_whitespace);
    let place = target.map(|it| it.shown.as_str()).filter(is_place);
    let place = place.filter(|_| !is_sought && stake < Stake::Files);
    Begun { stake, subjects: place.map(str::to_owned).into_iter().collect(), ..Begun::default() }
}
