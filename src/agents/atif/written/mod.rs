//! A session as a trajectory: a prompt is a step, and an answer with the calls behind it.

mod call;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::agents::outward::{Known, Plan, text};
use crate::event::wire::utc_text;
use crate::event::{AssistantSaid, Body, Recorded, Usage};
use crate::execution::replay::{Contents, Walk, What, Window};
use crate::journal::JournalError;

const VERSION: &str = "ATIF-v1.7";

/// Whose the words in `extra` are.
pub(in crate::agents::atif) const OWN: &str = "annals";

/// How many steps were written.
pub type Steps = u64;

/// What of a session is written, and how.
#[derive(Clone, Copy)]
pub struct Which<'a> {
    pub plan: &'a Plan,
    pub known: &'a Known,
    /// The part of the journal that is wanted.
    pub part: &'a Window,
    /// What agents said.
    pub answers: bool,
}

/// The events of a session, to be given to [`write`].
pub fn window(known: &Known) -> Window {
    let (from, through) = (Some(known.first), Some(known.last));
    Window { from, through, sessions: Some(vec![known.id]), ..Window::default() }
}

/// Writes a session, step by step: nothing where no step of it is wanted.
pub fn write<E: From<JournalError>>(
    walk: &mut Walk,
    which: Which<'_>,
    put: &mut dyn FnMut(&str) -> Result<(), E>,
) -> Result<Steps, E> {
    let contents = walk.contents().clone();
    let mut steps =
        Written { which, contents, step: None, number: 0, total: Usage::default(), put };
    while let Some(step) = walk.next() {
        let What::Event(recorded) = step?.what else { continue };
        if let Some(call) = which.plan.call(&recorded, walk)? {
            let place = call.ended.as_ref().unwrap_or(&recorded);
            if which.part.holds(place) {
                steps.call(&recorded, &call)?;
            }
        } else if which.part.holds(&recorded) {
            steps.event(&recorded)?;
        }
    }
    steps.end()
}

/// A step that goes on.
struct Step {
    value: Map<String, Value>,
    actor: Option<String>,
    calls: Vec<Value>,
    results: Vec<Value>,
    /// What the format has no words for, by call.
    ends: BTreeMap<String, Value>,
}

impl Step {
    /// Whether a call is a part of it.
    fn goes_on(&self, actor: &Option<String>) -> bool {
        self.actor == *actor && self.value.get("source").is_some_and(|it| it == "agent")
    }
}

struct Written<'w, E> {
    which: Which<'w>,
    contents: Contents,
    step: Option<Step>,
    number: Steps,
    total: Usage,
    put: &'w mut dyn FnMut(&str) -> Result<(), E>,
}

impl<E> Written<'_, E> {
    fn event(&mut self, recorded: &Recorded) -> Result<(), E> {
        match &recorded.event.body {
            Body::PromptSubmitted(b) => {
                let told = text(&self.contents, &b.text);
                let own = json!({ "actor": b.actor, "prompt_id": b.native_id });
                self.begin(recorded, "user", told, b.actor.clone(), own)?;
                self.flush()
            }
            Body::AssistantSaid(said)
                if self.which.answers && self.which.plan.is_last(recorded.sequence) =>
            {
                self.said(recorded, said)
            }
            _ => Ok(()),
        }
    }

    fn said(&mut self, recorded: &Recorded, said: &AssistantSaid) -> Result<(), E> {
        let told = text(&self.contents, &said.text);
        let own = json!({
            "actor": said.actor,
            "parent": said.parent.map(|it| it.to_string()),
            "message_id": said.native_id,
            "stop_reason": said.stop_reason,
            "cache_write_tokens": said.usage.cache_write,
        });
        self.begin(recorded, "agent", told, said.actor.clone(), own)?;
        add(&mut self.total, &said.usage);
        let Some(step) = &mut self.step else { return Ok(()) };
        if let Some(model) = &said.model {
            step.value.insert("model_name".to_owned(), model.as_str().into());
        }
        if let Some(thinking) = &said.thinking {
            let thinking = text(&self.contents, thinking);
            step.value.insert("reasoning_content".to_owned(), thinking.into());
        }
        let metrics = filled(json!({
            "prompt_tokens": prompt_tokens(&said.usage),
            "completion_tokens": said.usage.output,
            "cached_tokens": said.usage.cache_read,
        }));
        step.value.extend(metrics.map(|metrics| ("metrics".to_owned(), metrics)));
        Ok(())
    }

    /// Ends the step before, and begins another.
    fn begin(
        &mut self,
        recorded: &Recorded,
        source: &str,
        message: String,
        actor: Option<String>,
        own: Value,
    ) -> Result<(), E> {
        self.flush()?;
        self.number += 1;
        let mut value = Map::new();
        value.insert("step_id".to_owned(), self.number.into());
        let at = utc_text(recorded.event.envelope.at_ms);
        value.extend(at.map(|at| ("timestamp".to_owned(), at.into())));
        value.insert("source".to_owned(), source.into());
        value.insert("message".to_owned(), message.into());
        value.extend(filled(own).map(|own| ("extra".to_owned(), json!({ OWN: own }))));
        let (calls, results, ends) = (Vec::new(), Vec::new(), BTreeMap::new());
        self.step = Some(Step { value, actor, calls, results, ends });
        Ok(())
    }

    fn flush(&mut self) -> Result<(), E> {
        let Some(step) = self.step.take() else { return Ok(()) };
        let Step { mut value, calls, results, ends, .. } = step;
        if !calls.is_empty() {
            value.insert("tool_calls".to_owned(), calls.into());
            value.entry("extra").or_insert_with(|| json!({ OWN: {} }))[OWN]["calls"] = json!(ends);
        }
        if !results.is_empty() {
            value.insert("observation".to_owned(), json!({ "results": results }));
        }
        let head = if value["step_id"] == 1 { self.head() } else { ",\n".to_owned() };
        (self.put)(&(head + &Value::from(value).to_string()))
    }

    /// The document up to its first step.
    fn head(&self) -> String {
        let facts = &self.which.known.facts;
        let id = self.which.known.id.to_string();
        let native = Some(facts.native_id.as_str()).filter(|it| !it.is_empty());
        let named = Some(facts.agent.as_str()).filter(|it| !it.is_empty());
        let agent = filled(json!({
            "name": named.unwrap_or("unknown"),
            "version": facts.agent_version.as_deref().unwrap_or("unknown"),
            "model_name": facts.model,
        }));
        let own = json!({ OWN: filled(json!({
            "session": id,
            "machine": self.which.plan.machine,
            "parent": facts.parent.map(|it| it.to_string()),
            "title": facts.title,
            "cwd": facts.cwd,
            "branch": facts.branch,
        })) });
        format!(
            "{{\"schema_version\":{},\n\"session_id\":{},\n\"agent\":{},\n\"extra\":{own},\n\"steps\":[\n",
            json!(VERSION),
            json!(native.unwrap_or(&id)),
            json!(agent),
        )
    }

    fn end(mut self) -> Result<Steps, E> {
        self.flush()?;
        if self.number == 0 {
            return Ok(0);
        }
        let total = filled(json!({
            "total_prompt_tokens": prompt_tokens(&self.total),
            "total_completion_tokens": self.total.output,
            "total_cached_tokens": self.total.cache_read,
            "total_steps": self.number,
        }));
        (self.put)(&format!("\n],\n\"final_metrics\":{}}}\n", json!(total)))?;
        Ok(self.number)
    }
}

/// The format counts what came from a cache, and what went into one, among the tokens of a prompt.
fn prompt_tokens(usage: &Usage) -> Option<u64> {
    let all = [usage.input, usage.cache_read, usage.cache_write];
    usage.input.map(|_| all.into_iter().flatten().fold(0, u64::saturating_add))
}

fn add(total: &mut Usage, one: &Usage) {
    let sum = |total: &mut Option<u64>, one: Option<u64>| {
        *total = one.map(|it| it.saturating_add(total.unwrap_or(0))).or(*total);
    };
    sum(&mut total.input, one.input);
    sum(&mut total.output, one.output);
    sum(&mut total.cache_read, one.cache_read);
    sum(&mut total.cache_write, one.cache_write);
}

/// An object without what is not known; nothing where that is all of it.
fn filled(value: Value) -> Option<Value> {
    let Value::Object(mut object) = value else { return Some(value) };
    object.retain(|_, value| !value.is_null());
    (!object.is_empty()).then_some(Value::Object(object))
}
