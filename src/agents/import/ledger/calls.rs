//! Calls and results as executions.

use std::sync::Arc;

use super::{Ledger, LeftCommand, LooseResult, OpenCall, When, event};
use crate::agents::import::hash;
use crate::agents::import::item::{Call, CallResult, Head};
use crate::agents::import::limits::{ACTORS_MAX, FLAWS_MAX, OPEN_CALLS_MAX};
use crate::event::{
    Body, Change, Closing, Content, Event, ExecutionFinished, ExecutionId, ExecutionStarted, Json,
    Outcome, SessionId, TranscriptFlaw, target, tool,
};
use crate::journal::id;
use crate::parse::background::left;

/// Commands in the background that are remembered, and the bytes of one.
pub(super) const LEFT_MAX: usize = 256;
const COMMAND_BYTES_MAX: usize = 4 << 10;

impl Ledger {
    pub(super) fn take_call(&mut self, head: &Head, mut call: Call, out: &mut Vec<Event>) {
        let name = named(call.scope.as_deref(), &call.id);
        if !self.seen_calls.is_new(hash(&[name.as_bytes()])) {
            self.report.duplicates += 1;
            return;
        }
        self.report.calls += 1;
        if self.open.len() >= OPEN_CALLS_MAX {
            self.interrupt_open(out);
        }
        let at_ms = self.at_ms(head);
        let key = self.key(call.scope.as_deref(), &call.id);
        let execution = call.execution.unwrap_or_else(|| id::imported_execution(at_ms, &key));
        let session = self.here().1.or_else(|| self.nameless());
        if let Some(id) = call.reads()
            && let Some((.., left)) =
                self.left.iter().rev().find(|it| Some(it.0) == session && it.1 == id)
        {
            call.add_command(&left.command, left.cwd.as_deref());
        }
        let cwd = call.cwd.clone().or_else(|| head.cwd.clone());
        let command = target::command(&call.arguments).filter(|it| it.len() <= COMMAND_BYTES_MAX);
        let command = command.filter(|_| call.tool == "bash_exec");
        let tool = call.tool;
        let parent = self.parent(head);
        self.calls_opened += 1;
        let open = OpenCall {
            execution,
            tool: tool.clone(),
            changes: call.changes,
            session,
            command: command.map(|command| LeftCommand { command, cwd: cwd.clone() }),
            number: self.current,
            at_ms: head.at_ms,
            order: self.calls_opened,
            file: Arc::clone(&self.file),
            line: self.line,
        };
        if let Some(task) = &call.task {
            self.remember_asked(hash(&[task.trim().as_bytes()]), execution);
            let place = self.current.map(|number| (number, self.calls_opened));
            self.open_tasks.extend(place.map(|place| (place, execution)));
        }
        let loose = self.take_loose(&name);
        self.open.insert(name, open);
        let started = ExecutionStarted {
            execution,
            native_tool: Some(call.native_tool).filter(|native| *native != tool),
            tool,
            call: Some(key),
            actor: head.actor.clone(),
            parent,
            arguments: Json(call.arguments),
            paths: call.paths,
            symbols: Vec::new(),
            cwd,
            branch: head.branch.clone(),
        };
        self.push(head, Body::ExecutionStarted(started), out);
        if let Some(loose) = loose {
            self.take_result(&loose.head, loose.line, loose.result, out);
        }
    }

    pub(super) fn parent(&mut self, head: &Head) -> Option<ExecutionId> {
        let actor = head.actor.as_ref()?;
        let named = head.task.as_ref().and_then(|task| self.open.get(task));
        if let Some(task) = named.map(|open| open.execution) {
            self.remember_task(actor, task);
            return Some(task);
        }
        self.tasks.get(actor).copied().or_else(|| self.only_open_task())
    }

    /// Where a subagent does not say whose it is, and there is only one it can be.
    fn only_open_task(&self) -> Option<ExecutionId> {
        let number = self.current?;
        let mut tasks = self.open_tasks.range((number, 0)..=(number, u64::MAX));
        let (_, only) = tasks.next()?;
        tasks.next().is_none().then_some(*only)
    }

    /// A subagent is known by what it was asked, long before its task's result names it.
    pub(super) fn recognise(&mut self, actor: &str, prompt: &str) {
        let task = self.asked.get(&hash(&[prompt.trim().as_bytes()])).copied();
        if let Some(task) = task.filter(|_| !self.tasks.contains_key(actor)) {
            self.remember_task(actor, task);
        }
    }

    pub(super) fn remember_task(&mut self, actor: &str, task: ExecutionId) {
        if self.tasks.len() < ACTORS_MAX && self.tasks.insert(actor.to_owned(), task) != Some(task)
        {
            self.carried.task(actor, task);
        }
    }

    pub(super) fn remember_asked(&mut self, text: u128, task: ExecutionId) {
        if self.asked.len() < ACTORS_MAX && self.asked.insert(text, task) != Some(task) {
            self.carried.ask(text, task);
        }
    }

    pub(super) fn remember_left(&mut self, session: SessionId, id: String, command: LeftCommand) {
        self.carried.leave(session, &id, &command);
        self.left.push_back((session, id, command));
        if self.left.len() > LEFT_MAX {
            self.left.pop_front();
        }
    }

    pub(super) fn take_result(
        &mut self,
        head: &Head,
        line: u64,
        result: CallResult,
        out: &mut Vec<Event>,
    ) {
        let name = named(result.scope.as_deref(), &result.id);
        let Some(open) = self.open.remove(&name) else {
            match self.seen_calls.contains(hash(&[name.as_bytes()])) {
                true => self.report.duplicates += 1,
                false => self.keep_loose(head, line, result, out),
            }
            return;
        };
        self.count(&result);
        if let Some(number) = open.number {
            self.open_tasks.remove(&(number, open.order));
        }
        if let Some(subagent) = &result.subagent {
            self.remember_task(subagent, open.execution);
        }
        let at = self.when(head);
        let tool = turned_out(open.tool, &result);
        let session = open.session;
        self.leave(session, open.command, &result);
        let finished = ExecutionFinished {
            execution: open.execution,
            tool,
            closing: closing(result, open.changes),
        };
        out.push(event(session, at, Body::ExecutionFinished(finished)));
    }

    /// Remembers a command that goes on in the background.
    fn leave(
        &mut self,
        session: Option<SessionId>,
        command: Option<LeftCommand>,
        result: &CallResult,
    ) {
        let printed = result.stdout.as_deref().map(String::from_utf8_lossy);
        let id = printed.as_deref().and_then(left).map(str::to_owned);
        if let (Some(session), Some(command), Some(id)) = (session, command, id) {
            self.remember_left(session, id, command);
        }
    }

    /// The result of a call that an earlier import has recorded.
    pub fn late(&mut self, loose: LooseResult, execution: ExecutionId, tool: String) -> Event {
        self.count(&loose.result);
        let tool = turned_out(tool, &loose.result);
        let closing = closing(loose.result, Vec::new());
        let finished = ExecutionFinished { execution, tool, closing };
        let at = When { at_ms: loose.at_ms, is_untimed: loose.head.is_untimed };
        event(loose.session, at, Body::ExecutionFinished(finished))
    }

    fn count(&mut self, result: &CallResult) {
        if result.outcome == Outcome::Interrupted {
            self.report.interrupted += 1;
            return;
        }
        self.report.results += 1;
        match result.outcome {
            Outcome::Failed => self.report.failed += 1,
            Outcome::Refused => self.report.refused += 1,
            Outcome::Ok | Outcome::Interrupted => return,
        }
        self.report.errors += 1;
    }
}

/// The tool that a call turned out to be: whether a file was made only its result says.
pub fn turned_out(called: String, result: &CallResult) -> String {
    match called == tool::written(false) && result.outcome == Outcome::Ok {
        true => tool::written(result.created).to_owned(),
        false => called,
    }
}

/// What a result says of how its call ended. How long it took only the agent knows: the time from call to
/// result holds the user's own to permit it.
pub fn closing(result: CallResult, named: Vec<Change>) -> Closing {
    let mut changed = match (result.outcome, result.changes.is_empty()) {
        (Outcome::Ok, true) => named,
        (Outcome::Ok, false) => result.changes,
        _ => Vec::new(),
    };
    if let Some(only) = changed.first_mut() {
        only.created |= result.created;
        only.path = result.file.unwrap_or_else(|| std::mem::take(&mut only.path));
    }
    Closing {
        outcome: result.outcome,
        exit_code: result.exit_code,
        duration_ms: result.duration_ms,
        error: result.error,
        stdout: result.stdout.map(Content::Inline),
        stderr: result.stderr.map(Content::Inline),
        diagnostics: result.diagnostics,
        paths: Vec::new(),
        symbols: Vec::new(),
        changed,
    }
}

/// What a call is known by within one command.
pub fn named(scope: Option<&str>, call: &str) -> String {
    scope.map_or_else(|| call.to_owned(), |scope| format!("{scope}\0{call}"))
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flaws {
    pub count: u64,
    /// The first one that is not recorded by itself.
    pub beyond: u64,
}

impl Ledger {
    /// What is recorded of something wrong in the line that is read: nothing once a file had too many of its kind.
    pub(super) fn flaw(&mut self, kind: TranscriptFlaw, detail: String) -> Option<Event> {
        self.report.count(kind);
        let line = self.line;
        let flaws = self.flaws.entry((self.file.to_string(), kind)).or_default();
        flaws.count += 1;
        if flaws.count > FLAWS_MAX {
            if flaws.count == FLAWS_MAX + 1 {
                flaws.beyond = line;
            }
            self.report.find(&self.file, line, kind.as_str(), detail);
            return None;
        }
        let (at_ms, session) = self.here();
        Some(self.flawed(session, at_ms, line, kind, detail))
    }

    /// The files are read: says of each how many flaws of a kind are not recorded by themselves.
    pub fn count_flaws(&mut self, out: &mut Vec<Event>) {
        for ((file, kind), flaws) in std::mem::take(&mut self.flaws) {
            let Some(more) = flaws.count.checked_sub(FLAWS_MAX).filter(|more| *more > 0) else {
                continue;
            };
            let (at_ms, session) = self.here();
            let here = std::mem::replace(&mut self.file, file.into());
            let what = match kind {
                TranscriptFlaw::Unreadable => "unreadable lines",
                TranscriptFlaw::PartUnread => "parts not read",
                TranscriptFlaw::OddTime => "times that cannot be",
                TranscriptFlaw::ResultWithoutCall => "results without call",
            };
            let detail = format!("this and what follows: {more} more {what}");
            out.push(self.flawed(session, at_ms, flaws.beyond, kind, detail));
            self.file = here;
        }
    }
}
