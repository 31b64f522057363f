//! Asking a model until it answers: reads of memory are answered in further rounds, a reply that
//! cannot be used is sent back with what is wrong with it (spec 003, "LLM Query").

use std::time::Instant;

use super::book::{Remembered, remember};
use super::{NodeRun, PhasesError, Result};
use crate::event::{Body, Content, ModelQueried, NodePlace, PromptPlace};
use crate::memory::{Applied, MemoryError, Operation, RenderGiven};
use crate::parse::reply::{ReplyError, Updates, extract_memory_updates};
use crate::phases::model::{ModelFailure, Question};
use crate::phases::prompt::Prompt;

/// Why a model's answer cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum AskFailure {
    #[error(transparent)]
    Model(#[from] ModelFailure),
    #[error("the model's replies could not be used; the last: {0}")]
    Reply(ReplyError),
    /// Nothing goes on: what happened cannot be recorded.
    #[error(transparent)]
    Broken(#[from] PhasesError),
}

impl NodeRun<'_> {
    /// Puts what the node's branch sees into a prompt, and what a model can do about it; remembers
    /// that it did. Without memory nothing.
    pub fn inject_memory(
        &mut self,
        prompt: &mut Prompt,
        hint: &str,
        place: &PromptPlace,
    ) -> Result<()> {
        let budget = self.book.project().config().memory.phase_prompt_budget_chars;
        let given = RenderGiven {
            task_hint: Some(hint.to_owned()),
            budget_chars: Some(budget),
            no_limit: false,
            prompt: Some(place.clone()),
        };
        // The same words each time: the window is for what happened, not for how often this did.
        let summary = format!("Memory context injected for {hint}");
        let injected = Remembered::Recall { kind: "memory_context_injected".to_owned(), summary };
        let rendered = self.book.with_memory(|operation, place, stage| {
            let rendered = operation.render_for_prompt(&place.branch, &given)?;
            remember(operation, place, stage, &injected)?;
            Ok(rendered)
        })?;
        if let Some(rendered) = rendered {
            let operations = self.texts.text("prompt/config/memory/operations.txt")?;
            prompt.set("Memory", format!("{}\n\n{operations}", rendered.trim_end()));
        }
        Ok(())
    }

    /// Asks the model: `label` and `hint` say what for, `parse` reads the answer from a reply without
    /// its `<memory_update>`.
    pub fn ask<T>(
        &mut self,
        mut prompt: Prompt,
        label: &str,
        hint: &str,
        parse: impl Fn(&str) -> Result<T, ReplyError>,
    ) -> Result<T, AskFailure> {
        let config = self.book.project().config().memory.clone();
        let rounds = if self.book.has_memory() { config.max_memory_read_rounds } else { 0 };
        let (mut round, mut attempt) = (0, 1);
        let place = self.prompt_place(label, attempt, round);
        self.inject_memory(&mut prompt, hint, &place)?;
        loop {
            let place = self.prompt_place(label, attempt, round);
            let (reply, queried) = self.query(&prompt, place.clone())?;
            let done = match self.judge(&reply, round < rounds, &parse) {
                Ok((updates, answer)) => {
                    self.take(&updates, queried.clone(), place)?.map(|results| (results, answer))
                }
                Err(fault) => Err(fault),
            };
            match done {
                Ok((_, Some(answer))) => return Ok(answer),
                Ok((results, None)) => {
                    round += 1;
                    let last = if round == rounds { "\n\nNo more reads: answer now." } else { "" };
                    prompt.set("Memory Read Results", format!("{results}{last}"));
                    prompt.remove("Feedback");
                }
                Err(fault) => {
                    self.queried(ModelQueried { error: Some(fault.to_string()), ..queried })?;
                    if attempt > config.memory_update_retries {
                        return Err(AskFailure::Reply(fault));
                    }
                    attempt += 1;
                    prompt.set("Feedback", fault.feedback());
                }
            }
        }
    }

    /// Asks it and applies what it writes, until it reads no more; answers what is left of the last
    /// reply.
    pub fn run_memory_update_phase(
        &mut self,
        prompt: Prompt,
        label: &str,
        hint: &str,
    ) -> Result<String, AskFailure> {
        self.ask(prompt, label, hint, |rest| Ok(rest.to_owned()))
    }

    /// One query. One without an answer is recorded here, any other by what comes of it.
    fn query(
        &mut self,
        prompt: &Prompt,
        place: PromptPlace,
    ) -> Result<(String, ModelQueried), AskFailure> {
        let Some(model) = &mut self.model else { return Err(PhasesError::NoModel.into()) };
        let (markdown, sections) = (prompt.markdown(), prompt.json());
        let node = self.book.place.clone();
        let question = Question {
            prompt: &markdown,
            run: &node.experiment.run,
            node: &node.node,
            label: &place.label,
            round: place.round,
            stop: self.stop,
        };
        let began = Instant::now();
        let answered = model.ask(&question);
        self.queries += 1;
        let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (reply, error) = match &answered {
            Ok(reply) => (reply.clone(), None),
            Err(failure) => (failure.printed.clone(), Some(failure.to_string())),
        };
        let queried = ModelQueried {
            node,
            prompt: place,
            sections: Content::Inline(sections.into_bytes()),
            reply: Content::Inline(reply.into_bytes()),
            error,
            duration_ms,
        };
        match answered {
            Ok(reply) => Ok((reply, queried)),
            Err(failure) => {
                self.queried(queried)?;
                Err(failure.into())
            }
        }
    }

    /// What of a failure is the node's result: replies that cannot be used. A model that gives none
    /// says nothing of the experiment, and the node stays open.
    pub(super) fn finding(&self, failure: AskFailure) -> Result<String> {
        let node = self.book.place.node.clone();
        match failure {
            AskFailure::Broken(error) => Err(error),
            AskFailure::Model(failure) if failure.unwanted || self.is_stopped() => {
                Err(self.interrupted())
            }
            AskFailure::Model(failure) => Err(PhasesError::Unanswered { node, failure }),
            failure @ AskFailure::Reply(_) => Ok(failure.to_string()),
        }
    }

    fn queried(&mut self, queried: ModelQueried) -> Result<()> {
        self.book.tell(vec![Body::ModelQueried(queried)], Vec::new())
    }

    /// What a reply writes, and its answer: `None` where it read memory, and is asked again.
    fn judge<T>(
        &self,
        reply: &str,
        may_read: bool,
        parse: &impl Fn(&str) -> Result<T, ReplyError>,
    ) -> Result<(Updates, Option<T>), ReplyError> {
        let required = self.book.project().config().memory.require_memory_update;
        let memory = self.book.has_memory();
        let extracted = match extract_memory_updates(reply, required && memory) {
            // Nobody asked for a block: whatever is wrong with it is no matter.
            Err(_) if !memory => return Ok((Updates::default(), Some(parse(reply)?))),
            extracted => extracted?,
        };
        let updates = extracted.updates.filter(|_| memory).unwrap_or_default();
        if updates.has_reads() && may_read {
            return Ok((updates, None));
        }
        match parse(&extracted.rest) {
            Ok(answer) => Ok((updates, Some(answer))),
            Err(ReplyError::MissingAnswer { .. }) if updates.is_read_only() => {
                Err(ReplyError::ReadOnly)
            }
            Err(fault) => Err(fault),
        }
    }

    /// Records the query and applies what it writes, as one commit; gives what its reads found. Of what
    /// memory refuses nothing is done, and the model is told.
    fn take(
        &mut self,
        updates: &Updates,
        queried: ModelQueried,
        prompt: PromptPlace,
    ) -> Result<Result<String, ReplyError>> {
        if !self.book.has_memory() {
            self.queried(queried)?;
            return Ok(Ok(String::new()));
        }
        if updates.consolidate {
            self.book.judge(self.given.task.hint())?;
        }
        let applied = self.book.with_memory(|operation, place, stage| {
            operation.record(Body::ModelQueried(queried))?;
            apply(operation, place, stage, updates, prompt)
        });
        match applied {
            Ok(applied) => Ok(Ok(applied.as_ref().map(told).unwrap_or_default())),
            Err(error) if error.is_refusal() => {
                Ok(Err(ReplyError::Refused { why: error.to_string() }))
            }
            Err(error) => Err(error.into()),
        }
    }

    pub fn prompt_place(&self, label: &str, attempt: u64, round: u64) -> PromptPlace {
        PromptPlace {
            experiment: self.book.place.experiment.clone(),
            session: format!("node_{}", self.book.place.node),
            stage: self.book.stage.clone(),
            label: format!("{label}_attempt{attempt}"),
            counter: self.queries + 1,
            round,
        }
    }
}

/// Applies what a model asks for on the node's branch.
pub(super) fn apply(
    operation: &mut Operation<'_>,
    place: &NodePlace,
    stage: &str,
    updates: &Updates,
    prompt: PromptPlace,
) -> Result<Applied, MemoryError> {
    let (node, stage) = (Some(place.node.as_str()), Some(stage));
    operation.apply_llm_memory_updates(&place.branch, updates, node, stage, Some(prompt))
}

/// What its reads found, and what of it was not done.
fn told(applied: &Applied) -> String {
    let mut text = applied.reads.for_prompt();
    for refusal in &applied.refused {
        text.push_str(&format!("\nNot done: `{}`: {}", refusal.at, refusal.why));
    }
    text
}
